/** The knowledge that a run may use. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Knowledge } from '../../domain/run.ts'
import { Failure } from '../../domain/failure.ts'
import { atOneInstant } from '../connection/transact.ts'
import { auditHead } from '../decisions/audit-trail.ts'
import { newestScan } from './exception-history.ts'

/** Finds the landing number that a run may use: the newest, a given one, or the last before an instant. */
export async function knowledgeFor(
  connection: DuckDBConnection,
  account: string,
  knownAt: string | undefined,
): Promise<Knowledge> {
  const isNumber = knownAt !== undefined && /^\d{1,18}$/.test(knownAt)
  if (knownAt !== undefined && !isNumber && Number.isNaN(Date.parse(knownAt))) {
    throw new Failure('usage', `--known-at ${knownAt} is neither a landing number nor an instant`)
  }
  return atOneInstant(connection, async () => {
    const reader = await connection.runAndReadAll(
      `select coalesce(max(landing_seq), 0)::varchar, max(observed_at) filter (where account = $3)::varchar,
         coalesce(max(landing_seq), 0) = (select coalesce(max(landing_seq), 0) from lake.ops.landing)
       from lake.ops.landing
       where ($1 is null or landing_seq <= $1::bigint) and ($2 is null or observed_at <= $2::timestamp)`,
      [
        isNumber ? knownAt : null,
        knownAt === undefined || isNumber ? null : new Date(knownAt).toISOString().replace('Z', ''),
        account,
      ],
    )
    const [seq, time, isNewest] = reader.getRows()[0] ?? []
    return {
      knownAt: BigInt(String(seq)),
      knownTime: time === null || time === undefined ? null : String(time),
      isNewest: isNewest === true,
      audit: await auditHead(connection),
      exceptionScan: await newestScan(connection),
    }
  })
}
