/** The answers of the service to requests: pages, records and the error bodies of the interface. */
import { settlementJson } from './settlement-fields.ts'
import { terminalJson } from './terminal-fields.ts'
import { transactionJson } from './transaction-fields.ts'
import type { ListReader } from './lists.ts'
import type { Moment } from '../world/moment.ts'
import type { ListName, SimulatorOptions } from '../world/options.ts'
import { itemAt } from '../world/random.ts'

export interface Answer {
  status: number
  /** JSON text. */
  body: string
  headers?: Record<string, string>
}

export interface Question {
  method: string
  /** Below the base path, such as `/settlements`. */
  path: string
  query: URLSearchParams
  /** Base address as the client called it, for full URLs in the answer. */
  origin: string
}

export interface ErrorItem {
  message: string
  parameter?: string
  type?: string
}

const DEFAULT_PAGE = 50
const PARAMETERS = ['offset', 'limit', 'terminalId']
const LISTS: Record<string, ListName> = {
  '/terminals': 'terminals',
  '/settlements': 'settlements',
  '/transactions': 'transactions',
}

export function errorAnswer(status: number, error: ErrorItem): Answer {
  return { status, body: JSON.stringify({ errors: [error] }) }
}

/** Answers a request that has passed the gate. */
export function answer(moment: Moment, read: ListReader, question: Question): Answer {
  const { method, path } = question
  if (method !== 'GET') {
    const refused = errorAnswer(405, { message: `${method} is not supported here.` })
    return { ...refused, headers: { allow: 'GET' } }
  }
  const list = LISTS[path]
  if (list !== undefined) return page(moment, read, { ...question, list })
  const one = /^\/terminals\/([^/]+)$/.exec(path)
  if (one?.[1] !== undefined) return oneTerminal(moment, one[1])
  return errorAnswer(404, { message: 'The requested resource does not exist.' })
}

function oneTerminal({ world, options }: Moment, id: string): Answer {
  const terminal = world.terminals.find((candidate) => candidate.id === id)
  if (terminal === undefined) return unknownTerminal()
  return { status: 200, body: terminalJson(terminal, options.apiVersion) }
}

const unknownTerminal = (): Answer =>
  errorAnswer(400, {
    message: 'The terminal does not exist or is not accessible.',
    type: 'invalid',
  })

function page(moment: Moment, read: ListReader, asked: Question & { list: ListName }): Answer {
  const { world, options } = moment
  const range = rangeOf(asked.query, options)
  if ('status' in range) return range
  const terminalId = asked.query.get('terminalId')
  const terminal = world.terminals.findIndex(({ id }) => id === terminalId)
  if (terminalId !== null && terminal < 0) return unknownTerminal()
  const places = read(asked.list, terminalId === null ? undefined : terminal)
  const { offset, limit } = range
  const records = Array.from(places.subarray(offset, offset + limit), (place) =>
    recordJson(moment, asked, place),
  )
  const next =
    offset + limit < places.length ? `,"next":${JSON.stringify(nextUrl(asked, range))}` : ''
  return { status: 200, body: `{"results":[${records.join(',')}]${next}}` }
}

function recordJson(moment: Moment, asked: Question & { list: ListName }, place: number): string {
  if (asked.list === 'transactions') return transactionJson(moment, place, asked.origin)
  if (asked.list === 'settlements') return settlementJson(moment, place)
  return terminalJson(itemAt(moment.world.terminals, place), moment.options.apiVersion)
}

interface Range {
  offset: number
  limit: number
}

function nextUrl({ origin, path, query }: Question, { offset, limit }: Range): string {
  const next = new URLSearchParams({ offset: String(offset + limit), limit: String(limit) })
  const terminalId = query.get('terminalId')
  if (terminalId !== null) next.set('terminalId', terminalId)
  return `${origin}${path}?${next.toString()}`
}

function rangeOf(query: URLSearchParams, options: SimulatorOptions): Range | Answer {
  const unknown = [...query.keys()].find((name) => !PARAMETERS.includes(name))
  if (options.rejectUnknownParameters && unknown !== undefined) {
    return errorAnswer(400, {
      message: 'The parameter is not known.',
      parameter: unknown,
      type: 'invalid',
    })
  }
  const offset = countOf(query.get('offset') ?? '0')
  const limit = countOf(query.get('limit') ?? String(Math.min(DEFAULT_PAGE, options.limitCap)))
  if (offset === undefined) return invalid('offset')
  const tooLarge = limit !== undefined && limit > options.limitCap
  if (limit === undefined || limit === 0 || (tooLarge && options.limitMode === 'reject')) {
    return invalid('limit')
  }
  return { offset, limit: Math.min(limit, options.limitCap) }
}

const countOf = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined

const invalid = (parameter: string): Answer =>
  errorAnswer(400, {
    message: `The value of ${parameter} is not valid.`,
    parameter,
    type: 'invalid',
  })
