import { expect, test } from 'vitest'
import { PackedRows } from '../../../domain/packed-rows.ts'
import { handOver } from '../../../lake/landing/append-text.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const NAMES = ['id', 'name', 'enabled']
const row = (n: number) => ({
  id: String(n),
  name: n % 7 === 0 ? null : `Café “${n}”`,
  enabled: n % 2 === 0,
})
const asText = (n: number) => ({ ...row(n), enabled: String(n % 2 === 0) })
const numbers = Array.from({ length: 5000 }, (_, n) => n)

test('rows in pieces reach the lake in order, with all absent values', async () => {
  const { connection } = await tempLake()
  const rows = new PackedRows()
  for (let from = 0; from < numbers.length; from += 50) {
    rows.push(numbers.slice(from, from + 50).map(row))
  }
  expect([...rows]).toEqual(numbers.map(asText))
  await handOver(connection, 'handed', { names: [...NAMES, 'unsent'], rows })
  const found = await rowsOf(connection, 'select * from handed order by ordinal')
  expect(found).toEqual(
    numbers.map((n) => ({ ordinal: String(n + 1), ...asText(n), unsent: null })),
  )
})

test('a text with the separator in it lands nowhere, because it could land beside the wrong rows', async () => {
  const { connection } = await tempLake()
  const rows = [row(1), { ...row(2), name: 'a\u001fb' }]
  await handOver(connection, 'handed', { names: NAMES, rows: PackedRows.of(rows, NAMES) })
  await expect(connection.run('create temp table kept as from handed')).rejects.toThrow(
    'name holds a separator',
  )
})

test('an empty list gives no rows', async () => {
  const { connection } = await tempLake()
  await handOver(connection, 'handed', { names: NAMES, rows: PackedRows.of([], NAMES) })
  expect(await rowsOf(connection, 'from handed')).toEqual([])
})
