import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { dictionary } from '../../lake/query/dictionary.ts'
import { KINDS } from '../../lake/query/kinds.ts'
import { EVERY_RUN, LATEST, readViews, viewOf, type View } from '../../lake/query/views.ts'
import { viewsInMemory } from '../system/query/query-world.ts'
import { projectFiles, readProject } from './project-files.ts'
import { lakeTablesIn } from './sql-rules.ts'

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await viewsInMemory()
})

const views = readViews()
const named = views.map((view): [string, View] => [view.name, view])

/** Columns that a view has, with their types, as DuckDB says. */
async function columnsOf(schema: string, name: string): Promise<string[]> {
  const reader = await connection.runAndReadAll(`describe ${schema}.${name}`)
  return reader.getRows().map(([column, type]) => `${String(column)} ${String(type)}`)
}

const declared = ({ columns }: View) =>
  columns.map(({ name, kind }) => `${name} ${KINDS[kind].type}`)

test('the views are found, each in the file of its name', () => {
  expect(views.length).toBeGreaterThan(20)
  const files = projectFiles('sql/views').map(({ path }) => path)
  expect(files).toEqual(views.map(({ name }) => `sql/views/${name}.sql`))
})

describe('every column of a view has a meaning and a unit, and the type of its unit', () => {
  test.each(named)('%s', async (name, view) => {
    expect(await columnsOf(LATEST, name)).toEqual(declared(view))
    if (view.of === 'results') expect(await columnsOf(EVERY_RUN, name)).toEqual(declared(view))
  })

  test.each(named)('%s has its account, and its run if it shows results', (_, view) => {
    const first = view.columns.slice(0, view.of === 'results' ? 2 : 1).map(({ name }) => name)
    expect(first).toEqual(view.of === 'results' ? ['account', 'runId'] : ['account'])
    expect([view.grain, view.silent].every((text) => text.length > 6)).toBe(true)
  })

  test('the rule reports a column without a meaning, without a kind, or of an unknown kind', () => {
    const viewWith = (said: string) =>
      `-- view     x\n-- of       records\n-- grain    one row\n-- silent   nothing\nselect 1 as "a", -- ${said}\n2 as b -- ${said}`
    expect(viewOf(viewWith('money: what it is')).columns).toEqual(
      ['a', 'b'].map((name) => ({ name, kind: 'money', meaning: 'what it is' })),
    )
    for (const said of ['money:', 'what it is', 'gold: what it is']) {
      expect(() => viewOf(viewWith(said))).toThrow('a kind and a meaning')
    }
  })
})

test('a view can read every table of the service’s records and of a run’s results', () => {
  const read = views.map(({ text }) => text).join('\n')
  const open = [...lakeTablesIn(projectFiles('sql'))].filter((table) => !read.includes(table))
  // These tables join sweeps and runs, or serve the next run. Others repeat rows of a run for its summaries, for an
  // explanation or for accounting programs. No view shows them.
  const inner =
    /^lake\.(ops\.(\w*fence|card_key|hash_key|landing|landed_page|sighting)|main\.migration|result\.(sweeps|evidence|gathered|summary))$/
  expect(open.filter((table) => !inner.test(table))).toEqual([])
})

test('docs/data-dictionary.md is the text of the views; `npm run dictionary` writes it', () => {
  expect(readProject('docs/data-dictionary.md')).toBe(dictionary())
})
