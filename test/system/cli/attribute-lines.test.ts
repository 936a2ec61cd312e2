import { expect, test } from 'vitest'
import { linesOf } from '../../../cli/decide/attribute.ts'

const ACTED = { seq: '3', sha256: 'ab12', actor: 'Ada', actedAt: '2026-12-01T08:00:00.000Z' }

test('a repeated decision is shown as the earlier one, with the note that nothing was added', () => {
  const told = (wasSo: boolean, settlement?: string) =>
    linesOf(
      { transactionId: '5', ...(settlement === undefined ? {} : { settlement }) },
      { ...ACTED, wasSo },
    )
  const act = 'act 3 of the audit trail, 2026-12-01T08:00:00.000Z, ab12'
  expect(told(false, '900')).toEqual(['transaction 5: assigned to settlement 900 by Ada', act])
  expect(told(true, '900')).toEqual([
    'transaction 5: assigned to settlement 900 already, by Ada',
    act,
    'nothing was added; to change the reason, withdraw it with --undo first',
  ])
  expect(told(false)).toEqual([
    'transaction 5: decision withdrawn by Ada; the evidence decides again from the next run on',
    act,
  ])
  expect(told(true)).toEqual([
    'transaction 5: decision withdrawn already, by Ada',
    act,
    'nothing was added',
  ])
})
