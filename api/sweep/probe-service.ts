/** Finds out by a few spaced GETs how the service behaves where its description is silent. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { dispatcherTo } from '../http/dispatcher.ts'
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import type { Secret, SourceSettings } from '../../domain/settings.ts'
import { readAddress, type Address } from '../http/address.ts'
import type { Announced } from '../rate/announced-rate.ts'
import { attempt, type Place } from '../http/attempt.ts'
import { countNames, isUnknown } from '../record/unknown-fields.ts'
import type { Reply } from '../http/exchange.ts'
import { readerOf, readSingle, type Page } from '../http/page.ts'
import { readRecord, type ReadRecord } from '../record/record.ts'
import type { Row } from '../record/rows.ts'
import { Refusal } from '../http/refusal.ts'
import { requestHeaders } from '../http/request-headers.ts'
import { follow, noOrders, type Orders } from './sweep-order.ts'

export interface ListSurvey {
  /** Status of the answer to a request for the records of all terminals. */
  status: number
  /** Records of a page if the request names no limit. Null if the list is shorter than any page. */
  defaultLimit: number | null
  /** The largest page that was given, the limit that it was asked with, and the limits that were refused. */
  largestPage: number
  askedFor: number
  refusedLimits: number[]
  /** The list goes on after that page. */
  hasMore: boolean
  /** The fields that sort the records of the page, with their direction, such as `created, rising`. */
  sortedBy: string[]
  /**
   * The reaction to a request for one terminal: its own records, those of all terminals, or a refusal. Null if no
   * terminal is known.
   */
  terminalId: 'heeded' | 'not heeded' | 'refused' | null
  unreadable: number
  /** Names of fields and values that the interface does not have. */
  unknownNames: string[]
}

export interface SourceSurvey {
  requests: number
  throttled: number
  lists: Record<List, ListSurvey>
  /** Statuses of the answers to GET /terminals/{id}, to an unknown parameter, and to an unknown terminal. */
  singleTerminal: number | null
  unknownParameter: number | null
  unknownTerminal: number | null
  /** The newest version of the interface of which a field was seen. */
  version: string | null
  rateHeaders: string[]
  /** Requests per second that the service announces. */
  announcedPerSecond: number | null
  /** The service's clock minus this machine's, in whole seconds. */
  clockAhead_s: number | null
}

const LISTS = ['terminals', 'settlements', 'transactions'] as const
/** The pause between two requests, which spares the service. */
const PAUSE_MS = 250
const MOST_REQUESTS = 29
const LONGEST_WAIT_MS = 10_000
const SMALLEST_LIMIT = 50
/** A parameter and a terminal that no service should have. */
const NO_PARAMETER = 'tieoutSurvey'
const NO_TERMINAL = '999999999999999'
const RATE_HEADER = /rate-?limit|^retry-after/

/** Sends fewer than thirty requests. Throws a Failure if the service can't be asked, or the signal's reason. */
export async function surveySource(
  settings: SourceSettings,
  more: { hashKey: Secret; terminals: readonly string[]; signal: AbortSignal },
): Promise<SourceSurvey> {
  const { origin, linkLocalRefusal } = readAddress(settings)
  const pool = dispatcherTo(origin, {
    connections: 1,
    connect_ms: Math.min(10_000, settings.timeout_ms),
    linkLocalRefusal,
  })
  try {
    const asker = new Asker(pool, settings, more.signal)
    return await survey(asker, settings, more)
  } finally {
    await pool.close()
  }
}

/** A page, or the status of the refusal. */
type Answer = { status: 200; page: Page } | { status: number; page: undefined }

class Asker {
  readonly address: Address
  readonly headers = new Set<string>()
  requests = 0
  throttled = 0
  perSecond: number | null = null
  clockAhead_s: number | null = null
  readonly #pool: Dispatcher
  readonly #settings: SourceSettings
  readonly #signal: AbortSignal

  constructor(pool: Dispatcher, settings: SourceSettings, signal: AbortSignal) {
    this.#pool = pool
    this.#settings = settings
    this.#signal = signal
    this.address = readAddress(settings)
  }

  async ask(url: URL, read?: Place['read']): Promise<Answer> {
    for (;;) {
      if (this.requests >= MOST_REQUESTS) {
        throw new Failure('source_throttled', 'the service throttles even a few requests')
      }
      if (this.requests > 0) await sleep(PAUSE_MS, undefined, { signal: this.#signal })
      this.requests += 1
      const outcome = await attempt(
        {
          ...{ pool: this.#pool, host: this.address.host, isUnproven: false, read },
          onReply: (reply, announced) => this.#hear(reply, announced),
        },
        {
          ...{ url, headers: requestHeaders(this.#settings), signals: [this.#signal] },
          timeout_ms: this.#settings.timeout_ms,
        },
      )
      if (outcome.kind === 'page') return { status: 200, page: outcome.page }
      if (outcome.kind === 'refused') {
        if (!(outcome.failure instanceof Refusal)) throw outcome.failure
        return { status: outcome.failure.status, page: undefined }
      }
      const { code, what, wait_ms = 1000 } = outcome.setback
      if (!outcome.throttled || wait_ms > LONGEST_WAIT_MS) throw new Failure(code, what)
      this.throttled += 1
      await sleep(wait_ms, undefined, { signal: this.#signal })
    }
  }

  #hear({ headers }: Reply, announced: Announced): void {
    for (const name of Object.keys(headers)) if (RATE_HEADER.test(name)) this.headers.add(name)
    this.perSecond = announced.perSecond ?? this.perSecond
    const served_ms = Date.parse(String(headers['date']))
    if (!Number.isNaN(served_ms)) {
      this.clockAhead_s = Math.round((served_ms - Date.now()) / 1000)
    }
  }
}

interface Surveyed {
  found: ListSurvey
  rows: Row[]
}

async function survey(
  asker: Asker,
  settings: SourceSettings,
  { hashKey, terminals }: { hashKey: Secret; terminals: readonly string[] },
): Promise<SourceSurvey> {
  let [terminalId] = terminals
  const surveyed = {} as Record<List, Surveyed>
  for (const list of LISTS) {
    const about = { list, hashKey, terminalId, limit: settings.pageSize }
    surveyed[list] = await surveyList(asker, about)
    terminalId ??= surveyed[list].rows[0]?.terminal_id
  }
  const place = { offset: 0, limit: 1, ...(terminals.length > 0 ? { terminalId } : {}) }
  const one = asker.address.pageUrl('settlements', place)
  const strange = new URL(one)
  strange.searchParams.set(NO_PARAMETER, '1')
  const missing = asker.address.pageUrl('settlements', { ...place, terminalId: NO_TERMINAL })
  const statusOf = async (url: URL, read?: Place['read']) => (await asker.ask(url, read)).status
  const singleTerminal =
    terminalId === undefined
      ? null
      : await statusOf(asker.address.terminalUrl(terminalId), readSingle)
  const [unknownParameter, unknownTerminal] = [await statusOf(strange), await statusOf(missing)]
  const { requests, throttled, perSecond, clockAhead_s } = asker
  return {
    ...{ requests, throttled, singleTerminal, unknownParameter, unknownTerminal, clockAhead_s },
    lists: {
      terminals: surveyed.terminals.found,
      settlements: surveyed.settlements.found,
      transactions: surveyed.transactions.found,
    },
    version: versionOf(LISTS.flatMap((list) => surveyed[list].rows)),
    rateHeaders: [...asker.headers].sort(),
    announcedPerSecond: perSecond,
  }
}

interface About {
  list: List
  hashKey: Secret
  terminalId: string | undefined
  limit: number
}

async function surveyList(asker: Asker, about: About): Promise<Surveyed> {
  const { list, hashKey } = about
  const plain = asker.address.pageUrl(list, { offset: 0, limit: 1 })
  plain.searchParams.delete('limit')
  const { status, page } = await asker.ask(plain, readerOf(list))
  const large = await largestPage(asker, openList(about, page !== undefined))
  const raw = large.page?.records ?? []
  const records = raw.map((record) => readRecord(list, record, hashKey))
  const rows = rowsOf(records)
  const terminalId = about.terminalId ?? rows[0]?.terminal_id
  return {
    rows,
    found: {
      status,
      defaultLimit: page?.hasNext === true ? page.records.length : null,
      largestPage: records.length,
      askedFor: large.limit,
      refusedLimits: large.refused,
      hasMore: large.page?.hasNext ?? false,
      sortedBy: sortedBy(follow(noOrders(), records, 0)),
      terminalId: await filterOf(asker, { ...about, terminalId }),
      unreadable: records.length - rows.length,
      unknownNames: Object.keys(countNames({}, records)).filter(isUnknown).sort(),
    },
  }
}

/**
 * Chooses the list to survey. If the service refuses the list of all terminals' records, the list of one terminal
 * stands for it. The list of terminals has no such substitute.
 */
function openList(about: About, isOpen: boolean): About {
  if (isOpen) return { ...about, terminalId: undefined }
  const isClosed = about.list === 'terminals' || about.terminalId === undefined
  return isClosed ? { ...about, limit: 0 } : about
}

interface LargePage {
  page: Page | undefined
  limit: number
  refused: number[]
}

const noPage: LargePage = { page: undefined, limit: 0, refused: [] }

/** Asks for as many records as a sweep would, then for fewer, three times at most. */
async function largestPage(asker: Asker, { list, limit, terminalId }: About): Promise<LargePage> {
  const refused: number[] = []
  if (limit === 0) return noPage
  for (const tried of new Set([limit, Math.ceil(limit / 4), Math.min(limit, SMALLEST_LIMIT)])) {
    const ask = { offset: 0, limit: tried, ...(terminalId === undefined ? {} : { terminalId }) }
    const { page } = await asker.ask(asker.address.pageUrl(list, ask), readerOf(list))
    if (page !== undefined) return { page, limit: tried, refused }
    refused.push(tried)
  }
  return { ...noPage, refused }
}

async function filterOf(
  asker: Asker,
  { list, hashKey, terminalId }: About,
): Promise<ListSurvey['terminalId']> {
  if (list === 'terminals' || terminalId === undefined) return null
  const ask = { offset: 0, limit: SMALLEST_LIMIT, terminalId }
  const { page } = await asker.ask(asker.address.pageUrl(list, ask), readerOf(list))
  if (page === undefined) return 'refused'
  const rows = rowsOf(page.records.map((record) => readRecord(list, record, hashKey)))
  return rows.every((row) => row.terminal_id === terminalId) ? 'heeded' : 'not heeded'
}

const rowsOf = (records: readonly ReadRecord[]): Row[] =>
  records.flatMap((record) => ('row' in record ? [record.row] : []))

const WORDS = { id: 'id', created: 'created', modified: 'lastModified' } as const

function sortedBy(orders: Orders): string[] {
  return (['id', 'created', 'modified'] as const).flatMap((name) => {
    const { last, rises, falls } = orders[name]
    if (last === null || rises === falls) return []
    return [`${WORDS[name]}, ${rises ? 'rising' : 'falling'}`]
  })
}

/** Returns the newest version of the interface of which a row has a field, or null. */
function versionOf(rows: readonly Row[]): string | null {
  const has = (...columns: string[]) =>
    rows.some((row) => columns.some((column) => (row[column] ?? null) !== null))
  if (has('acceptance')) return '2026-08-21'
  if (has('surcharge_enabled', 'surcharge_percentage', 'surcharge_status')) return '2023-05-16'
  return has('account_uuid', 'company_dba', 'merchant_number') ? '2018-06-01' : null
}
