/** Counts the open exceptions by code, after all decisions since the newest run. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Settings } from '../domain/settings.ts'
import type { Publication } from '../lake/results/publications.ts'
import { exposureOf, type Exposure } from './exposure.ts'
import { atNewestRun, listingSql, prepareListing, valuesOf } from './list-exceptions.ts'

export interface OpenCode {
  code: string
  severity: string
  open: number
  /** Those of them that `exceptions list --new` shows. */
  added: number
  /** Sum of their absolute amounts. An exception without an amount counts as zero. */
  cents: bigint
}

export interface OpenExceptions {
  /** Errors come first. */
  exceptions: readonly OpenCode[]
  /** Records that can't be read. */
  quarantined: number
  /** The money at stake in the range of the newest pack. Undefined before the first run. */
  exposure: Exposure | undefined
}

/**
 * Reads the newest run that recorded exceptions. Before the first run the list is empty. `pack` is the one that `latest`
 * names: the money at stake is that of its range.
 */
export async function openExceptions(
  connection: DuckDBConnection,
  settings: Settings,
  pack: Publication | undefined,
): Promise<OpenExceptions> {
  await prepareListing(connection, settings)
  if (!(await atNewestRun(connection, settings))) {
    return { exceptions: [], quarantined: 0, exposure: undefined }
  }
  await connection.run(
    `create or replace temp table current_exception as ${listingSql()}`,
    valuesOf({}),
  )
  const reader = await connection.runAndReadAll(
    `select code, severity, count(*), coalesce(sum(abs(nullif(replace(amount, '.', ''), '')::bigint)), 0)::varchar,
       count(*) filter ("exceptionId" in (select "exceptionId" from (${listingSql()})))
     from current_exception where state in ('OPEN', 'ASSIGNED')
     group by code, severity order by severity, code`,
    valuesOf({ isNew: true }),
  )
  const exceptions = reader.getRows().map(([code, severity, open, cents, added]) => ({
    ...{ code: String(code), severity: String(severity) },
    ...{ open: Number(open), added: Number(added), cents: BigInt(String(cents)) },
  }))
  // A backfill of earlier days may be newer than this pack.
  if (pack !== undefined) await connection.run('set variable run_id = $1', [pack.runId])
  return {
    exceptions,
    quarantined: exceptions.find(({ code }) => code === 'QUARANTINED')?.open ?? 0,
    exposure: await exposureOf(connection),
  }
}
