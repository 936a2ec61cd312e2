/**
 * Runs commands in the process of a test. They print and write the same as in a process of their own, which would take
 * a second to start.
 */
import { join } from 'node:path'
import { vi } from 'vitest'
import type { main as Main } from '../../cli/main.ts'
import { BUG, builtProject, type Ended, type Place } from './built.ts'
import { surroundings } from './surroundings.ts'

let isRunning = false

/**
 * Runs one command line to its end. A command that starts a server needs a process of its own. So do two commands at
 * once, because the folder and the variables are those of the process.
 */
export async function tieoutHere(args: readonly string[], { cwd, env }: Place): Promise<Ended> {
  const { main } = (await import(join(builtProject(), 'dist', 'cli', 'main.js'))) as {
    main: typeof Main
  }
  if (isRunning) throw new Error(`${args.join(' ')} began while another command was running`)
  isRunning = true
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
    isRunning = false
  }
}
