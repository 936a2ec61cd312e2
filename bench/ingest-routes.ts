/**
 * Compares the product's way from the bytes of pages to a typed table with other ways. None of them commits, and some
 * leave out the rules for values.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { readPage } from '../api/http/page.ts'
import { readRecord } from '../api/record/record.ts'
import type { Row } from '../api/record/rows.ts'
import { Secret } from '../domain/settings.ts'
import { handOverTyped } from '../lake/landing/append-typed.ts'
import { LISTS } from '../lake/landing/list-schemas.ts'
import { TypedRows } from '../lake/landing/typed-rows.ts'
import { LIST_URL } from './ingest-bodies.ts'
import { median, timed } from './timed.ts'

/** The number of pages that DuckDB gets in one statement. */
const PAGES_PER_STATEMENT = 40
const { columns: COLUMNS, types: TYPES } = LISTS.transactions
const NAMES = Object.keys(COLUMNS)
const TYPED = Object.entries(COLUMNS).map(([name, type]) => `${type} as ${name}`)

export interface Route {
  route: string
  /** True if every value is checked by its rule, and a violation is reported. */
  validated: boolean
  /** Rows of the table. */
  rows: number
  ratio_to_json_parse: number
  cpu_ratio_to_json_parse: number
}

const ROUTES = [
  { route: 'as it is: typed columns', validated: true, load: asTyped },
  { route: 'rows by the appender', validated: true, load: byAppender },
  { route: 'pages parsed by DuckDB', validated: false, load: byDuckDb },
]

/** Runs each way over the same bodies, in turns. */
export async function compareRoutes(bodies: readonly Buffer[], rounds: number): Promise<Route[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const measured = ROUTES.map(() => ({ wall: [] as number[], cpu: [] as number[], rows: 0 }))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [n, { load }] of ROUTES.entries()) {
      const parse = await timed(() => {
        for (const body of bodies) JSON.parse(body.toString())
      })
      const whole = await timed(() => load(connection, bodies))
      const one = measured[n]
      if (round === 0 || one === undefined) continue
      one.wall.push(whole.seconds / parse.seconds)
      one.cpu.push(whole.cpu_seconds / parse.cpu_seconds)
      one.rows = await countOf(connection)
    }
  }
  connection.closeSync()
  instance.closeSync()
  return ROUTES.map(({ route, validated }, n) => ({
    route,
    validated,
    rows: measured[n]?.rows ?? 0,
    ratio_to_json_parse: median(measured[n]?.wall ?? []),
    cpu_ratio_to_json_parse: median(measured[n]?.cpu ?? []),
  }))
}

async function countOf(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll('select count(*) from staged')
  return Number(reader.getRows()[0]?.[0])
}

function rowsOf(bodies: readonly Buffer[]): Row[] {
  const hashKey = new Secret('bench')
  const headers = { 'content-type': 'application/json' }
  const url = new URL(`${LIST_URL}?offset=-1&limit=500`)
  return bodies.flatMap((body) =>
    readPage({ status: 200, headers, body }, url).records.flatMap((record) => {
      const read = readRecord('transactions', record, hashKey)
      return 'row' in read ? [read.row] : []
    }),
  )
}

async function asTyped(connection: DuckDBConnection, bodies: readonly Buffer[]): Promise<void> {
  await handOverTyped(connection, 'staged', TypedRows.of(TYPES, rowsOf(bodies)))
}

async function byAppender(connection: DuckDBConnection, bodies: readonly Buffer[]): Promise<void> {
  const texts = NAMES.map((name) => `${name} varchar`)
  await connection.run(`create or replace temp table handed_texts (${texts.join(', ')})`)
  const appender = await connection.createAppender('handed_texts', 'main', 'temp')
  for (const row of rowsOf(bodies)) {
    const values: Record<string, unknown> = { ...row }
    for (const name of NAMES) {
      const value = values[name] ?? null
      if (value === null) appender.appendNull()
      else appender.appendVarchar(String(value))
    }
    appender.endRow()
  }
  appender.closeSync()
  await connection.run(
    `create or replace temp table staged as select ${TYPED.join(', ')} from handed_texts`,
  )
}

const SHAPE = JSON.stringify({
  results: [
    {
      ...{ transactionId: 'BIGINT', terminalId: 'BIGINT', action: 'VARCHAR', status: 'VARCHAR' },
      ...{ created: 'TIMESTAMP', lastModified: 'TIMESTAMP', method: 'VARCHAR' },
      ...{ amountBase: 'DECIMAL(15,2)', amountTax: 'DECIMAL(15,2)', amountTip: 'DECIMAL(15,2)' },
      ...{ amountShipping: 'DECIMAL(15,2)', amountSurcharge: 'DECIMAL(15,2)' },
      ...{ amountTotal: 'DECIMAL(15,2)', achType: 'VARCHAR', invoiceNumber: 'VARCHAR' },
      ...{ purchaseOrderNumber: 'VARCHAR', settlement: { settled: 'BOOLEAN' } },
      response: { approved: 'BOOLEAN', code: 'VARCHAR' },
      surcharge: { percentage: 'DECIMAL(9,4)', status: 'VARCHAR' },
      vault: { type: 'VARCHAR', accountType: 'VARCHAR', lastFour: 'VARCHAR' },
      billing: { firstName: 'VARCHAR', lastName: 'VARCHAR', address: { zip: 'VARCHAR' } },
    },
  ],
})

/**
 * Measures the least that such a way costs: missing and wrong values become null, numbers are rounded, and nothing is
 * hashed.
 */
async function byDuckDb(connection: DuckDBConnection, bodies: readonly Buffer[]): Promise<void> {
  await connection.run('create or replace temp table page (body varchar)')
  for (let from = 0; from < bodies.length; from += PAGES_PER_STATEMENT) {
    await connection.run('truncate page')
    const appender = await connection.createAppender('page', 'main', 'temp')
    for (const body of bodies.slice(from, from + PAGES_PER_STATEMENT)) {
      appender.appendVarchar(body.toString())
      appender.endRow()
    }
    appender.closeSync()
    const records = `select unnest(from_json(body, '${SHAPE}').results, recursive := true) from page`
    await connection.run(
      from === 0
        ? `create or replace temp table staged as ${records}`
        : `insert into staged ${records}`,
    )
  }
}
