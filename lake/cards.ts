/** What is on cards, to the columns that are asked of it: of current ones, and what a seal keeps of quiet ones. */
import type { DuckDBConnection } from '@duckdb/node-api'

/** What is asked of charges on a coarse card: of all history each column costs. */
const CHARGE_COLUMNS = 'created, action, status, approved, total_cents, coarse_key'

/** What models of refunds ask of a transaction. */
export const CEILING_COLUMNS =
  'transaction_id, terminal_id, created, action, status, approved, total_cents, coarse_key, fine_key'

/** What models of cards ask of it. */
const CARD_COLUMNS = `${CEILING_COLUMNS}, invoice_number`

/** What a seal keeps of a quiet charge that counts: of all history each column costs. */
export const QUIET_COLUMNS =
  'transaction_id, terminal_id, created, total_cents, coarse_key, fine_key, invoice_number'

/** What all of these are, to the models; none of them asks whether it is held. */
const IS_QUIET_CHARGE = `'CHARGE' as action, 'CAPTURE' as status, true as approved`

/** What counts for a coarse card; others have no such key. */
export const IS_CHARGED = `coarse_key is not null and action = 'CHARGE' and approved and status <> 'VOID'`

/** The stretch of time, of 2^37 microseconds, that `created` lies in: a shift takes a fraction of the time of a division. */
export const STRETCH = 'epoch_us(created) >> 37'

/** When a stretch starts. */
const startOf = (stretch: string): string => `make_timestamp((${stretch}) << 37)`

const VIEWS = {
  card_transaction: {
    columns: CARD_COLUMNS,
    quiet: [
      `select ${QUIET_COLUMNS}, ${IS_QUIET_CHARGE} from sealed_quiet_card`,
      `select ${CEILING_COLUMNS} from sealed_quiet_refund`,
    ],
  },
  card_refund: {
    columns: 'action, created, total_cents, fine_key',
    quiet: ['select action, created, total_cents, fine_key from sealed_quiet_refund'],
  },
} as const

/** Names all that is on cards `card_transaction`, and what is asked of refunds among it `card_refund`. */
export async function nameCards(connection: DuckDBConnection, isSealed: boolean): Promise<void> {
  for (const [view, { columns, quiet }] of Object.entries(VIEWS)) {
    const rows = [
      `select ${columns} from current_transaction where fine_key is not null`,
      ...(isSealed ? quiet : []),
    ]
    await connection.run(
      `create or replace temp view ${view} as ${rows.join(' union all by name ')}`,
    )
  }
}

/** What was charged from here on lies in the window of each refund from the time of the seal up to two months after it. */
const COVERED_FROM = `(getvariable('sealed_from') - interval 10 months)`

/** By how much a quiet charge covers refunds of its card after the seal. */
export const COVERED = `case when created >= ${COVERED_FROM} then total_cents else 0 end`

/** Of cards that were touched, those of which quiet charges don't cover all refunds that there are; and whether there are such charges. */
const UNCOVERED = `
  select fine_key, covered_cents is not null as is_quiet
  from (
    select fine_key, touched_at, sum(total_cents) as refund_cents, max(created - interval 12 months) as last_start_at
    from touched_card inner join (from card_refund where action = 'REFUND') as refund using (fine_key)
    group by fine_key, touched_at)
  left join (
    select fine_key, sum(covered_cents) as covered_cents
    from sealed_quiet_cover semi join touched_card using (fine_key) group by fine_key) using (fine_key)
  where touched_at < getvariable('opens_at') or last_start_at > ${COVERED_FROM} or coalesce(covered_cents, 0) < refund_cents`

/** Makes `asked_card` of the cards that have to be judged again. */
export async function askCards(connection: DuckDBConnection, isSealed: boolean): Promise<void> {
  await connection.run(
    `create or replace temp table touched_card as
     select distinct fine_key, touched_at from touched_fine_key
     inner join (
       select fine_key, created from changed_version where action = 'REFUND'
       union all
       select fine_key, created from card_refund where action = 'REFUND' and created >= getvariable('touched_from')
     ) as refund using (fine_key)
     where refund.created >= touched_at`,
  )
  await connection.run(
    `create or replace temp table asked_card as
     ${isSealed ? UNCOVERED : 'select fine_key from touched_card'}`,
  )
}

/** All that is on the cards of `asked_card`; of all history each column costs, and a quiet charge counts by its amount alone. */
export async function onAskedCards(
  connection: DuckDBConnection,
  isSealed: boolean,
): Promise<string> {
  const asked = (columns: string, table: string, cards = 'asked_card') =>
    `select ${columns} from ${table} semi join ${cards} using (fine_key)`
  const current = asked(CEILING_COLUMNS, 'current_transaction')
  if (!isSealed) return current
  const found = await connection.runAndReadAll(`select bool_or(is_quiet) from asked_card`)
  const isQuiet = found.getRows()[0]?.[0] === true
  return [
    current,
    asked(CEILING_COLUMNS, 'sealed_quiet_refund'),
    asked(
      `created, total_cents, fine_key, ${IS_QUIET_CHARGE}`,
      // With no card to look for, nothing of all history is read.
      isQuiet ? 'sealed_quiet_card' : '(from sealed_quiet_card limit 0)',
      '(from asked_card where is_quiet) as quiet',
    ),
  ].join(' union all by name ')
}

/**
 * The charges on the coarse cards of `asked_refund`. Those that a seal keeps are single ones where a window starts or ends;
 * elsewhere one with their sum stands at the start of its stretch.
 */
export async function onAskedCoarseCards(
  connection: DuckDBConnection,
  isSealed: boolean,
): Promise<string> {
  const current = `select ${CHARGE_COLUMNS} from current_transaction semi join asked_refund using (coarse_key)`
  if (!isSealed) return current
  await connection.run(
    `create or replace temp table asked_end as
     select coarse_key, ${STRETCH} as stretch, is_start
     from (
       select coarse_key, window_start as created, true as is_start from asked_refund
       union all
       select coarse_key, created, false from asked_refund)`,
  )
  // Known before any join, so that files of other days are not opened.
  for (const [name, ends] of Object.entries({ starts: 'is_start', ends: 'not is_start' })) {
    await connection.run(
      `set variable ${name}_from = (select ${startOf('min(stretch)')} from asked_end where ${ends})`,
    )
    await connection.run(
      `set variable ${name}_until = (select ${startOf('max(stretch) + 1')} from asked_end where ${ends})`,
    )
  }
  const within = (name: string) =>
    `created >= getvariable('${name}_from') and created < getvariable('${name}_until')`
  const single = (where: string) =>
    `select created, total_cents, coarse_key, ${IS_QUIET_CHARGE} from sealed_quiet_card as quiet
     semi join asked_end on asked_end.coarse_key = quiet.coarse_key and asked_end.stretch = ${STRETCH}
     where ${where}`
  return `
    ${current}
    union all by name ${single(within('starts'))}
    union all by name ${single(`${within('ends')} and not (${within('starts')})`)}
    union all by name
    select ${startOf('stretch')} as created, charged_cents as total_cents, coarse_key, ${IS_QUIET_CHARGE}
    from sealed_quiet_charge semi join asked_refund using (coarse_key) anti join asked_end using (coarse_key, stretch)`
}
