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
    columns: 'action, created, fine_key',
    quiet: ['select action, created, fine_key from sealed_quiet_refund'],
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

/** All that is on the cards of `asked_card`; of all history each column costs, and a quiet charge counts by its amount alone. */
export const onAskedCards = (isSealed: boolean): string =>
  [
    [CEILING_COLUMNS, 'current_transaction'],
    ...(isSealed
      ? [
          [CEILING_COLUMNS, 'sealed_quiet_refund'],
          [`created, total_cents, fine_key, ${IS_QUIET_CHARGE}`, 'sealed_quiet_card'],
        ]
      : []),
  ]
    .map(
      ([columns, table]) => `select ${columns} from ${table} semi join asked_card using (fine_key)`,
    )
    .join(' union all by name ')

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
