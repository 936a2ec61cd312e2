/** The knowledge that a run may use. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Knowledge, Run } from '../../domain/run.ts'
import { Failure } from '../../domain/failure.ts'
import { atOneInstant } from '../connection/transact.ts'
import { auditHead } from '../decisions/audit-trail.ts'
import { requireAccount, requireRecordsAt } from '../decisions/require-account.ts'
import { newestScan } from './exception-history.ts'

/**
 * The knowledge of a run. Throws usage for an account without records, and for a --known-at that is before its first
 * record, or a number that no landing has yet.
 */
export async function knowledgeOfRun(
  connection: DuckDBConnection,
  { account, knownAt }: Pick<Run, 'account' | 'knownAt'>,
): Promise<Knowledge> {
  await requireAccount(connection, account)
  const knowledge = await knowledgeFor(connection, account, knownAt)
  if (knownAt === undefined) return knowledge
  if (knowledge.isNewest && isNumber(knownAt) && BigInt(knownAt) > knowledge.knownAt) {
    throw new Failure(
      'usage',
      `--known-at ${knownAt}: the newest landing of the lake is ${knowledge.knownAt}`,
      { remedy: `give --known-at a number up to ${knowledge.knownAt}, or leave it out` },
    )
  }
  await requireRecordsAt(connection, account, knowledge.knownAt)
  return knowledge
}

const isNumber = (knownAt: string) => /^\d{1,18}$/.test(knownAt)

/** Finds the landing number that a run may use: the newest, a given one, or the last before an instant. */
export async function knowledgeFor(
  connection: DuckDBConnection,
  account: string,
  knownAt: string | undefined,
): Promise<Knowledge> {
  const number = knownAt !== undefined && isNumber(knownAt) ? knownAt : null
  if (knownAt !== undefined && number === null && Number.isNaN(Date.parse(knownAt))) {
    throw new Failure('usage', `--known-at ${knownAt} is neither a landing number nor an instant`)
  }
  return atOneInstant(connection, async () => {
    const reader = await connection.runAndReadAll(
      `select coalesce(max(landing_seq), 0)::varchar, max(observed_at) filter (where account = $3)::varchar,
         coalesce(max(landing_seq), 0) = (select coalesce(max(landing_seq), 0) from lake.ops.landing)
       from lake.ops.landing
       where ($1 is null or landing_seq <= $1::bigint) and ($2 is null or observed_at <= $2::timestamp)`,
      [
        number,
        knownAt === undefined || number !== null
          ? null
          : new Date(knownAt).toISOString().replace('Z', ''),
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
