import type { DuckDBConnection } from '@duckdb/node-api'
import { importFields, type ImportOrder } from '../../domain/import.ts'
import type { FieldKind } from '../../domain/record-fields.ts'
import { documentedNumber, documentedText, type TextRules } from './documented-text.ts'
import { fromJson } from './field-sql.ts'
import { unread } from './file-kind.ts'
import { nameIn, placeOf, unusedIn, type Plan, type PlanInput } from './plan.ts'
import { quotedName, quoted, quotedFile } from '../connection/sql-literal.ts'
import { unreadable } from './unreadable.ts'

/** Texts of numbers that a double may not reproduce. */
const ROUNDED = String.raw`\.[0-9]{10}|[0-9.]{10}[eE]|[eE]-[0-9]{2}`

/** Plans the reading of NDJSON. The keys of all records show where each field stands. */
export async function planNdjson(input: PlanInput, connection: DuckDBConnection): Promise<Plan> {
  const { order, reading, file } = input
  const all = importFields(order.list)
  // JSON text never contains this character unescaped, so that DuckDB reads each line as one value.
  const lines = `read_csv(${quotedFile(file.path)}, columns = {'line': 'VARCHAR'}, auto_detect = false, header = false,
    delim = '\u0001', quote = '', escape = '', max_line_size = 16000000, strict_mode = false, compression = 'none', hive_partitioning = false)`
  const parsed = `(select line, case when json_valid(line) then line end as j from ${lines})`
  const { places, parents, isSingle, unused } = await placesIn(connection, input, parsed)
  const list = (paths: string[]) => `[${paths.map(quoted).join(', ')}]`
  const paths = places.map(jsonPath)
  const values = `(
    select line, j, json_extract_string(j, ${list(paths)}) as v, json_type(j, ${list([...paths, ...parents])}) as t
    from ${parsed})`
  const source = `(select *, ${textsOf(input)} from ${values})`
  const fields = new Map(
    all.map(([field, { kind, required }], at) => [
      field,
      fromJson(`f${at}`, `t[${at + 1}]`, { kind, required, amounts: reading.amounts }),
    ]),
  )
  const whole = parents.map(
    (_path, at) => `coalesce(t[${paths.length + at + 1}], 'NULL') in ('OBJECT', 'NULL')`,
  )
  const exact = `not (list_contains(t, 'DOUBLE') and regexp_matches(line, ${quoted(ROUNDED)}))`
  const single = isSingle ? [] : [areSingle(keysOf(parents))]
  const conditions = ['j is not null', ...whole, exact, ...single]
  return {
    source,
    hasRowNumbers: false,
    fields,
    guard: `case when trim(coalesce(line, '')) <> '' and not ${HOLDS_NOTHING} then ${conditions.join(' and ')} end`,
    evidence: `json_array(line, [${all.map((_one, at) => `f${at}`).join(', ')}])::varchar`,
    numeric: new Set(),
    places: Object.fromEntries(all.map(([field], at) => [field, places[at]?.join('.') ?? ''])),
    unused,
    empty: new Map(
      all.flatMap(([field, { required }], at) => (required ? [] : [[field, isEmpty(at)]])),
    ),
    delimiter: reading.delimiter,
    ...(file.lines && { lines: file.lines }),
  }
}

/** Matches a record without fields, or one whose fields are all empty. */
const HOLDS_NOTHING = String.raw`(f0 is null and regexp_full_match(line, '\s*[{](?:\s*"[^"\\]*"\s*:\s*(?:null|""|[{]\s*[}]|\[\s*\])\s*,?)*\s*[}]\s*'))`

const isEmpty = (at: number) =>
  `(v[${at + 1}] in ('', '[]', '{}') and t[${at + 1}] in ('VARCHAR', 'ARRAY', 'OBJECT'))`

/** Returns SQL for the text of each field in the documented form. */
function textsOf({ order, reading, spellings }: PlanInput): string {
  const all = importFields(order.list)
  const rules = { reading, spellings, action: "''" }
  const actionAt = all.findIndex(([field]) => field === 'action')
  const word = { field: 'action', kind: 'word', ...rules } as const
  const action = actionAt < 0 ? "''" : documentedText(`v[${actionAt + 1}]`, word)
  const texts = all.map(([field, { kind, required }], at) => {
    const text = jsonText(at, { field, kind, ...rules, action })
    return `${required ? text : `case when not ${isEmpty(at)} then ${text} end`} as f${at}`
  })
  return texts.join(', ')
}

/** Kinds of fields that programs write as a number although the service sends text, or the other way round. */
const LOOSE: readonly FieldKind[] = ['id', 'looseId', 'flag', 'lastFour']

function jsonText(at: number, rules: TextRules): string {
  const x = `v[${at + 1}]`
  const ofText = documentedText(x, rules)
  const ofNumber =
    LOOSE.includes(rules.kind) || rules.kind === 'amount' ? documentedNumber(x, rules) : x
  return ofText === ofNumber
    ? ofText
    : `case when t[${at + 1}] = 'VARCHAR' then ${ofText} else ${ofNumber} end`
}

const jsonPath = (names: readonly string[]) =>
  names.reduce((path, name) => `${path}.${quotedName(name)}`, '$')

/** The paths of the whole record and of every object that encloses the field. */
const parentsOf = (names: readonly string[]): string[] =>
  names.map((_name, at) => jsonPath(names.slice(0, at)))

interface Places {
  places: string[][]
  parents: string[]
  /** True if no record has a key twice. */
  isSingle: boolean
  unused: string[]
}

/**
 * Finds how the file spells the names of fields. The distinct lists of keys are few, because records are alike.
 * Single records are checked for a repeated key only if one of these lists has one.
 */
async function placesIn(
  connection: DuckDBConnection,
  { order, reading }: PlanInput,
  parsed: string,
): Promise<Places> {
  let places = importFields(order.list).map(([field]) => placeOf(reading, field).split('.'))
  for (;;) {
    const parents = [...new Set(places.flatMap(parentsOf))]
    const { names, isSingle } = await keysIn(connection, order, { parsed, parents })
    const spelled = places.map((place) =>
      place.map((name, depth) => {
        const known = names.get(jsonPath(place.slice(0, depth))) ?? []
        refuseDotted(order, place.slice(depth).join('.'), known)
        return nameIn(order, { field: place.join('.'), place: name }, known) ?? name
      }),
    )
    if (JSON.stringify(spelled) === JSON.stringify(places)) {
      return {
        places,
        parents,
        isSingle,
        unused: unusedIn(pathsOf(places, names), pathsTo(places)),
      }
    }
    // The keys of an inner object can be found once the object's own name is known.
    places = spelled
  }
}

const pathsTo = (places: readonly string[][]) => places.map((place) => place.join('.'))

/** The paths of all keys that stand beside a field. */
function pathsOf(places: readonly string[][], names: Keys['names']): string[] {
  const above = new Map(
    places.flatMap((place) =>
      place.map(
        (_name, depth) => [jsonPath(place.slice(0, depth)), place.slice(0, depth)] as const,
      ),
    ),
  )
  return [...above].flatMap(([path, outer]) =>
    (names.get(path) ?? []).map((key) => [...outer, key].join('.')),
  )
}

/**
 * Throws import_unreadable if a key has dots where the field is nested. Such a key would not be read, and could say
 * otherwise than the nested one.
 */
function refuseDotted(order: ImportOrder, path: string, keys: readonly string[]): void {
  const dotted = keys.find(
    (key) =>
      key.includes('.') && `${path}.`.toLowerCase().startsWith(`${key.trim()}.`.toLowerCase()),
  )
  if (dotted === undefined) return
  throw unread(
    order,
    `the key "${dotted}" has a dot, and ${path} is read from nested objects alone`,
    { remedy: 'nest the key in the file' },
  )
}

interface Keys {
  /** The keys of each parent, by the parent's path. */
  names: ReadonlyMap<string, readonly string[]>
  isSingle: boolean
}

async function keysIn(
  connection: DuckDBConnection,
  order: ImportOrder,
  { parsed, parents }: { parsed: string; parents: readonly string[] },
): Promise<Keys> {
  const namesFound = new Map(parents.map((parent) => [parent, new Set<string>()]))
  try {
    const reader = await connection.runAndReadAll(
      `select to_json(keys)::varchar, ${areSingle('keys')}
       from (select distinct ${keysOf(parents)} as keys from ${parsed}) where keys is not null`,
    )
    const rows = reader.getRows()
    for (const [said] of rows) {
      const lists: (string[] | null)[] = JSON.parse(String(said))
      for (const [at, parent] of parents.entries()) {
        for (const name of lists[at] ?? []) namesFound.get(parent)?.add(name)
      }
    }
    const names = new Map([...namesFound].map(([parent, found]) => [parent, [...found]]))
    return { names, isSingle: rows.every(([, isSingle]) => isSingle === true) }
  } catch (cause) {
    throw unreadable(order, cause)
  }
}

const keysOf = (parents: readonly string[]) => `j.json_keys([${parents.map(quoted).join(', ')}])`

const areSingle = (keys: string) =>
  `coalesce(len(list_filter(${keys}, lambda k: len(k) <> len(list_distinct(k)))) = 0, true)`
