import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import {
  CARRIED,
  fingerprintOf,
  keepCarried,
  runCarrying,
  takeBase,
  type CarryTerms,
} from '../../lake/carry.ts'
import { prepareModels, readModels, runModels } from '../../lake/models.ts'
import { memoryLake } from '../support/memory-lake.ts'
import { rowsOf } from '../support/temp-lake.ts'

/** More seeds than a test run affords: `CARRY_SEEDS=200 npx vitest run test/core/carry.test.ts`. */
const SEEDS = Number(process.env['CARRY_SEEDS'] ?? 6)
const NIGHTS = 6
const HISTORY = 1200

const MODELS = readModels().filter(
  ({ stage, name }) =>
    ['10_again', '10_changed', '18_risk', '19_coarse'].includes(stage) ||
    name === 'current_transaction' ||
    name === 'duplicate_charge',
)

/**
 * Records of a few cards, so that they meet: `what` is which of their facts are drawn, `id` whose they are, and `after` how
 * many days from 1 January 2024. Ids are kept while versions change.
 */
const drawn = (ids: string, { night, seed }: { night: number; seed: number }) =>
  `
  insert into lake.seen.transaction_version
    (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, total_cents, invoice_number,
     vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
  with id as (${ids})
  select case when draw(i, 1, 60) = 0 then 'other' else 'acme' end, i, draw(i, 2, 3),
    case when draw(i + version, 3, 10) < 3 then 'REFUND' when draw(i, 3, 40) = 39 then 'VERIFY' else 'CHARGE' end,
    ['CAPTURE', 'CAPTURE', 'CAPTURE', 'HOLD', 'VOID'][1 + draw(i + version, 4, 5)], draw(i + version, 5, 12) > 0, draw(i + version, 6, 2) = 0,
    timestamp '2024-01-01' + to_minutes((after * 1440 + draw(i // 3, 7, 1440) + draw(i, 8, 3) * 5)::bigint), null,
    100 * (1 + draw(i // 3 + version // 4, 9, 30)), [null, 'a', 'b'][1 + draw(i, 10, 3)],
    case when draw(i, 11, 15) = 0 then 'ACH' else 'CARD' end, 'VISA', draw(i // 3 + version // 5, 12, 60)::varchar, draw(i // 3, 13, 3)::ubigint,
    hash(i, version), 's', i, timestamp '2025-03-01' + to_days(${night}), ${night}
  from (select i, draw(i // 3, 14, 425) as any_day, version, coalesce(after, any_day) as after from id)`.replaceAll(
    'draw(',
    `draw(${seed}, `,
  )

/** What lands in a night: its own day, a few changed, a few late, and sometimes nothing. */
function landing(night: number, seed: number): string {
  const changed = `select distinct on (i) (hash(${seed}, ${night}, n) % ${HISTORY})::bigint as i, (1 + ${night} + n % 6)::bigint as version, null::bigint as after from range(30) as r (n)`
  const late = `select ${HISTORY} + ${night} * 100 + n as i, 0 as version, null::bigint as after from range(4) as r (n)`
  const today = `select ${HISTORY} + ${night} * 100 + 10 + n as i, 0 as version, ${425 + night}::bigint as after from range(30) as r (n)`
  const parts =
    [[changed, late, today], [today], [changed], [late, today]][(night + seed) % 4] ?? []
  return parts.join(' union all ')
}

interface Night {
  connection: DuckDBConnection
  known_at: number
  wholeEvery?: number
}

async function openHistory(seed: number): Promise<DuckDBConnection> {
  const connection = await memoryLake()
  onTestFinished(() => connection.closeSync())
  await connection.run(
    'create temp macro draw(seed, i, what, n) as (hash(i, what, seed) % n)::bigint',
  )
  await connection.run(
    drawn(`select n as i, 0 as version, null::bigint as after from range(${HISTORY}) as r (n)`, {
      night: 1,
      seed,
    }),
  )
  return connection
}

/** The rows of the three tables, as the models left them. */
async function tables(connection: DuckDBConnection) {
  const found: Record<string, unknown[]> = {}
  for (const name of CARRIED) {
    found[name] = await rowsOf(connection, `select * from ${name} order by all`)
  }
  return found
}

const prepared = ({ connection, known_at }: Night) =>
  prepareModels(connection, {
    account: { type: 'varchar', value: 'acme' },
    known_at: { type: 'bigint', value: BigInt(known_at) },
    timezone: { type: 'varchar', value: 'UTC' },
  })

/** A run as the nights make it: it takes over what the one before left, and leaves its own. */
async function carried(night: Night) {
  const { connection, known_at, wholeEvery = 1000 } = night
  await prepared(night)
  const terms: CarryTerms = {
    account: 'acme',
    known_at: BigInt(known_at),
    fingerprint: await fingerprintOf(connection, 'settings'),
    wholeEvery,
  }
  const base = await takeBase(connection, terms)
  await (base === undefined
    ? runModels(connection, MODELS)
    : runCarrying(connection, { models: MODELS, base }))
  await keepCarried(connection, `n${known_at}`, { ...terms, base })
  return { base, found: await tables(connection) }
}

async function whole(night: Night) {
  await prepared(night)
  await runModels(night.connection, MODELS)
  return tables(night.connection)
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'night after night, what is carried and what is new make the rows of a run over everything: history %i',
  async (seed) => {
    const connection = await openHistory(seed)
    const first = await carried({ connection, known_at: 1 })
    expect(first.base).toBeUndefined()
    for (const rows of Object.values(first.found)) expect(rows.length).toBeGreaterThan(5)
    for (let night = 2; night < 2 + NIGHTS; night += 1) {
      await connection.run(drawn(landing(night, seed), { night, seed }))
      const { base, found } = await carried({ connection, known_at: night })
      expect(base).toMatchObject({ known_at: BigInt(night - 1), isWholeDue: false })
      expect(found).toEqual(await whole({ connection, known_at: night }))
    }
  },
  120_000,
)

test('a night computes only cards with something new, and a run that is whole again finds what was carried wrongly', async () => {
  const connection = await openHistory(1)
  await carried({ connection, known_at: 1 })
  await connection.run('update lake.carried.refund_at_risk set refund_cents = refund_cents + 1')
  const { found } = await carried({ connection, known_at: 1 })
  const right = await whole({ connection, known_at: 1 })
  expect(found['refund_at_risk']).not.toEqual(right['refund_at_risk'])
  expect(found['duplicate_charge']).toEqual(right['duplicate_charge'])
  await expect(carried({ connection, known_at: 1, wholeEvery: 2 })).rejects.toMatchObject({
    code: 'invariant_broken',
    message: expect.stringMatching(/^refund_at_risk carried from run n1 differs/),
  })
})

test('a run from lesser knowledge, of other settings, or that is to be whole takes nothing over', async () => {
  const connection = await openHistory(1)
  const night = { connection, known_at: 2 }
  await carried(night)
  const terms = {
    account: 'acme',
    known_at: 2n,
    fingerprint: await fingerprintOf(connection, 'settings'),
    wholeEvery: 3,
  }
  expect(await takeBase(connection, terms)).toMatchObject({ runId: 'n2', isWholeDue: false })
  expect(await takeBase(connection, { ...terms, known_at: 1n })).toBeUndefined()
  expect(await takeBase(connection, { ...terms, account: 'other' })).toBeUndefined()
  expect(await takeBase(connection, { ...terms, wholeEvery: 1 })).toBeUndefined()
  const other = await fingerprintOf(connection, 'other settings')
  expect(await takeBase(connection, { ...terms, fingerprint: other })).toBeUndefined()
  expect((await carried({ ...night, wholeEvery: 3 })).base?.isWholeDue).toBe(false)
  expect((await carried({ ...night, wholeEvery: 3 })).base?.isWholeDue).toBe(false)
  expect((await carried({ ...night, wholeEvery: 3 })).base?.isWholeDue).toBe(true)
  expect((await carried({ ...night, wholeEvery: 3 })).base?.isWholeDue).toBe(false)
  expect(await takeBase(connection, terms)).toBeDefined()
  await carried({ ...night, wholeEvery: 1 })
  expect(await takeBase(connection, terms)).toBeUndefined()
})
