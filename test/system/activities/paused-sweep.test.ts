/** Goal: a sweep that waited for weeks invents no absence. Method: its list breaks off, and other nights pass. */
import { expect, onTestFinished, test } from 'vitest'
import { createSweepList } from '../../../activities/sweep/sweep-list.ts'
import { createSource } from '../../../api/http/source.ts'
import { Secret } from '../../../domain/settings.ts'
import { startPipeline } from '../../support/pipeline.ts'
import { refusingService, type Rules } from '../../support/refusing-service.ts'
import { rowsOf } from '../../support/temp-lake.ts'

test('a sweep that goes on after more than a week takes no record of its first part for gone', async () => {
  const rules: Rules = {}
  const { settings, shared, simulator, sweep } = await startPipeline(
    { terminals: 2, transactions: 400, days: 40, seed: 11, limitCap: 50 },
    '2025-11-01T04:15:00Z',
    { through: (url) => refusingService(url, rules) },
  )
  if (settings.source === undefined) throw new Error('a pipeline has a source')
  await sweep('night')
  const source = createSource(settings.source, { hashKey: new Secret('test-hash-key') })
  onTestFinished(() => source.close())
  const sweepList = createSweepList(shared, () => source)
  const request = { runId: 'past', account: 'acme', list: 'transactions' as const, pass: 1 }
  rules.refuses = ({ offset }) => (offset > 100 ? 401 : undefined)
  await expect(sweepList({ ...request, from: '2025-10-15' })).rejects.toThrow('401')
  delete rules.refuses
  source.pardon()
  simulator.advanceTo('2025-11-12T04:15:00Z')
  await sweep('later')
  const { done, records, quarantined } = await sweepList({ ...request, from: '2025-10-15' })
  expect(done).toBe(true)
  await shared.connected(async (_lake, connection) => {
    expect(await rowsOf(connection, 'from lake.seen.presence')).toEqual([])
    // Each record that landed is counted, also one that was read before the pause and after it.
    expect(
      await rowsOf(
        connection,
        `select records::integer as records from lake.ops.sweep where sweep_id = 'past/transactions/1'`,
      ),
    ).toEqual([{ records: records + quarantined }])
  })
})
