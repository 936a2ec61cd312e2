import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { fingerprintOf, keepCarried, takeBase, type CarryTerms } from '../../lake/carry.ts'
import { ABOUT, DOUBTS, landed, rangesAbout, TOLD } from '../../lake/doubts.ts'
import { prepareModels, readModels, runChecks, runModels, type Model } from '../../lake/models.ts'
import { runAfter } from '../../lake/run-after.ts'
import { takeSeal } from '../../lake/night.ts'
import { STRETCH } from '../../lake/cards.ts'
import { keepSeal, SEAL } from '../../lake/seal.ts'
import { drawnNights, type Drawn } from '../support/drawn-nights.ts'
import { rowsOf } from '../support/temp-lake.ts'

/** More seeds than a test run affords: `NIGHT_SEEDS=50 npx vitest run test/core/night.test.ts`. */
const SEEDS = Number(process.env['NIGHT_SEEDS'] ?? 2)
const MODELS = readModels()
const PACKS = MODELS.map(({ name }) => name).filter((name) => name.startsWith('pack_'))
/** Further back than a seal lies, so that the pack shows what is sealed, too. */
const LOOKBACK_DAYS = 45

/** The first run of each history, which seals, and the night after it. */
const FIRST = 90
const NEXT = FIRST + 1

const dayOf = (night: number) => new Date(Date.UTC(2025, 0, 2 + night)).toISOString().slice(0, 10)

async function prepared(connection: DuckDBConnection, night: number): Promise<void> {
  const text = (value: string) => ({ type: 'varchar', value })
  const number = (value: number) => ({ type: 'bigint', value: BigInt(value) })
  const as_of = `${dayOf(night)} 07:00:00`
  const [from, to] = [dayOf(night - LOOKBACK_DAYS), dayOf(night)]
  await prepareModels(connection, {
    account: text('bench'),
    known_at: number(night + 1),
    audit_seq: number(1000 + night),
    exception_scan: number(0),
    known_time: { type: 'timestamp', value: as_of },
    previous_run: { type: 'varchar', value: null },
    timezone: text('UTC'),
    currency: text('USD'),
    from_date: { type: 'date', value: from },
    to_date: { type: 'date', value: to },
    window_from: { type: 'timestamp', value: from },
    window_to: { type: 'timestamp', value: to },
    as_of: { type: 'timestamp', value: as_of },
    as_of_date: { type: 'date', value: to },
    cutoff_tolerance_hours: number(12),
    pending_stale_days: number(3),
    unsettled_days: number(5),
  })
  await connection.run(
    'create or replace temp table chart (account_key varchar, account varchar, account_name varchar)',
  )
  for (const [key, { account, name }] of Object.entries(DEFAULT_CHART)) {
    await connection.run('insert into chart values ($1, $2, $3)', [key, account, name])
  }
}

const near = async (_: DuckDBConnection, models: readonly Model[]) => [...models]

const filled = async () => () => true

async function termsOf(connection: DuckDBConnection, at: number): Promise<CarryTerms> {
  return {
    account: 'bench',
    known_at: BigInt(at + 1),
    fingerprint: await fingerprintOf(connection, 'settings'),
    wholeEvery: 1000,
  }
}

/** One run as the nights make it; what it leaves for the next one is not kept. */
async function tried(connection: DuckDBConnection, at: number, wholeEvery = 1000) {
  await prepared(connection, at)
  // A run has a connection of its own, and no table that was one's before.
  for (const name of await laidOut(connection)) {
    await connection.run(`drop view ${name}`)
    await connection.run(`drop table ${name}_kept`)
  }
  const terms = { ...(await termsOf(connection, at)), wholeEvery }
  const base = await takeBase(connection, terms)
  if (base !== undefined)
    return { base, isWhole: await runAfter(connection, { base, ...terms, near, filled }) }
  await runModels(connection, MODELS)
  return { base, isWhole: true }
}

/** Views of the connection that stand for tables of a run over everything. */
const laidOut = async (connection: DuckDBConnection) =>
  (
    await connection.runAndReadAll(
      `select replace(table_name, '_kept', '') from duckdb_tables() where temporary and table_name like '%\\_kept' escape '\\'`,
    )
  )
    .getRows()
    .map(([name]) => String(name))

/** Cards of which a sum is not that of the charges that it stands for: of what is unsealed none may be left in it. */
const WRONG_SUMS = `
  select card::varchar as card, stretch::varchar as stretch
  from (
    select coarse_key as card, stretch, charged_cents as cents from sealed_quiet_charge
    union all
    select coarse_key, ${STRETCH}, -total_cents from sealed_quiet_card
    union all
    select fine_key, null, covered_cents from sealed_quiet_cover
    union all
    select fine_key, null, -total_cents from sealed_quiet_card where created >= getvariable('sealed_from') - interval 10 months)
  group by all having sum(cents) <> 0`

/** What was seen to settle late on a sealed terminal: it may be asked for by the settlement before its own. */
const LATE = `
  select count(*) > 0 as read, (count(*) filter (where transaction_id not in (select transaction_id from lake.carried.kept_version)))::integer as lost
  from (select distinct transaction_id from late_member semi join lake.carried.sealed_terminal using (terminal_id)) as late
  inner join current_transaction using (transaction_id) where created < ${SEAL.read_from}`

/** One run, and what a run over everything says otherwise of its pack. */
async function night(connection: DuckDBConnection, at: number) {
  const { base, isWhole } = await tried(connection, at)
  const terms = await termsOf(connection, at)
  await runChecks(connection)
  await keepCarried(connection, `n${at}`, { ...terms, base })
  if (isWhole) {
    await keepSeal(connection, { runId: `n${at}`, ...terms })
    return { isWhole, versions: Number.NaN, differing: [] }
  }
  const [read] = await rowsOf(
    connection,
    `select (select count(*) from sealed_terminal)::integer as terminals, (select count(*) from night_version)::integer as versions`,
  )
  expect(await rowsOf(connection, WRONG_SUMS)).toEqual([])
  await kept(connection)
  await runModels(connection, MODELS)
  return { isWhole, versions: Number(read?.['versions']), differing: await compared(connection) }
}

async function kept(connection: DuckDBConnection): Promise<void> {
  for (const name of PACKS)
    await connection.run(`create or replace temp table kept_${name} as from ${name}`)
}

/** The tables of the pack that are others than those that were kept, each with some of the rows. */
async function compared(connection: DuckDBConnection): Promise<unknown[]> {
  const found: unknown[] = []
  for (const name of PACKS) {
    const rows = await rowsOf(
      connection,
      `select 'kept' as made, columns(*)::varchar from (from kept_${name} except all from ${name})
       union all by name select 'now' as made, columns(*)::varchar from (from ${name} except all from kept_${name}) limit 4`,
    )
    if (rows.length > 0) found.push({ name, rows })
  }
  return found
}

async function history(drawn: Partial<Drawn>): Promise<DuckDBConnection> {
  const connection = await drawnNights({
    seed: 1,
    terminals: 9,
    days: 100,
    perDay: 8,
    restless: 0,
    calm: FIRST,
    ...drawn,
  })
  onTestFinished(() => connection.closeSync())
  return connection
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'night after night a sealed past and what is new make the pack of a run over everything: history %i',
  async (seed) => {
    const connection = await history({ seed, restless: 6 })
    const first = await night(connection, FIRST)
    expect(first.isWhole).toBe(true)
    const [sealed] = await rowsOf(
      connection,
      `select (select count(*) from lake.carried.sealed_terminal)::integer as terminals,
         (select sum(item_count) from lake.carried.quiet_day)::integer as quiet, (select count(*) from lake.carried.quiet_card)::integer as cards,
         (select count(*) from lake.carried.quiet_refund)::integer as refunds, (select count(*) from lake.carried.quiet_charge)::integer as charges,
         (select count(*) from lake.carried.quiet_cover)::integer as covers,
         (select count(*) from lake.carried.quiet_attribution)::integer as listed,
         (select count(*) from lake.carried.kept_version)::integer as kept, (select count(*) from lake.seen.transaction_version)::integer as versions`,
    )
    for (const [what, n] of Object.entries(sealed ?? {}))
      expect([what, Number(n) > 3]).toEqual([what, true])
    const [late] = await rowsOf(connection, LATE)
    expect(late).toEqual({ read: true, lost: 0 })
    for (let at = NEXT; at < 100; at += 5) {
      const found = await night(connection, at)
      expect(found).toMatchObject({ isWhole: false, differing: [] })
      expect(found.versions).toBeLessThan(Number(sealed?.['versions']) * 0.9)
    }
  },
  300_000,
)

test('what explains a difference of long ago is kept, and its transactions are read no longer', async () => {
  const connection = await history({ seed: 12, terminals: 28 })
  // Of one in twenty settlements of the first weeks the net lacks a transaction that was created in the half day before.
  await connection.run(
    `update lake.seen.settlement_version set net_cents = net_cents - lacks.cents
     from (
       select settlement_id, any_value(case action when 'REFUND' then -total_cents else total_cents end) as cents
       from lake.seen.settlement_version as made inner join lake.seen.transaction_version as lost on lost.terminal_id = made.terminal_id
         and lost.created between made.created - interval 20 hours and made.created - interval 8 hours
       where lost.settled and lost.action <> 'VERIFY' and made.created < timestamp '${dayOf(FIRST - LOOKBACK_DAYS - 5)}' and hash(settlement_id) % 20 = 0
       group by settlement_id) as lacks
     where lacks.settlement_id = settlement_version.settlement_id`,
  )
  await night(connection, FIRST)
  const [kept] = await rowsOf(
    connection,
    `select count(*)::integer as told, count(code)::integer as explained,
       (count(*) filter (where settlement_id in (
         select settlement_id from settled_member semi join lake.carried.kept_version using (transaction_id))))::integer as named
     from lake.carried.kept_explanation`,
  )
  const { told, explained, named } = kept as Record<string, number>
  expect([told, explained].map((n) => Number(n) > 5)).toEqual([true, true])
  // Something speaks of a transaction of some; of the others none is kept.
  expect(named).toBeLessThan(Number(told))
  for (const at of [NEXT, NEXT + 4]) {
    expect(await night(connection, at)).toMatchObject({ isWhole: false, differing: [] })
  }
}, 300_000)

test('a terminal is sealed where ids place everything, and where arithmetic had to long ago, until it has to again', async () => {
  const connection = await history({ seed: 5, calm: 100, terminals: 13 })
  const seenLate = (id: number, of: string, replaced: string) => `
    insert into lake.seen.transaction_version
    select * replace (${id} as transaction_id, null as explicit_settlement_id, ${replaced}) from lake.seen.transaction_version
    where ${of} and settled and action = 'CHARGE' and created > night_at(20) order by transaction_id limit 1`
  for (const statement of [
    // Of the first weeks of one terminal no ids are known, nor did the nights see anything turn settled.
    `delete from lake.seen.transaction_version where terminal_id = 6 and not settled and created < night_at(20)
       and transaction_id in (select transaction_id from lake.seen.transaction_version where settled)`,
    `update lake.seen.transaction_version set observed_at = created + interval 9 days, explicit_settlement_id = null
       where terminal_id = 6 and settled and created < night_at(20)`,
    // Now and then a record is two weeks late.
    seenLate(
      6000001,
      'terminal_id = 1',
      `night_at(${FIRST - 1}) - interval 13 days as created, night_at(${FIRST - 1}) as observed_at, ${FIRST} as landing_seq`,
    ),
  ])
    await connection.run(statement)
  await night(connection, FIRST)
  const ended = `select distinct terminal_id from lake.carried.kept_place semi join lake.carried.opening using (clock, terminal_id, position) where next_at is null`
  expect(await idsOf(connection, ended)).toEqual([6])
  expect(
    await idsOf(
      connection,
      `from lake.carried.sealed_terminal where terminal_id not in (select terminal_id from lake.carried.opening)`,
    ),
  ).toEqual([13])
  expect(await night(connection, NEXT)).toMatchObject({ isWhole: false, differing: [] })
  expect(await idsOf(connection, 'from sealed_terminal')).toContain(6)
  // A record that nobody saw unsettled: what lands of the last two weeks is no news of the sealed past.
  await connection.run(
    seenLate(
      6000002,
      'terminal_id = 6',
      `night_at(${NEXT + 1}) - interval 9 days as created, night_at(${NEXT + 1}) as observed_at, ${NEXT + 2} as landing_seq`,
    ),
  )
  expect(await night(connection, NEXT + 1)).toMatchObject({ isWhole: false, differing: [] })
  expect(await idsOf(connection, 'from sealed_terminal')).not.toContain(6)
}, 300_000)

/** A charge of a quiet settlement on a terminal. */
const quietOf = (terminal: number) =>
  `(select max(transaction_id) from lake.carried.quiet_card semi join (from lake.seen.transaction_version where status = 'CAPTURE') as captured using (transaction_id) where terminal_id = ${terminal})`

const again = (id: string, replaced: string) => `
  insert into lake.seen.transaction_version
  select * replace (${NEXT + 1} as landing_seq, night_at(${NEXT}) as observed_at, ${replaced}) from lake.seen.transaction_version
  where transaction_id = ${id} order by landing_seq desc limit 1`

/** What happens in the night after the seal, each on a terminal of its own, and the reason by which that is unsealed. */
const EVENTS: {
  name: string
  terminal: number
  isCaution?: boolean
  reasons: Record<string, string>
  happens: string
}[] = [
  {
    name: 'versions',
    terminal: 1,
    reasons: ABOUT,
    // What counts would be seen to count twice; of what was declined only an audit would seem to be the first to see it.
    happens: again(
      `(select max(transaction_id) from lake.seen.transaction_version anti join lake.carried.kept_version using (transaction_id)
        where terminal_id = 1 and not approved and created < (select sealed_from - interval 6 days from lake.carried.seal))`,
      `'another' as invoice_number, 'audit' as sweep_id`,
    ),
  },
  {
    name: 'presence',
    terminal: 2,
    reasons: ABOUT,
    happens: `insert into lake.seen.presence values ('bench', 'transactions', ${quietOf(2)}, false, 'audit', night_at(${NEXT}), ${NEXT + 1});
      insert into lake.ops.sweep by name select * replace ('audit' as sweep_id, null as covers_from) from lake.ops.sweep where sweep_id = 't${NEXT}'`,
  },
  {
    name: 'decisions',
    terminal: 4,
    reasons: ABOUT,
    happens: `insert into lake.ops.audit by name
      select ${1000 + NEXT} as seq, 'bench' as account, 'a' as actor, 'transaction.attribute' as action, ${quietOf(4)}::varchar as subject, 'r' as reason, '{"settlement":"none"}' as detail`,
  },
  {
    name: 'terminals',
    terminal: 5,
    reasons: TOLD,
    happens: `insert into lake.seen.terminal_version
      select * replace ('ACH' as type, ${NEXT + 1} as landing_seq) from lake.seen.terminal_version where terminal_id = 5`,
  },
  {
    // It tells of the terminal's first transaction, which is kept here.
    name: 'refusals',
    isCaution: true,
    terminal: 9,
    reasons: TOLD,
    happens: `insert into lake.seen.refusal values ('bench', 'transactions', 9, true, 403, null, 't${NEXT}', night_at(${NEXT}), ${NEXT + 1})`,
  },
  {
    name: 'sweep',
    terminal: 8,
    reasons: DOUBTS,
    happens: `insert into lake.ops.sweep by name select * replace ('m${NEXT}' as sweep_id, 'terminals' as list, null as covers_from) from lake.ops.sweep where sweep_id = 't${NEXT}'`,
  },
  {
    name: 'clocked_transaction',
    isCaution: true,
    terminal: 10,
    reasons: DOUBTS,
    happens: again(
      quietOf(10),
      `5000001 as transaction_id, timestamp '${dayOf(NEXT - 4)}' as created, timestamp '${dayOf(NEXT - 4)} 00:10:00' as last_modified`,
    ),
  },
  {
    name: 'settlement_sequence',
    isCaution: true,
    terminal: 11,
    reasons: DOUBTS,
    happens: again(
      quietOf(11),
      `5000002 as transaction_id, timestamp '${dayOf(NEXT - 4)}' as created, timestamp '${dayOf(NEXT - 4)}' as last_modified,
       (select max(settlement_id) from lake.carried.sealed_settlement where is_quiet and terminal_id = 11) as explicit_settlement_id`,
    ),
  },
  // Of what was kept wrongly, too, nothing must reach a pack.
  {
    name: 'first_boundary',
    isCaution: true,
    terminal: 16,
    reasons: DOUBTS,
    happens:
      'update lake.carried.kept_place set running_cents = running_cents + 1 where terminal_id = 16 and position > 100',
  },
  {
    name: 'computed_net',
    terminal: 14,
    reasons: DOUBTS,
    happens: `update lake.carried.quiet_member set signed_cents = signed_cents + 1 where terminal_id = 14 and method <> 'OBSERVED'`,
  },
]

/** Takes reasons away for as long as the work takes. */
async function without<T>(reasons: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const all = { ...reasons }
  for (const name of Object.keys(all)) {
    reasons[name] =
      reasons === DOUBTS
        ? 'select 0::bigint as terminal_id where false'
        : 'select 0::bigint where false'
  }
  try {
    return await work()
  } finally {
    Object.assign(reasons, all)
  }
}

const PACKS_BY_TERMINAL = ['attributions', 'exceptions', 'rollforward', 'settlements', 'unsettled']

async function differingTerminals(connection: DuckDBConnection): Promise<number[]> {
  const rows = PACKS_BY_TERMINAL.map(
    (name) => `
      select "terminalId" as id from (from kept_pack_${name} except all from pack_${name})
      union select "terminalId" from (from pack_${name} except all from kept_pack_${name})`,
  )
  const found = await rowsOf(
    connection,
    `select distinct id::integer as id from (${rows.join(' union ')})`,
  )
  return found.map(({ id }) => Number(id))
}

const idsOf = async (connection: DuckDBConnection, rows: string): Promise<number[]> =>
  (await rowsOf(connection, `select terminal_id::integer as id from (${rows})`)).map(({ id }) =>
    Number(id),
  )

/** A seal is taken by runs of no lesser knowledge, no earlier time or range, and the same models and settings. */
async function fitsOnlyLater(connection: DuckDBConnection): Promise<void> {
  const { fingerprint } = await termsOf(connection, NEXT)
  const taken = async (changed: string, print = fingerprint) => {
    await prepared(connection, NEXT)
    await connection.run(changed)
    return (await takeSeal(connection, print)) !== undefined
  }
  expect(await taken('')).toBe(true)
  expect(await taken('', 'other')).toBe(false)
  for (const earlier of [
    `set variable known_at = ${FIRST}::bigint`,
    `set variable audit_seq = ${999 + FIRST}::bigint`,
    `set variable as_of = getvariable('as_of') - interval 2 days`,
    `set variable window_from = getvariable('window_from') - interval 2 days`,
    `set variable account = 'other'`,
  ]) {
    expect([earlier, await taken(earlier)]).toEqual([earlier, false])
  }
  // A sweep that had begun when the seal was made may yet tell what was PENDING until when.
  await connection.run(
    `insert into lake.ops.sweep by name select * replace ('late' as sweep_id, ${NEXT + 1} as landing_seq) from lake.ops.sweep where sweep_id = 's${FIRST - 30}'`,
  )
  expect(await taken('')).toBe(false)
  await connection.run(`delete from lake.ops.sweep where sweep_id = 'late'`)
}

test('whatever tells something new of a sealed terminal unseals it, and without the reasons the pack would be wrong about each of them', async () => {
  const connection = await history({ seed: 3, terminals: 17, days: 94, perDay: 5 })
  await connection.run(
    `delete from lake.ops.sweep where list = 'terminals'; delete from lake.seen.terminal_version where terminal_id = 8`,
  )
  await night(connection, FIRST)
  const touched = EVENTS.map(({ terminal }) => terminal)
  expect(await idsOf(connection, 'from lake.carried.sealed_terminal')).toEqual(
    expect.arrayContaining(touched),
  )
  await fitsOnlyLater(connection)
  await connection.run(EVENTS.map(({ happens }) => happens).join(';\n'))
  const { isWhole } = await tried(connection, NEXT)
  expect(isWhole).toBe(false)
  const still = await idsOf(connection, 'from sealed_terminal')
  expect(still.filter((id) => touched.includes(id))).toEqual([])
  expect(still.length).toBeGreaterThan(1)
  for (const { name, terminal, reasons } of EVENTS.filter((event) => event.reasons !== DOUBTS)) {
    const isUnsealed = async () =>
      (await idsOf(connection, landed(await rangesAbout(connection)))).includes(terminal)
    expect([name, await isUnsealed()]).toEqual([name, true])
    const reason = reasons[name] ?? ''
    reasons[name] = 'select 0::bigint where false'
    expect([name, await isUnsealed()]).toEqual([name, false])
    reasons[name] = reason
  }
  await kept(connection)
  await runModels(connection, MODELS)
  expect(await compared(connection)).toEqual([])
  await without(ABOUT, () => without(TOLD, () => without(DOUBTS, () => tried(connection, NEXT))))
  // Of the others nothing would be wrong in this history, but it might be.
  const wrong = EVENTS.filter(({ isCaution }) => isCaution !== true).map(({ terminal }) => terminal)
  expect(await differingTerminals(connection)).toEqual(expect.arrayContaining(wrong))
}, 300_000)

/** What makes a model say something else of a terminal than when it was sealed, and nothing else; `shift` is about one that has a shift. */
const CONTRADICTED: Record<string, (terminal: number) => string> = {
  // As if the settlement that it names had become known.
  settled_transaction: (terminal) => `
    insert into lake.carried.kept_place
    select * replace ((select max(transaction_id) from lake.carried.kept_version where not settled) as transaction_id)
    from lake.carried.kept_place where terminal_id = ${terminal} limit 1`,
  settlement_version: (terminal) => `
    insert into lake.seen.settlement_version
    select * replace (800000001 as settlement_id, night_at(${FIRST}) as created, night_at(${FIRST - 60}) as observed_at, ${NEXT + 1} as landing_seq)
    from lake.seen.settlement_version where terminal_id = ${terminal} limit 1`,
  usual_lag: (terminal) =>
    `update lake.carried.kept_candidate set lag_low_s = lag_low_s + 600000, lag_high_s = lag_high_s + 600000 where terminal_id = ${terminal}`,
  // As if the end of each run lay far from the usual lag.
  cutoff_choice: (terminal) =>
    `update lake.carried.kept_candidate set lag_low_s = lag_low_s + 90000, lag_high_s = lag_high_s + 90000 where is_lean and terminal_id = ${terminal}`,
  computed_net: (terminal) =>
    `update lake.carried.kept_explanation set difference_cents = difference_cents + 1 where terminal_id = ${terminal}`,
  // As if another terminal had come to be off by the opposite of what one settlement is off by.
  explanation: (terminal) => `
    update lake.carried.kept_explanation as told
    set difference_cents = -other.difference_cents, created = other.created
    from (from computed_net where verdict = 'BREAK' and terminal_id <> ${terminal} limit 1) as other where told.terminal_id = ${terminal}`,
  boundary: (terminal) =>
    `update lake.carried.sealed_settlement set cut_instant = cut_instant - interval 6 days where terminal_id = ${terminal}`,
  shift: (terminal) =>
    `update lake.carried.sealed_settlement set is_quiet = true, is_shown = true where terminal_id = ${terminal}`,
  gap: (terminal) =>
    `update lake.carried.sealed_settlement set is_quiet = true where terminal_id = ${terminal}`,
  // On a terminal that isn't sealed a refund came before, so that the quiet one is above what was charged.
  finding: (terminal) => `
    insert into lake.seen.transaction_version
    select * replace (5000009 as transaction_id, 999 as terminal_id, created - interval 1 hour as created, 100000000 as total_cents, ${NEXT + 1} as landing_seq)
    from lake.seen.transaction_version
    where transaction_id = (select max(transaction_id) from lake.carried.quiet_refund where terminal_id = ${terminal} and action = 'REFUND' and approved and status = 'CAPTURE')
    order by landing_seq desc limit 1`,
}

/** Only one of the models is asked whether it says something else. */
const asking = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const doubt = DOUBTS[name] ?? ''
  return without(DOUBTS, () => {
    DOUBTS[name] = doubt
    return work()
  })
}

test('each model that says something else of a sealed terminal unseals it by itself, and another event that turns the flag unseals all', async () => {
  const connection = await history({ seed: 3, terminals: 14, days: 94, perDay: 5 })
  await night(connection, FIRST)
  const shifted = await idsOf(
    connection,
    `select distinct terminal_id from boundary semi join (from shift) as moved on moved.from_settlement_id = boundary.settlement_id
     where terminal_id in (select terminal_id from lake.carried.sealed_terminal) order by 1`,
  )
  const [withShift = 0] = shifted
  // With a settlement between two that are off.
  const [withGaps = 0] = await idsOf(
    connection,
    `select distinct one.terminal_id from gap as one inner join gap as other on other.terminal_id = one.terminal_id
       and other.ordinal > one.ordinal + 1 and other.created < one.created + interval 9 days
     inner join lake.carried.sealed_terminal as sealed on sealed.terminal_id = one.terminal_id
     where other.created < timestamp '${dayOf(FIRST - 25)}' and one.terminal_id <> ${withShift} order by 1`,
  )
  // Not each has a refund that is quiet.
  const [withRefund = 0] = await idsOf(
    connection,
    `select distinct terminal_id from lake.carried.quiet_refund
     where terminal_id not in (${withShift}, ${withGaps}) and action = 'REFUND' and approved and status = 'CAPTURE' order by terminal_id`,
  )
  // Nor does each have a settlement at the end of a run.
  const [withLean = 0] = await idsOf(
    connection,
    `select distinct terminal_id from lake.carried.kept_candidate
     where is_lean and terminal_id not in (${withShift}, ${withGaps}, ${withRefund}) order by terminal_id`,
  )
  // Nor has each been off alone, long ago.
  const [withTold = 0, withOther = 0] = await idsOf(
    connection,
    `select distinct terminal_id from lake.carried.kept_explanation
     where terminal_id not in (${withShift}, ${withGaps}, ${withRefund}, ${withLean}) order by terminal_id`,
  )
  const chosen: Record<string, number> = {
    computed_net: withTold,
    explanation: withOther,
    shift: withShift,
    gap: withGaps,
    finding: withRefund,
    cutoff_choice: withLean,
  }
  const sealed = await idsOf(
    connection,
    'select distinct terminal_id from lake.carried.opening order by terminal_id',
  )
  const others = sealed.filter((id) => !Object.values(chosen).includes(id))
  const terminals = new Map(
    Object.keys(CONTRADICTED).map((name) => [name, chosen[name] ?? others.pop() ?? 0]),
  )
  for (const [name, happens] of Object.entries(CONTRADICTED)) {
    const terminal = terminals.get(name) ?? 0
    const isSealed = async () =>
      (await idsOf(connection, 'from sealed_terminal')).includes(terminal)
    expect([name, await asking(name, () => tried(connection, NEXT))]).toMatchObject([
      name,
      { isWhole: false },
    ])
    expect([name, await isSealed()]).toEqual([name, true])
    await connection.run(happens(terminal))
    expect([name, await asking(name, () => tried(connection, NEXT))]).toMatchObject([
      name,
      { isWhole: false },
    ])
    expect([name, await isSealed()]).toEqual([name, false])
  }
  await connection.run(`update lake.carried.seal set learned_event = 'another'`)
  const { isWhole } = await asking('settled_event', () => tried(connection, NEXT))
  expect(isWhole).toBe(true)
}, 300_000)

test('a run that computes everything again compares the pack with that of the sealed past, and tells what differs', async () => {
  const connection = await history({ seed: 4, terminals: 3, days: 94, perDay: 5 })
  await night(connection, FIRST)
  await connection.run('update lake.carried.carry set runs_since_whole = 5')
  expect(await tried(connection, NEXT, 5)).toMatchObject({ isWhole: true })
  await connection.run('update lake.carried.quiet_day set signed_cents = signed_cents + 1')
  await expect(tried(connection, NEXT, 5)).rejects.toMatchObject({
    code: 'invariant_broken',
    message: expect.stringMatching(/^pack_\w+ after the seal of run n90 differs/),
  })
}, 120_000)
