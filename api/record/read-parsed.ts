/** Reads any parsed record, and gives the reason if the record is refused. */
import { isJsonObject } from '../json/json.ts'
import { excerptOf } from './excerpt.ts'
import { holdsNothing, isWrong, wrong } from './field-checks.ts'
import { KINDS } from './field-kinds.ts'
import type { FieldRule, ObjectRule } from './record-rules.ts'
import { emptyName, shown, unknownWords } from './unknown-fields.ts'

/** The first field that is wrong. */
export interface Fault {
  /** Empty if the record as a whole is wrong. */
  field: string
  reason: string
  /** The value of the field, as far as it may be shown. */
  excerpt: string
}

export interface ParsedRead {
  /** The values by the index of their field, null or undefined for an absent one. */
  values: unknown[]
  /** Names and words that the interface does not have, and fields that are empty. Each stands once, in order. */
  unknown: readonly string[]
  fault: Fault | undefined
}

interface Reading extends Pick<ParsedRead, 'values' | 'fault'> {
  names: Set<string>
}

/** Reads a record by the rules of its list. It never throws. */
export function readParsed(rules: ObjectRule, raw: unknown): ParsedRead {
  const reading: Reading = { values: [], fault: undefined, names: new Set() }
  if (isJsonObject(raw)) readObject(reading, rules, raw)
  else reading.fault = { field: '', reason: 'is not an object', excerpt: '' }
  const { values, fault, names } = reading
  return { values, fault, unknown: [...names].toSorted() }
}

function readObject(reading: Reading, rule: ObjectRule, raw: Record<string, unknown>): void {
  for (const name of Object.keys(raw)) {
    const field = rule.fields.get(name)
    const isUnknown = field === undefined ? !rule.isPersonal : !field.isKnown
    if (isUnknown) reading.names.add(rule.prefix + shown(name))
  }
  for (const field of rule.fields.values()) {
    const value = raw[field.name]
    if (value !== undefined || field.isRequired) readField(reading, field, value)
  }
}

function readField(reading: Reading, field: FieldRule, value: unknown): void {
  const { kind, inner, path, words } = field
  if (kind === undefined && inner === undefined) return
  if (!field.isRequired && holdsNothing(value)) {
    reading.names.add(emptyName(path))
    return
  }
  for (const name of words === undefined ? [] : unknownWords(words, path, value)) {
    reading.names.add(name)
  }
  if (inner !== undefined && isJsonObject(value)) {
    readObject(reading, inner, value)
    return
  }
  const checked = checkOf(field, value)
  if (!isWrong(checked)) reading.values[field.index] = checked
  else reading.fault ??= { field: path, reason: checked.wrong, excerpt: excerptOf(field, value) }
}

function checkOf({ kind }: FieldRule, value: unknown): unknown {
  if (kind === undefined) return wrong('is not an object')
  return value === null ? wrong('is null') : KINDS[kind].check(value)
}
