/** Valid page bodies, and their mutations by a seed. */
import type { List } from '../../../domain/run.ts'

export interface Mutated {
  list: List
  body: Buffer
}

type Random = (below: number) => number

export const PAGE = 'http://127.0.0.1:9/v1'
export const PERSON = 'Lovelace'

const TRANSACTION = (n: number) =>
  `{"transactionId":${70_000 + n},"uri":"${PAGE}/transactions/${n}","terminalId":41,"action":"CHARGE",` +
  `"amountBase":"10.00","amountTax":"0.80","amountTip":"1.50","amountSurcharge":"0.37","amountTotal":"12.67",` +
  `"surcharge":{"percentage":3.00,"status":"APPLIED"},"invoiceNumber":"INV-${n}","method":"KEYED",` +
  `"status":"CAPTURE","created":"2026-03-0${n}T10:00:00Z","lastModified":"2026-03-0${n}T10:00:01.250Z",` +
  `"response":{"approved":true,"code":"00","message":"APPROVED","processor":{"authorized":true}},` +
  `"settlement":{"settled":true,"settlementId":${n}},"vault":{"type":"CARD","accountType":"VISA","lastFour":"1111"},` +
  `"billing":{"firstName":"Ada","lastName":"${PERSON}","address":{"zip":"90210"}}}`
const SETTLEMENT = (n: number) =>
  `{"settlementId":${880 + n},"terminalId":41,"created":"2026-03-0${n}T23:00:00Z","amountNet":${n * 1000}.30,` +
  `"status":"COMPLETE"}`
const TERMINAL = (n: number) =>
  `{"terminalId":${40 + n},"nickName":"Front desk ${n}","type":"CARD","enabled":true,"accountId":"a-b-c",` +
  `"companyDba":"Engines","merchantNumber":"998877","surcharge":{"enabled":true,"percentage":3.5,"taxable":false},` +
  `"acceptance":["PPD","CCD"]}`
const RECORDS: [List, (n: number) => string, count: number][] = [
  ['transactions', TRANSACTION, 2],
  ['settlements', SETTLEMENT, 5],
  ['terminals', TERMINAL, 3],
]

const NUMBERS =
  `0 -0 1 -1 1.5 1e3 1E-2 1e400 -1e400 1e-400 9007199254740993 9223372036854775807 9223372036854775808
  0.30000000000000004 12.345 12.3450000001 12.000001 12.0000011 123.44999999999999 9999999999999.99 1e99999
  00 01 1. .5 +1 NaN Infinity 0x10 1e 3.12345 100000 99999.9999`.split(/\s+/)
const VALUES = [
  ...['null', 'true', 'false', '[]', '{}', '""', '"="', '"\\u0000"', '"\\ud800"', '[[]]', '[null]'],
  ...['"12.30"', '"12.3"', '"-1.00"', '"+1.00"', '"1e3"', '" 1.00"', '"1,000.00"', '"١٢.٣٠"'],
  ...['"2026-02-30T00:00:00Z"', '"2026-03-01T10:00:00"', '"2026-03-01T10:00:00+05:30"'],
  ...['"2016-12-31T23:59:60Z"', '"0000-01-01T00:00:00Z"', '"4111 1111 1111 1111"', '"\\ufeff"'],
  ...['{"toString":1,"valueOf":1}', '[[{"toString":1}]]', '{"text":"1"}', '{"ambiguous":true}'],
  ...['{"__proto__":{"amountTotal":"1.00"}}', `"${'9'.repeat(70)}"`, `"${'\\u0661'.repeat(80)}"`],
]
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'results',
  'next',
  '',
  'amountTotal',
  'status',
]
const BYTES = Buffer.from('"{}[]:,\\/0-+.eEtfn \n\t\u0000\u007fé😀\ufeff')
const TOKEN = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/g
const VALUE = /(?<=[:[,])(?:"(?:[^"\\]|\\.)*"(?!\s*:)|-?[0-9][0-9.eE+-]*|true|false|null)/g
const KEY = /"[^"\\]*"(?=\s*:)/g

/** The body that belongs to the seed: a valid page of some list, with one to three mutations. */
export function mutatedBody(seed: number): Mutated {
  const random = randomOf(seed)
  const [list, record, count] = pick(random, RECORDS)
  const records = Array.from({ length: count }, (_, n) => record(n + 1)).join(',')
  const next = random(2) === 0 ? '' : `,"next":"${PAGE}/${list}?offset=50&limit=50"`
  let body: Buffer = Buffer.from(`{"results":[${records}]${next}}`)
  for (let left = 1 + random(3); left > 0; left--) body = pick(random, MUTATIONS)(body, random)
  return { list, body }
}

const MUTATIONS: ((body: Buffer, random: Random) => Buffer)[] = [
  // An inverted bit, and a byte that has a meaning in JSON.
  (body, random) => withByte(body, random(body.length), (byte) => byte ^ (1 << random(8))),
  (body, random) => withByte(body, random(body.length), () => BYTES[random(BYTES.length)] ?? 0),
  (body, random) => body.subarray(0, random(body.length)),
  (body, random) => spliced(body, random, (piece) => [piece, piece]),
  (body, random) => spliced(body, random, () => []),
  (body, random) => inText(body, (text) => swapped(text, random)),
  (body, random) => inText(body, (text) => replaced(text, VALUE, random, pick(random, NUMBERS))),
  (body, random) => inText(body, (text) => replaced(text, VALUE, random, pick(random, NUMBERS))),
  (body, random) => inText(body, (text) => replaced(text, VALUE, random, pick(random, VALUES))),
  (body, random) => inText(body, (text) => replaced(text, VALUE, random, pick(random, VALUES))),
  (body, random) => inText(body, (text) => replaced(text, KEY, random, `"${pick(random, KEYS)}"`)),
  (body, random) => inText(body, (text) => replaced(text, VALUE, random, bomb(random))),
  (body, random) => inText(body, (text) => doubled(text, random)),
  (body, random) => inText(body, (text) => digitChanged(text, random)),
  (body, random) => (random(4) === 0 ? Buffer.concat([Buffer.from('\ufeff'), body]) : body),
]

function withByte(body: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(body)
  if (at < copy.length) copy[at] = change(copy[at] ?? 0)
  return copy
}

function spliced(body: Buffer, random: Random, change: (piece: Buffer) => Buffer[]): Buffer {
  const from = random(body.length)
  const to = Math.min(body.length, from + 1 + random(30))
  return Buffer.concat([
    body.subarray(0, from),
    ...change(body.subarray(from, to)),
    body.subarray(to),
  ])
}

/** Bytes that are no text stay as they are: each becomes one character and comes back. */
function inText(body: Buffer, change: (text: string) => string): Buffer {
  const text = body.toString('utf8')
  return Buffer.from(text).equals(body) ? Buffer.from(change(text)) : body
}

function replaced(text: string, what: RegExp, random: Random, by: string): string {
  const found = [...text.matchAll(what)]
  const one = found[random(found.length)]
  if (one === undefined) return text
  return text.slice(0, one.index) + by + text.slice(one.index + one[0].length)
}

function swapped(text: string, random: Random): string {
  const found = [...text.matchAll(TOKEN)]
  const [one, other] = [found[random(found.length)], found[random(found.length)]].sort(
    (a, b) => (a?.index ?? 0) - (b?.index ?? 0),
  )
  if (one === undefined || other === undefined || one.index === other.index) return text
  const between = text.slice(one.index + one[0].length, other.index)
  const rest = text.slice(other.index + other[0].length)
  return text.slice(0, one.index) + other[0] + between + one[0] + rest
}

/** Repeats a field, sometimes with another value. */
function doubled(text: string, random: Random): string {
  const found = [...text.matchAll(/("[^"\\]*"):("(?:[^"\\]|\\.)*"|[0-9.]+|true|false|null)/g)]
  const one = found[random(found.length)]
  if (one === undefined) return text
  const value = random(2) === 0 ? one[2] : pick(random, VALUES)
  const end = one.index + one[0].length
  return `${text.slice(0, end)},${one[1]}:${value}${text.slice(end)}`
}

function digitChanged(text: string, random: Random): string {
  return replaced(text, /[0-9]/g, random, pick(random, Array.from('0123456789.-+eTZ: ')))
}

function bomb(random: Random): string {
  const depth = pick(random, [2, 2, 2, 40, 40, 900, 1100, 3000])
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"results":', '}]'],
  ])
  return `${open.repeat(depth)}1${random(5) === 0 ? '' : close.repeat(depth)}`
}

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[random(from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

/** mulberry32: the same numbers for the same seed, everywhere. */
function randomOf(seed: number): Random {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
