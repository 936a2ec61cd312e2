/** The strict reader of the config file. An error names line, column and key, and never a value. */
import { readFileSync } from 'node:fs'
import { isMap, isNode, isPair, isSeq, LineCounter, parseDocument, type ErrorCode } from 'yaml'
import { z } from 'zod'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import {
  configSchema,
  general,
  General,
  type Account,
  type ConfigFile,
  type ListedAccount,
  type GivenKeys,
} from './config-file.ts'
import { nearestHint } from '../../domain/nearest-name.ts'

type Issue = z.core.$ZodIssue

/** A parsed file with the position of each part. */
interface Parsed {
  content: unknown
  /** Makes the failure at a key, with line and column; for a missing key, those of the nearest one around it. */
  wrong(path: readonly PropertyKey[], what: string): Failure
  /** The position of that key in characters from the start of the file. */
  offset(path: readonly PropertyKey[]): number
}

/**
 * Reads a YAML file. Throws config_invalid with line, column and the faulty key; the schema has no
 * keys for secrets.
 */
export function readConfigFile(file: string): ConfigFile {
  const found = parsed(file)
  const { content, wrong } = found
  const read = configSchema.safeParse(content)
  if (!read.success) throw faultsIn(read.error, found)[0] ?? wrong([], 'has an unexpected form')
  const { accounts, account } = read.data
  const names = accounts.map(({ name }) => name)
  const twice = names.findIndex((name, index) => names.indexOf(name) < index)
  if (twice !== -1) throw wrong(['accounts', twice], `accounts: ${names[twice]} is listed twice`)
  if (account !== undefined && names.length > 0) {
    throw wrong(
      ['account'],
      'account: not allowed here, since accounts gives each account its name',
    )
  }
  const given: GivenKeys = Object(content)
  return {
    ...read.data,
    accounts: accounts.map((one, index) => listed(one, index, given)),
    path: file,
    given,
  }
}

/**
 * Returns every fault that the schema finds in a file, in the order of the file. Throws config_invalid for one that is
 * no YAML.
 */
export function faultsOf(file: string): Failure[] {
  const found = parsed(file)
  const { error } = configSchema.safeParse(found.content)
  return error === undefined ? [] : faultsIn(error, found)
}

const faultsIn = ({ issues }: z.ZodError, { wrong, offset }: Parsed): Failure[] =>
  issues
    .flatMap((issue) => single(issue).map((one) => ({ path: pathOf(one), what: described(one) })))
    .toSorted((one, other) => offset(one.path) - offset(other.path))
    .map(({ path, what }) => wrong(path, what))

/** An issue for each unknown key, which zod reports together. */
const single = (issue: Issue): Issue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ ...issue, keys: [key] }))
    : [issue]

/** Our own texts for YAML errors, because the library's may quote a secret from the file. */
const MISTAKES: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'the indentation is wrong',
  BAD_SCALAR_START: 'a text begins with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second colon on the line; put the text into quotes',
  DUPLICATE_KEY: 'the key occurs twice',
  MISSING_CHAR: 'a quote, a bracket or a comma is missing',
  MULTIPLE_DOCS: 'a second document begins',
  TAB_AS_INDENT: 'the indentation has a tab instead of blanks',
}

function parsed(file: string): Parsed {
  const lines = new LineCounter()
  const document = parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false })
  const at = (offset: number | undefined) => {
    if (offset === undefined) return ''
    const { line, col } = lines.linePos(offset)
    return `, line ${line}, column ${col}`
  }
  const unreadable = (place: string, what: string) =>
    new Failure('config_invalid', `the config file ${file}${place} can't be read as YAML: ${what}`)
  const [mistake] = document.errors
  if (mistake !== undefined) {
    const what = MISTAKES[mistake.code] ?? mistake.code.toLowerCase().replaceAll('_', ' ')
    throw unreadable(at(mistake.pos[0]), what)
  }
  try {
    const content: unknown = document.toJS() ?? {}
    const offset: Parsed['offset'] = (path) => offsetOf(document.contents, path) ?? 0
    const placeOf = (path: readonly PropertyKey[]) => at(offsetOf(document.contents, path))
    const wrong: Parsed['wrong'] = (path, what) =>
      new Failure('config_invalid', `the config file ${file}${placeOf(path)}: ${what}`)
    return { content, wrong, offset }
  } catch {
    throw unreadable('', 'an alias refers to a missing anchor')
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure(
      'config_invalid',
      `the config file ${file} can't be read: ${reasonOf(cause)}`,
      {
        cause,
      },
    )
  }
}

/** The offset of a key or a list entry, as far as the path leads. */
function offsetOf(root: unknown, path: readonly PropertyKey[]): number | undefined {
  let node = root
  let offset = isNode(root) ? root.range?.[0] : undefined
  for (const key of path) {
    const pair = isMap(node)
      ? node.items.find((item) => isPair(item) && String(item.key) === String(key))
      : undefined
    const next = pair === undefined ? childOf(node, key) : pair.value
    const shown = pair === undefined ? next : pair.key
    if (!isNode(shown)) return offset
    offset = shown.range?.[0] ?? offset
    node = next
  }
  return offset
}

const childOf = (node: unknown, key: PropertyKey): unknown =>
  isSeq(node) && typeof key !== 'symbol' ? node.get(Number(key), true) : undefined

/** The path to an unknown key, since the key itself is the fault. */
const pathOf = (issue: Issue): PropertyKey[] =>
  issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : [...issue.path]

/** Fills each part that an account leaves out with the value for all accounts. */
function listed(
  account: z.infer<typeof Account>,
  index: number,
  content: GivenKeys,
): ListedAccount {
  const { accounts, ...all } = content
  const keys = Object.keys(general)
  const given: GivenKeys = Object(Array.isArray(accounts) ? accounts[index] : {})
  const [forAll, own] = [all, given].map((part) =>
    Object.fromEntries(Object.entries(part).filter(([key]) => keys.includes(key))),
  )
  return { ...account, general: General.parse(merged(forAll, own)), given }
}

function merged(forAll: unknown, own: unknown): unknown {
  if (!isMapping(forAll) || !isMapping(own)) return own
  const parts = Object.entries(own).map(([key, value]): [string, unknown] => [
    key,
    Object.hasOwn(forAll, key) ? merged(forAll[key], value) : value,
  ])
  return { ...forAll, ...Object.fromEntries(parts) }
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Describes an error without any value of the file. */
function described(issue: Issue): string {
  const at = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return `${at.join('.')}: ${issue.message}`
  const [key = ''] = issue.keys
  const known = keysAt(issue.path)
  const hint = nearestHint(key, known, `known keys: ${known.join(', ')}`)
  return `${[...at, key].join('.')} is not a key; ${hint}`
}

function keysAt(path: readonly PropertyKey[]): string[] {
  let schema = bare(configSchema)
  for (const key of path) {
    if (schema instanceof z.ZodArray) schema = bare(schema.element)
    else if (schema instanceof z.ZodRecord) schema = bare(schema.valueType)
    else if (schema instanceof z.ZodObject) schema = bare(schema.shape[String(key)])
  }
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) {
    return schema.keyType.options.map(String)
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** A schema without its default or optional wrapper. */
function bare(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional
  return isWrapped ? bare(schema.unwrap()) : schema
}
