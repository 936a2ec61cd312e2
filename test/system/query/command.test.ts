import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlaceWithLake, startTieout } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const place = newPlaceWithLake({})

const files = () => readdirSync(place.cwd, { recursive: true, encoding: 'utf8' })

test('an answer goes to stdout, or to a new file that appears whole, and never over an existing one', async () => {
  const sql = "select range as n, 'x' as t from range(3)"
  const said = await tieoutHere(['query', sql], place)
  expect(said).toEqual({ code: 0, stdout: 'n,t\r\n0,x\r\n1,x\r\n2,x\r\n', stderr: '' })

  writeFileSync(join(place.cwd, 'ask.sql'), `${sql};\n`)
  const asked = ['query', '--file', 'ask.sql', '--output', 'answer.parquet', '--format', 'parquet']
  expect(await tieoutHere(asked, place)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(join(place.cwd, 'answer.parquet')).subarray(0, 4).toString()).toBe('PAR1')
  const again = await tieoutHere(asked, place)
  expect(again.code).toBe(5)
  expect(again.stderr).toMatch(
    /^error would_overwrite: .*answer\.parquet exists already; next: .*\n$/,
  )

  const piped = await tieoutHere(['query', sql, '--format', 'parquet'], place)
  expect(piped.stdout.slice(0, 4)).toBe('PAR1')
  expect(files().filter((name) => /(^|\/)\./.test(name))).toEqual([])
})

test('a refused or wrong query gives one line and exit 2, and leaves nothing behind', async () => {
  writeFileSync(join(place.cwd, 'a-file'), '')
  for (const [args, line] of [
    [
      ['query', 'delete from lake.ops.run'],
      /^error query_refused: only a select may be asked; .*\n$/,
    ],
    [
      ['query', 'select x', '--output', 'half.csv'],
      /^error query_refused: Binder Error: .*; next: .*\n$/,
    ],
    [
      [
        'query',
        "select case when range > 90000 then 'x' else '1' end::int from range(100000)",
        '--output',
        'half.csv',
      ],
      /^error query_refused: Conversion Error: .*; next: .*\n$/,
    ],
    [
      ['query', 'select 1', '--output', 'none/x.csv'],
      /^error usage: the file none\/x.csv can't be written: there is no such file or folder \(ENOENT\); .*\n$/,
    ],
    [
      ['query', 'select 1', '--output', 'a-file/x.csv'],
      /^error usage: the file a-file\/x.csv can't be written: a part of the path is not a folder \(ENOTDIR\); .*\n$/,
    ],
  ] as const) {
    const { code, stderr } = await tieoutHere(args, place)
    expect([code, stderr]).toEqual([2, expect.stringMatching(line)])
  }
  expect(files().filter((name) => name.includes('half'))).toEqual([])
})

test('Ctrl-C ends a query, and leaves nothing behind', async () => {
  const sql = 'select a.range + b.range as n from range(1000000000) a, range(1000000000) b'
  const started = startTieout(['query', sql, '--output', 'endless.csv'], place)
  while (!files().some((name) => name.startsWith('.endless.csv'))) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  started.kill('SIGINT')
  expect((await started.ended).code).toBe(130)
  expect(files().filter((name) => name.includes('endless'))).toEqual([])
  expect(existsSync(join(place.cwd, 'data', 'catalog.sqlite'))).toBe(true)
})
