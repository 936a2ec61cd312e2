/** The worklist of a person: for each exception whom to ask, the cause in words, and the next step. */
import type { ExceptionCode } from './exceptions.ts'

export interface NextStep {
  askWhom: 'processor' | 'shop' | 'bank' | 'setup'
  /** `{component}` stands for the component that the reported net leaves out. */
  cause: string
  step: string
}

/** An AMOUNT_MISMATCH by its explanation. The processor is asked about each. */
const MISMATCHES = {
  EXTRA_TRANSACTION: {
    cause: 'The reported net leaves out a settled transaction',
    step: 'Ask the processor to settle the transaction or to say why it did not',
  },
  MISSING_TRANSACTION: {
    cause: 'The reported net contains a transaction that is not settled',
    step: 'Ask the processor whether the transaction was settled',
  },
  COUNTED_TWICE: {
    cause: 'The reported net counts a transaction twice',
    step: 'Ask the processor to correct the settlement',
  },
  REFUND_SIGN: {
    cause: 'The reported net adds a refund, or leaves it out',
    step: 'Ask the processor to correct the settlement',
  },
  COMPONENT_EXCLUDED: {
    cause: 'The reported net leaves out the {component} of its transactions',
    step: 'Ask the processor when it pays the {component}',
  },
  WRONG_TERMINAL: {
    cause: 'A transaction was settled with another terminal',
    step: 'Ask the processor to correct the terminal of the transaction',
  },
  COMBINATION: {
    cause: 'The reported net leaves out, or adds, two to four transactions',
    step: 'Ask the processor about these transactions',
  },
  UNEXPLAINED: {
    cause: 'No set of up to four transactions accounts for the difference',
    step: 'Ask the processor for the transactions of the settlement',
  },
} as const satisfies Record<string, Omit<NextStep, 'askWhom'>>

/** All other codes, and settlements that can't be judged. */
const OTHERS: Record<Exclude<ExceptionCode, 'AMOUNT_MISMATCH'> | 'NO_DATA', NextStep> = {
  NO_DATA: {
    askWhom: 'setup',
    cause: "The transactions of the settlement were not read, so that it can't be judged",
    step: 'Read them with tieout backfill',
  },
  PENDING_STALE: {
    askWhom: 'processor',
    cause: 'The settlement is still PENDING',
    step: 'Ask the processor when it completes',
  },
  PENDING_DRIFT: {
    askWhom: 'processor',
    cause: 'The reported net changed while the settlement was PENDING',
    step: 'Ask the processor why the amount changed',
  },
  COMPLETE_CHANGED: {
    askWhom: 'bank',
    cause: 'The reported net changed after the settlement was COMPLETE',
    step: 'Compare with the deposit at the bank',
  },
  STATUS_REGRESSION: {
    askWhom: 'bank',
    cause: 'A COMPLETE settlement became PENDING again',
    step: 'See at the bank whether the deposit arrived',
  },
  SETTLEMENT_MOVED: {
    askWhom: 'processor',
    cause: 'The settlement is listed on another terminal than before',
    step: 'Ask the processor which terminal it pays',
  },
  SETTLEMENT_DISAPPEARED: {
    askWhom: 'bank',
    cause: 'The service no longer lists the settlement',
    step: 'See at the bank whether the deposit arrived',
  },
  ORPHAN_SETTLED: {
    askWhom: 'processor',
    cause: 'The transaction is marked as settled, and no settlement can contain it',
    step: 'Ask the processor in which settlement it is',
  },
  UNSETTLED_AGED: {
    askWhom: 'processor',
    cause: 'The transaction was captured and is not settled',
    step: 'Ask the processor when it settles',
  },
  SETTLED_NOT_CAPTURED: {
    askWhom: 'processor',
    cause: 'The transaction is settled, and it was never captured',
    step: 'Ask the processor why it was settled',
  },
  SETTLED_NOT_APPROVED: {
    askWhom: 'processor',
    cause: 'The transaction is settled, and it was not approved',
    step: 'Ask the processor why it was settled',
  },
  SETTLEMENT_REVERSED: {
    askWhom: 'processor',
    cause: 'The transaction was settled, and is no longer',
    step: 'Ask the processor whether it was paid',
  },
  CHANGED_AFTER_SETTLEMENT: {
    askWhom: 'processor',
    cause: 'The transaction changed after it was settled',
    step: 'Ask the processor which amount was paid',
  },
  TRANSACTION_DISAPPEARED: {
    askWhom: 'processor',
    cause: 'The service no longer lists the transaction',
    step: 'Ask the processor what became of it',
  },
  TOTAL_MISMATCH: {
    askWhom: 'shop',
    cause: 'The total is not the sum of its parts',
    step: 'Compare with the receipt',
  },
  VERIFY_NONZERO: {
    askWhom: 'processor',
    cause: 'A check of a card has an amount',
    step: 'Ask the processor whether the card was charged',
  },
  AMOUNT_OVER_LIMIT: {
    askWhom: 'shop',
    cause: 'An amount is above 1,000,000.00',
    step: 'Compare with the receipt',
  },
  DUPLICATE_CHARGE: {
    askWhom: 'shop',
    cause: 'The same card was charged the same amount within ten minutes',
    step: 'Ask the shop whether the customer paid twice',
  },
  REFUND_CEILING_BREACH: {
    askWhom: 'shop',
    cause: 'The refund is more than was charged on the card in twelve months',
    step: 'Ask the shop who approved the refund',
  },
  SURCHARGE_NOT_ENABLED: {
    askWhom: 'shop',
    cause: 'The terminal may not add a surcharge',
    step: 'Ask the shop to refund the surcharge',
  },
  SURCHARGE_OVER_RATE: {
    askWhom: 'shop',
    cause: 'The surcharge is above the permitted rate',
    step: 'Ask the shop to refund the excess',
  },
  TERMINAL_TYPE_MISMATCH: {
    askWhom: 'setup',
    cause: 'The kind of payment does not fit the terminal',
    step: 'Check the terminal with the processor',
  },
  ACH_CODE_NOT_ACCEPTED: {
    askWhom: 'setup',
    cause: 'The terminal does not accept this ACH code',
    step: 'Check the terminal with the processor',
  },
  CREATED_IN_FUTURE: {
    askWhom: 'processor',
    cause: 'The record was created after it was read',
    step: 'Ask the processor for the right time',
  },
  MISSED_BY_SWEEP: {
    askWhom: 'setup',
    cause: 'An earlier reading of the list missed the record',
    step: 'Report it to whoever runs tieout',
  },
  UNKNOWN_TERMINAL: {
    askWhom: 'setup',
    cause: 'Transactions name a terminal that the service does not list',
    step: 'Check which terminals the credentials may read',
  },
  TERMINAL_INACCESSIBLE: {
    askWhom: 'setup',
    cause: 'The service refuses access to the terminal',
    step: 'Check which terminals the credentials may read',
  },
  QUARANTINED: {
    askWhom: 'setup',
    cause: "The service sent a record that can't be read",
    step: "Send the record's id and field to the processor",
  },
}

/** Rows of the table `next_step`, one for each code and explanation. The explanation is empty where a code has none. */
export const NEXT_STEPS: readonly ({ code: string; explanation: string } & NextStep)[] = [
  ...Object.entries(MISMATCHES).map(([explanation, step]) => ({
    ...{ code: 'AMOUNT_MISMATCH', explanation, askWhom: 'processor' as const },
    ...step,
  })),
  ...Object.entries(OTHERS).map(([code, step]) => ({ code, explanation: '', ...step })),
]
