/**
 * Goal: no broken variant is forgotten when its module or its test changes. Method: each text that a variant replaces,
 * and each title, is looked up. The changed module must be a program.
 */
import { transformSync } from 'esbuild'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readModels } from '../../lake/run/models.ts'
import { anyLayout, MUTANTS as MODEL_MUTANTS } from '../models/mutants/bank.ts'
import { MUTANTS } from '../mutants/bank.ts'
import { broken } from '../mutants/mutant.ts'
import { readProject, ROOT } from './project-files.ts'

const GROUP_OR_TEST = /(?:\b(describe)|\btest|\))\(\s*(?:'((?:\\.|[^'\\])*)'|"([^"]*)"|`([^`]*)`),/g
/** Such as %s and $name, for which `test.each` puts in a value. */
const VALUE = /%[a-z]|\$\w+(?:\.\w+)*/

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** True if a test of the file has the title, behind that of its group. A value in it must stand in the file, too. */
function hasTest(text: string, title: string): boolean {
  const found = [...text.matchAll(GROUP_OR_TEST)].map(([, group, ...quoted]) => ({
    isGroup: group !== undefined,
    words: quoted.find((words) => words !== undefined) ?? '',
  }))
  const groups = ['', ...found.filter(({ isGroup }) => isGroup).map(({ words }) => `${words} `)]
  const tests = found.filter(({ isGroup }) => !isGroup).map(({ words }) => words)
  return groups.some((group) => tests.some((one) => isTitle(`${group}${one}`, { title, text })))
}

function isTitle(words: string, { title, text }: { title: string; text: string }): boolean {
  const pattern = words.split(VALUE).map(escaped).join('(.+)')
  const found = new RegExp(`^${pattern}$`).exec(title)
  if (found === null) return false
  return found.slice(1).every((value) => text.includes(value.replaceAll(/^['"]|['"]$/g, '')))
}

const isProgram = (text: string): boolean => {
  try {
    return transformSync(text, { loader: 'ts', logLevel: 'silent' }).code !== ''
  } catch {
    return false
  }
}

test.each(MUTANTS)('$module can be broken, and a test is named for it: $title', (mutant) => {
  const text = readProject(mutant.module)
  const changed = broken(text, mutant)
  expect(changed).not.toBe(text)
  expect(isProgram(changed), 'the changed module can be loaded').toBe(true)
  const file = join(ROOT, 'test', `${mutant.file}.test.ts`)
  expect(existsSync(file)).toBe(true)
  expect(hasTest(readFileSync(file, 'utf8'), mutant.title), 'the file has the test').toBe(true)
})

test('each model of the bank has the text to change once, and the named file has the test', () => {
  const models = new Map(readModels().map(({ name, text }) => [name, text]))
  const stale = MODEL_MUTANTS.filter(({ model, from, file, title }) => {
    const parts = models.get(model)?.split(anyLayout(from)) ?? []
    return parts.length !== 2 || !hasTest(readProject(`test/${file}.test.ts`), title)
  })
  expect(stale).toEqual([])
})

test('a title without a test, and a change that is no program, are found', () => {
  const file = [
    "describe('a list', () => {",
    "  test('ends', () => {})",
    "  test.each([['a gap', 1]])('has %s', () => {})",
    '})',
  ].join('\n')
  const titles = ['a list ends', 'a list has a gap', 'a list begins', 'a list has a hole', 'a list']
  expect(titles.filter((title) => hasTest(file, title))).toEqual([
    'a list ends',
    'a list has a gap',
  ])
  expect(isProgram('const raised = \nif (raised) throw raised')).toBe(false)
})
