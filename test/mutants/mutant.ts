/** A broken variant of a module, with the test that must fail. */
export interface Mutant {
  /** The file of the program, such as `lake/landing/land.ts`. */
  module: string
  /** Text that stands in the module exactly once, and its replacement. */
  from: string
  to: string
  /** The test that notices: its file below test/, without `.test.ts`, and its title behind those of its groups. */
  file: string
  title: string
}

/** The variable that breaks a module in a process of vitest: the place of a mutant in the bank. */
export const MUTANT_VARIABLE = 'TIEOUT_TEST_MUTANT'

/** The module's text with the change. Throws unless the replaced text stands there once. */
export function broken(text: string, { module, from, to }: Mutant): string {
  const parts = text.split(from)
  if (parts.length !== 2) {
    throw new Error(`${module} holds the text ${parts.length - 1} times: ${from}`)
  }
  return parts.join(to)
}
