/** The rules of sql/ as functions from a model to complaints, so that each can be shown a bad example. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { EXCEPTIONS, type ExceptionCode } from '../../domain/exceptions.ts'
import { lakeTable } from '../../lake/run/bind-inputs.ts'
import type { ProjectFile } from './project-files.ts'

export interface SqlModel {
  stage: string
  name: string
  text: string
}

/** The tables that a model reads, and the columns of its outermost select. */
export interface Parsed {
  tables: string[]
  columns: string[]
}

const KEYS = ['grain', 'reads', 'rule', 'silent']
/** Optional keys of a header: the size of the table, and its consequences for a run. */
const OPTIONAL_KEYS = ['size', 'split', 'drop', 'each']
const KINDS = ['model', 'view', 'finding', 'pack', 'check'] as const

/** Tables that TypeScript makes beside the models: for a run, and of the records of a file. */
const RUNNER_TABLES = [
  ...['chart', 'current_exception', 'exception_code', 'finding', 'next_step'],
  ...['import_key', 'import_reject', 'listed_version'],
]

/** Folders beside the stages. Their models read the lake, their own folder and every stage; no stage reads them. */
const BESIDE_STAGES = ['explain', 'explain_stored', 'import', 'integrity', 'queries', 'sweep_start']

/** The tables of DuckLake's catalog. Only the check of the lake's integrity reads them. */
const CATALOG = '__ducklake_metadata_lake.'

/** The files of the stages, the checks and the folders beside them: one select each. The schema, and the views that people query, have rules of their own. */
export function modelsIn(files: readonly ProjectFile[]): SqlModel[] {
  return files.flatMap(({ path, text }) => {
    const [, stage = '', name = ''] = /^sql\/([^/]+)\/([^/]+)\.sql$/.exec(path) ?? []
    return name === '' || stage === 'schema' || stage === 'views' ? [] : [{ stage, name, text }]
  })
}

/** The tables that the migrations create, such as `lake.seen.transaction_version`. */
export function lakeTablesIn(files: readonly ProjectFile[]): Set<string> {
  const ddl = files.filter(({ path }) => path.startsWith('sql/schema/')).map(({ text }) => text)
  const names = ddl.join('\n').matchAll(/create table (?:if not exists )?([\w.]+)/g)
  return new Set([...names].map(([, name = '']) => name))
}

/** The type that the model `enum_value` makes, and what is made with it: no table of a select, and read nevertheless. */
const USES_ENUM = /::\s*enum_value\b|\bas enum_value\)|\bas_enum_value\b/

/** Parses a model with DuckDB itself. Throws if it is not exactly one select. */
export async function parseModel(connection: DuckDBConnection, model: SqlModel): Promise<Parsed> {
  const reader = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [
    model.text,
  ])
  const tree = JSON.parse(String(reader.getRows()[0]?.[0]))
  if (tree.error === true || tree.statements.length !== 1) {
    throw new Error(`${model.stage}/${model.name} is not one select: ${tree.error_message ?? ''}`)
  }
  const tables = new Set<string>()
  const steps = new Set<string>()
  visit(tree, (node) => {
    const { type, cte_map: ctes } = node as { type?: unknown; cte_map?: { map: { key: string }[] } }
    if (type === 'BASE_TABLE') tables.add(nameOf(node))
    for (const { key } of ctes?.map ?? []) steps.add(key)
  })
  const each = /^-- each +(\w+)$/m.exec(model.text)?.[1]
  if (each !== undefined) tables.add(each)
  if (USES_ENUM.test(model.text.replaceAll(/--.*/g, ''))) tables.add('enum_value')
  return {
    tables: [...tables].filter((table) => !steps.has(table)).sort(),
    columns: columnsOf(tree.statements[0].node),
  }
}

/** The header: first line by kind, then grain, reads, rule, silent, each on one line and none empty. */
export function headerComplaints(model: SqlModel): string[] {
  const lines = model.text.split('\n')
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('-- ')),
  )
  const entries = header.map((line) => /^-- (\w+) +(\S.*)$/.exec(line)?.slice(1) ?? ['', line])
  const found = entries
    .map(([key = '']) => key)
    .filter((key) => !OPTIONAL_KEYS.includes(key))
    .join(' ')
  const kind = KINDS.find((one) => found === [one, ...KEYS].join(' '))
  if (kind === undefined) return [`header keys are "${found}"`]
  if ((kind === 'check') !== (model.stage === 'checks')) return [`a ${kind} in ${model.stage}`]
  const [title = '', , , rule = ''] = entries.map(([, value]) => value)
  return [
    ...titleComplaints(model, kind, title),
    ...(/^R-\d\d: \S/.test(rule) ? [] : ['rule does not begin with a number such as "R-01: "']),
  ]
}

function titleComplaints(model: SqlModel, kind: (typeof KINDS)[number], title: string): string[] {
  if (kind === 'pack') return []
  if (kind !== 'finding') return title.startsWith(model.name) ? [] : [`${kind} is named "${title}"`]
  const code = model.name.toUpperCase()
  if (!isCode(code)) return [`${code} is no exception code`]
  return title === code ? [] : [`finding is "${title}" instead of "${code}"`]
}

/**
 * A model reads tables of its own or an earlier stage, and `reads` names exactly these. Only the first stage and the folders
 * beside the stages read the lake.
 */
export function readingComplaints(
  model: SqlModel,
  parsed: Parsed,
  known: { models: readonly SqlModel[]; lakeTables: ReadonlySet<string> },
): string[] {
  const complaints = parsed.tables.flatMap((table) => {
    if (RUNNER_TABLES.includes(table)) return []
    if (table.startsWith(CATALOG) && model.stage === 'integrity') return []
    const isBeside = BESIDE_STAGES.includes(model.stage)
    if (known.lakeTables.has(lakeTable(table))) {
      const [first] = known.models.map(({ stage }) => stage).sort()
      return isBeside || model.stage === first ? [] : [`reads ${table} past the first stage`]
    }
    const name = model.stage === 'explain_stored' ? table.replace(/^stage_/, '') : table
    const sources = known.models.filter((one) => one.name === name)
    const [source] = sources
    if (source === undefined) return [`reads ${table}, which is no model and no table`]
    if (sources.some(({ stage }) => stage === model.stage)) return []
    if (isBeside && /^\d\d_/.test(source.stage)) return []
    return source.stage <= model.stage ? [] : [`reads ${table} of stage ${source.stage}`]
  })
  const declared = /^-- reads +(.*)$/m.exec(model.text)?.[1] ?? ''
  const names = declared === 'nothing' ? [] : declared.split(', ').sort()
  return names.join() === parsed.tables.join()
    ? complaints
    : [...complaints, `says it reads ${names.join(', ')}, and reads ${parsed.tables.join(', ')}`]
}

/** A look ahead over all rows as they come: DuckDB 1.5.5 now and then gives rows twice where a join follows it. A look back is sound. */
export function lookAheadComplaints({ text }: SqlModel): string[] {
  return /\blead\s*\([^)]*\)\s*over\s*\(\s*\)/i.test(text)
    ? ['looks ahead by lead over (): turn the order round and use lag']
    : []
}

/** Longer SQL is a file with a header, so that it is formatted, parsed and read. */
const MOST_LINES_IN_STRING = 12

const IN_CODE = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[`{}]/g
const IN_TEMPLATE = /\\.|`|\$\{/gs

/** The template strings of a TypeScript file, those inside others too. */
function templatesIn(text: string): string[] {
  const found: string[] = []
  /** The start of each open template; -1 stands for an open brace. */
  const open: number[] = []
  for (let at = 0; ;) {
    const begin = open.at(-1) ?? -1
    const pattern = begin >= 0 ? IN_TEMPLATE : IN_CODE
    pattern.lastIndex = at
    const token = pattern.exec(text)
    if (token === null) return found
    at = pattern.lastIndex
    if (token[0] === '`' && begin < 0) open.push(token.index)
    else if (token[0] === '`') found.push(text.slice(open.pop(), at))
    else if (token[0] === '}') open.pop()
    else if (token[0] === '{' || token[0] === '${') open.push(-1)
  }
}

/** SQL in a template string of a TypeScript file that is longer. */
export const longSqlComplaints = ({ path, text }: Pick<ProjectFile, 'path' | 'text'>): string[] =>
  templatesIn(text).flatMap((found) => {
    const lines = found.split('\n').length
    return lines > MOST_LINES_IN_STRING && /\bselect\b[\s\S]*\bfrom\b/.test(found)
      ? [`${path} has ${lines} lines of SQL in a string: ${found.slice(0, 40)}`]
      : []
  })

/** Code that changes the text of a model: only lake/run may bind what a model names. */
export const rewritingComplaints = ({ path, text }: Pick<ProjectFile, 'path' | 'text'>): string[] =>
  [...text.matchAll(/\b(?:model|view|\w*[sS]ql|select)(?:\.text)?\s*\.replace(?:All)?\(/g)].map(
    ([found]) => `${path} changes a model's text: ${found}`,
  )

const isCode = (text: string): text is ExceptionCode => Object.hasOwn(EXCEPTIONS, text)

function visit(node: unknown, see: (node: object) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) see(node)
  for (const child of Object.values(node)) visit(child, see)
}

function nameOf(node: object): string {
  const parts = new Map<string, unknown>(Object.entries(node))
  const names = ['catalog_name', 'schema_name', 'table_name'].map((key) => parts.get(key))
  return names.filter((name) => name !== '').join('.')
}

function columnsOf(node: {
  left?: Parameters<typeof columnsOf>[0]
  select_list?: { alias: string; column_names?: string[] }[]
}): string[] {
  if (node.left !== undefined) return columnsOf(node.left)
  return (node.select_list ?? []).map(({ alias, column_names }) =>
    alias === '' ? (column_names?.at(-1) ?? '') : alias,
  )
}

const MOST_LINES = 120

/** Names that say what happened to rows, not which rows a step holds. A step is a noun, or a verb and by what. */
const NO_NAME =
  /^(?:told|kept|near|quiet|sought|met|held|asked|seen|moved|taken|given|tried|chosen|marked|found|off|one|two|few|rest|all_kinds|cut_off|gap|flip|stretch|island)$/

/** A model can be read in two minutes: its length, and the names of its steps. */
export function readabilityComplaints({ text }: SqlModel): string[] {
  const lines = text.trimEnd().split('\n').length
  const steps = [...text.matchAll(/^ *(\w+) as (?:materialized )?\($/gm)].map(
    ([, name = '']) => name,
  )
  return [
    ...(lines > MOST_LINES ? [`has ${lines} lines, and at most ${MOST_LINES} are allowed`] : []),
    ...steps.filter((name) => NO_NAME.test(name)).map((name) => `has a step "${name}"`),
  ]
}
