/** The sentences in which `explain` says why a certificate is AMBIGUOUS. */
import type { CertificateReasonCode } from '../../domain/certificate-reasons.ts'
import type { CertificateReason } from '../../queries/explanation-evidence.ts'
import type { Explanation } from '../../queries/explanation.ts'

/** A list that goes on for longer says how many more there are. */
const MOST_LISTED = 10

const SENTENCES: Readonly<
  Record<CertificateReasonCode, (reason: CertificateReason, nets: number) => string>
> = {
  BESIDE_BREAK: ({ otherSettlement, transactions }) =>
    transactions === ''
      ? `Its neighbour, settlement ${otherSettlement}, is a BREAK, so nothing confirms the cut-off between the two.`
      : `Its neighbour, settlement ${otherSettlement}, does not tie, but another shift with ${listed(transactions)} could make it tie.`,
  CHANCE: (_, nets) =>
    `Neither settlement beside it ties, so one of ${nets > 0 ? `about ${nets}` : 'its many'} possible nets may equal the reported one by chance.`,
  CONTRADICTED_BY_OBSERVATION: ({ transactions }) =>
    `Sweeps saw ${listed(transactions)} settle for another settlement.`,
  LAST_SETTLEMENT: () =>
    'No later settlement of its terminal confirms where it ends, and other cut-offs are possible.',
  MANUAL_DECISION: ({ transactions }) =>
    `A person placed ${listed(transactions)} in it, so the explanation of the remaining difference is not certain.`,
  OTHER_BEGINNING: ({ otherSettlement }) =>
    `The settlement could also begin at another transaction; the transactions in between would move to or from ${settlement(otherSettlement, 'before')}.`,
  OTHER_CUTOFFS: () =>
    'The settlement could also begin and end at other transactions, with the same net.',
  OTHER_END: ({ otherSettlement }) =>
    `The settlement could also end at another transaction; the transactions in between would move to or from ${settlement(otherSettlement, 'after')}.`,
  OTHER_SHIFT: ({ transactions }) =>
    transactions === ''
      ? 'A cut-off shift beside it could have moved other transactions, also to or from this settlement.'
      : `Other transactions or cut-offs could replace the cut-off shift that moved ${listed(transactions)}.`,
  OTHER_TERMINAL: ({ otherSettlement, transactions }) =>
    `The difference of settlement ${otherSettlement} is also explained by ${listed(transactions)}, and that settlement is AMBIGUOUS.`,
  SAME_CENTS: () =>
    'Other amounts end in the same cents as the difference, so the explanation may fit by chance.',
  SHIFT_BESIDE_BREAK: ({ otherSettlement, transactions }) =>
    `A cut-off shift moved ${listed(transactions)}, and nothing confirms the cut-offs between it and settlement ${otherSettlement}, which does not tie.`,
  SHIFT_OPTIONS: ({ transactions }) =>
    `A cut-off shift moved ${listed(transactions)}, but nothing proves it: other shifts are possible.`,
  SWAP: ({ transactions }) =>
    transactions === ''
      ? 'Transactions close to a cut-off could join, leave or change places without a change of the net.'
      : `The explanation names ${listed(transactions)}, which could be swapped across a cut-off without a change of the net.`,
}

/** Returns one English sentence for each reason why the certificate is AMBIGUOUS. */
export const reasonSentences = ({ certificateReasons, netsByChance }: Explanation): string[] =>
  certificateReasons.map((reason) => SENTENCES[reason.reason](reason, netsByChance))

const settlement = (id: string, side: string) =>
  id === '' ? `the settlement ${side} it` : `settlement ${id}`

/** Returns the ids of `5;6;7` as `transactions 5, 6 and 7`. */
function listed(transactions: string): string {
  const ids = transactions === '' ? [] : transactions.split(';')
  if (ids.length === 0) return 'some of its transactions'
  if (ids.length === 1) return `transaction ${ids[0]}`
  const more = ids.length - MOST_LISTED
  if (more > 0) return `transactions ${ids.slice(0, MOST_LISTED).join(', ')} and ${more} more`
  return `transactions ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`
}
