import { expect, test } from 'vitest'
import { appendBackfillEvent, recordedBackfills } from '../../../lake/decisions/backfill-log.ts'
import { tempLake } from '../../support/temp-lake.ts'

test('an event is stored once however often it is sent, and a backfill is what its events say', async () => {
  const { lake, connection } = await tempLake()
  const about = {
    ...{ backfillId: 'backfill/acme/1', account: 'acme', codeVersion: '1' },
    window: { from: '2026-01-01', to: '2026-02-01' },
  }
  const begun = {
    ...about,
    ...{ event: 'BEGUN' as const, actor: 'Ada', reason: 'audit' },
    ...{ detail: { chunks: 1 }, at: '2026-03-01T10:00:00Z' },
  }
  const done = {
    ...{ ...about, event: 'DONE' as const, detail: { requests: 9 } },
    at: '2026-03-01T11:00:00Z',
  }
  for (const event of [begun, begun, done, done]) {
    await appendBackfillEvent(lake, connection, event)
  }
  const events = await connection.runAndReadAll('from lake.ops.backfill_event')
  expect(events.currentRowCount).toBe(2)
  expect(await recordedBackfills(connection, 'acme')).toMatchObject([
    {
      ...{ from: '2026-01-01', to: '2026-02-01', state: 'DONE', actor: 'Ada', reason: 'audit' },
      ...{ begunAt: '2026-03-01T10:00:00Z', changedAt: '2026-03-01T11:00:00Z', changedBy: null },
      detail: { requests: 9 },
    },
  ])
  expect(await recordedBackfills(connection, 'other')).toEqual([])
})
