/** Goal: what is printed is read back as it was. Method: drawn values through the parsers, the lake's types and the pack's texts. */
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber } from '../../api/json/json.ts'
import { id } from '../../api/record/field-checks.ts'
import { instantText } from '../../api/record/instant.ts'
import { parseCents } from '../../domain/cents.ts'
import { macros } from '../../lake/run/models.ts'

const CASES = 1000
/** The first and the last microsecond that are accepted. */
const TIMES = fc.bigInt({ min: 0n, max: 7_258_118_399_999_999n })
const IDS = fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n })
const AMOUNTS = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n })

/** Each value as the pack prints it after it has stood in a column of the lake. */
async function printed(values: readonly string[], type: string, print: string): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await connection.run(macros())
    const reader = await connection.runAndReadAll(
      `select ${print} from (select unnest(from_json($1, '["VARCHAR"]'))::${type} as v)`,
      [JSON.stringify(values)],
    )
    return reader.getRowsJson().map(([text]) => String(text))
  } finally {
    connection.closeSync()
  }
}

const readId = (text: string) => String(id(new JsonNumber(text)))

const drawn = (values: fc.Arbitrary<bigint>) =>
  fc.sample(values, { numRuns: CASES, seed: 20_261_127 }).map(String)

test('I20: every amount is read back from a pack as it was', async () => {
  const cents = drawn(AMOUNTS)
  const texts = await printed(cents, 'bigint', 'money(v)')
  expect(texts.map((text) => String(parseCents(text)))).toEqual(cents)
})

test('I20: every id is read back from a pack as it was', async () => {
  const ids = drawn(IDS)
  const texts = await printed(ids.map(readId), 'bigint', 'v::varchar')
  expect(texts).toEqual(ids)
  expect(texts.map(readId)).toEqual(ids)
})

test('I20: every instant is read back from a pack as it was, to the microsecond', async () => {
  const instants = await printed(
    drawn(TIMES),
    'bigint',
    "strftime(make_timestamp(v), '%Y-%m-%d %H:%M:%S.%f')",
  )
  const texts = await printed(instants, 'timestamp', 'instant(v)')
  expect(texts.map(instantText)).toEqual(instants)
})
