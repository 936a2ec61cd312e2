import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { keptSparsely } from '../../lake/sparse.ts'

const COLUMNS =
  'transaction_id, total_cents, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents, ach_type, invoice_number'

test('columns that few rows fill are the same through the view, and empty ones take no list', async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  // Every mixture of null, nothing and something in each of them, with a base that is the total or isn't.
  await connection.run(`
    create temp table drawn as
    select row_number() over () as transaction_id, total_cents, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents,
      ach_type, invoice_number
    from unnest([null, 0, 500]) as a (total_cents), unnest([null, 0, 500, 480]) as b (base_cents), unnest([null, 0, 20]) as c (tax_cents),
      unnest([null, 7]) as d (shipping_cents), unnest([null, -3]) as e (tip_cents), unnest([null, 9]) as f (surcharge_cents),
      unnest([null, '', 'PPD']) as g (ach_type), unnest([null, '', 'A-1']) as h (invoice_number)`)
  const kept = keptSparsely('current_transaction', `select ${COLUMNS} from drawn`)
  if (kept === undefined) throw new Error('the current transactions are kept sparsely')
  await connection.run(`create temp table ${kept.table} as ${kept.rows}`)
  const differing = await connection.runAndReadAll(`
    select count(*)::integer, (select count(*)::integer from drawn),
      (select count(*)::integer from ${kept.table} where further_numbers is null and further_texts is null)
    from (
      (select ${COLUMNS} from (${kept.view}) except all select ${COLUMNS} from drawn)
      union all
      (select ${COLUMNS} from drawn except all select ${COLUMNS} from (${kept.view})))`)
  expect(differing.getRows()).toEqual([[0, 2592, 3]])
  connection.closeSync()
})

test('a table of few columns is kept as it is', () => {
  expect(keptSparsely('current_settlement', 'select 1')).toBeUndefined()
})
