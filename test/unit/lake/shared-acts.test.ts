/**
 * Goal: acts of several machines form one trail. Method: two transactions on a lake in PostgreSQL, each of which begins
 * before the other one ends. A catalog in SQLite lets in one writer at a time anyway.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lake } from '../../../lake/connection/lake.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { appendDecision, readTrail, type Decision } from '../../../lake/decisions/audit-trail.ts'
import { appendBackfillEvent } from '../../../lake/decisions/backfill-log.ts'
import { recordPublication } from '../../../lake/results/publications.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const ACT: Decision = {
  ...{ account: 'acme', actor: 'Ada', action: 'period.close', subject: '2026-10' },
  ...{ reason: 'done', detail: {} },
}

const isShared = needs('postgresql') && needs('moto')
let services: Services | undefined

beforeAll(async () => {
  if (isShared) services = await startServices()
})

afterAll(() => services?.stop())

/** Opens a shared lake for each of two writers, as two processes do, because transactions of one lake take turns. */
async function openTwice(name: string): Promise<{ lake: Lake; lakes: Lake[] }> {
  const env = {
    TIEOUT_OUT: tempFolder(),
    TIEOUT_TIMEZONE: 'UTC',
    ...(await services?.lake(name)),
  }
  const { lake: settings } = readSettings({}, 'lake', env)
  const lake = await openLake(settings)
  return { lake, lakes: [lake, await openLake(settings)] }
}

test('two acts at the same moment get two numbers, one after the other, on a shared lake', async (context) => {
  if (!isShared) context.skip('PostgreSQL or moto is not installed')
  const { lake, lakes } = await openTwice('acts')
  const begun = new Set<DuckDBConnection>()
  let goOn = () => {}
  const haveBegun = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const act = async (one: DuckDBConnection) => {
    await one.run('from lake.ops.audit')
    if (begun.add(one).size === lakes.length) goOn()
    await haveBegun
    return appendDecision(one, ACT)
  }
  try {
    const acts = await Promise.all(
      lakes.map(async (one) => transact(one, await one.connect(), act)),
    )
    expect(acts.map(({ seq }) => seq).toSorted()).toEqual([1n, 2n])
    expect(await readTrail(await lake.connect())).toHaveLength(2)
  } finally {
    for (const one of lakes) one.close()
  }
})

test('two attempts at one publication or one event of a backfill leave one row on a shared lake', async (context) => {
  if (!isShared) context.skip('PostgreSQL or moto is not installed')
  const { lake, lakes } = await openTwice('results')
  const window = { from: '2026-01-01', to: '2026-02-01' }
  const about = { account: 'acme', asOf: '2026-02-01T00:00:00Z', window }
  const writers = await Promise.all(
    lakes.map(async (of) => ({ of, connection: await of.connect() })),
  )
  try {
    for (const runId of ['r1', 'r2', 'r3']) {
      const pack = { ...about, runId, certificate: 'SNAPSHOT', manifestSha256: runId }
      await Promise.all(
        writers.map(({ of, connection }) => recordPublication(of, connection, pack)),
      )
      const event = {
        ...about,
        backfillId: runId,
        event: 'BEGUN' as const,
        at: '2026-03-01T10:00:00Z',
      }
      await Promise.all(
        writers.map(({ of, connection }) =>
          appendBackfillEvent(of, connection, { ...event, detail: {}, codeVersion: '1' }),
        ),
      )
    }
    const connection = await lake.connect()
    const count = async (table: string) =>
      (await connection.runAndReadAll(`from lake.ops.${table}`)).currentRowCount
    expect([await count('publication'), await count('backfill_event')]).toEqual([3, 3])
  } finally {
    for (const one of lakes) one.close()
  }
})
