/** The check of a person's SQL: one select over the views, and nothing beyond them. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import { lakeFailure } from '../connection/lake-errors.ts'
import { EVERY_RUN, LATEST } from './views.ts'

/** The permitted schemas; '' is a name without one. */
const SCHEMAS = new Set(['', LATEST, EVERY_RUN, 'information_schema'])
/**
 * Table functions that make rows from their arguments alone. Others read files, databases or
 * settings, or write.
 */
const TABLE_FUNCTIONS = new Set(['range', 'generate_series', 'unnest', 'generate_subscripts'])
/** Functions that reveal the setup of this program. */
const REVEALING = new Set(['current_setting', 'getvariable', 'getenv'])

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
  const complaint = complaintIn(tree.statements)
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
  if (failure !== undefined) return failure
  const text = error instanceof Error ? error.message : String(error)
  const [what = ''] = text
    .replace(/^Failure running pending result task: /, '')
    .split(/\n\s*\n|\nLINE /)
  return refused(what.replaceAll(/\s+/g, ' ').trim())
}

const refused = (what: string) => new Failure('query_refused', what, { remedy: REMEDY })

function complaintIn(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const found = Array.isArray(node) ? undefined : complaintOf(new Map(Object.entries(node)))
  if (found !== undefined) return found
  for (const child of Object.values(node)) {
    const below = complaintIn(child)
    if (below !== undefined) return below
  }
  return undefined
}

function complaintOf(node: ReadonlyMap<string, unknown>): string | undefined {
  const type = node.get('type')
  if (type === 'BASE_TABLE' || type === 'SHOW_REF') return complaintOnName(node)
  if (type === 'TABLE_FUNCTION') {
    const name = functionIn(node.get('function'))
    return TABLE_FUNCTIONS.has(name) ? undefined : `the function ${name} may not be read from`
  }
  if (node.get('class') !== 'FUNCTION') return undefined
  const name = String(node.get('function_name')).toLowerCase()
  return REVEALING.has(name) ? `the function ${name} may not be called` : undefined
}

function complaintOnName(node: ReadonlyMap<string, unknown>): string | undefined {
  const [catalog, schema, table] = ['catalog_name', 'schema_name', 'table_name'].map((key) =>
    String(node.get(key) ?? ''),
  )
  const name = [catalog, schema, table].filter((part) => part !== '').join('.')
  const isKnown =
    ['', 'memory'].includes(catalog ?? '') && SCHEMAS.has((schema ?? '').toLowerCase())
  return isKnown ? undefined : `${name} is none of the views`
}

function functionIn(node: unknown): string {
  if (typeof node !== 'object' || node === null || !('function_name' in node)) return ''
  return String(node.function_name).toLowerCase()
}
