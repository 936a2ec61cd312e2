import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { keptAs } from '../../lake/kept.ts'

const COLUMNS =
  'transaction_id, created, last_modified, business_date, signed_cents, surcharge_percentage, observed_at, total_cents, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents, ach_type, invoice_number'

test('columns that few rows fill are the same through the view, and empty ones take no list', async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  // Every mixture of null, nothing and something in each of them, with a base that is the total or isn't.
  await connection.run(`
    create temp table drawn as
    select row_number() over () as transaction_id, now()::timestamp as created, null::timestamp as last_modified, today() as business_date,
      -total_cents as signed_cents, 1.5 as surcharge_percentage, null::timestamp as observed_at, total_cents, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents,
      ach_type, invoice_number
    from unnest([null, 0, 500]) as a (total_cents), unnest([null, 0, 500, 480]) as b (base_cents), unnest([null, 0, 20]) as c (tax_cents),
      unnest([null, 7]) as d (shipping_cents), unnest([null, -3]) as e (tip_cents), unnest([null, 9]) as f (surcharge_cents),
      unnest([null, '', 'PPD']) as g (ach_type), unnest([null, '', 'A-1']) as h (invoice_number)`)
  const kept = keptAs({ name: 'current_transaction', text: `select ${COLUMNS} from drawn` }, 'kept')
  if (kept === undefined) throw new Error('the current transactions have a layout of their own')
  await connection.run(`create temp table kept as ${kept.rows}`)
  const differing = await connection.runAndReadAll(`
    select count(*)::integer, (select count(*)::integer from drawn),
      (select count(*)::integer from kept where further_numbers is null and further_texts is null)
    from (
      (select ${COLUMNS} from (${kept.view}) except all select ${COLUMNS} from drawn)
      union all
      (select ${COLUMNS} from drawn except all select ${COLUMNS} from (${kept.view})))`)
  expect(differing.getRows()).toEqual([[0, 2592, 3]])
  connection.closeSync()
})

test('a table of few columns is kept as it is', () => {
  expect(keptAs({ name: 'current_settlement', text: 'select 1' }, 'kept')).toBeUndefined()
})
