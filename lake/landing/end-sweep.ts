/** The end of a sweep: its record, and the known records that it did not find, or found again. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { IsFilled } from '../connection/non-empty-tables.ts'
import type { Landing, SweepEnd } from './landing.ts'
import { LISTS } from './list-schemas.ts'
import { recordAnsweredTerminals } from './refusals.ts'
import { recordUnknownNames } from './unknown-names.ts'
import { utc } from '../connection/sql-instant.ts'

/** The state of the lake before a transaction writes. */
export interface Known {
  seq: bigint
  isFilled: IsFilled
}

/** The ids in the current batch, including rejected records. */
export const BATCH_IDS = `select id as subject_id from staged
   union all
   select subject_id from (select try_cast(subject_id as bigint) as subject_id from rejected) where subject_id is not null`

/**
 * Writes the record of the sweep whose last batch is staged, and the records that became present or
 * absent with it.
 */
export async function endSweep(
  connection: DuckDBConnection,
  landing: Ended,
  known: Known,
): Promise<void> {
  await insertSweep(connection, landing, known.seq)
  await insertLimits(connection, landing, known.seq)
  const names = landing.end.unknownNames ?? {}
  await recordUnknownNames(connection, landing, { names, seq: known.seq })
  await insertPresence(connection, landing, known)
  if (landing.terminalId === undefined && known.isFilled('lake.seen.refusal')) {
    const word = { ...landing, observedAt: utc(landing.end.endedAt) }
    const sighted = sightedBy('$3', known.isFilled)
    await recordAnsweredTerminals(connection, word, { seq: known.seq, sighted })
  }
  await forgetSightings(connection, landing, known)
}

/** The ids in a sweep up to its last batch, the current one. */
const sightedBy = (sweepId: string, isFilled: IsFilled) =>
  `select subject_id from lake.ops.sighting where sweep_id = ${sweepId} and ${isFilled('lake.ops.sighting')}
   union all ${BATCH_IDS}`

type Ended = Landing & { end: SweepEnd }

async function insertSweep(
  connection: DuckDBConnection,
  { end, account, list, sweepId, ...landing }: Ended,
  seq: bigint,
): Promise<void> {
  await connection.run(
    `insert into lake.ops.sweep
     select $1, $2, $3, $4, $18::bigint, $5::bigint, $17::timestamp, $6::timestamp, $7::timestamp, $8, $9,
       (select coalesce(sum(new_versions), 0)::bigint from lake.ops.landing where sweep_id = $1), $10, $11, $12, $13, $14, $15, $16`,
    [
      sweepId,
      landing.runId,
      account,
      list,
      BigInt(end.startedSeq),
      utc(end.startedAt),
      utc(end.endedAt),
      ...[end.pages, end.records, end.quarantined, end.rewinds, end.requests, end.throttled].map(
        BigInt,
      ),
      end.certificate,
      end.bodiesSha256,
      seq,
      end.coversFrom,
      landing.terminalId ?? null,
    ],
  )
}

/** Records the terminals of a limited sweep, which proves nothing about others. */
async function insertLimits(
  connection: DuckDBConnection,
  { account, sweepId, only }: Ended,
  seq: bigint,
): Promise<void> {
  if (only === undefined) return
  await connection.run(
    `insert into lake.ops.limited_sweep
     select $1, $2, unnest(string_split($3, ','))::bigint, $4`,
    [account, sweepId, only.join(','), seq],
  )
}

/** Records compared at once, which limits the memory for a list of any length. */
const PRESENCE_RECORDS = 250_000

async function insertPresence(
  connection: DuckDBConnection,
  ended: Ended,
  known: Known,
): Promise<void> {
  const shares = 1 + Math.floor(ended.end.records / PRESENCE_RECORDS)
  for (let share = 0; share < shares; share += 1) {
    await insertPresenceOf(connection, ended, { ...known, isShare: `% ${shares} = ${share}` })
  }
}

/** A sweep of some terminals can't list a record that is now of another terminal. */
const OF_TERMINALS = `having list_contains(
  string_split($8, ',')::bigint[], arg_max(terminal_id, (landing_seq, ordinal)))`

/** Compares the records whose ids have a certain remainder. */
async function insertPresenceOf(
  connection: DuckDBConnection,
  { end, account, list, sweepId, ...landing }: Ended,
  { seq, isFilled, isShare }: Known & { isShare: string },
): Promise<void> {
  const ids = landing.terminalId ?? landing.only?.join(',')
  await connection.run(
    `insert into lake.seen.presence
     with sighted as (
       select distinct subject_id from (${sightedBy('$1', isFilled)}) where subject_id ${isShare}),
     known as (
       select ${LISTS[list].id} as subject_id from ${LISTS[list].table}
       where account = $2 and ${LISTS[list].id} ${isShare} and ($6::timestamp is null or ${list === 'terminals' ? 'null' : 'created'} > $6::timestamp)
       group by all ${ids === undefined ? '' : OF_TERMINALS}),
     last_word as (
       select subject_id, arg_max(present, landing_seq) as present, max(landing_seq) as landing_seq
       from lake.seen.presence
       where account = $2 and list = $3 and ${isFilled('lake.seen.presence')} group by subject_id)
     select $2, $3, subject_id, sighted.subject_id is not null, $1, $4::timestamp, $5
     from known left join sighted using (subject_id) left join last_word using (subject_id)
     where coalesce(last_word.present, true) <> (sighted.subject_id is not null)
       -- This sweep may have looked for the record before the sweep that landed the last word.
       and coalesce(last_word.landing_seq, 0) <= $7`,
    [
      sweepId,
      account,
      list,
      utc(end.endedAt),
      seq,
      end.coversFrom,
      BigInt(end.startedSeq),
      ...(ids === undefined ? [] : [ids]),
    ],
  )
}

/**
 * Deletes the sightings of sweeps that ended, or made no progress for a week. A sighting is the landing in which a
 * sweep listed a record.
 */
async function forgetSightings(
  connection: DuckDBConnection,
  { end, account, list, sweepId }: Ended,
  { isFilled }: Known,
): Promise<void> {
  if (!isFilled('lake.ops.sighting')) return
  await connection.run(
    `delete from lake.ops.sighting where account = $1 and list = $2 and (sweep_id = $3 or sweep_id not in (
       select sweep_id from lake.ops.landing where account = $1 and observed_at > $4::timestamp - interval 7 days))`,
    [account, list, sweepId, utc(end.endedAt)],
  )
}
