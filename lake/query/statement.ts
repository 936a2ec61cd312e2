/** The check of a person's SQL: one select over the views, and nothing beyond them. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import { lakeFailure } from '../connection/lake-errors.ts'
import { EVERY_RUN, LATEST, readViews } from './views.ts'

/**
 * Table functions that make rows from their arguments alone. Others read files, databases or
 * settings, or write.
 */
const TABLE_FUNCTIONS = new Set(['range', 'generate_series', 'unnest', 'generate_subscripts'])
/** Functions that reveal the setup of this program. */
const REVEALING = new Set([
  ...['current_setting', 'getvariable', 'getenv', 'current_query', 'write_log'],
  ...['pg_get_viewdef', 'pg_get_constraintdef', 'pg_get_expr'],
])

const REMEDY = 'ask one select over the views of docs/data-dictionary.md'

/** Throws usage unless the text is one select that reads only the views. Runs nothing. */
export async function checkStatement(connection: DuckDBConnection, text: string): Promise<void> {
  const reader = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [text])
  const tree = JSON.parse(String(reader.getRows()[0]?.[0])) as Parsed
  if (tree.error) {
    throw refused(
      tree.error_type === 'parser'
        ? `the SQL can't be read: ${tree.error_message ?? ''}`
        : 'only a select may be asked; the lake is open for reading',
    )
  }
  const { length } = tree.statements ?? []
  if (length !== 1) throw refused(`the SQL holds ${length} statements instead of one`)
  const complaint = complaintIn(tree.statements, new Set())
  if (complaint !== undefined) throw refused(complaint)
}

interface Parsed {
  error: boolean
  error_type?: string
  error_message?: string
  statements?: unknown[]
}

/** DuckDB's error text on one line. */
export function sqlFailure(error: unknown): Failure {
  const failure = lakeFailure(error)
  // A question that needs too much memory is answered by another question.
  if (failure !== undefined && failure.code !== 'config_invalid') return failure
  const text = error instanceof Error ? error.message : String(error)
  const [what = ''] = text
    .replace(/^Failure running pending result task: /, '')
    .split(/\n\s*\n|\nLINE /)
  return refused(what.replaceAll(/\s+/g, ' ').trim())
}

const refused = (what: string) => new Failure('query_refused', what, { remedy: REMEDY })

/**
 * Finds the first part of a statement that may not run. `ctes` are the names of the CTEs that this part may read. They
 * hide a view or another table of the same name only here.
 */
function complaintIn(node: unknown, ctes: ReadonlySet<string>): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if (Array.isArray(node)) return firstOf(node, (part) => complaintIn(part, ctes))
  const { cte_map: defined, ...rest } = node as Record<string, unknown>
  const known = new Set(ctes)
  // A CTE can read the CTEs before it. A recursive CTE also reads itself, on the right side of its union.
  const inDefinitions = firstOf(definitionsIn(defined), ({ key, value }) => {
    const found = complaintIn(value, known)
    known.add(folded(key))
    return found
  })
  return (
    inDefinitions ??
    complaintOf(new Map(Object.entries(rest)), known) ??
    firstOf(Object.entries(rest), ([name, part]) => {
      const isRecursive = rest['type'] === 'RECURSIVE_CTE_NODE' && name === 'right'
      const own = isRecursive ? [folded(String(rest['cte_name']))] : []
      return complaintIn(part, new Set([...known, ...own]))
    })
  )
}

interface Definition {
  key: string
  value: unknown
}

function definitionsIn(defined: unknown): readonly Definition[] {
  return typeof defined === 'object' && defined !== null && 'map' in defined
    ? (defined.map as readonly Definition[])
    : []
}

function firstOf<T>(
  parts: readonly T[],
  complaint: (part: T) => string | undefined,
): string | undefined {
  for (const part of parts) {
    const found = complaint(part)
    if (found !== undefined) return found
  }
  return undefined
}

function complaintOf(
  node: ReadonlyMap<string, unknown>,
  ctes: ReadonlySet<string>,
): string | undefined {
  const type = node.get('type')
  if (type === 'BASE_TABLE') return complaintOnName(node, ctes)
  if (type === 'SHOW_REF') return complaintOnShow(node)
  if (type === 'TABLE_FUNCTION') {
    const name = functionIn(node.get('function'))
    return TABLE_FUNCTIONS.has(name) ? undefined : `the function ${name} may not be read from`
  }
  if (node.get('class') === 'PARAMETER') {
    return 'a query has no parameters such as ? or $1; write the value itself'
  }
  if (node.get('class') !== 'FUNCTION') return undefined
  const name = String(node.get('function_name')).toLowerCase()
  return REVEALING.has(name) ? `the function ${name} may not be called` : undefined
}

/** DuckDB ignores the case of ASCII letters only: for it, the Kelvin sign is no k. */
const folded = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

function complaintOnName(
  node: ReadonlyMap<string, unknown>,
  ctes: ReadonlySet<string>,
): string | undefined {
  const parts = ['catalog_name', 'schema_name', 'table_name']
    .map((key) => String(node.get(key) ?? ''))
    .filter((part) => part !== '')
  const lowered = parts.map(folded)
  // A name in quotes may contain dots, so that parts are compared and not their text.
  const isCte = lowered.length === 1 && ctes.has(lowered[0] ?? '')
  const isView = viewNames().has(JSON.stringify(lowered))
  return isCte || isView ? undefined : `${parts.join('.')} is none of the views`
}

let known: ReadonlySet<string> | undefined

/** Every name under which a query may read a view, as a JSON list of its parts. */
const viewNames = (): ReadonlySet<string> =>
  (known ??= new Set(
    readViews()
      .flatMap(({ name, of }) => [
        ...[[name], [LATEST, name], ['memory', LATEST, name]],
        ...(of === 'results'
          ? [
              [EVERY_RUN, name],
              ['memory', EVERY_RUN, name],
            ]
          : []),
      ])
      .map((parts) => JSON.stringify(parts)),
  ))

/** `show tables` lists the views. `describe` and `summarize` have a query of their own below this node. */
function complaintOnShow(node: ReadonlyMap<string, unknown>): string | undefined {
  if (['DESCRIBE', 'SUMMARY'].includes(String(node.get('show_type')))) return undefined
  const isTables =
    node.get('show_type') === 'SHOW_UNQUALIFIED' && node.get('table_name') === '"tables"'
  return isTables ? undefined : 'only "show tables" may be asked; other lists go beyond the views'
}

function functionIn(node: unknown): string {
  if (typeof node !== 'object' || node === null || !('function_name' in node)) return ''
  return String(node.function_name).toLowerCase()
}
