/**
 * The views for queries: a file of sql/views each, with the meaning of every column beside it.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../../domain/failure.ts'
import { packageRoot } from '../connection/package-root.ts'
import { rankedPublications } from '../results/publications.ts'
import { isKind, type Kind } from './kinds.ts'

const FOLDER = join(packageRoot, 'sql', 'views')

/** The schema for unqualified names: the results of each account's latest run. */
export const LATEST = 'tieout'
/** The schema with the results of every run. */
export const EVERY_RUN = 'every_run'

export interface ViewColumn {
  name: string
  kind: Kind
  meaning: string
}

export interface View {
  name: string
  /** Results belong to runs; records are observations of the service and decisions of people. */
  of: 'records' | 'results'
  grain: string
  /** The deliberate omissions. */
  silent: string
  columns: readonly ViewColumn[]
  text: string
}

/** All views, in order of name. */
export function readViews(): View[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => viewOf(readFileSync(join(FOLDER, file), 'utf8')))
}

/**
 * Reads a view: its header with `view`, `of`, `grain` and `silent`, then a line `… as "name", -- kind: meaning` for each
 * column.
 */
export function viewOf(text: string): View {
  const entries = [...text.matchAll(/^-- (\w+) +(\S.*)$/gm)].map(
    ([, key = '', value = '']): [string, string] => [key, value],
  )
  const [name, of, grain, silent] = ['view', 'of', 'grain', 'silent'].map(
    (key) => entries.find(([found]) => found === key)?.[1] ?? '',
  )
  assert(of === 'records' || of === 'results', `view ${name} is of records or of results`)
  const columns = [...text.matchAll(/"?(\b\w+)"?,? -- (.*)$/gm)].map(([, column = '', said = '']) =>
    columnOf(column, said),
  )
  return { name: name ?? '', of, grain: grain ?? '', silent: silent ?? '', columns, text }
}

function columnOf(name: string, said: string): ViewColumn {
  const [, kind = '', meaning = ''] = /^(\w+): (\S.*)$/.exec(said) ?? []
  assert(isKind(kind), `column "${name}" has a kind and a meaning`)
  return { name, kind, meaning }
}

/** Makes the views in the connection's own catalog, over its attached lake. */
export async function createViews(connection: DuckDBConnection): Promise<void> {
  await connection.run(`create schema ${LATEST}; create schema ${EVERY_RUN}`)
  await connection.run(`create view ${LATEST}.publication_rank as ${rankedPublications()}`)
  // The runs come first, because views of results read them.
  for (const view of readViews().sort((a, b) => rank(a) - rank(b))) {
    await create(connection, LATEST, view)
    if (view.of === 'results') await create(connection, EVERY_RUN, view)
    if (view.name === 'runs') await createChosenRuns(connection)
  }
}

const rank = ({ of }: View) => (of === 'records' ? 0 : 1)

async function create(connection: DuckDBConnection, schema: string, view: View): Promise<void> {
  // A view looks for other names in its own schema first: `chosen_run` is that of the schema.
  await connection.run(`create view ${schema}.${view.name} as ${view.text}`)
}

async function createChosenRuns(connection: DuckDBConnection): Promise<void> {
  const run = '"runId" as run_id, account, "knownAt" as known_at'
  await connection.run(
    `create view ${EVERY_RUN}.chosen_run as select ${run} from ${LATEST}.runs;
     create view ${LATEST}.chosen_run as select ${run} from ${LATEST}.runs where "isLatest"`,
  )
}
