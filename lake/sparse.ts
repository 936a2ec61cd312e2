/**
 * Columns that few rows of a large table fill. In memory each row has room for each of its columns, filled or not, so that
 * these stand in two lists, null where a row has nothing for any of them; a view shows the columns as the model names them.
 */

interface Sparse {
  /** Numbers, each with what it is in a row without a list. */
  numbers: Readonly<Record<string, string>>
  texts: readonly string[]
}

const SPARSE: Readonly<Record<string, Sparse>> = {
  current_transaction: {
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
}

/** How a model's rows are kept in memory; undefined: as they are. `rows` makes the table `table`, `view` shows it as the model would. */
export function keptSparsely(
  name: string,
  text: string,
): { table: string; rows: string; view: string } | undefined {
  const sparse = SPARSE[name]
  if (sparse === undefined) return undefined
  const { numbers, texts } = sparse
  const columns = [...Object.keys(numbers), ...texts]
  const table = `${name}_kept`
  const filled = Object.entries(numbers).map(
    ([column, plain]) => `${column} is distinct from ${plain}`,
  )
  return {
    table,
    rows: `select * exclude (${columns.join(', ')}),
       case when ${filled.join(' or ')} then [${Object.keys(numbers).join(', ')}] end as further_numbers,
       case when ${texts.map((column) => `${column} is not null`).join(' or ')} then [${texts.join(', ')}] end as further_texts
     from (${text})`,
    view: `select * exclude (further_numbers, further_texts),
       ${Object.entries(numbers)
         .map(
           ([column, plain], place) =>
             `case when further_numbers is null then ${plain} else further_numbers[${place + 1}] end as ${column}`,
         )
         .join(', ')},
       ${texts.map((column, place) => `further_texts[${place + 1}] as ${column}`).join(', ')}
     from ${table}`,
  }
}
