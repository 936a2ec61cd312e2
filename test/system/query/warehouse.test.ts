/**
 * Goal: docs/warehouse.md works as written. Method: its commands and statements are taken from the page, and run over two
 * nights, the second of them as an incremental load.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { assert, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { extensionFolder } from '../../../lake/connection/extensions.ts'
import { builtProject, newPlace, type Place, simulate, tieout } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { readProject, ROOT } from '../../house/project-files.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { surroundings } from '../../support/surroundings.ts'

const WORLD = ['--terminals', '2', '--transactions', '400', '--from', '2026-09-10', '--days', '55']
const PAGE = readProject('docs/warehouse.md')

let place: Place

const run = promisify(execFile)

/** The only block of the page that holds these words, and what some words of it are replaced by. */
function block(words: string, replaced: Readonly<Record<string, string>> = {}): string {
  const all = [...PAGE.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const [found, ...others] = all.filter((text) => text.includes(words))
  assert(found !== undefined && others.length === 0, `one block of the page holds ${words}`)
  return Object.entries(replaced).reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, found)
}

/** Runs commands of the page in the place. */
async function shell(commands: string): Promise<void> {
  const program = join(builtProject(), 'bin', 'tieout.mjs')
  const script = `set -eu; tieout() { '${process.execPath}' '${program}' "$@"; }\n${commands}`
  await run('bash', ['-c', script], { cwd: place.cwd, env: { ...surroundings(), ...place.env } })
}

/** A warehouse that finds relative names in the place, as a program that is started there. */
async function newWarehouse(): Promise<DuckDBConnection> {
  const folder = await extensionFolder()
  const found = folder === undefined ? {} : { extension_directory: folder }
  const instance = await DuckDBInstance.create(':memory:', found)
  onTestFinished(() => instance.closeSync())
  const warehouse = await instance.connect()
  await warehouse.run(`set file_search_path = '${place.cwd}'`)
  return warehouse
}

/** The rows of the last statement. */
const rowsOf = async (warehouse: DuckDBConnection, sql: string) =>
  (await warehouse.runAndReadAll(sql)).getRows()

const night = async (now: string) => {
  const service = await simulate([...WORLD, '--now', now], newPlace())
  const range = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', now]
  const { code, stderr } = await tieout(['run', ...range], { ...place, env: service })
  expect(code, stderr).toBe(0)
}

const EXPORT = 'select * from settlements'
const LOAD = 'create table settlements'

/** The commands of the page replace no file. */
function emptyFolder(): void {
  rmSync(join(place.cwd, 'tieout'), { recursive: true, force: true })
  mkdirSync(join(place.cwd, 'tieout'))
}

beforeEach(emptyFolder)

beforeAll(async () => {
  place = newPlace()
  mkdirSync(join(place.cwd, 'models'))
  await night('2026-10-29T04:15:00Z')
})

test('the page has no block that no test runs', () => {
  const run = [
    EXPORT,
    LOAD,
    'landingSeq > 3',
    'insert into',
    '--dictionary dbt',
    'source(',
    'attach',
  ]
  expect([...PAGE.matchAll(/^```\w+$/gm)]).toHaveLength(
    new Set(run.map((words) => block(words))).size,
  )
})

test('versions that landed after the last load are added, and make the same table as a whole load', async () => {
  const warehouse = await newWarehouse()
  const count = async (sql: string) => Number((await rowsOf(warehouse, sql))[0]?.[0])
  const versions = { settlements: 'settlement_versions' }
  await shell(block(EXPORT, versions))
  await warehouse.run(block(LOAD, versions))
  const last = await count(block('insert into').split('\n')[1] ?? '')
  const before = await count('select count(*) from settlement_versions')

  await night('2026-10-30T04:15:00Z')
  await shell(block('landingSeq > 3', { 'landingSeq > 3': `landingSeq > ${last}` }))
  expect(Number((await rowsOf(warehouse, block('insert into'))).at(-1)?.[0])).toBeGreaterThan(last)
  emptyFolder()
  await shell(block(EXPORT, versions))
  const whole = "read_parquet('tieout/settlement_versions.parquet')"
  const differ = (one: string, other: string) =>
    count(`select count(*) from (select * from ${one} except all select * from ${other})`)
  expect(await count('select count(*) from settlement_versions')).toBeGreaterThan(before)
  expect(await differ('settlement_versions', whole)).toBe(0)
  expect(await differ(whole, 'settlement_versions')).toBe(0)
})

test('the sources of dbt have every column of the file that a view becomes', async () => {
  await shell(block(EXPORT))
  const { stdout } = await tieoutHere(['query', '--dictionary', 'dbt'], place)
  const { sources } = parse(stdout) as {
    sources: { tables: { name: string; columns: { name: string; data_type: string }[] }[] }[]
  }
  const settlements = sources[0]?.tables.find(({ name }) => name === 'settlements')
  const warehouse = await newWarehouse()
  await warehouse.run(block(LOAD))
  expect(settlements?.columns.map(({ name, data_type }) => [name, data_type])).toEqual(
    (await rowsOf(warehouse, 'describe settlements')).map(([name, type]) => [name, type]),
  )
})

test('dbt reads the sources, and makes the model of the page from the file', async (context) => {
  requireProgram(context, 'dbt')
  await shell(block(EXPORT))
  await shell(block('--dictionary dbt'))
  const write = (name: string, text: string) => writeFileSync(join(place.cwd, name), text)
  write('models/verdicts.sql', `{{ config(materialized='table') }}\n${block('source(')}`)
  write('dbt_project.yml', 'name: books\nprofile: books\n')
  write(
    'profiles.yml',
    'books: { target: it, outputs: { it: { type: duckdb, path: books.duckdb } } }\n',
  )
  const env = { ...surroundings(), DO_NOT_TRACK: '1' }
  const { stdout } = await run('dbt', ['build', '--no-use-colors', '--profiles-dir', '.'], {
    cwd: place.cwd,
    env,
  })
  expect(stdout).toMatch(/PASS=1 WARN=0 ERROR=0 SKIP=0/)
  const warehouse = await newWarehouse()
  await warehouse.run(block(LOAD))
  await warehouse.run(`attach '${join(place.cwd, 'books.duckdb')}' as books (read_only)`)
  const made = await rowsOf(warehouse, 'from books.verdicts order by all')
  expect(made.length).toBeGreaterThan(0)
  expect(made).toEqual(
    await rowsOf(warehouse, 'select verdict, count(*) from settlements group by all order by all'),
  )
})

test('DuckDB attaches the lake itself by the statements of the page', async () => {
  const warehouse = await newWarehouse()
  const here = { 'sqlite:data/': `sqlite:${place.cwd}/data/` }
  const tables = await rowsOf(warehouse, block('attach', here))
  expect(tables.flat()).toContain('settlement_version')
  const [seen] = await rowsOf(warehouse, 'select count(*) from lake.seen.settlement_version')
  expect(Number(seen?.[0])).toBeGreaterThan(0)
  await expect(warehouse.run('delete from lake.seen.settlement_version')).rejects.toThrow(
    'read-only',
  )
})

interface Output {
  data: { 'image/png'?: string; 'text/plain'?: string[] }
}

test('the notebook runs over the files, draws its pictures and counts every settlement', async (context) => {
  requireProgram(context, 'polars')
  requireProgram(context, 'matplotlib')
  const notebook = readProject('docs/warehouse.ipynb')
  for (const name of ['settlements', 'unsettled']) {
    const words = `tieout query \\"select * from ${name}\\" --format parquet --output tieout/${name}.parquet`
    expect(notebook).toContain(words)
    await shell(words.replaceAll('\\"', '"'))
  }
  const program = join(import.meta.dirname, 'run-notebook.py')
  const args = [program, join(ROOT, 'docs/warehouse.ipynb')]
  const { stdout } = await run('python3', args, {
    cwd: place.cwd,
    maxBuffer: 16_000_000,
  })
  const outputs: Output[] = (JSON.parse(stdout) as Output[][]).flat()
  expect(outputs.filter(({ data }) => data['image/png'] !== undefined)).toHaveLength(2)
  const table = outputs.map(({ data }) => data['text/plain']?.join('') ?? '').join('\n')
  const counts = [...table.matchAll(/│ (?:BREAK|EXPLAINED|PENDING|TIED|NO_DATA) +┆ (\d+)/g)]
  const all = await tieoutHere(
    ['query', 'select count(*) as n from settlements', '--format', 'csv'],
    place,
  )
  const [, n] = all.stdout.trim().split(/\r?\n/)
  expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(Number(n))
})
