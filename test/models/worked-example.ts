/** Books as two short texts, and the worked example: three days of two terminals, one settlement off by 10.00. */
import type { Tables } from '../support/models.ts'

/** `id | terminal | created | action | total | base tax shipping tip surcharge | place | settlement`; a place may be followed by the date of the void. */
export const ITEMS = `
   1 | 1001 | 2026-11-18 10:00 | CHARGE | 10600 | 9000 750 500 300  50 | COMPLETE | 900
   2 | 1001 | 2026-11-18 11:00 | CHARGE |  6009 | 5000 405   - 500 104 | COMPLETE | 900
   3 | 1001 | 2026-11-18 12:00 | REFUND |  2165 | 2000 165             | COMPLETE | 900
   4 | 1002 | 2026-11-19 10:00 | CHARGE |  2500 | 2500                 | COMPLETE | 901
   5 | 1002 | 2026-11-19 11:00 | REFUND |  7500 | 7500                 | COMPLETE | 901
   6 | 1001 | 2026-11-20 10:00 | CHARGE | 21000 | 21000                | COMPLETE | 902`

/** `id | terminal | created | status | reported | computed | verdict` */
export const BATCHES = `
  900 | 1001 | 2026-11-19 03:00 | COMPLETE | 14444 | 14444 | TIED
  901 | 1002 | 2026-11-20 03:00 | COMPLETE | -5000 | -5000 | TIED
  902 | 1001 | 2026-11-21 03:00 | COMPLETE | 20000 | 21000 | BREAK`

const HEADS = {
  transaction_standing:
    'transaction_id bigint | terminal_id bigint | business_date date | action varchar | settled boolean | signed_cents bigint | voided_date date | standing varchar',
  settled_member:
    'transaction_id bigint | terminal_id bigint | created timestamp | business_date date | action varchar | signed_cents bigint | settlement_id bigint',
  complete_settlement: 'settlement_id bigint',
  current_transaction:
    'transaction_id bigint | terminal_id bigint | created timestamp | business_date date | action varchar | status varchar | settled boolean | total_cents bigint | signed_cents bigint | observed_at timestamp | base_cents bigint | tax_cents bigint | shipping_cents bigint | tip_cents bigint | surcharge_cents bigint',
  sweep_scope: 'list varchar | terminal_id bigint | covers_from timestamp | ended_at timestamp',
  attribution:
    'transaction_id bigint | settlement_id bigint | terminal_id bigint | method varchar | action varchar | status varchar | created timestamp | signed_cents bigint',
  tieout:
    'settlement_id bigint | terminal_id bigint | created timestamp | business_date date | status varchar | reported_cents bigint | computed_cents bigint | difference_cents bigint | verdict varchar | method varchar | certificate varchar | transaction_count bigint | charge_count bigint | charge_cents bigint | refund_count bigint | refund_cents bigint | cutoff_at timestamp | explanation varchar | explained_cents bigint | unexplained_cents bigint | explained_by varchar | in_range boolean',
  current_settlement:
    'settlement_id bigint | created timestamp | first_seen timestamp | last_changed timestamp',
}

/** The tables that the books are made from, with dates of UTC and November 2026 as the range. */
export function books(items: string, batches: string): Tables {
  const rows = cells(items).map(itemRows)
  return {
    transaction_standing: table(
      HEADS.transaction_standing,
      rows.flatMap(({ placed }) => placed),
    ),
    settled_member: table(
      HEADS.settled_member,
      rows.flatMap(({ complete }) => complete),
    ),
    complete_settlement: table(
      HEADS.complete_settlement,
      [...new Set(rows.flatMap(({ complete }) => complete.map((line) => line.at(-1))))].map(
        (id) => [id],
      ),
    ),
    current_transaction: table(
      HEADS.current_transaction,
      rows.map(({ current }) => current),
    ),
    attribution: table(
      HEADS.attribution,
      rows.flatMap(({ member }) => member),
    ),
    sweep_scope: HEADS.sweep_scope,
    delisted_record: 'list varchar | subject_id bigint',
    tieout: table(HEADS.tieout, cells(batches).map(tieoutRow)),
    current_settlement: table(
      HEADS.current_settlement,
      cells(batches).map(([id, , created]) => [
        id,
        created,
        '2026-11-30 05:00',
        '2026-11-30 05:00',
      ]),
    ),
  }
}

function itemRows(line: string[]) {
  const [id, terminal, created = '', action, total = '', parts = '', at = '', settlement = ''] =
    line
  const [place = '', voided] = at.split(' ')
  const signed = { CHARGE: total, REFUND: `-${total}` }[action ?? ''] ?? '0'
  const settled = String(place === 'COMPLETE' || place === 'ORPHAN')
  const status = place === 'VOIDED' ? 'VOID' : 'CAPTURE'
  const amounts = parts.split(/ +/).map((part) => (part === '-' ? '' : part))
  const seen = '2026-11-30 05:00'
  const date = created.slice(0, 10)
  return {
    placed:
      place === 'COMPLETE' ? [] : [[id, terminal, date, action, settled, signed, voided, place]],
    // A settlement without an id stands for all in a table of the journal alone.
    complete:
      place === 'COMPLETE'
        ? [[id, terminal, created, date, action, signed, settlement || '0']]
        : [],
    current: [
      id,
      terminal,
      created,
      date,
      action,
      status,
      settled,
      total,
      signed,
      seen,
      ...[0, 1, 2, 3, 4].map((i) => amounts[i]),
    ],
    member:
      settlement === ''
        ? []
        : [[id, settlement, terminal, 'ALIGNED', action, status, created, signed]],
  }
}

function tieoutRow(line: string[]) {
  const [id, terminal, created = '', status, reported = '', computed = '', verdict = ''] = line
  const difference = computed === '' ? '' : String(Number(computed) - Number(reported))
  const certificate = { TIED: 'UNIQUE', BREAK: 'UNSOLVED', NO_DATA: 'UNSOLVED' }[verdict]
  const named = verdict === 'TIED' || verdict === 'BREAK' ? ['0', difference] : ['', '']
  return [
    ...[
      id,
      terminal,
      created,
      created.slice(0, 10),
      status,
      reported,
      computed,
      difference,
      verdict,
    ],
    ...['ALIGNED', certificate, '1', '1', '0', '0', '0', '', '', ...named, ''],
    String(created.startsWith('2026-11')),
  ]
}

const cells = (text: string) =>
  text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((line) => line.length > 1)

const table = (head: string, rows: (string | undefined)[][]) =>
  [head, ...rows.map((row) => row.map((cell) => cell ?? '').join(' | '))].join('\n')
