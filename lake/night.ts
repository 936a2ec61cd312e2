/**
 * A run that reads what is new, and of what is old only what may still be asked for: sums stand for the rest. Terminals of
 * which anything landed late, or about which an earlier model now says something else, are unsealed and computed from their
 * beginning. Where nothing tells which terminal it is about, the run computes everything.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { COVERED, STRETCH } from './cards.ts'
import { asking, CARRIED, runCarried, type Base } from './carry.ts'
import { DOUBTS, landed, rangesAbout } from './doubts.ts'
import { type filledTables, withoutEmpty } from './filled.ts'
import { runModels, type Model } from './models.ts'
import { KNOWN, SEAL, SEALED_TABLES } from './seal.ts'
import { atOneInstant } from './transact.ts'

/** So often terminals are unsealed in the middle of a run, which then begins again. */
const MOST_ATTEMPTS = 6

type Heard = (model: Model, took_ms: number) => void

/** Small tables of a seal that are copied; the others are read where they are, and only as long as the seal is. */
const ASKED_OFTEN: readonly string[] = ['sealed_terminal', 'sealed_settlement', 'opening']

/** What an earlier run sealed, as `near_<table>`. */
export interface Sealed {
  runId: string
  known_at: bigint
}

/** Takes the account's seal; undefined where there is none that fits. The variables of the run are set. */
export async function takeSeal(
  connection: DuckDBConnection,
  fingerprint: string,
): Promise<Sealed | undefined> {
  return atOneInstant(connection, async () => {
    const found = await connection.runAndReadAll(
      `select run_id, known_at::varchar, audit_seq::varchar, learned_event, sealed_from::varchar
       from lake.carried.seal
       where account = getvariable('account') and fingerprint = $1 and known_at <= getvariable('known_at')
         and audit_seq <= getvariable('audit_seq') and as_of <= getvariable('as_of') and window_from <= getvariable('window_from')
         and not exists (
           from lake.ops.sweep where sweep.account = seal.account and list = 'settlements'
             and landing_seq > seal.known_at and landing_seq <= getvariable('known_at') and started_at <= seen_until)`,
      [fingerprint],
    )
    const [runId, known_at, audit_seq, learned, sealed_from] = found.getRows()[0] ?? []
    if (runId === undefined) return undefined
    for (const table of SEALED_TABLES) {
      const kind = ASKED_OFTEN.includes(table) ? 'table' : 'view'
      await connection.run(
        `create or replace temp ${kind} near_${table} as from lake.carried.${table} where account = getvariable('account')`,
      )
    }
    const values = { sealed_known_at: known_at, sealed_audit_seq: audit_seq }
    for (const [name, value] of Object.entries(values)) {
      await connection.run(`set variable ${name} = $1::bigint`, [String(value)])
    }
    await connection.run('set variable sealed_from = $1::timestamp', [String(sealed_from)])
    await connection.run('set variable sealed_event = $1::varchar', [
      learned === null || learned === undefined ? null : String(learned),
    ])
    return { runId: String(runId), known_at: BigInt(String(known_at)) }
  })
}

interface Night {
  models: readonly Model[]
  /** What an earlier run has left of cards. */
  base: Base
  seal: Sealed
  /** Tells which tables of the lake hold rows. */
  filled: typeof filledTables
}

/**
 * Runs the models on what the seal leaves to read; false where it can't be told that they find what they would find in
 * everything, and the caller has to run them on that.
 */
export async function runNight(
  connection: DuckDBConnection,
  { models, base, seal, filled }: Night,
  heard: Heard = () => {},
): Promise<boolean> {
  await connection.run(`set variable sealed_account = getvariable('account')`)
  await connection.run(`set variable opens_at = ${SEAL.read_from}`)
  try {
    const unsealed = new Set(await terminalsLanded(connection, filled))
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await unseal(connection, unsealed)
      const doubted = await runSealed(connection, { models, base }, heard)
      if (doubted === undefined) return false
      if (doubted.length === 0) return isStill(connection, seal)
      for (const terminal of doubted) unsealed.add(terminal)
    }
    return false
  } finally {
    await connection.run('set variable sealed_account = null')
  }
}

/** The sealed terminals of which something landed that unseals them, as of one instant. */
const terminalsLanded = (
  connection: DuckDBConnection,
  filled: typeof filledTables,
): Promise<string[]> =>
  atOneInstant(connection, async () => {
    const isFilled = await filled(connection)
    const ranges = await rangesAbout(connection, isFilled)
    return terminalsIn(connection, withoutEmpty(landed(ranges), isFilled))
  })

/** True if no other run has put its own seal in the place of the one that was read. */
async function isStill(connection: DuckDBConnection, { runId }: Sealed): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `select 1 from lake.carried.seal where account = getvariable('account') and run_id = $1`,
    [runId],
  )
  return found.currentRowCount > 0
}

/** What models read in place of tables of the lake. */
const NARROW: Record<string, string> = {
  'lake.seen.transaction_version': 'night_version',
  'lake.carried.quiet_member': 'sealed_quiet_member',
  'lake.carried.quiet_day': 'sealed_quiet_day',
  'lake.carried.quiet_flip': 'sealed_quiet_flip',
  'lake.carried.quiet_attribution': 'sealed_quiet_attribution',
  'lake.carried.kept_explanation': 'sealed_kept_explanation',
  'lake.carried.opening': 'sealed_opening',
  'lake.carried.sealed_settlement': 'sealed_settlement',
}

/** A model as it reads what the seal leaves. */
export const narrowed = (model: Model): Model => ({
  ...model,
  text: model.text.replaceAll(
    /(?<=\s)lake\.(?:seen|carried)\.\w+\b/g,
    (table) => NARROW[table] ?? table,
  ),
})

/** Runs all models once; answers with the terminals that have to be unsealed, or undefined where that is not enough. */
async function runSealed(
  connection: DuckDBConnection,
  { models, base }: { models: readonly Model[]; base: Base },
  heard: Heard,
): Promise<string[] | undefined> {
  for (const model of models) {
    const act = ACTS[model.name]
    if (CARRIED.some((name) => name === model.name)) {
      await runCarried(connection, { model, base, isSealed: true }, heard)
    } else if (act === undefined) {
      await runModels(connection, [model], heard)
    } else {
      await act(connection, model, heard)
    }
    const doubt = DOUBTS[model.name]
    if (doubt === undefined) continue
    const terminals = await terminalsIn(connection, doubt)
    if (terminals.includes(ALL)) return undefined
    if (terminals.length > 0) return terminals
  }
  return []
}

/** What a doubt answers with that is about no terminal that can be unsealed. */
const ALL = 'all'

async function terminalsIn(connection: DuckDBConnection, rows: string): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select distinct coalesce(terminal_id::varchar, '${ALL}') from (${rows}) as doubted`,
  )
  return reader.getRows().map(([terminal]) => String(terminal))
}

/** Sums of all terminals, less what is on those that are unsealed. */
const SUMMED: Partial<Record<(typeof SEALED_TABLES)[number], (isUnsealed: string) => string>> = {
  quiet_charge: (isUnsealed) => `
    select coarse_key, stretch, charged_cents from near_quiet_charge
    union all by name
    select coarse_key, ${STRETCH} as stretch, -total_cents as charged_cents from near_quiet_card where ${isUnsealed}`,
  quiet_cover: (isUnsealed) => `
    select fine_key, covered_cents from near_quiet_cover
    union all by name
    select fine_key, -(${COVERED}) as covered_cents from near_quiet_card where ${isUnsealed}`,
}

/** Leaves out what the seal holds of these terminals, and reads them from their beginning. */
async function unseal(connection: DuckDBConnection, unsealed: ReadonlySet<string>): Promise<void> {
  // Asked of nothing where nothing is unsealed: of all history each column costs.
  const isUnsealed =
    unsealed.size === 0
      ? 'false'
      : `coalesce(terminal_id in (${[...unsealed].map((id) => `${id}::bigint`).join(', ')}), false)`
  for (const table of SEALED_TABLES) {
    const rows = SUMMED[table]?.(isUnsealed) ?? `from near_${table} where not ${isUnsealed}`
    await connection.run(
      `create or replace temp view sealed_${table.replace(/^sealed_/, '')} as ${rows}`,
    )
  }
  await connection.run(
    `create or replace temp table night_unsealed as ${KNOWN} and created < ${SEAL.read_from} and ${isUnsealed}`,
  )
  // Read where it is: to write all its columns down first takes longer than to read some of them again.
  await connection.run(
    `create or replace temp view night_version as
     ${KNOWN} and created >= ${SEAL.read_from}
     union all by name
     ${KNOWN} and created < ${SEAL.read_from} and landing_seq > getvariable('sealed_known_at') and not ${isUnsealed}
     union all by name
     from sealed_kept_version
     union all by name
     from night_unsealed`,
  )
}

const ACTS: Record<
  string,
  (connection: DuckDBConnection, model: Model, heard: Heard) => Promise<void>
> = {
  /** What was kept of the time before the opening has its place. */
  async clocked_transaction(connection, model, heard) {
    await runModels(connection, [model], heard)
    await connection.run(
      `insert into clocked_transaction by name
       with following as materialized (
         select opening.clock, opening.terminal_id, clock_at as following_at
         from opening inner join clocked_transaction as next on next.clock = opening.clock and next.terminal_id = opening.terminal_id
           and next.position = opening.position + 1)
       select clock_word (kept.clock) as clock, kept.terminal_id, transaction_id, clock_at, position,
         case when next_at < ${SEAL.read_from} then next_at else following_at end as next_at, running_cents, signed_cents
       from sealed_kept_place as kept left join following on following.clock = clock_word (kept.clock) and following.terminal_id = kept.terminal_id`,
    )
    await connection.run(
      `create or replace temp table night_track as
       select clock::varchar as clock, terminal_id from (select distinct clock, terminal_id from clocked_transaction)
       semi join sealed_terminal using (terminal_id)`,
    )
  },

  /** Settlements from before the seal may end where they could then. */
  async settlement_reach(connection, model, heard) {
    await connection.run(
      `create or replace temp table night_settlement as
       from settlement_sequence where settlement_id not in (select settlement_id from sealed_settlement)`,
    )
    await runModels(connection, [asking(model, 'settlement_sequence', 'night_settlement')], heard)
  },

  async candidate(connection, model, heard) {
    await runModels(connection, [model], heard)
    await connection.run(
      `insert into candidate by name select * exclude (account, is_lean) replace (clock_word (clock) as clock) from sealed_kept_candidate`,
    )
  },

  /** What lay in a plain window under the usual lag of then may not do so under that of now. */
  async stretch(connection, model, heard) {
    await runModels(connection, [model], heard)
    await connection.run(
      `create or replace temp table night_window as
       select settlement_id, case when any_value(is_plain_window) then 'WINDOW' else 'ALIGNED' end as method from stretch group by settlement_id`,
    )
    const asOfNow = (table: string) =>
      `select quiet.* replace (case when quiet.method in ('WINDOW', 'ALIGNED') then coalesce(night_window.method, quiet.method) else quiet.method end as method)
       from ${table} as quiet left join night_window using (settlement_id)`
    await connection.run(`create or replace temp table quiet_member as ${asOfNow('quiet_member')}`)
    await connection.run(
      `create or replace temp view quiet_attribution as ${asOfNow('sealed_quiet_attribution')}`,
    )
  },
}
