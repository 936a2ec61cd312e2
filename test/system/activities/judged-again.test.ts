/**
 * Goal: an unreadable record is read again. Method: nights for some weeks, and a new version of the schemas for any
 * age.
 */
import { expect, onTestFinished, test } from 'vitest'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { createSweepList } from '../../../activities/sweep/sweep-list.ts'
import { createSource } from '../../../api/http/source.ts'
import { Secret } from '../../../domain/settings.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { startSimulator } from '../../../simulator/service/server.ts'
import { tamperedRecords } from '../privacy/tampered-service.ts'
import { simulatedSource } from '../../support/simulated-source.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

const FIRST_DAY = '2026-02-15T04:15:00Z'

/** Two transactions of that time that can't be read; from some night on only one of them. */
async function service(order: 'created-asc' | 'created-desc', time = '2025-10-1') {
  const world = {
    seed: 5,
    terminals: 3,
    transactions: 2_000,
    days: 150,
    limitCap: 50,
    plantsPerKind: 0,
    lateCaptureRate: 0,
  }
  const options = simulatorOptions({ ...world, order: { transactions: order } })
  const simulator = await startSimulator(options, { now: FIRST_DAY })
  const ids = new Set<string>()
  let healed: string | undefined
  const tampered = await tamperedRecords(simulator.url, (list, _ordinal, record) => {
    const id = /"transactionId":(\d+)/.exec(record)?.[1]
    if (list !== 'transactions' || id === undefined || !record.includes(`"created":"${time}`)) {
      // Nothing older than a week makes a night reach back because it is still open.
      return /"created":"2026-02-(0[7-9]|1)/.test(record)
        ? record
        : record
            .replace('"status":"HOLD"', '"status":"VOID"')
            .replace('"settled":false', '"settled":true')
    }
    if (ids.size < 2) ids.add(id)
    if (!ids.has(id) || id === healed) return record
    return record.replace(/"amountTotal":"(\d+\.\d)\d"/, '"amountTotal":"$1"')
  })
  const source = createSource(simulatedSource(tampered.url, options, 50), {
    hashKey: new Secret('test-hash-key'),
  })
  const shared = new SharedLake(emptyLakeIn(tempFolder()), () => {})
  onTestFinished(async () => {
    await source.close()
    await shared.close()
    await simulator.stop()
  })
  return {
    heal: () => {
      healed = [...ids][0]
    },
    /** A day later: how much of the list was read, and what still can't be. */
    async night(day: number, schemaVersion: number) {
      simulator.advanceTo(new Date(Date.parse(FIRST_DAY) + day * 86_400_000).toISOString())
      const sweepList = createSweepList(shared, () => source, { schemaVersion })
      const about = { runId: `n${day}`, account: 'acme', pass: 1 }
      for (const list of ['settlements', 'transactions'] as const) {
        expect(await sweepList({ ...about, list })).toMatchObject({ done: true })
      }
      return shared.connected(async (_lake, connection) => ({
        sweeps: await rowsOf(
          connection,
          `select records::integer as records, certificate, covers_from is null as is_whole
           from lake.ops.sweep where run_id = 'n${day}' and list = 'transactions'`,
        ),
        unread: await rowsOf(connection, UNREAD),
      }))
    },
  }
}

const UNREAD = `select distinct subject_id, schema_version, field from lake.seen.quarantine
  where list = 'transactions'
    and not exists (
      from lake.seen.transaction_version as version
      where version.transaction_id::varchar = subject_id and version.landing_seq > quarantine.landing_seq)
  order by subject_id, schema_version`

const recordsOf = ({ sweeps }: { sweeps: Record<string, unknown>[] }) =>
  Number(sweeps[0]?.['records'])

test.each(['created-asc', 'created-desc'] as const)(
  'a record quarantined under one version and readable under the next is read again by the next night, once: %s',
  async (order) => {
    const { night, heal } = await service(order)
    const first = await night(0, 1)
    expect(first.sweeps).toMatchObject([{ is_whole: true }])
    expect(first.unread).toMatchObject([
      { schema_version: 1, field: 'amountTotal' },
      { schema_version: 1, field: 'amountTotal' },
    ])

    // The records could be read now, but a night does not read so far back, and no new version requires it.
    heal()
    const usual = await night(1, 1)
    expect(usual.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS', is_whole: false }])
    expect(usual.unread).toEqual(first.unread)

    const again = await night(2, 2)
    expect(again.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS', is_whole: false }])
    expect(recordsOf(again)).toBeGreaterThan(2 * recordsOf(usual))
    expect(new Set(again.unread.map((row) => row['subject_id'])).size).toBe(1)
    expect(again.unread.at(-1)).toMatchObject({ schema_version: 2, field: 'amountTotal' })

    // A record that the new version refuses too is judged, and later nights do not read it again.
    const after = await night(3, 2)
    expect(recordsOf(after)).toBeLessThan(1.5 * recordsOf(usual))
    expect(after.unread).toEqual(again.unread)
  },
  120_000,
)

test('the next night reads a record that the service mended after three weeks, and not the whole list', async () => {
  const { night, heal } = await service('created-asc', '2026-01-26')
  const first = await night(0, 1)
  expect(first.unread).toHaveLength(2)
  // A usual night would read everything of the last week again.
  heal()
  const second = await night(1, 1)
  expect(second.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS', is_whole: false }])
  expect(second.unread).toHaveLength(1)
}, 120_000)
