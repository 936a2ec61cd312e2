/** A pack with everything that the page can show: two breaks, each kind of explanation, PENDING, refunds at risk. */
import type { Row } from '../../../reports/pack/pack-source.ts'
import { attribution, exception, refundAtRisk, settlement, unsettled } from './fake-source.ts'
import type { World } from './summary-world.ts'

const off = (settlementId: string, difference: string, more: Row): Row => ({
  ...settlement(),
  settlementId,
  reportedNet: (130 - Number(difference)).toFixed(2),
  difference,
  ...(more['verdict'] === 'BREAK'
    ? { explanation: 'UNEXPLAINED', unexplainedAmount: difference, certificate: 'UNSOLVED' }
    : { verdict: 'EXPLAINED', explainedAmount: difference }),
  ...more,
})

const day = (n: number) => ({
  businessDate: `2026-02-${String(n).padStart(2, '0')}`,
  created: `2026-02-${String(n).padStart(2, '0')}T08:00:00Z`,
})

const version = (settlementId: string, hour: number, more: Row = {}): Row => ({
  account: 'demo',
  settlementId,
  terminalId: '7',
  created: '2026-02-26T08:00:00Z',
  observedAt: new Date(Date.UTC(2026, 1, 26, 8 + hour)).toISOString().replace('.000', ''),
  status: 'PENDING',
  reportedNet: '80.00',
  change: null,
  hoursPending: String(hour),
  ...more,
})

const check = (name: string, value: string): Row => ({
  check: name,
  expected: value,
  actual: value,
  difference: value.includes('.') ? '0.00' : '0',
  pass: 'true',
})

export const PAGE_WORLD: World = {
  settlements: [
    settlement({ ...day(3) }),
    off('901', '-20.00', { ...day(4), verdict: 'BREAK' }),
    off('902', '-45.30', { ...day(5), explanation: 'COUNTED_TWICE', explainedBy: '5002' }),
    off('903', '-40.00', { ...day(6), explanation: 'REFUND_SIGN', explainedBy: '5003' }),
    off('904', '25.00', { ...day(9), explanation: 'COMBINATION', explainedBy: '5004;5005' }),
    off('905', '12.40', {
      ...day(10),
      explanation: 'COMPONENT_EXCLUDED',
      explainedBy: '5002;5004',
    }),
    off('906', '-900719.25', {
      ...day(11),
      verdict: 'BREAK',
      terminalName: null,
      terminalId: '9007199254741359',
    }),
    settlement({
      ...day(26),
      settlementId: '907',
      status: 'PENDING',
      verdict: 'PENDING',
      certificate: null,
      difference: null,
      explainedAmount: null,
      unexplainedAmount: null,
    }),
    settlement({
      ...day(27),
      settlementId: '908',
      explanation: 'CUTOFF_SHIFT',
      explainedBy: '5002',
    }),
  ],
  attributions: [
    attribution({ settlementId: '902', amountTotal: '45.30', signedAmount: '45.30' }),
    attribution({
      transactionId: '5003',
      settlementId: '903',
      action: 'REFUND',
      amountTotal: '20.00',
      signedAmount: '-20.00',
    }),
    attribution({
      transactionId: '5004',
      settlementId: '904',
      amountTotal: '35.00',
      signedAmount: '35.00',
    }),
    attribution({
      transactionId: '5005',
      settlementId: '900',
      amountTotal: '10.00',
      signedAmount: '10.00',
    }),
  ],
  exceptions: [
    exception(),
    exception({ exceptionId: 'e2', subjectId: '906', terminalId: '9007199254741359' }),
    exception({
      exceptionId: 'e3',
      code: 'REFUND_CEILING_BREACH',
      certainty: 'CERTAIN',
      subjectType: 'transaction',
      subjectId: '5009',
    }),
    exception({ exceptionId: 'e4', code: 'PENDING_DRIFT', severity: 'warning', subjectId: '907' }),
    exception({
      exceptionId: 'e5',
      code: 'QUARANTINED',
      subjectId: 'sha256:0123456789abcdef',
      terminalId: null,
    }),
  ],
  unsettled: [
    unsettled(),
    unsettled({
      transactionId: '5010',
      action: 'CHARGE',
      signedAmount: '2500.00',
      amountTotal: '2500.00',
      bucket: '0-1',
      ageDays: '1',
    }),
    unsettled({
      transactionId: '5011',
      action: 'CHARGE',
      signedAmount: '75.10',
      amountTotal: '75.10',
      bucket: '>30',
      ageDays: '44',
    }),
  ],
  pending: [
    version('907', 2),
    version('907', 26, { reportedNet: '95.00', change: '15.00' }),
    version('899', 3),
    version('899', 20, { reportedNet: '82.00', change: '2.00' }),
    version('899', 30, { status: 'COMPLETE', reportedNet: '82.00', change: '0.00' }),
    version('898', 2),
    version('898', 12, { status: 'COMPLETE', change: '0.00' }),
  ],
  refund_ceiling: [refundAtRisk(), refundAtRisk({ transactionId: '5012', certainty: 'SUSPECTED' })],
  control_totals: [
    check('settlements of the range = settlements listed', '9'),
    check('journal debits = credits', '397588.45'),
  ],
  previous_run: [
    {
      run_id: 'run-0',
      from_date: '2026-02-01',
      to_date: '2026-02-27',
      as_of: '2026-02-27 08:00:00',
      known_at: '41',
      is_approved: 'true',
    },
  ],
  earlier_approval: [
    {
      ...{ seq: '1', run_id: 'run-0', from_date: '2026-02-01', to_date: '2026-02-27' },
      ...{ prepared_by: 'Ann', approved_by: 'Ben', approved_at: '2026-02-28T09:30:00.000Z' },
    },
  ],
  previous_settlement: [
    {
      settlement_id: '902',
      terminal_id: '7',
      business_date: '2026-02-05',
      status: 'PENDING',
      verdict: 'PENDING',
      reported: '130.00',
      computed: null,
    },
  ],
  previous_exception: [
    {
      exception_id: 'e0',
      code: 'PENDING_STALE',
      severity: 'warning',
      subject_type: 'settlement',
      subject_id: '902',
      terminal_id: '7',
      amount: null,
      state: 'OPEN',
    },
  ],
}
