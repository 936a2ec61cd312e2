/**
 * Bodies that were damaged on the way, judged one after the other: whatever is accepted of them is exactly what a second,
 * plain reading finds. `node bench/run.mjs test/unit/api/judge-mutations.ts --count 100000`, or `--seed 20260301` for one of
 * them; the last line is JSON.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { countNames } from '../../../api/record/unknown-fields.ts'
import { Unreadable, readPage, type Page } from '../../../api/http/page.ts'
import { readRecord, type ReadRecord } from '../../../api/record/record.ts'
import { Failure } from '../../../domain/failure.ts'
import { LISTS } from '../../../lake/landing/list-schemas.ts'
import { TypedRows } from '../../../lake/landing/typed-rows.ts'
import { mutatedBody, PAGE, PERSON, type Mutated } from './mutations.ts'
import { plainPage, type PlainRow } from './plain-page.ts'
import { HASH_KEY } from './records.ts'

const FIRST_SEED = 20_260_301

type Outcome = Page | 'unreadable' | 'next refused'
export type Counts = Record<'pages' | 'rows' | 'rejects' | 'unreadable' | 'next refused', number>

/** Judges the bodies that the arguments name; 1 at the first one that is wrongly read. */
export function main(): number {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '100000' }, seed: { type: 'string' } },
  })
  const [first, count] =
    values.seed === undefined ? [FIRST_SEED, Number(values.count)] : [Number(values.seed), 1]
  const counts: Counts = { pages: 0, rows: 0, rejects: 0, unreadable: 0, 'next refused': 0 }
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      judge(mutatedBody(seed), counts)
    } catch (cause) {
      console.log(`node bench/run.mjs test/unit/api/judge-mutations.ts --seed ${seed}`)
      console.log(cause instanceof Error ? cause.message : String(cause))
      return 1
    }
  }
  console.log(JSON.stringify(counts))
  return 0
}

function judge(mutated: Mutated, counts: Counts): void {
  const { list, body } = mutated
  const url = new URL(`${PAGE}/${list}?offset=0&limit=50`)
  const read = outcomeOf(body, url)
  const plain = plainPage(list, body)
  if (typeof read === 'string') {
    counts[read] += 1
    if (read === 'unreadable') same(plain, undefined, 'a page was not read')
    else refused(plain?.next, url)
    return
  }
  if (plain === undefined) throw new Error('something was read that is no page')
  counts.pages += 1
  same(read.hasNext, movesOn(plain.next, url), 'next')
  const records = read.records.map((raw) => readRecord(list, raw, HASH_KEY))
  same(records.length, plain.records.length, 'how many records')
  for (const [n, record] of records.entries()) counts[agree(record, plain.records[n])] += 1
  const rows = records.flatMap((record) => ('row' in record ? [record.row] : []))
  // Throws if a value is not in the form of its column.
  TypedRows.of(LISTS[list].types, rows).pieces()
  countNames({}, records)
}

function outcomeOf(body: Buffer, url: URL): Outcome {
  try {
    return readPage({ status: 200, headers: { 'content-type': 'application/json' }, body }, url)
  } catch (error) {
    if (error instanceof Unreadable) return 'unreadable'
    const isNext = error instanceof Failure && ['next_foreign', 'next_loop'].includes(error.code)
    if (!isNext) throw error
    return 'next refused'
  }
}

function agree(read: ReadRecord, plain: PlainRow | 'rejected' | undefined): 'rows' | 'rejects' {
  if ('row' in read) {
    same(read.row, plain, 'a row')
    return 'rows'
  }
  same('rejected', plain, `a reject for ${read.reject.field} (${read.reject.reason})`)
  const { excerpt, reason } = read.reject
  if (reason === '' || !/^[\x20-\x7e]{0,64}$/.test(excerpt) || excerpt.includes(PERSON)) {
    throw new Error(`the excerpt of ${read.reject.field} is not fit to be shown: ${excerpt}`)
  }
  return 'rejects'
}

/** The plain reading marks strings with `s`. */
function movesOn(next: unknown, page: URL): boolean {
  if (next === undefined || next === null || next === 's') return false
  const url = new URL(String(next).slice(1), page)
  const goesOn = Number(url.searchParams.get('offset')) > 0
  return url.origin === page.origin && url.pathname === page.pathname && goesOn
}

function refused(next: unknown, page: URL): void {
  if (typeof next !== 'string' || !next.startsWith('s')) return
  const text = next.slice(1)
  if (text === `${PAGE}${page.pathname.slice(3)}?offset=50&limit=50`) {
    throw new Error('a good next was refused')
  }
}

function same(read: unknown, plain: unknown, what: string): void {
  if (read === plain || isDeepStrictEqual(asFields(read), asFields(plain))) return
  throw new Error(
    `${what}: ${JSON.stringify(read)} differs from the plain reading ${JSON.stringify(plain)}`,
  )
}

/** Without regard to the order of its fields, or to what made it. */
const asFields = (value: unknown) =>
  typeof value === 'object' && value !== null ? { ...value } : value
