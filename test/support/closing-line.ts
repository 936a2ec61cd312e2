/** A vitest reporter: says why tests were skipped, and ends with `N passed, N failed` alone on a line. */
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  #lines: string[] = []

  onInit(): void {
    // All other output of the shutdown comes before this line.
    process.once('exit', () => process.stdout.write(this.#lines.join('')))
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.#lines = closingLines(modules, unhandledErrors.length).map((line) => `${line}\n`)
  }
}

/** The reasons of all skips, then the counts. A file that can't be loaded and a stray error are failures too. */
export function closingLines(modules: readonly TestModule[], strayErrors: number): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (state: string) => tests.filter((test) => test.result().state === state)
  const skipped = inState('skipped')
  const unloaded = modules.filter((module) => module.errors().length > 0)
  const failed = inState('failed').length + unloaded.length + strayErrors
  const counts = `${inState('passed').length} passed, ${failed} failed`
  return [
    ...skipped.map((test) => `skipped: ${test.fullName} (${reasonOf(test)})`),
    skipped.length > 0 ? `${counts}, ${skipped.length} skipped` : counts,
  ]
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given'
}
