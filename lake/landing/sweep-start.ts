/** Decides where a sweep of transactions may begin. The sweep must read again every record that can still change. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { SWEEP_RULES, type SweepRules } from '../../domain/settings.ts'
import { isFilledBy, tableSizes, type TableSizes } from '../connection/non-empty-tables.ts'
import { atOneInstant } from '../connection/transact.ts'
import { utc } from '../connection/sql-instant.ts'
import { bindInputs } from '../run/bind-inputs.ts'
import { dropAfterLastReader } from '../run/last-reader.ts'
import { inOrder, readFolder, runModels, setVariables } from '../run/models.ts'
import { hasRows } from '../connection/has-rows.ts'

/** The part of the list that is read. */
export type SweepPart =
  /**
   * For a list to whose end new records come: begins at the offset at which an earlier sweep saw `firstId`, which was
   * created at `coversFrom`.
   */
  | { start: { offset: number; firstId: string; coversFrom: string } }
  /** For a list whose newest records come first: ends at records created before this instant. */
  | { until: string }
  /**
   * For a list that was never read so far back: needs the records created from this instant on, wherever they lie.
   */
  | { since: string }

/**
 * Returns the part of the list that a sweep must read, or undefined if it must read the whole list.
 *
 * The part holds every transaction that is open or new, or that belongs to a settlement which changed since the last
 * certified sweep. Also in it are records that were quarantined recently or by another version of the schemas, and
 * those created since `since`.
 *
 * The whole list is due if no sweep is certified yet, or if the last whole sweep is too old. The same is true if the
 * list was in no order of created, or if the created time of a quarantined record is unknown.
 *
 * With `from`, the begin of a requested range, a list that would be due as a whole is read from an earlier instant
 * instead. This instant lies at least a year before `from`.
 */
export async function sweepStart(
  connection: DuckDBConnection,
  of: PartQuestion,
  rules: SweepRules = SWEEP_RULES,
): Promise<SweepPart | undefined> {
  return atOneInstant(connection, async () => {
    const sizes = await tableSizes(connection)
    // Planning costs as much as some ten thousand records. For the first sweep of a list the answer is known in
    // advance.
    const isFirst =
      of.from === undefined &&
      !(isFilledBy(sizes)('lake.ops.sweep') && (await hasCertified(connection, of)))
    return isFirst ? undefined : partOf(connection, { of, rules, sizes })
  })
}

interface PartQuestion {
  account: string
  terminalId?: string | undefined
  /** The only terminals whose records are stored. Absent: all. */
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
    // A sweep knows everything that has landed.
    known_at: { type: 'bigint', value: 2n ** 63n - 1n },
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

/** True if the list was ever read by a certified sweep. Without one only a requested range can limit a sweep. */
const hasCertified = (
  connection: DuckDBConnection,
  { account, terminalId = null }: { account: string; terminalId?: string | null | undefined },
): Promise<boolean> =>
  hasRows(
    connection,
    `from lake.ops.sweep
     where account = $1 and list = 'transactions' and certificate in ('SNAPSHOT', 'CONTIGUOUS')
       and terminal_id is not distinct from $2::bigint`,
    [account, terminalId],
  )
