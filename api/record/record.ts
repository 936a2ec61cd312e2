/** One record of a list: a row for the lake, or the reason why it can't be one. */
import type { z } from 'zod'
import type { List } from '../../domain/run.ts'
import type { Secret } from '../../domain/settings.ts'
import { emptyNames, fieldNames, unknownNames } from './unknown-fields.ts'
import { excerptOf } from './excerpt.ts'
import { id, instant, isWrong, ruleOf, valuesOf, type ObjectRule } from './fields.ts'
import { compileFastRead } from './fast-read.ts'
import { canonicalJson, isJsonObject } from '../json/json.ts'
import { keyedHash } from './keyed-hash.ts'
import { KNOWN } from './known-names.ts'
import { parsed, SentRecord } from '../json/sent-record.ts'
import { settlementRow, settlementSchema, type SettlementRow } from './settlement.schema.ts'
import { terminalRow, terminalSchema, type TerminalRow } from './terminal.schema.ts'
import { transactionRow, transactionSchema, type TransactionRow } from './transaction.schema.ts'

/** Keys are columns of the lake: money as integer text of cents, ids as digits, instants as UTC text, absent as null. */
export type Row = SettlementRow | TerminalRow | TransactionRow

export interface Reject {
  subject_type: 'settlement' | 'terminal' | 'transaction'
  /** The id as digits, or `sha256:` and the keyed hash of the record where it has none. */
  subject_id: string
  terminal_id: string | null
  created: string | null
  /** Path of the first field that is wrong, such as `surcharge.percentage`; empty if the whole record is. */
  field: string
  reason: string
  /** What stood in the field, as far as it may be shown. */
  excerpt: string
  /** HMAC-SHA-256 of the record: the same for the same record, and nobody can read anything out of it. */
  record_sha256: string
}

/** A record as a sweep remembers it: its id and a hash of what it said. */
export type Mark = readonly [id: string, hash: string]

export type ReadRecord = ({ row: Row } | { reject: Reject }) & {
  /** Names in it that the interface as it is known doesn't have; absent where there are none. */
  unknown?: readonly string[]
  /** Made when it is first asked for. */
  mark?: Mark
}

const SUBJECTS = {
  settlements: { type: 'settlement', id: 'settlementId' },
  terminals: { type: 'terminal', id: 'terminalId' },
  transactions: { type: 'transaction', id: 'transactionId' },
} as const satisfies Record<List, { type: Reject['subject_type']; id: string }>

/**
 * Reads one record of a page, or one as parsed by parseJson. It never throws on what the record holds.
 */
export function readRecord(list: List, sent: unknown, hashKey: Secret): ReadRecord {
  const fast = sent instanceof SentRecord ? fastRow(list, sent, hashKey) : undefined
  if (fast !== undefined) return fast
  const raw = parsed(sent)
  const read = readRow(list, raw, hashKey)
  const names = unknownNames(list, raw)
  if ('row' in read) return named(read, [...names, ...emptyNames(RULES[list], raw)].toSorted())
  const reject = rejectOf(list, { raw, ...firstIssue(read.error) }, hashKey)
  return named({ reject }, fieldNames(names))
}

const named = (read: ReadRecord, unknown: readonly string[]): ReadRecord =>
  unknown.length === 0 ? read : { ...read, unknown }

const fastTransaction = compileFastRead(transactionSchema, KNOWN.transactions)
const fastSettlement = compileFastRead(settlementSchema, KNOWN.settlements)
const fastTerminal = compileFastRead(terminalSchema, KNOWN.terminals)

/** The row of a record at which nothing is wrong or unusual. */
function fastRow(list: List, record: SentRecord, hashKey: Secret): ReadRecord | undefined {
  if (list === 'transactions') {
    const read = fastTransaction(record)
    return read && named({ row: transactionRow(read.sent, hashKey) }, read.unknown)
  }
  if (list === 'settlements') {
    const read = fastSettlement(record)
    return read && named({ row: settlementRow(read.sent) }, read.unknown)
  }
  const read = fastTerminal(record)
  return read && named({ row: terminalRow(read.sent) }, read.unknown)
}

const RULES = {
  settlements: ruleOf(settlementSchema) as ObjectRule,
  terminals: ruleOf(terminalSchema) as ObjectRule,
  transactions: ruleOf(transactionSchema) as ObjectRule,
}

type RowOrError = { row: Row } | { error: z.ZodError }

function readRow(list: List, raw: unknown, hashKey: Secret): RowOrError {
  if (list === 'transactions') {
    const { data, error } = transactionSchema.safeParse(raw)
    if (error !== undefined) return { error }
    const values = valuesOf(transactionSchema, data)
    return { row: transactionRow(values, hashKey) }
  }
  if (list === 'settlements') {
    const { data, error } = settlementSchema.safeParse(raw)
    return error === undefined
      ? { row: settlementRow(valuesOf(settlementSchema, data)) }
      : { error }
  }
  const { data, error } = terminalSchema.safeParse(raw)
  return error === undefined ? { row: terminalRow(valuesOf(terminalSchema, data)) } : { error }
}

interface Issue {
  path: PropertyKey[]
  reason: string
}

function firstIssue(error: z.ZodError): Issue {
  const issue = error.issues[0]
  return { path: issue?.path ?? [], reason: issue?.message ?? 'can not be read' }
}

function rejectOf(list: List, found: Issue & { raw: unknown }, hashKey: Secret): Reject {
  const { raw, path, reason } = found
  const subject = SUBJECTS[list]
  const field = path.join('.')
  const hash = keyedHash(hashKey, canonicalJson(raw))
  return {
    subject_type: subject.type,
    subject_id: readableField(raw, subject.id, id) ?? `sha256:${hash}`,
    terminal_id: readableField(raw, 'terminalId', id),
    created: readableField(raw, 'created', instant),
    field,
    reason,
    excerpt: field === '' ? '' : excerptOf(field, valueAt(raw, path)),
    record_sha256: hash,
  }
}

function readableField(
  raw: unknown,
  name: string,
  read: (value: unknown) => ReturnType<typeof id>,
): string | null {
  const value = isJsonObject(raw) ? read(raw[name]) : null
  return isWrong(value) ? null : value
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) ? value[String(key)] : undefined),
    raw,
  )
}
