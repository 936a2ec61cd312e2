import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { macros, readModels } from '../../lake/run/models.ts'

/**
 * The settlements belong to four terminals, one a day each, and were first seen COMPLETE a while later. The
 * transactions turned settled at any time. Each minute has a landing number. A file counts by its instants alone.
 */
const DRAWN = {
  known_settlement: `
    select i as settlement_id, i % 4 as terminal_id, timestamp '2026-01-01' + to_hours((6 * i)::bigint) as created
    from range(400) as numbers (i)`,
  settlement_version: `
    select settlement_id, terminal_id, 1::bigint as version, 'COMPLETE' as status, created + to_hours((hash(settlement_id) % 60)::bigint) as observed_at,
      epoch(observed_at)::bigint // 60 as landing_seq, 's' || settlement_id as sweep_id
    from known_settlement`,
  sweep: `select ''::varchar as sweep_id, 1::bigint as started_seq limit 0`,
  // All are read every ten hours, and terminal 2 every three.
  sweep_scope: `
    select 'settlements' as list, case when i % 10 = 0 then null else 2 end::bigint as terminal_id, 'CONTIGUOUS' as certificate,
      timestamp '2026-01-01' + to_hours(i) as started_at, epoch(started_at)::bigint // 60 as started_seq, started_seq + 1 as landing_seq
    from range(2500) as hours (i) where i % 10 = 0 or i % 3 = 0`,
  // Many at the very instants of settlements, some never seen unsettled, some before 1970 or with a clock that runs ahead.
  flag_observation: `
    select i as transaction_id, (hash(i) % 5)::bigint as terminal_id, i as signed_cents,
      unsettled_at - case when hash(i * 5) % 3 = 0 then interval 0 hours else to_hours((hash(i * 7) % 50)::bigint) end as created,
      unsettled_at, unsettled_at + to_minutes((hash(i * 11) % case when i % 2 = 0 then 2880 else 11521 end)::bigint - i % 90) as settled_at,
      case when hash(i * 5) % 3 = 0 then -1 else epoch(unsettled_at)::bigint // 60 end as unsettled_seq,
      epoch(settled_at)::bigint // 60 as settled_seq, i % 7 = 0 as is_imported
    from (
      select i, case when i % 97 = 0 then timestamp '1969-12-25' else timestamp '2026-01-01' end + to_minutes((60 * (hash(i * 3) % 2400))::bigint + i % 2) as unsettled_at
      from range(3000) as numbers (i))`,
}

/** Each with each, as the rule says. */
const PLAIN = `
  with proven as (
    select known_settlement.*, observed_at, version.landing_seq,
      coalesce((
        select max(started_seq) from sweep_scope as proof
        where proof.landing_seq < version.landing_seq and coalesce(proof.terminal_id = known_settlement.terminal_id, true)), -1) as last_seq
    from known_settlement inner join settlement_version as version using (settlement_id)),
  seen as (
    select *, case when last_seq * 60 <= epoch(created) + 86400 then last_seq else -1 end as begins_seq from proven),
  made as (
    select 'created' as event, *, created - interval 1 microsecond as begins_at, created as ends_at from seen
    union all
    select 'completed', *, created, observed_at from seen)
  select event, transaction_id, signed_cents, settlement_id,
    count(*) over (partition by event, transaction_id) as settlements
  from flag_observation inner join made on made.terminal_id = flag_observation.terminal_id and made.created >= flag_observation.created - interval 2 minutes and case
    when is_imported then begins_at < settled_at
      and (ends_at > unsettled_at or (ends_at = unsettled_at and unsettled_at = flag_observation.created))
    else begins_seq < settled_seq and landing_seq > unsettled_seq
      and begins_at - interval 1 day < settled_at and ends_at + interval 1 day > unsettled_at end`

async function connected<T>(
  settings: Record<string, string>,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await (await DuckDBInstance.create(':memory:', settings)).connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
  }
}

async function eventCandidates(
  connection: DuckDBConnection,
  tables: Record<string, string>,
): Promise<void> {
  for (const [name, select] of Object.entries(tables)) {
    await connection.run(`create temp table ${name} as ${select}`)
  }
  await connection.run(macros())
  for (const name of ['settlement_event', 'event_candidate']) {
    const model = readModels().find((one) => one.name === name)
    await connection.run(`create temp table ${name} as ${model?.text}`)
  }
}

test('the buckets give each transaction the same candidates as a comparison with every settlement', () =>
  connected({}, async (connection) => {
    await eventCandidates(connection, DRAWN)
    const found = await connection.runAndReadAll(
      `select count(*)::integer, count(*) filter (settlements > 1)::integer,
         (select count(*)::integer from (from event_candidate except all (${PLAIN}))),
         (select count(*)::integer from ((${PLAIN}) except all from event_candidate))
       from event_candidate`,
    )
    const [all, inSeveral, tooMany, tooFew] = found.getRows()[0] ?? []
    expect({ tooMany, tooFew }).toEqual({ tooMany: 0, tooFew: 0 })
    expect(all).toBeGreaterThan(3000)
    expect(inSeveral).toBeGreaterThan(1000)
  }))

test('the candidates of last night’s transactions need little memory, though a long past was first seen COMPLETE at once', () =>
  connected({ memory_limit: '300MB', max_temp_directory_size: '0KB' }, async (connection) => {
    await eventCandidates(connection, {
      ...DRAWN,
      known_settlement: `
        select i as settlement_id, i % 100 as terminal_id, timestamp '2026-01-01' + to_days((i // 100)::integer) as created
        from range(40000) as numbers (i)`,
      settlement_version: `
        select settlement_id, terminal_id, 1::bigint as version, 'COMPLETE' as status, timestamp '2027-03-01' as observed_at, 9 as landing_seq, 's' as sweep_id
        from known_settlement`,
      flag_observation: `
        select i as transaction_id, i as terminal_id, i as signed_cents, timestamp '2027-02-03 10:00' as created,
          timestamp '2027-02-03 10:00' as unsettled_at, timestamp '2027-02-04 05:00' as settled_at,
          -1 as unsettled_seq, 10 as settled_seq, false as is_imported
        from range(100) as numbers (i)`,
    })
    const found = await connection.runAndReadAll(
      'select event, count(*)::integer, count(distinct transaction_id)::integer from event_candidate group by event order by event',
    )
    expect(found.getRows()).toEqual([
      ['completed', 100, 100],
      ['created', 100, 100],
    ])
  }))
