/** Turns one record of a list into a row for the lake, or into a reject with its reason. */
import type { List } from '../../domain/run.ts'
import type { Secret } from '../../domain/settings.ts'
import { canonicalJson, isJsonObject } from '../json/json.ts'
import { parsed, SentRecord } from '../json/sent-record.ts'
import { compileFastRead } from './fast-read.ts'
import { id, instant, isWrong, wholeNumber } from './field-checks.ts'
import { keyedHash } from './keyed-hash.ts'
import { readParsed, type Fault } from './read-parsed.ts'
import { RULES } from './record-rules.ts'
import { rowOf, type Row } from './rows.ts'
import { fieldNames } from './unknown-fields.ts'

export interface Reject extends Fault {
  subject_type: 'settlement' | 'terminal' | 'transaction'
  /** The id as digits, also if it is too large, or `sha256:` and the keyed hash of a record without an id. */
  subject_id: string
  terminal_id: string | null
  created: string | null
  /** HMAC-SHA-256 of the record. The same record always gives the same hash, which reveals nothing of the record. */
  record_sha256: string
}

/** A record as a sweep remembers it: its id and a hash of its content. */
export type Mark = readonly [id: string, hash: string]

export type ReadRecord = ({ row: Row } | { reject: Reject }) & {
  /** Names in the record that the interface does not have, and empty fields. Absent if there are none. */
  unknown?: readonly string[]
  /** Computed on first use. */
  mark?: Mark
}

const SUBJECTS = {
  settlements: { type: 'settlement', id: 'settlementId' },
  terminals: { type: 'terminal', id: 'terminalId' },
  transactions: { type: 'transaction', id: 'transactionId' },
} as const satisfies Record<List, { type: Reject['subject_type']; id: string }>

const FAST_READS = {
  settlements: compileFastRead(RULES.settlements),
  terminals: compileFastRead(RULES.terminals),
  transactions: compileFastRead(RULES.transactions),
}

/**
 * Reads one record of a page, or one that parseJson returned. The function never throws, whatever the record holds.
 */
export function readRecord(list: List, sent: unknown, hashKey: Secret): ReadRecord {
  const fast = sent instanceof SentRecord ? FAST_READS[list](sent) : undefined
  if (fast !== undefined) return named({ row: rowOf(list, fast.values, hashKey) }, fast.unknown)
  const raw = parsed(sent)
  const { values, unknown, fault } = readParsed(RULES[list], raw)
  if (fault === undefined) return named({ row: rowOf(list, values, hashKey) }, unknown)
  return named({ reject: rejectOf(list, { raw, fault }, hashKey) }, fieldNames(unknown))
}

const named = (read: ReadRecord, unknown: readonly string[]): ReadRecord =>
  unknown.length === 0 ? read : { ...read, unknown }

function rejectOf(
  list: List,
  { raw, fault }: { raw: unknown; fault: Fault },
  hashKey: Secret,
): Reject {
  const subject = SUBJECTS[list]
  const hash = keyedHash(hashKey, canonicalJson(raw))
  return {
    subject_type: subject.type,
    subject_id: readableField(raw, subject.id, wholeNumber) ?? `sha256:${hash}`,
    terminal_id: readableField(raw, 'terminalId', id),
    created: readableField(raw, 'created', instant),
    ...fault,
    record_sha256: hash,
  }
}

function readableField(raw: unknown, name: string, check: typeof id): string | null {
  const value = isJsonObject(raw) ? check(raw[name]) : null
  return isWrong(value) ? null : value
}
