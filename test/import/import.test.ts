import { expect, test } from 'vitest'
import { importer } from './exports.ts'

test('lines of NDJSON land as transactions, and one that is bad is set aside', async () => {
  const { bring, rows } = await importer()
  const result = await bring(
    '{"transactionId":1,"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"2026-03-01T10:00:00Z","amountTotal":"12.30"}\n' +
      '{"transactionId":2,"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"2026-03-01T10:00:00Z","amountTotal":"12.3"}\n',
  )
  expect(result).toMatchObject({ landed: true, rows: 2, newVersions: 1, quarantined: 1 })
  expect(await rows('select subject_id, field, reason from lake.seen.quarantine')).toEqual([
    { subject_id: '2', field: 'amountTotal', reason: 'is not an amount with two decimals' },
  ])
})
