/** Goal: no broken variant is forgotten when its module changes. Method: each text that a variant replaces is looked up. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTANTS } from '../mutants/bank.ts'
import { broken } from '../mutants/mutant.ts'
import { ROOT } from './project-files.ts'

test.each(MUTANTS)('$module can be broken, and a test is named for it: $title', (mutant) => {
  const text = readFileSync(join(ROOT, mutant.module), 'utf8')
  expect(broken(text, mutant)).not.toBe(text)
  expect(existsSync(join(ROOT, 'test', `${mutant.file}.test.ts`))).toBe(true)
})
