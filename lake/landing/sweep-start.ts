/** Where a sweep of transactions may begin: what can still change is read again, what can't is not. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { SWEEP_RULES, type SweepRules } from '../../domain/settings.ts'
import { isFilledBy, tableSizes, type TableSizes } from '../connection/non-empty-tables.ts'
import { atOneInstant } from '../connection/transact.ts'
import { utc } from '../connection/sql-instant.ts'
import { bindInputs } from '../run/bind-inputs.ts'
import { dropAfterLastReader } from '../run/last-reader.ts'
import { inOrder, readFolder, runModels, setVariables } from '../run/models.ts'

/** The part of the list that is read. */
export type SweepPart =
  /** In a list to whose end new records come: from the place at which an earlier sweep saw `firstId`, created at `coversFrom`. */
  | { start: { offset: number; firstId: string; coversFrom: string } }
  /** In a list whose newest records come first: down to what was created before. */
  | { until: string }
  /** In a list that was never read so far back: what was created from then on, wherever that lies. */
  | { since: string }

/**
 * The part of the list that holds everything that is open, new, in a settlement that has changed since the last
 * certified sweep, quarantined not long ago or by another version of the schemas, or created since the instant that is asked for. Undefined where the whole list is due: nothing is
 * certified yet, the list was in no order of created, the last whole sweep is too old, or nobody knows when a
 * quarantined record was created. Where the instant `from` is given, at which the range that a person asked for begins,
 * nothing is whole that this range doesn't need: a list that was not read so far back, or too long ago, is due from a year
 * before it on.
 */
export async function sweepStart(
  connection: DuckDBConnection,
  of: PartQuestion,
  rules: SweepRules = SWEEP_RULES,
): Promise<SweepPart | undefined> {
  return atOneInstant(connection, async () => {
    const sizes = await tableSizes(connection)
    // To plan the question costs as much as some ten thousand records, and the first sweep of a list has no answer to it.
    const isFirst =
      of.from === undefined &&
      !(isFilledBy(sizes)('lake.ops.sweep') && (await hasCertified(connection, of)))
    return isFirst ? undefined : partOf(connection, { of, rules, sizes })
  })
}

interface PartQuestion {
  account: string
  terminalId?: string | undefined
  /** Of what is read these terminals alone are kept; absent: all. */
  only?: readonly string[] | undefined
  schemaVersion: number
  since?: string | undefined
  from?: string | undefined
}

async function partOf(
  connection: DuckDBConnection,
  { of, rules, sizes }: { of: PartQuestion; rules: SweepRules; sizes: TableSizes },
): Promise<SweepPart | undefined> {
  const instant = (at: string | undefined) => (at === undefined ? null : utc(at))
  const days = (count: number) => ({ type: 'integer', value: BigInt(count) })
  await setVariables(connection, {
    account: { type: 'varchar', value: of.account },
    terminal_id: { type: 'bigint', value: of.terminalId ?? null },
    only_terminals: { type: 'varchar', value: of.only?.join(',') ?? null },
    schema_version: { type: 'integer', value: BigInt(of.schemaVersion) },
    read_again_since: { type: 'timestamp', value: instant(of.since) },
    range_from: { type: 'timestamp', value: instant(of.from) },
    open_days: days(rules.openDays),
    lookback_days: days(rules.lookbackDays),
    whole_every_days: days(rules.wholeEveryDays),
  })
  const models = inOrder(readFolder('sweep_start'))
  await bindInputs(connection, models, sizes)
  await runModels(connection, dropAfterLastReader(models))
  const reader = await connection.runAndReadAll('from sweep_part')
  const [offset, firstId, coversFrom, until, since] = reader.getRows()[0] ?? []
  if (typeof offset === 'string') {
    return {
      start: {
        offset: Number(offset),
        firstId: String(firstId),
        coversFrom: String(coversFrom),
      },
    }
  }
  if (typeof until === 'string') return { until }
  return typeof since === 'string' ? { since } : undefined
}

/** Whether the list was ever read with proof: nothing but a range that is asked for limits a sweep before that. */
async function hasCertified(
  connection: DuckDBConnection,
  { account, terminalId = null }: { account: string; terminalId?: string | null | undefined },
): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    `select 1 from lake.ops.sweep
     where account = $1 and list = 'transactions' and certificate in ('SNAPSHOT', 'CONTIGUOUS')
       and terminal_id is not distinct from $2::bigint limit 1`,
    [account, terminalId],
  )
  return reader.currentRowCount > 0
}
