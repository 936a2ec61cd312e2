import { expect, test } from 'vitest'
import type { CertificateReasonCode } from '../../../domain/certificate-reasons.ts'
import type { ExplainedTransaction, Explanation } from '../../../queries/explanation.ts'
import { pictureOf as pictureIn } from '../../../cli/inspect/explain.ts'

const SETTLEMENT = {
  ...{ runId: 'night', asOf: '2025-01-14T04:15:00Z' },
  ...{ settlementId: '900', terminalId: '41', terminalName: 'Bakery', status: 'COMPLETE' },
  created: '2025-01-13T07:36:53Z',
  ...{ reportedNet: '558.67', computedNet: '', difference: '', cutoff: '', method: 'NONE' },
  ...{ certificate: 'UNSOLVED', explanation: '', explainedAmount: '', unexplainedAmount: '' },
  ...{ cause: '', nextStep: '', explainedBy: '', candidates: '', clock: 'created', rivals: 0 },
  ...{ parts: [], usualLag: '', usualSpread: '', reachHours: 0, cutOffsTried: 0, cutOffs: [] },
  ...{ rivalStretchesFound: 0, rivalStretches: [], netsByChance: 0 },
  ...{ endsAt: '', swaps: [], observed: [], transactions: [] },
  ...{ exceptions: [], certificateReasons: [] },
}

const pictureOf = (explanation: Explanation) => pictureIn(explanation, 'UTC')

test('the head of the picture has the local time of the account beside each time', () => {
  const explanation = { ...SETTLEMENT, verdict: 'BREAK' }
  expect(pictureIn(explanation, 'America/New_York').slice(1, 3)).toEqual([
    'created 2025-01-13T07:36:53Z (2025-01-13 02:36 America/New_York), COMPLETE: BREAK',
    'as of 2025-01-14T04:15:00Z (2025-01-13 23:15 America/New_York), from run night',
  ])
  expect(pictureOf(explanation)[1]).toBe('created 2025-01-13T07:36:53Z, COMPLETE: BREAK')
})

test('a settlement that does not tie shows the cause and the next step, and without data the command that reads it', () => {
  const step = { cause: 'The cause', nextStep: 'Ask the processor' }
  expect(pictureOf({ ...SETTLEMENT, ...step, verdict: 'BREAK' }).slice(3, 6)).toEqual([
    '  cause        The cause',
    '  next step    Ask the processor',
    '',
  ])
  expect(pictureOf({ ...SETTLEMENT, ...step, verdict: 'NO_DATA' }).slice(3, 6)).toEqual([
    '  cause        The cause',
    '  next step    npx --no-install tieout run --from 2025-01-13',
    '',
  ])
  expect(pictureOf({ ...SETTLEMENT, verdict: 'TIED' })[3]).toBe('')
})

test('the picture shows the parts of the difference, the other cut-offs, the rivals’ transactions, and the observations by time', () => {
  const lines = pictureOf({
    ...SETTLEMENT,
    ...{ verdict: 'EXPLAINED', explanation: 'WRONG_TERMINAL', certificate: 'UNIQUE', rivals: 1 },
    ...{ computedNet: '570.00', difference: '11.33', endsAt: '2025-01-12T20:00:00Z' },
    parts: [{ name: 'WRONG_TERMINAL', amount: '11.33', transactions: '5', otherSettlement: '901' }],
    ...{ usualLag: '11:30', usualSpread: '0:15', reachHours: 12, cutOffsTried: 9 },
    cutOffs: [
      { at: '2025-01-12T19:00:00Z', computedNet: '470.00', difference: '-88.67', isChosen: false },
      { at: '2025-01-12T20:00:00Z', computedNet: '570.00', difference: '11.33', isChosen: true },
    ],
    rivalStretchesFound: 12,
    rivalStretches: [
      { from: '2025-01-11T18:00:00Z', until: '2025-01-12T20:00:00Z' },
      { from: '', until: '' },
    ],
    swaps: [
      { leave: '7', join: '8' },
      { leave: '', join: '9' },
    ],
    observed: [{ at: '2025-01-13T08:00:00Z', what: 'settlement COMPLETE at 558.67' }],
  })
  expect(lines[2]).toBe('as of 2025-01-14T04:15:00Z, from run night')
  expect(lines.slice(4, -1)).toEqual([
    '  reported     558.67',
    '  computed     570.00',
    '  difference    11.33',
    '  of that       11.33 WRONG_TERMINAL 5 (settlement 901)',
    '',
    '  cut-off      after the transaction of 2025-01-12T20:00:00Z, ordered by created',
    '  usual        11:30 before created, give or take 0:15 (h:mm)',
    '  searched     up to 12 hours before created',
    '  tried        9 cut-offs; > marks the chosen one',
    '               2025-01-12T19:00:00Z        net 470.00, difference -88.67',
    '             > 2025-01-12T20:00:00Z        net 570.00, difference  11.33',
    '  method       NONE',
    '  certificate  UNIQUE (1 rival)',
    '  meaning      Only these transactions give the net, or only this explanation accounts for the difference.',
    '  as good      from 2025-01-11T18:00:00Z to 2025-01-12T20:00:00Z',
    '  as good      with no transaction',
    '               and 10 more',
    '  as good      without 7, with 8',
    '  as good      with 9',
    '  seen         2025-01-13T08:00:00Z  settlement COMPLETE at 558.67',
    '',
  ])
})

test('each reason why a certificate is AMBIGUOUS is one sentence, with the other settlement and the transactions', () => {
  const because = (
    reason: CertificateReasonCode,
    { otherSettlement = '', transactions = '', netsByChance = 0 } = {},
  ) => {
    const certificateReasons = [{ reason, otherSettlement, transactions }]
    const lines = pictureOf({ ...SETTLEMENT, verdict: 'TIED', netsByChance, certificateReasons })
    return lines.find((line) => line.startsWith('  because'))?.slice(15)
  }
  const said = {
    'Its neighbour, settlement 904, is a BREAK, so nothing confirms the cut-off between the two.':
      because('BESIDE_BREAK', { otherSettlement: '904' }),
    'Its neighbour, settlement 904, does not tie, but another shift with transaction 5 could make it tie.':
      because('BESIDE_BREAK', { otherSettlement: '904', transactions: '5' }),
    'Neither settlement beside it ties, so one of about 361 possible nets may equal the reported one by chance.':
      because('CHANCE', { netsByChance: 361 }),
    'Neither settlement beside it ties, so one of its many possible nets may equal the reported one by chance.':
      because('CHANCE'),
    'Sweeps saw transactions 5 and 6 settle for another settlement.': because(
      'CONTRADICTED_BY_OBSERVATION',
      { transactions: '5;6' },
    ),
    'Other amounts end in the same cents as the difference, so the explanation may fit by chance.':
      because('SAME_CENTS'),
    'No later settlement of its terminal confirms where it ends, and other cut-offs are possible.':
      because('LAST_SETTLEMENT'),
    'A person placed transaction 5 in it, so the explanation of the remaining difference is not certain.':
      because('MANUAL_DECISION', { transactions: '5' }),
    'The settlement could also begin at another transaction; the transactions in between would move to or from settlement 902.':
      because('OTHER_BEGINNING', { otherSettlement: '902' }),
    'The settlement could also begin and end at other transactions, with the same net.':
      because('OTHER_CUTOFFS'),
    'The settlement could also end at another transaction; the transactions in between would move to or from the settlement after it.':
      because('OTHER_END'),
    'Other transactions or cut-offs could replace the cut-off shift that moved transactions 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more.':
      because('OTHER_SHIFT', { transactions: '1;2;3;4;5;6;7;8;9;10;11;12' }),
    'A cut-off shift beside it could have moved other transactions, also to or from this settlement.':
      because('OTHER_SHIFT'),
    'The difference of settlement 901 is also explained by transaction 5, and that settlement is AMBIGUOUS.':
      because('OTHER_TERMINAL', { otherSettlement: '901', transactions: '5' }),
    'A cut-off shift moved transaction 8, and nothing confirms the cut-offs between it and settlement 902, which does not tie.':
      because('SHIFT_BESIDE_BREAK', { otherSettlement: '902', transactions: '8' }),
    'A cut-off shift moved transaction 8, but nothing proves it: other shifts are possible.':
      because('SHIFT_OPTIONS', { transactions: '8' }),
    'Transactions close to a cut-off could join, leave or change places without a change of the net.':
      because('SWAP'),
    'The explanation names transaction 5, which could be swapped across a cut-off without a change of the net.':
      because('SWAP', { transactions: '5' }),
  }
  expect(Object.values(said)).toEqual(Object.keys(said))
})

test('the reasons follow the certificate, one in each line', () => {
  const lines = pictureOf({
    ...{ ...SETTLEMENT, verdict: 'EXPLAINED', certificate: 'AMBIGUOUS', rivals: 1 },
    certificateReasons: [
      { reason: 'BESIDE_BREAK', otherSettlement: '899', transactions: '' },
      { reason: 'LAST_SETTLEMENT', otherSettlement: '', transactions: '' },
    ],
  })
  const at = lines.indexOf('  certificate  AMBIGUOUS (1 rival)')
  expect(lines.slice(at + 2, at + 4)).toEqual([
    '  because      Its neighbour, settlement 899, is a BREAK, so nothing confirms the cut-off between the two.',
    '               No later settlement of its terminal confirms where it ends, and other cut-offs are possible.',
  ])
})

test('cut-offs are drawn where the settlement begins and ends; distant members are shown, and only the nearest neighbours', () => {
  const row = (transactionId: string, lies: ExplainedTransaction['lies'], inside = false) => ({
    ...{ transactionId, lies, inside, created: `2025-01-${transactionId}T08:00:00Z`, note: '' },
    ...{ action: 'CHARGE', status: 'CAPTURE', amountTotal: '1.00', signedAmount: '1.00' },
  })
  const far = Array.from({ length: 13 }, (_, day) => row(String(13 + day), 'after'))
  const lines = pictureOf({
    ...SETTLEMENT,
    ...{ verdict: 'TIED', cutoff: '2025-01-31T08:00:00Z', endsAt: '2025-01-12T08:00:00Z' },
    transactions: [
      row('09', 'before', true),
      row('10', 'before'),
      row('11', 'within', true),
      row('12', 'within', true),
      ...far,
      row('31', 'after', true),
    ],
  })
  const marks = lines.slice(lines.indexOf('  4 transactions in it (|), and its neighbours') + 1)
  expect(marks.map((line) => line.replace(/-{3,}|T.*1.00$/g, '').trim())).toEqual([
    ...['| 2025-01-09', '2025-01-10', 'cut-off of the settlement before'],
    ...['| 2025-01-11', '| 2025-01-12', 'cut-off 2025-01-12T08:00:00Z'],
    ...far.slice(0, 12).map(({ transactionId }) => `2025-01-${transactionId}`),
    '| 2025-01-31',
  ])
})

test('an exception is shown with its detail, and with its state if that is not open', () => {
  const about = { subjectType: 'settlement', subjectId: '900', detail: 'reported 1.00' }
  const lines = pictureOf({
    ...SETTLEMENT,
    ...{ runId: '', verdict: 'BREAK' },
    exceptions: [
      { ...about, code: 'AMOUNT_MISMATCH', state: 'OPEN' },
      { ...about, code: 'PENDING_DRIFT', state: 'WAIVED' },
    ],
  })
  expect(lines[2]).toBe('as of 2025-01-14T04:15:00Z, computed now')
  expect(lines.slice(-2)).toEqual([
    '  AMOUNT_MISMATCH settlement 900: reported 1.00',
    '  PENDING_DRIFT settlement 900 (WAIVED): reported 1.00',
  ])
})
