/**
 * What a run takes over from the one before it. Models of cards look at one card and back in time only: a row of theirs
 * holds as long as no version that landed since, and no earlier version of the same transaction, lies on that card at or
 * before it. So only cards of new records are computed again, by the same models, and the other rows are carried.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { assert, Failure } from '../domain/failure.ts'
import { askCards, nameCards, onAskedCards, onAskedCoarseCards } from './cards.ts'
import { codeVersion } from './code-version.ts'
import { runModels, type Model } from './models.ts'
import { atOneInstant } from './transact.ts'

/** The models whose rows are carried, in the order of the pipeline. */
export const CARRIED = ['refund_at_risk', 'charged_coarse', 'duplicate_charge'] as const
export type Carried = (typeof CARRIED)[number]

/** What makes rows of one run fit for another one. */
export interface CarryTerms {
  account: string
  known_at: bigint
  fingerprint: string
  /** Each so-many-th run computes everything, and is compared with what it would have carried; 1: every run does, and nothing is kept. */
  wholeEvery: number
}

/** What an earlier run has left. */
export interface Base {
  runId: string
  known_at: bigint
  /** True when this run computes everything, to compare. */
  isWholeDue: boolean
  runsSinceWhole: bigint
}

type Heard = (model: Model, took_ms: number) => void

/** Rows are carried between runs of the same models, the same settings and the same DuckDB, whose hashes stand for cards. */
export async function fingerprintOf(
  connection: DuckDBConnection,
  configHash: string,
): Promise<string> {
  const reader = await connection.runAndReadAll('select version()')
  return createHash('sha256')
    .update(`${codeVersion()} ${configHash} ${String(reader.getRows()[0]?.[0])}`)
    .digest('hex')
}

/** Takes what the account's newest run has left into temporary tables; undefined where it left nothing that fits. */
export async function takeBase(
  connection: DuckDBConnection,
  terms: CarryTerms,
): Promise<Base | undefined> {
  if (terms.wholeEvery <= 1) return undefined
  // Another run may replace the rows at any time.
  return atOneInstant(connection, async () => {
    const found = await connection.runAndReadAll(
      `select run_id, known_at::varchar, runs_since_whole::varchar from lake.carried.carry
       where account = $1 and fingerprint = $2 and known_at <= $3`,
      [terms.account, terms.fingerprint, terms.known_at],
    )
    const [runId, known_at, since] = found.getRows()[0] ?? []
    if (runId === undefined) return undefined
    for (const table of CARRIED) {
      await connection.run(
        `create or replace temp table carried_${table} as
         select * exclude (account) from lake.carried.${table} where account = $1`,
        [terms.account],
      )
    }
    const runsSinceWhole = BigInt(String(since)) + 1n
    return {
      runId: String(runId),
      known_at: BigInt(String(known_at)),
      isWholeDue: runsSinceWhole >= BigInt(terms.wholeEvery),
      runsSinceWhole,
    }
  })
}

/** Runs models in order on a connection whose variables are set, those of cards on what has changed since the base. */
export async function runCarrying(
  connection: DuckDBConnection,
  { models, base }: { models: readonly Model[]; base: Base },
  heard: Heard = () => {},
): Promise<void> {
  for (const model of models) {
    if (!CARRIED.some((name) => name === model.name)) {
      await runModels(connection, [model], heard)
      continue
    }
    const carry = () => runCarried(connection, { model, base }, heard)
    await (base.isWholeDue ? compare(connection, model, { base, carry, heard }) : carry())
  }
}

/** Runs one of the models of cards on what has changed since the base; where the past is sealed, with what the seal keeps of cards. */
export async function runCarried(
  connection: DuckDBConnection,
  { model, base, isSealed = false }: { model: Model; base: Base; isSealed?: boolean },
  heard: Heard = () => {},
): Promise<void> {
  const carried = CARRIED.find((name) => name === model.name)
  assert(carried !== undefined, `${model.name} is carried`)
  if (carried === CARRIED[0]) await findTouched(connection, base, isSealed)
  await ACTS[carried](connection, model, { heard, isSealed })
}

/** Keeps what this run found for the next one, in the caller's transaction; where each run is whole, forgets what was kept. */
export async function keepCarried(
  connection: DuckDBConnection,
  runId: string,
  { account, known_at, fingerprint, wholeEvery, base }: CarryTerms & { base: Base | undefined },
): Promise<void> {
  // Rows without their run are not taken by any other.
  for (const table of wholeEvery <= 1 ? ['carry'] : ['carry', ...CARRIED]) {
    await connection.run(`delete from lake.carried.${table} where account = $1`, [account])
  }
  if (wholeEvery <= 1) return
  await connection.run('insert into lake.carried.carry values ($1, $2, $3, $4, $5)', [
    runId,
    account,
    known_at,
    fingerprint,
    base === undefined || base.isWholeDue ? 0n : base.runsSinceWhole,
  ])
  for (const [table, rows] of Object.entries(KEPT)) {
    await connection.run(
      `insert into lake.carried.${table} by name select $1 as account, kept.* from (${rows}) as kept`,
      [account],
    )
  }
}

/** A finding doesn't name its card. */
const KEPT: Record<Carried, string> = {
  refund_at_risk: 'from refund_at_risk',
  charged_coarse: 'from charged_coarse',
  duplicate_charge: `select duplicate_charge.*, current_transaction.fine_key from duplicate_charge
    inner join current_transaction on current_transaction.transaction_id = duplicate_charge.subject_id::bigint`,
}

/** The cards of all versions of what landed since the base, each with the first instant at which something may differ. */
async function findTouched(
  connection: DuckDBConnection,
  { known_at }: Base,
  isSealed: boolean,
): Promise<void> {
  const versions = isSealed ? 'night_version' : 'lake.seen.transaction_version'
  await nameCards(connection, isSealed)
  await connection.run('set variable base_known_at = $1::bigint', [known_at])
  await connection.run(
    `create or replace temp table changed_version as
     select created, action, coarse_card(vault_type, account_type, last_four) as coarse_key,
       fine_card(vault_type, account_type, last_four, billing_key) as fine_key
     from ${versions}
     where account = getvariable('account') and landing_seq <= getvariable('known_at') and transaction_id in (
       select transaction_id from ${versions}
       where account = getvariable('account') and landing_seq <= getvariable('known_at')
         and landing_seq > getvariable('base_known_at'))`,
  )
  for (const key of ['fine_key', 'coarse_key']) {
    await connection.run(
      `create or replace temp table touched_${key} as
       select ${key}, min(created) as touched_at from changed_version where ${key} is not null group by ${key}`,
    )
  }
  // Known before any join, so that older files are not opened.
  await connection.run('set variable touched_from = (select min(touched_at) from touched_fine_key)')
}

const ACTS: Record<
  Carried,
  (
    connection: DuckDBConnection,
    model: Model,
    how: { heard: Heard; isSealed: boolean },
  ) => Promise<void>
> = {
  /** Cards with a refund at or after what is new are judged again, with all that is on them. */
  async refund_at_risk(connection, model, { heard, isSealed }) {
    await askCards(connection, isSealed)
    await connection.run(
      `create or replace temp table asked_transaction as
       ${await onAskedCards(connection, isSealed)}`,
    )
    await runModels(connection, [asking(model, 'current_transaction', 'asked_transaction')], heard)
    await connection.run(
      `insert into refund_at_risk by name
       select carried_refund_at_risk.* from carried_refund_at_risk anti join asked_card using (fine_key)
       left join touched_card using (fine_key) where coalesce(created < touched_at, true)`,
    )
  },

  /** Summed again are refunds that were not at risk before, and those at or after what is new on their coarse card. */
  async charged_coarse(connection, model, { heard, isSealed }) {
    await connection.run(
      `create or replace temp table kept_charge as
       select carried_charged_coarse.* from carried_charged_coarse
       semi join refund_at_risk using (transaction_id, coarse_key, created)
       left join touched_coarse_key using (coarse_key)
       where coalesce(touched_at > carried_charged_coarse.created, true)`,
    )
    await connection.run(
      'create or replace temp table asked_refund as from refund_at_risk anti join kept_charge using (transaction_id)',
    )
    await connection.run(
      `create or replace temp table asked_transaction as
       ${await onAskedCoarseCards(connection, isSealed)}`,
    )
    const asked = asking(model, 'current_transaction', 'asked_transaction')
    await runModels(connection, [asking(asked, 'refund_at_risk', 'asked_refund')], heard)
    await connection.run('insert into charged_coarse by name from kept_charge')
  },

  /** A duplicate stands at most 600 seconds after its like, so that what is new is read with a day before it. */
  async duplicate_charge(connection, model, { heard }) {
    await connection.run(
      `create or replace temp table asked_transaction as
       select card_transaction.* from card_transaction
       inner join touched_fine_key using (fine_key)
       where created >= touched_at - interval 1 day and created >= getvariable('touched_from') - interval 1 day`,
    )
    await runModels(connection, [asking(model, 'current_transaction', 'asked_transaction')], heard)
    await connection.run(
      `create or replace temp table duplicate_charge as
       select duplicate_charge.* from duplicate_charge
       inner join asked_transaction on asked_transaction.transaction_id = duplicate_charge.subject_id::bigint
       inner join touched_fine_key using (fine_key) where subject_created >= touched_at
       union all by name
       select carried_duplicate_charge.* exclude (fine_key) from carried_duplicate_charge
       left join touched_fine_key using (fine_key) where coalesce(subject_created < touched_at, true)`,
    )
  },
}

/** The same model over fewer rows of one of its tables. */
export const asking = (model: Model, table: string, rows: string): Model => ({
  ...model,
  text: model.text.replaceAll(new RegExp(`\\b${table}\\b`, 'g'), rows),
})

/** Computes a table whole and by carrying. Throws invariant_broken where they differ; the table is then the whole one. */
async function compare(
  connection: DuckDBConnection,
  model: Model,
  { base, carry, heard }: { base: Base; carry: () => Promise<void>; heard: Heard },
): Promise<void> {
  await runModels(connection, [model], heard)
  await connection.run(`create or replace temp table whole_${model.name} as from ${model.name}`)
  await carry()
  const differing = await connection.runAndReadAll(
    `select 'carried' as made, columns(name -> name not like '%_key') from (from ${model.name} except all from whole_${model.name})
     union all by name
     select 'whole' as made, columns(name -> name not like '%_key') from (from whole_${model.name} except all from ${model.name})
     limit 3`,
  )
  if (differing.currentRowCount === 0) return
  await connection.run(`create or replace temp table ${model.name} as from whole_${model.name}`)
  throw new Failure(
    'invariant_broken',
    `${model.name} carried from run ${base.runId} differs from the one computed whole: ${JSON.stringify(differing.getRowObjectsJson())}`,
    {
      remedy:
        'set reconcile.whole_every to 1, run the command again, and report it with the details',
    },
  )
}
