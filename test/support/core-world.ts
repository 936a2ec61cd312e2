/** A small world written as two text tables, reconciled by the real models on tables like those of the lake. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import { neededFor, prepareModels, readModels, runModels } from '../../lake/run/models.ts'
import { memoryLake } from './memory-lake.ts'
import { rowsOf } from './temp-lake.ts'
import { bindViews } from './bind-views.ts'
import { runVariables } from './run-variables.ts'

export interface CoreWorld {
  /** `id | terminal | created | net | status` */
  settlements: string
  /** `id | terminal | created | amount | flags`: a refund has a minus; flags are words such as `unsettled`, `hold`, `void`, `declined`, `verify`, `modified=…`, `in=…`, `tip=…`. */
  transactions: string
  asOf?: string
  /** False: the settlements changed after the transactions were read. */
  readSettlementsFirst?: boolean
}

const cells = (table: string) =>
  table
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((line) => line.length > 1)

const cents = (amount: string) => BigInt(amount.replace('.', ''))

const flagValue = (flags: string[], name: string) =>
  flags.find((flag) => flag.startsWith(`${name}=`))?.slice(name.length + 1)

/** On tables in memory, unless a lake is given. */
export async function reconcileWorld(
  world: CoreWorld,
  lake?: DuckDBConnection,
  /** The most hours before a settlement at which its cut-off is looked for; absent: as many as are learned. */
  cutoffBound?: number,
): Promise<DuckDBConnection> {
  const connection = lake ?? (await memoryLake())
  if (lake === undefined) onTestFinished(() => connection.closeSync())
  const read_seq = (world.readSettlementsFirst ?? true) ? 2n : 0n
  for (const [id = '', terminal = '', created = '', net = '', status = 'COMPLETE'] of cells(
    world.settlements,
  )) {
    await connection.run(
      `insert into lake.seen.settlement_version values ('acme', $1, $2, $3::timestamp, $4, $5, false, 1, 's', 1, '2026-12-01', 1)`,
      [BigInt(id), BigInt(terminal), created, status, cents(net)],
    )
  }
  for (const [id = '', terminal = '', created = '', amount = '', words = ''] of cells(
    world.transactions,
  )) {
    const flags = words.split(' ')
    const status = flags.includes('hold') ? 'HOLD' : flags.includes('void') ? 'VOID' : 'CAPTURE'
    const action = flags.includes('verify')
      ? 'VERIFY'
      : amount.startsWith('-')
        ? 'REFUND'
        : 'CHARGE'
    await connection.run(
      `insert into lake.seen.transaction_version
         (account, transaction_id, terminal_id, action, status, approved, settled, explicit_settlement_id, created, last_modified, total_cents, tip_cents, content_hash, sweep_id, ordinal, observed_at, landing_seq)
       values ('acme', $1, $2, $3, $4, $5, $6, $7::bigint, $8::timestamp, $9::timestamp, abs($10), $11::bigint, 1, 't', 1, '2026-12-01', 2)`,
      [
        BigInt(id),
        BigInt(terminal),
        action,
        status,
        !flags.includes('declined'),
        !flags.includes('unsettled'),
        flagValue(flags, 'in') ?? null,
        created,
        flagValue(flags, 'modified')?.replace('T', ' ') ?? created,
        cents(amount),
        flagValue(flags, 'tip')?.replace('.', '') ?? null,
      ],
    )
  }
  await connection.run(
    `insert into lake.ops.sweep values ('t', 'r', 'acme', 'transactions', null, $1, null, '2026-12-01', '2026-12-01', 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', 2)`,
    [read_seq],
  )
  await prepareModels(
    connection,
    runVariables({
      known_time: '2026-12-01',
      cutoff_tolerance_hours: cutoffBound === undefined ? null : BigInt(cutoffBound),
      window_from: '2026-01-01',
      window_to: '2027-01-01',
      as_of: world.asOf ?? '2026-12-01',
    }),
  )
  const models = neededFor(readModels(), ['tieout', 'transaction_standing'])
  await bindViews(connection, models)
  await runModels(connection, models)
  return connection
}

/** The verdicts as lines of text: `id verdict computed difference method certificate`. */
export const verdicts = async (connection: DuckDBConnection) =>
  (
    await rowsOf(
      connection,
      `select concat_ws(' ', settlement_id, verdict, coalesce(computed_cents::varchar, '-'), coalesce(difference_cents::varchar, '-'), method, coalesce(certificate, '-')) as line
       from tieout order by settlement_id`,
    )
  ).map((row) => String(row['line']))

/** The members as lines of text: `settlement: id id id`. */
export const members = async (connection: DuckDBConnection) =>
  (
    await rowsOf(
      connection,
      `select settlement_id || ': ' || string_agg(transaction_id, ' ' order by transaction_id) as line
       from attribution group by settlement_id order by settlement_id`,
    )
  ).map((row) => String(row['line']))
