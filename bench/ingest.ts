/**
 * Measures the way from the bytes of answers to validated, committed rows of the lake, against `JSON.parse` of the
 * same bytes. Call: `npm run bench:ingest -- --records 60000 --rounds 5`. The last line is JSON.
 *
 * The time of JSON.parse includes making its text from the bytes; its result is discarded. The time of the whole way
 * covers all work of a worker after a body has arrived. This includes the commit of the last batch and the sweep's
 * own record. Both get the same buffers, as often as the sweep requested them, and take turns.
 */
import { parseArgs } from 'node:util'
import { ingest, ListInMemory } from './ingest-way.ts'
import { compareRoutes, type Route } from './ingest-routes.ts'
import { median, timed, type Took } from './timed.ts'

const CASES = [
  { page: 50, numbers: 'native' },
  { page: 500, numbers: 'native' },
  { page: 50, numbers: 'text' },
  { page: 500, numbers: 'text' },
] as const

interface Round {
  parse: Took
  whole: Took
}

interface Measured {
  page: number
  numbers: 'native' | 'text'
  rows: number
  bytes: number
  certificate: string
  ratio_to_json_parse: number
  /** The same ratio in CPU time of all threads, which is the cost for the machine. */
  cpu_ratio_to_json_parse: number
  json_parse_s: number
  whole_s: number
  rows_per_second: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      records: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const records = Number(values.records)
  const cases = CASES.map(({ page, numbers }) => ({
    page,
    numbers,
    list: new ListInMemory({ records, numbers }, page),
    rounds: [] as Round[],
    rows: 0,
    certificate: '',
  }))
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const one of cases) {
      const { rows, certificate, ...whole } = await ingest(one.list)
      Object.assign(one, { rows, certificate })
      const parse = await timed(() => parseAll(one.list.given))
      // The first round makes the pages and lets the compiler optimise. The bench does not count it.
      if (round > 0) one.rounds.push({ parse, whole })
    }
  }
  const routes = await compareRoutes(pagesOf(cases[1]?.list), Number(values.rounds))
  report(cases.map(measuredOf), routes)
  return 0
}

/** Returns each page of the list once, without repeated requests. */
function pagesOf(list: ListInMemory | undefined): Buffer[] {
  return [...new Set(list?.given ?? [])]
}

function parseAll(bodies: readonly Buffer[]): void {
  for (const body of bodies) JSON.parse(body.toString())
}

function measuredOf(one: {
  page: number
  numbers: 'native' | 'text'
  list: ListInMemory
  rounds: readonly Round[]
  rows: number
  certificate: string
}): Measured {
  const { rounds, list, ...about } = one
  const whole_s = median(rounds.map(({ whole }) => whole.seconds))
  return {
    page: about.page,
    numbers: about.numbers,
    rows: about.rows,
    bytes: list.given.reduce((sum, { length }) => sum + length, 0),
    certificate: about.certificate,
    ratio_to_json_parse: median(rounds.map(({ whole, parse }) => whole.seconds / parse.seconds)),
    cpu_ratio_to_json_parse: median(
      rounds.map(({ whole, parse }) => whole.cpu_seconds / parse.cpu_seconds),
    ),
    json_parse_s: median(rounds.map(({ parse }) => parse.seconds)),
    whole_s,
    rows_per_second: Math.round(about.rows / whole_s),
  }
}

function report(cases: readonly Measured[], routes: readonly Route[]): void {
  const row = (cells: readonly string[]) =>
    cells.map((cell, n) => cell[n === 0 ? 'padEnd' : 'padStart'](n === 0 ? 26 : 14)).join('')
  console.log(row(['pages of', 'JSON.parse s', 'whole way s', 'ratio', 'cpu ratio', 'rows/s']))
  for (const one of cases) {
    console.log(
      row([
        `${one.page}, ${one.numbers} numbers`,
        one.json_parse_s.toFixed(3),
        one.whole_s.toFixed(3),
        one.ratio_to_json_parse.toFixed(2),
        one.cpu_ratio_to_json_parse.toFixed(2),
        String(one.rows_per_second),
      ]),
    )
  }
  console.log('\nways of 500 native records a page to a typed table, without a commit')
  for (const one of routes) {
    console.log(
      row([
        `${one.route}${one.validated ? '' : ' *'}`,
        ...['', ''],
        one.ratio_to_json_parse.toFixed(2),
        one.cpu_ratio_to_json_parse.toFixed(2),
      ]),
    )
  }
  console.log('* without the rules for values, the keyed hash and the hash of the page')
  const worst = (numbers: string, pick: (one: Measured) => number) =>
    Math.max(...cases.filter((one) => one.numbers === numbers).map(pick))
  console.log(
    JSON.stringify({
      ratio_to_json_parse: worst('native', (one) => one.ratio_to_json_parse),
      ratio_to_json_parse_text: worst('text', (one) => one.ratio_to_json_parse),
      cpu_ratio_to_json_parse: worst('native', (one) => one.cpu_ratio_to_json_parse),
      cases,
      routes,
    }),
  )
}
