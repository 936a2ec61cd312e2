/** A reporter of vitest: writes the outcome of each test that ran, with the names of its errors, as JSON. */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** The variable that names the file. */
export const OUTCOMES_VARIABLE = 'TIEOUT_TEST_OUTCOMES'

export interface Outcome {
  /** The titles of its groups and its own, with blanks between. */
  name: string
  state: string
  /** Such as `AssertionError`. */
  errors: (string | undefined)[]
}

export default class Outcomes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes = modules
      .flatMap(({ children }) => [...children.allTests()])
      .map((test): Outcome => {
        const { state, errors = [] } = test.result()
        return {
          name: test.fullName.replaceAll(' > ', ' '),
          state,
          errors: errors.map(({ name }) => name),
        }
      })
      .filter(({ state }) => state === 'passed' || state === 'failed')
    writeFileSync(process.env[OUTCOMES_VARIABLE] ?? '', JSON.stringify(outcomes))
  }
}
