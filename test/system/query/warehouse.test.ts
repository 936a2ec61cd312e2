/**
 * Goal: docs/warehouse.md works as written. Method: its commands and statements are run over two nights, the second of
 * them as an incremental load.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { newPlace, type Place, simulate, tieout } from '../../support/built.ts'
import { readProject, ROOT } from '../../house/project-files.ts'
import { requireProgram } from '../../support/outside-program.ts'

const WORLD = ['--terminals', '2', '--transactions', '400', '--from', '2026-09-10', '--days', '55']
const PAGE = readProject('docs/warehouse.md')
const PARQUET = ['--format', 'parquet', '--output']

let place: Place

const query = async (sql: string, file: string) => {
  const { code, stderr } = await tieout(['query', sql, ...PARQUET, join('tieout', file)], place)
  expect(code, stderr).toBe(0)
}

const night = async (now: string) => {
  const service = await simulate([...WORLD, '--now', now], newPlace())
  const range = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', now]
  const { code, stderr } = await tieout(['run', ...range], { ...place, env: service })
  expect(code, stderr).toBe(0)
}

beforeAll(async () => {
  place = newPlace()
  mkdirSync(join(place.cwd, 'tieout'))
  await night('2026-10-29T04:15:00Z')
})

test('versions that landed after the last load are added, and make the same table as a whole load', async () => {
  const warehouse = await (await DuckDBInstance.create()).connect()
  const count = async (sql: string) =>
    Number((await warehouse.runAndReadAll(sql)).getRows()[0]?.[0])
  const file = (name: string) => `read_parquet('${join(place.cwd, 'tieout', name)}')`
  await query('select * from settlement_versions', 'first.parquet')
  await warehouse.run(`create table settlement_versions as from ${file('first.parquet')}`)
  const last = await count('select max("landingSeq") from settlement_versions')
  const before = await count('select count(*) from settlement_versions')

  await night('2026-10-30T04:15:00Z')
  const statement = 'select * from settlement_versions where landingSeq > 3'
  expect(PAGE).toContain(statement)
  await query(statement.replace('3', String(last)), 'new.parquet')
  await query('select * from settlement_versions', 'all.parquet')
  await warehouse.run(`insert into settlement_versions from ${file('new.parquet')}`)
  const differ = (one: string, other: string) =>
    count(`select count(*) from (select * from ${one} except all select * from ${other})`)
  expect(await count('select count(*) from settlement_versions')).toBeGreaterThan(before)
  expect(await differ('settlement_versions', file('all.parquet'))).toBe(0)
  expect(await differ(file('all.parquet'), 'settlement_versions')).toBe(0)
})

test('the sources of dbt have every column of the file that a view becomes', async () => {
  const { stdout } = await tieout(['query', '--dictionary', 'dbt'], place)
  const { sources } = parse(stdout) as {
    sources: { tables: { name: string; columns: { name: string; data_type: string }[] }[] }[]
  }
  const settlements = sources[0]?.tables.find(({ name }) => name === 'settlements')
  await query('select * from settlements', 'settlements.parquet')
  const warehouse = await (await DuckDBInstance.create()).connect()
  const described = await warehouse.runAndReadAll(
    `describe from read_parquet('${join(place.cwd, 'tieout', 'settlements.parquet')}')`,
  )
  expect(settlements?.columns.map(({ name, data_type }) => [name, data_type])).toEqual(
    described.getRows().map(([name, type]) => [name, type]),
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
    rmSync(join(place.cwd, 'tieout', `${name}.parquet`), { force: true })
    await query(`select * from ${name}`, `${name}.parquet`)
  }
  const program = join(import.meta.dirname, 'run-notebook.py')
  const args = [program, join(ROOT, 'docs/warehouse.ipynb')]
  const { stdout } = await promisify(execFile)('python3', args, {
    cwd: place.cwd,
    maxBuffer: 16_000_000,
  })
  const outputs: Output[] = (JSON.parse(stdout) as Output[][]).flat()
  expect(outputs.filter(({ data }) => data['image/png'] !== undefined)).toHaveLength(2)
  const table = outputs.map(({ data }) => data['text/plain']?.join('') ?? '').join('\n')
  const counts = [...table.matchAll(/│ (?:BREAK|EXPLAINED|PENDING|TIED|NO_DATA) +┆ (\d+)/g)]
  const all = await tieout(
    ['query', 'select count(*) as n from settlements', '--format', 'csv'],
    place,
  )
  const [, n] = all.stdout.trim().split(/\r?\n/)
  expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(Number(n))
})
