/**
 * Bodies that were damaged on the way: whatever is accepted of them is exactly what a second, plain reading finds.
 * TIEOUT_TEST_MUTATIONS says how many (100000 is a minute), TIEOUT_TEST_MUTATION_SEED replays one.
 */
import { expect, test } from 'vitest'
import { countNames } from '../../api/drift.ts'
import { Unreadable, readPage, type Page } from '../../api/page.ts'
import { readRecord, type ReadRecord } from '../../api/record.ts'
import { Failure } from '../../domain/failure.ts'
import { mutatedBody, PAGE, PERSON, type Mutated } from './mutations.ts'
import { plainPage, type PlainRow } from './plain-page.ts'
import { HASH_KEY } from './records.ts'

const COUNT = Number(process.env['TIEOUT_TEST_MUTATIONS'] ?? 20_000)
const REPLAYED = process.env['TIEOUT_TEST_MUTATION_SEED']
const FIRST_SEED = 20_260_301

type Outcome = Page | 'unreadable' | 'next refused'
type Counts = Record<'pages' | 'rows' | 'rejects' | 'unreadable' | 'next refused', number>

test('no damaged body crashes the reader, loses a record, or changes a figure unnoticed', () => {
  const counts: Counts = { pages: 0, rows: 0, rejects: 0, unreadable: 0, 'next refused': 0 }
  const seeds = REPLAYED === undefined ? COUNT : 1
  for (let n = 0; n < seeds; n++) {
    const seed = REPLAYED === undefined ? FIRST_SEED + n : Number(REPLAYED)
    try {
      judge(mutatedBody(seed), counts)
    } catch (cause) {
      const what = cause instanceof Error ? cause.message : String(cause)
      const replay = `TIEOUT_TEST_MUTATION_SEED=${seed} npx vitest run test/api/mutated-bodies.test.ts`
      throw new Error(`${replay}\n${what}`, { cause })
    }
  }
  // A run in which one of these never happened proved nothing about it.
  if (seeds >= 1000) expect(Object.values(counts).every((times) => times > seeds / 100)).toBe(true)
})

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

/** Much faster than the matchers of the test runner, which are asked only for the words of a failure. */
function same(read: unknown, plain: unknown, what: string): void {
  if (read === plain || haveSameFields(read, plain)) return
  expect(read, what).toEqual(plain)
  throw new Error(`${what}: differs from the plain reading`)
}

function haveSameFields(read: unknown, plain: unknown): boolean {
  if (typeof read !== 'object' || typeof plain !== 'object') return false
  const [one, other] = [new Map(Object.entries(read ?? {})), Object.entries(plain ?? {})]
  return one.size === other.length && other.every(([name, value]) => one.get(name) === value)
}
