/**
 * Builds the rules of each list, a tree of its fields, from the table of fields. Both readers of records follow them.
 */
import {
  RECORD_FIELDS,
  UNREAD_FIELDS,
  type FieldKind,
  type RecordField,
  type TerminalKind,
} from '../../domain/record-fields.ts'
import type { List } from '../../domain/run.ts'

/** A name in an object: a field, a nested object, or a name of the interface that is not read. */
export interface FieldRule {
  readonly name: string
  /** The name with those of the objects around it, such as `vault.lastFour`. */
  readonly path: string
  /** False for a field that the interface does not have. Its name is counted as unknown. */
  readonly isKnown: boolean
  readonly isRequired: boolean
  /** Undefined for a nested object, and for a name that is not read. */
  readonly kind: FieldKind | TerminalKind | undefined
  /** The index of its value among those of the record. */
  readonly index: number
  readonly words: readonly string[] | undefined
  /** The rules of a nested object. */
  readonly inner: ObjectRule | undefined
}

export interface ObjectRule {
  /** The beginning of the paths of its fields: empty, or for example `vault.`. */
  readonly prefix: string
  /** The object describes a person. Other names in it are not counted, and no value of it is shown. */
  readonly isPersonal: boolean
  /** The fields by name, in the order in which they are checked. */
  readonly fields: Map<string, FieldRule>
}

/** Builds the rules of records with these fields. `unread` lists the paths of the interface that are not read. */
export function rulesOf(
  fields: Readonly<Record<string, RecordField>>,
  unread: readonly string[] = [],
): ObjectRule {
  const root: ObjectRule = { prefix: '', isPersonal: false, fields: new Map() }
  for (const [index, [path, { kind, required, words }]] of Object.entries(fields).entries()) {
    const { object, name } = placeOf(root, path, unread)
    const isKnown = kind !== 'looseId'
    const about = { name, path, isKnown, isRequired: required, kind, index, words }
    object.fields.set(name, { ...about, inner: undefined })
  }
  for (const path of unread) {
    const { object, name } = placeOf(root, path, unread)
    if (!object.fields.has(name)) object.fields.set(name, withoutValue(name, path, undefined))
  }
  return root
}

/** Returns the object that holds the field at `path`, and the field's name in it. */
function placeOf(
  root: ObjectRule,
  path: string,
  unread: readonly string[],
): { object: ObjectRule; name: string } {
  const names = path.split('.')
  const name = names.pop() ?? ''
  let object = root
  for (const outer of names) {
    const outerPath = object.prefix + outer
    const inner = object.fields.get(outer)?.inner ?? {
      prefix: `${outerPath}.`,
      isPersonal: object.isPersonal || unread.includes(outerPath),
      fields: new Map(),
    }
    object.fields.set(outer, withoutValue(outer, outerPath, inner))
    object = inner
  }
  return { object, name }
}

const withoutValue = (name: string, path: string, inner: ObjectRule | undefined): FieldRule => ({
  ...{ name, path, isKnown: true, isRequired: false, index: -1 },
  ...{ kind: undefined, words: undefined, inner },
})

export const RULES: Readonly<Record<List, ObjectRule>> = {
  transactions: rulesOf(RECORD_FIELDS.transactions, UNREAD_FIELDS.transactions),
  settlements: rulesOf(RECORD_FIELDS.settlements, UNREAD_FIELDS.settlements),
  terminals: rulesOf(RECORD_FIELDS.terminals, UNREAD_FIELDS.terminals),
}
