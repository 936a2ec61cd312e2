/**
 * Goal: a run over a range reads no more of a long list than it needs. Method: the first run over a range, repeated
 * and other ranges.
 */
import { expect, onTestFinished, test } from 'vitest'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { createSweepList } from '../../../activities/sweep/sweep-list.ts'
import { createSource } from '../../../api/http/source.ts'
import { Secret } from '../../../domain/settings.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { startSimulator } from '../../../simulator/service/server.ts'
import { simulatedSource } from '../../support/simulated-source.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

const FIRST_DAY = '2026-02-15T04:15:00Z'

async function service(order: 'created-asc' | 'created-desc' | 'shuffled') {
  const options = simulatorOptions({
    ...{ seed: 5, from: '2024-03-01', days: 718, terminals: 2, transactions: 2_500 },
    ...{ limitCap: 50, plantsPerKind: 0, order: { transactions: order } },
  })
  const simulator = await startSimulator(options, { now: FIRST_DAY })
  const source = createSource(simulatedSource(simulator.url, options, 50), {
    hashKey: new Secret('test-hash-key'),
  })
  const shared = new SharedLake(emptyLakeIn(tempFolder()), () => {})
  onTestFinished(async () => {
    await source.close()
    await shared.close()
    await simulator.stop()
  })
  /** The sweep of one night, of a range or of none, and how many records of it were never seen before. */
  return async (runId: string, day: number, from?: string) => {
    simulator.advanceTo(new Date(Date.parse(FIRST_DAY) + day * 86_400_000).toISOString())
    const sweepList = createSweepList(shared, () => source)
    const about = { runId, account: 'acme', pass: 1, ...(from === undefined ? {} : { from }) }
    for (const list of ['settlements', 'transactions'] as const) {
      expect(await sweepList({ ...about, list })).toMatchObject({ done: true })
    }
    const rows = await shared.connected(async (_lake, connection) =>
      rowsOf(
        connection,
        `select records::integer as records, new_versions::integer as news, certificate, covers_from::varchar as covers_from
         from lake.ops.sweep where run_id = '${runId}' and list = 'transactions'`,
      ),
    )
    const [{ records, news, certificate, covers_from } = {}] = rows
    return {
      ...{ certificate, records: Number(records), news: Number(news) },
      from: typeof covers_from === 'string' ? covers_from : null,
    }
  }
}

test.each(['created-asc', 'created-desc'] as const)(
  'a run reads a year before its range at first, possible changes later, more for an earlier range, and all without a range: %s',
  async (order) => {
    const night = await service(order)
    const first = await night('first', 0, '2026-01-12')
    expect(first.certificate).toBe('CONTIGUOUS')
    expect(first.from?.localeCompare('2025-01-12 00:00:00')).toBe(-1)
    expect(first.from?.localeCompare('2025-01-05 00:00:00')).toBe(1)

    const again = await night('again', 1, '2026-01-12')
    expect(again.certificate).toBe('CONTIGUOUS')
    expect(again.records).toBeLessThan(first.records / 4)

    const later = await night('later', 2, '2026-02-01')
    expect(later.records).toBeLessThan(first.records / 4)

    const earlier = await night('earlier', 3, '2025-07-01')
    expect(earlier.certificate).toBe('CONTIGUOUS')
    expect(earlier.from?.localeCompare('2024-07-01 00:00:00')).toBe(-1)
    expect(earlier.from?.localeCompare('2024-06-20 00:00:00')).toBe(1)
    expect(earlier.news).toBeGreaterThan(300)

    const whole = await night('whole', 4)
    expect(whole).toMatchObject({ certificate: 'CONTIGUOUS', from: null })
    expect(whole.records).toBeGreaterThan(earlier.records)
  },
  300_000,
)

test('a list without order is read whole, because nothing shows where a range begins', async () => {
  const night = await service('shuffled')
  expect(await night('first', 0, '2026-01-12')).toMatchObject({ from: null })
}, 300_000)
