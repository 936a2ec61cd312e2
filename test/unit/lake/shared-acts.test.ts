/**
 * Goal: acts of several machines form one trail. Method: two transactions on a lake in PostgreSQL, each of which begins
 * before the other one ends. A catalog in SQLite lets in one writer at a time anyway.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLake } from '../../../lake/connection/open.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { appendDecision, readTrail, type Decision } from '../../../lake/decisions/audit-trail.ts'
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

test('two acts at the same moment get two numbers, one after the other, on a shared lake', async (context) => {
  if (!isShared) context.skip('PostgreSQL or moto is not installed')
  const env = {
    TIEOUT_OUT: tempFolder(),
    TIEOUT_TIMEZONE: 'UTC',
    ...(await services?.lake('acts')),
  }
  // Each act has a lake of its own, as that of another process, because transactions of one lake take turns.
  const { lake: settings } = readSettings({}, 'lake', env)
  const lake = await openLake(settings)
  const lakes = [lake, await openLake(settings)]
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
