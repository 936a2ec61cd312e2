/** The version of the code behind a number: the project's version and the text of every model. */
import { createHash } from 'node:crypto'
import { macros, readChecks, readModels } from './models.ts'
import { packageVersion } from '../connection/package-root.ts'

/** Returns for example `0.1.0+3f9a1c2b4d5e`, which changes whenever a model does. */
export function codeVersion(): string {
  const hash = createHash('sha256').update(macros())
  // Sorted by name, so that a model can move to another stage without a new version.
  const models = [...readModels(), ...readChecks()].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, text } of models) hash.update(name).update(text)
  return `${packageVersion()}+${hash.digest('hex').slice(0, 12)}`
}
