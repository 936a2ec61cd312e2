/**
 * How tables with a row for most transactions stand in memory; a view shows the columns as the model names them. Writing
 * these tables takes half of a run's time, so that two things are saved.
 *
 * For each column of its own DuckDB hashes up to a third of the values, to guess how many different ones there are, and orders
 * joins by that. Where no join depends on the guess, such columns are measures, the fields of one struct, of which nothing is
 * guessed: nobody joins by them, or their values stand there once or twice, or terminal and clock tell most of it.
 *
 * Each row has room for each of its columns, filled or not, so that columns which few rows fill stand in two lists, null where
 * a row has nothing for any of them.
 */

interface Layout {
  measures: readonly string[]
  sparse?: Sparse
}

interface Sparse {
  /** Numbers, each with what it is in a row without a list. */
  numbers: Readonly<Record<string, string>>
  texts: readonly string[]
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  current_transaction: {
    measures: [
      'transaction_id',
      'created',
      'last_modified',
      'business_date',
      'total_cents',
      'signed_cents',
      'surcharge_percentage',
      'observed_at',
    ],
    sparse: {
      numbers: {
        // A plain sale is its base and nothing else.
        base_cents: 'total_cents',
        tax_cents: 'null',
        shipping_cents: 'null',
        tip_cents: 'null',
        surcharge_cents: 'null',
      },
      texts: ['ach_type', 'invoice_number'],
    },
  },
  settled_transaction: { measures: ['transaction_id', 'signed_cents', 'created', 'modified'] },
  clocked_transaction: {
    measures: [
      'transaction_id',
      'clock_at',
      'position',
      'next_at',
      'running_cents',
      'signed_cents',
    ],
  },
  candidate: {
    measures: [
      'ordinal',
      'position',
      'transactions_cents',
      'offset_cents',
      'clock_at',
      'lag_low_s',
      'lag_high_s',
    ],
  },
  settled_member: { measures: ['transaction_id', 'created', 'business_date', 'signed_cents'] },
}

/** A table: the select that makes its rows, and the one that shows them as the model would. */
export interface Kept {
  rows: string
  view: string
}

/** How the rows of such a model are kept in `table`; undefined: as they are. */
export function keptAs(
  { name, text }: { name: string; text: string },
  table: string,
): Kept | undefined {
  const layout = LAYOUTS[name]
  if (layout === undefined) return undefined
  const { measures, sparse } = layout
  const { rows, view } = sparse === undefined ? { rows: text, view: FLAT } : inLists(sparse, text)
  const fields = measures.map((column) => `${column}: ${column}`)
  return {
    rows: `select * exclude (${measures.join(', ')}), {${fields.join(', ')}} as measures from (${rows})`,
    view: `with flat as (select * exclude (measures), measures.* from ${table}) ${view}`,
  }
}

const FLAT = 'from flat'

/** Columns that few rows fill, in two lists. */
function inLists({ numbers, texts }: Sparse, text: string): Kept {
  const names = Object.keys(numbers)
  const isFilled = Object.entries(numbers).map(
    ([column, plain]) => `${column} is distinct from ${plain}`,
  )
  const shown = [
    ...Object.entries(numbers).map(
      ([column, plain], place) =>
        `case when further_numbers is null then ${plain} else further_numbers[${place + 1}] end as ${column}`,
    ),
    ...texts.map((column, place) => `further_texts[${place + 1}] as ${column}`),
  ]
  return {
    rows: `select * exclude (${[...names, ...texts].join(', ')}),
       case when ${isFilled.join(' or ')} then [${names.join(', ')}] end as further_numbers,
       case when ${texts.map((column) => `${column} is not null`).join(' or ')} then [${texts.join(', ')}] end as further_texts
     from (${text})`,
    view: `select * exclude (further_numbers, further_texts), ${shown.join(', ')} ${FLAT}`,
  }
}
