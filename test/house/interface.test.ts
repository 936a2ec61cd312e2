import { expect, test } from 'vitest'
import { createProgram } from '../../cli/main.ts'
import { openTerminal } from '../../cli/shell/terminal.ts'
import { FAILURES } from '../../domain/failure.ts'
import { guardedColumns, PACK_FILES } from '../../reports/pack/pack-files.ts'
import { unknownVariables } from '../../workers/config/environment-names.ts'
import { projectFiles, readProject } from './project-files.ts'

const page = readProject('docs/interface.md')

/** The first cell of each row of the page's tables, split into its names. */
function namesIn(text: string): string[] {
  const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => cell.replaceAll('`', '').split(', '))
}

async function commandsOf(): Promise<string[]> {
  const program = await createProgram({
    terminal: openTerminal(),
    signal: new AbortController().signal,
    exit: () => {},
  })
  return program.commands.map((command) => `tieout ${command.name()}`).sort()
}

test('the commands on the page are the commands of the program', async () => {
  const documented = namesIn(page).filter((name) => name.startsWith('tieout '))
  expect(documented.sort()).toEqual(await commandsOf())
})

test('every failure has an exit code that the page explains', () => {
  const explained = new Set(namesIn(page).filter((name) => /^\d+$/.test(name)))
  const used = Object.values(FAILURES).map(({ exit }) => String(exit))
  expect(used.filter((exit) => !explained.has(exit))).toEqual([])
})

test('every command in a remedy exists', async () => {
  const commands = await commandsOf()
  const dangling = Object.entries(FAILURES).flatMap(([code, { remedy }]) => {
    const named = /\btieout [a-z]+/.exec(remedy)?.[0]
    return named === undefined || commands.includes(named) ? [] : [`${code}: ${named}`]
  })
  expect(dangling).toEqual([])
})

test('the columns of every file on the page are the documented columns', () => {
  for (const { name, columns } of PACK_FILES) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`))
    expect(row?.split('|')[3]?.trim()).toBe(columns.map((column) => column.name).join(', '))
  }
})

test('the guarded columns on the page are the guarded columns of the program', () => {
  const listed = /may stand before[^:]*: ([^.]+)\./.exec(page)?.[1]?.split(/,\s+/)
  const guarded = [...new Set(Object.values(guardedColumns()).flat())]
  expect(listed?.sort()).toEqual(guarded.sort())
})

test('every variable of ours that the code reads is on a page, and every one on the page is read', () => {
  const folders = ['api', 'lake', 'activities', 'workers', 'cli']
  const code = folders
    .flatMap((folder) => projectFiles(folder))
    .map(({ text }) => text)
    .join('\n')
  const read = new Set([...code.matchAll(/'(TIEOUT_[A-Z_]+)'/g)].map(([, name = '']) => name))
  const documented = new Set(namesIn(page).filter((name) => name.startsWith('TIEOUT_')))
  expect([...read].filter((name) => !documented.has(name))).toEqual([])
  expect([...documented].filter((name) => !read.has(name))).toEqual([])
})

test('a documented variable is not reported as unknown, and any other variable is', () => {
  const documented = namesIn(page).filter((name) => name.startsWith('TIEOUT_'))
  const env = Object.fromEntries([...documented, 'TIEOUT_NONE_SUCH'].map((name) => [name, 'x']))
  expect(documented.length).toBeGreaterThan(10)
  expect(unknownVariables(env, () => undefined).map(({ name }) => name)).toEqual([
    'TIEOUT_NONE_SUCH',
  ])
})
