/** Runs commands in the process of a test: they say and write the same as in one of their own, which starts for a second. */
import { vi } from 'vitest'
import { main } from '../../cli/main.ts'
import { BUG, type Ended, type Place } from './built.ts'
import { surroundings } from './surroundings.ts'

/** Runs one command line to its end. Commands that need a worker or a server need a process of their own as well. */
export async function tieoutHere(args: readonly string[], { cwd, env }: Place): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const [folder, variables] = [process.cwd(), process.env]
  const heard = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((piece) => {
      said[name] += String(piece)
      return true
    }),
  )
  process.env = { ...surroundings(), ...env }
  process.chdir(cwd)
  try {
    const code = await main(args, new AbortController().signal)
    if (code === BUG) throw new Error(`${args.join(' ')} met a bug: ${said.stdout}${said.stderr}`)
    return { code, ...said }
  } finally {
    process.chdir(folder)
    process.env = variables
    for (const spy of heard) spy.mockRestore()
  }
}
