/** Counts the open exceptions by code, after all decisions since the newest run. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Settings } from '../domain/settings.ts'
import { atNewestRun, listingSql, prepareListing, valuesOf } from './list-exceptions.ts'

export interface OpenCode {
  code: string
  severity: string
  open: number
  /** Sum of their absolute amounts. An exception without an amount counts as zero. */
  cents: bigint
}

export interface OpenExceptions {
  /** Errors come first. */
  exceptions: readonly OpenCode[]
  /** Records that can't be read. */
  quarantined: number
  /**
   * Sum of the absolute unexplained amounts of settlements in the newest run's range whose AMOUNT_MISMATCH is open.
   * Undefined before the first run.
   */
  unexplained_cents: bigint | undefined
}

/** Reads the newest run that recorded exceptions. Before the first run the list is empty. */
export async function openExceptions(
  connection: DuckDBConnection,
  settings: Settings,
): Promise<OpenExceptions> {
  await prepareListing(connection, settings)
  if (!(await atNewestRun(connection, settings))) {
    return { exceptions: [], quarantined: 0, unexplained_cents: undefined }
  }
  const states = ['OPEN', 'ASSIGNED']
  const reader = await connection.runAndReadAll(
    `select code, severity, count(*), coalesce(sum(abs(nullif(replace(amount, '.', ''), '')::bigint)), 0)::varchar
     from (${listingSql()}) group by code, severity order by severity, code`,
    valuesOf({ states }),
  )
  const exceptions = reader.getRows().map(([code, severity, open, cents]) => ({
    ...{ code: String(code), severity: String(severity) },
    ...{ open: Number(open), cents: BigInt(String(cents)) },
  }))
  const unexplained = await connection.runAndReadAll(
    `select coalesce(sum(abs(replace("unexplainedAmount", '.', '')::bigint)), 0)::varchar
     from lake.result.settlements
     where run_id = getvariable('run_id') and "unexplainedAmount" <> '' and "settlementId" in (
       select "subjectId" from (${listingSql()}))`,
    valuesOf({ states, codes: ['AMOUNT_MISMATCH'] }),
  )
  return {
    exceptions,
    quarantined: exceptions.find(({ code }) => code === 'QUARANTINED')?.open ?? 0,
    unexplained_cents: BigInt(String(unexplained.getRows()[0]?.[0])),
  }
}
