/**
 * Goal: each invariant is proved under its number. Method: the table of test/README.md is compared with the titles of
 * tests.
 */
import { describe, expect, test } from 'vitest'
import { projectFiles, readProject } from './project-files.ts'

const IDS = Array.from({ length: 20 }, (_, i) => `I${i + 1}`)
const ROW = /^\| (I[0-9]+) \| (.+) \| (.+) \|$/gm
const TITLE = /\btest(?:\.\w+)*\(\s*['"`]((?:I[0-9]+, )*I[0-9]+): /g

/** Each id with each file, as `I7 truth/oracle/invariants`, that a table of ids names. */
function inTable(page: string): string[] {
  return [...page.matchAll(ROW)].flatMap(([, id = '', , files = '']) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => `${id} ${file}`),
  )
}

/** The same of titles. */
function inTitles(files: readonly { path: string; text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(TITLE)].flatMap(([, ids = '']) =>
      ids.split(', ').map((id) => `${id} ${path.replace(/^test\/|\.test\.ts$/g, '')}`),
    ),
  )
}

/** The ids that the table or the titles lack, and what only one of both has. */
function complaints(page: string, files: readonly { path: string; text: string }[]): string[] {
  const [table, titles] = [new Set(inTable(page)), new Set(inTitles(files))]
  const idsOf = (pairs: ReadonlySet<string>) =>
    new Set([...pairs].map((pair) => pair.split(' ')[0]))
  return [
    ...IDS.filter((id) => !idsOf(table).has(id)).map((id) => `${id} is not in the table`),
    ...IDS.filter((id) => !idsOf(titles).has(id)).map((id) => `${id} is in no title`),
    ...[...table].filter((pair) => !titles.has(pair)).map((pair) => `no title says ${pair}`),
    ...[...titles].filter((pair) => !table.has(pair)).map((pair) => `the table lacks ${pair}`),
  ]
}

const page = readProject('test/README.md')
const files = projectFiles('test').filter(({ path }) => path.endsWith('.test.ts'))

test('each invariant is in the table with the files whose titles begin with its id', () => {
  expect(complaints(page, files)).toEqual([])
})

describe('the rule finds', () => {
  test('an id that the table lacks', () => {
    expect(complaints(page.replace(/^\| I7 .*\n/m, ''), files)).toContain('I7 is not in the table')
  })
  test('an id that no title has', () => {
    const without = files.map(({ path, text }) => ({ path, text: text.replaceAll('I7', 'I99') }))
    expect(complaints(page, without)).toContain('I7 is in no title')
  })
})
