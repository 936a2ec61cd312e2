/** A plugin of vite that breaks one module on its way into the tests. */
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { ROOT } from '../house/project-files.ts'
import { MUTANTS } from './bank.ts'
import { broken, MUTANT_VARIABLE } from './mutant.ts'

/** The plugin for the mutant that the environment names; none in every other process. */
export function breakModule(): Plugin[] {
  const place = process.env[MUTANT_VARIABLE]
  if (place === undefined) return []
  const mutant = MUTANTS[Number(place)]
  if (mutant === undefined) throw new Error(`the bank has no mutant ${place}`)
  const path = join(ROOT, mutant.module)
  return [
    {
      name: 'break-module',
      enforce: 'pre',
      transform: (text, id) => (id.split('?')[0] === path ? broken(text, mutant) : undefined),
    },
  ]
}
