import type { DuckDBConnection } from '@duckdb/node-api'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { answerTo } from '../../../lake/query/answer.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { openedToQuery, bytesOf, queriedWorld, viewsInMemory } from './query-world.ts'

const SCRIPT = fileURLToPath(new URL('read_back.py', import.meta.url))

/** Every type that has a form of its own, with nulls in each, and texts short, long, empty and beyond ASCII. */
const TYPES = (rows: number) => `
  select
    case when n % 7 <> 0 then 9223372036854775807 - n end as id,
    case when n % 5 <> 0 then (n * 12345678901 - 999) * 0.01::decimal(3, 2) end::decimal(18, 2) as money,
    case when n % 5 <> 1 then -n * 0.01::decimal(3, 2) end::decimal(9, 2) as small_money,
    case when n % 5 <> 2 then (n % 1900) * 0.5::decimal(2, 1) end::decimal(4, 1) as tiny,
    case when n % 6 <> 0 then 12345678901234567890123456789012345.67::decimal(38, 2) - n end as sum_of_money,
    case when n % 4 <> 0 then n::hugeint * 1000000000000000000000 end as whole,
    case when n % 3 <> 0 then timestamp '1969-12-31 23:59:59.999999' + to_microseconds(n * 987654321) end as moment,
    case when n % 3 <> 1 then timestamptz '2026-11-21 07:00:00+02' + to_seconds(n) end as zoned,
    case when n % 8 <> 0 then date '1969-12-25' + n::integer end as day,
    case when n % 9 <> 0 then n % 2 = 0 end as flag,
    case n % 6 when 0 then null when 1 then '' when 2 then 'twelve bytes' when 3 then 'thirteen bytes' when 4 then 'Ärger, 決済 🙂' else repeat('x', (n % 300)::integer) end as words,
    case when n % 10 <> 0 then n::integer end as number,
    case when n % 10 <> 1 then (n % 100)::utinyint end as byte,
    case when n % 11 <> 0 then n / 8 end as share,
    case when n % 12 <> 0 then encode('b' || n) end as bytes,
    null as nothing
  from (select (range % 16000)::bigint as n from range(${rows}))`

/** The names of the TYPES columns' types in each library. */
const SCHEMAS = {
  pyarrow: [
    'id int64; money decimal128(18, 2); small_money decimal128(9, 2); tiny decimal128(4, 1); sum_of_money decimal128(38, 2)',
    'whole decimal128(38, 0); moment timestamp[us, tz=UTC]; zoned timestamp[us, tz=UTC]; day date32[day]; flag bool; words string',
    'number int32; byte uint8; share double; bytes binary; nothing int32',
  ].join('; '),
  polars: [
    'id Int64; money Decimal(precision=18, scale=2); small_money Decimal(precision=9, scale=2); tiny Decimal(precision=4, scale=1)',
    "sum_of_money Decimal(precision=38, scale=2); whole Decimal(precision=38, scale=0); moment Datetime(time_unit='us', time_zone='UTC')",
    "zoned Datetime(time_unit='us', time_zone='UTC'); day Date; flag Boolean; words String; number Int32; byte UInt8; share Float64",
    'bytes Binary; nothing Int32',
  ].join('; '),
}

/** Each cell of the same select as text, by DuckDB itself and not by what is under test. */
async function expected(connection: DuckDBConnection, sql: string): Promise<string> {
  const described = await connection.runAndReadAll(`describe ${sql}`)
  const cells = described.getRows().map(([name, type]) => {
    const column = `"${String(name)}"`
    if (String(type).startsWith('TIMESTAMP')) return `epoch_us(${column})::varchar`
    return String(type) === 'BLOB' ? `lower(hex(${column}))` : `${column}::varchar`
  })
  const lines = cells.map((cell) => `coalesce(${cell}, 'NULL')`).join(", '|', ")
  const reader = await connection.runAndReadAll(`select concat(${lines}) from (${sql})`)
  const digest = createHash('sha256')
  for (const [line] of reader.getRows()) digest.update(`${String(line)}\n`)
  return `${reader.currentRowCount} ${digest.digest('hex')}`
}

/** The values that each library reads from an Arrow stream and from Parquet. */
async function readBack(connection: DuckDBConnection, sql: string, folder: string) {
  writeFileSync(join(folder, 'answer.arrow'), await bytesOf(connection, sql, 'arrow'))
  const answer = await answerTo(connection, sql)
  await answer.writeParquet(join(folder, 'answer.parquet'))
  const read = (library: string, kind: string) => {
    const said = execFileSync('python3', [SCRIPT, library, kind, join(folder, `answer.${kind}`)])
    const [schema, rows] = said.toString().trimEnd().split('\n')
    return { library, kind, schema, rows }
  }
  return [
    read('pyarrow', 'arrow'),
    read('pyarrow', 'parquet'),
    read('polars', 'arrow'),
    read('polars', 'parquet'),
  ]
}

test('pyarrow and polars read every type and every null like DuckDB, over several batches', async (context) => {
  requireProgram(context, 'pyarrow')
  requireProgram(context, 'polars')
  const connection = await viewsInMemory()
  const sql = TYPES(70_000)
  const rows = await expected(connection, sql)
  const found = await readBack(connection, sql, tempFolder())
  expect(found).toEqual(
    found.map(({ library, kind }) => ({
      library,
      kind,
      schema: SCHEMAS[library as keyof typeof SCHEMAS],
      rows,
    })),
  )
})

test('an answer without rows has its columns and types', async (context) => {
  requireProgram(context, 'pyarrow')
  requireProgram(context, 'polars')
  const connection = await viewsInMemory()
  const found = await readBack(connection, `${TYPES(10)} where false`, tempFolder())
  const nothing = `0 ${createHash('sha256').digest('hex')}`
  expect(found.map(({ schema, rows }) => [schema, rows])).toEqual([
    [SCHEMAS.pyarrow, nothing],
    [SCHEMAS.pyarrow, nothing],
    [SCHEMAS.polars, nothing],
    [SCHEMAS.polars, nothing],
  ])
})

test('settlements, lines and records of a lake are read back unchanged', async (context) => {
  requireProgram(context, 'pyarrow')
  requireProgram(context, 'polars')
  const world = await queriedWorld()
  const folder = tempFolder()
  const connection = await openedToQuery(world, [join(folder, 'answer.parquet')])
  for (const [view, order] of [
    ['settlements', 'settlementId'],
    ['lines', 'transactionId'],
    ['transactions', 'transactionId'],
  ]) {
    const sql = `select * from ${view} order by ${order}`
    const rows = await expected(connection, sql)
    const found = await readBack(connection, sql, folder)
    expect(found.map((one) => one.rows)).toEqual([rows, rows, rows, rows])
  }
})
