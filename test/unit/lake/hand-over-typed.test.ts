import fc from 'fast-check'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { handOverTyped } from '../../../lake/landing/append-typed.ts'
import { LISTS, rowsInJson } from '../../../lake/landing/list-schemas.ts'
import { TypedRows } from '../../../lake/landing/typed-rows.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const { columns, types } = LISTS.transactions

/** The ways in which the readers of records write the values of a column. */
const whole = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.constantFrom(-1n, 0n, 2n ** 32n, -(2n ** 32n), 10n ** 15n - 1n, 10n ** 15n, 1n - 10n ** 15n),
)
const instant = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .chain((date) =>
    fc
      .nat(999)
      .map((micros) => `${date.toISOString().replace('T', ' ').slice(0, 23)}${pad(micros)}`),
  )
const pad = (micros: number) => String(micros).padStart(3, '0')
const percentage = fc
  .tuple(fc.boolean(), fc.nat(99_999), fc.integer({ min: 0, max: 4 }), fc.nat(9999))
  .map(([minus, before, places, after]) => {
    const behind = places === 0 ? '' : `.${String(after).padStart(4, '0').slice(0, places)}`
    return `${minus ? '-' : ''}${before}${behind}`
  })
const text = fc.oneof(
  fc
    .string({ maxLength: 20, unit: 'binary' })
    // Records whose texts hold control characters are rejected before.
    .map((sent) => sent.replaceAll(/\p{Cc}/gu, '')),
  fc.constantFrom('', 'exactly12chr', 'exactly13char', 'née', 'Ünïcödé 12 ch', '😀'),
)
const hash = fc.stringMatching(/^[0-9a-f]{64}$/)

const BY_TYPE: Record<string, fc.Arbitrary<unknown>> = {
  BIGINT: whole.map(String),
  BOOLEAN: fc.boolean(),
  TIMESTAMP: instant,
  'DECIMAL(9,4)': percentage,
  UBIGINT: hash,
  VARCHAR: text,
}
const row = fc.record(
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      fc.option(BY_TYPE[String(type)] ?? fc.constant(null), { nil: null, freq: 4 }),
    ]),
  ),
)

async function inMemory(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return connection
}

/** The rows that differ from those which the casts of their texts make, as an import casts them. */
async function differing(connection: DuckDBConnection, rows: object[]): Promise<unknown[]> {
  await handOverTyped(connection, 'typed', TypedRows.of(types, rows))
  const cast = Object.entries(columns).map(([name, type]) => `${type} as ${name}`)
  await connection.run(
    `create or replace temp table judged as
     select ${cast.join(', ')}, ordinal from ${rowsInJson(Object.keys(columns))}`,
    [JSON.stringify(rows.map((one, n) => ({ ...one, ordinal: n + 1 })))],
  )
  const shape = (table: string) =>
    `select list(column_name || ' ' || data_type order by column_index) as c
     from duckdb_columns() where table_name = '${table}'`
  expect(await rowsOf(connection, shape('typed'))).toEqual(
    await rowsOf(connection, shape('judged')),
  )
  return rowsOf(
    connection,
    '(from typed except all from judged) union all (from judged except all from typed)',
  )
}

test('typed rows equal the rows that casts of their texts make', async () => {
  const connection = await inMemory()
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 200 }), async (rows) => {
      expect(await differing(connection, rows)).toEqual([])
    }),
    { numRuns: 15, seed: 4 },
  )
})

const [one] = fc.sample(row, { numRuns: 1, seed: 7 })
const numbered = (length: number) =>
  Array.from({ length }, (_, n) => ({
    ...one,
    transaction_id: String(n + 1),
    status: n % 3 === 0 ? null : `S${n}`,
  }))

test('more rows than one vector holds stay in order, in pieces of any length', async () => {
  const connection = await inMemory()
  const rows = numbered(10_170)
  const typed = new TypedRows(types)
  let from = 0
  for (const length of [1, 1024, 2048, 2049, 5048]) {
    typed.push(rows.slice(from, from + length))
    typed.pieces()
    from += length
  }
  expect(typed.length).toBe(rows.length)
  expect(await differing(connection, rows)).toEqual([])
  await handOverTyped(connection, 'pieces', typed)
  expect(await rowsOf(connection, 'from pieces except all from judged')).toEqual([])
  expect(await rowsOf(connection, 'select count(*)::integer as n from pieces')).toEqual([
    { n: rows.length },
  ])
})

const plain = { transaction_id: '1', created: '2026-11-21 07:00:00.000000' }

const REFUSED = [
  { transaction_id: ' 7' },
  { transaction_id: '' },
  { transaction_id: '9223372036854775808' },
  { terminal_id: '12.5' },
  { total_cents: '1e3' },
  { created: '2026-11-21 07:00:00' },
  { created: '2026-11-21 07:00:00.0000001' },
  { created: '2026-11-21T07:00:00.000000' },
  { created: '2026-11-21 24:00:00.000000' },
  { created: '2026-02-30 07:00:00.000000' },
  { surcharge_percentage: '3.50001' },
  { surcharge_percentage: '123456' },
  { approved: 'yes' },
  { settled: 'truer' },
  { billing_hash: 'ghi' },
  { status: '\u001e' },
  { status: 'a\u001fb' },
]

test('a value in a form that no reader writes is refused by an assertion, and reaches no table', async () => {
  const connection = await inMemory()
  for (const refused of REFUSED) {
    for (const records of [[refused], [plain, { ...plain, ...refused }, plain]]) {
      const rows = TypedRows.of(types, records)
      const [name] = Object.keys(refused)
      await expect(handOverTyped(connection, 'typed', rows)).rejects.toMatchObject({
        code: 'bug',
        message: expect.stringContaining(`writes ${name} in the form of `),
      })
      expect(await rowsOf(connection, 'from typed')).toEqual([])
    }
  }
})

test('an empty list gives no rows', async () => {
  const connection = await inMemory()
  await handOverTyped(connection, 'typed', new TypedRows(types))
  expect(await rowsOf(connection, 'from typed')).toEqual([])
})
