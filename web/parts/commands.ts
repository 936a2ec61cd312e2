/** Commands that a page starts: the same program with the same arguments that a person would type. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../lake/connection/package-root.ts'

export interface Started {
  id: number
  args: readonly string[]
  startedAt: string
  /** The lines of stdout and stderr; the newest are the last. */
  lines: readonly string[]
  /** Undefined while it runs; null if a signal ended it. */
  code: number | null | undefined
}

const MOST_LINES = 200
const MOST_COMMANDS = 50

interface Running extends Started {
  lines: string[]
  child: ChildProcess
}

/** The commands of one console, newest first. They share the variables and the folder of the console. */
export class Commands {
  #started: Running[] = []
  readonly #common: readonly string[]
  #last = 0

  /** `common` are the global flags of the console, such as `--config FILE`. */
  constructor(common: readonly string[]) {
    this.#common = common
  }

  get all(): readonly Started[] {
    return this.#started
  }

  /** Starts a command for a person, whose name takes the place of `TIEOUT_ACTOR`. */
  start(args: readonly string[], actor: string): Started {
    const child = spawn(process.execPath, [PROGRAM, ...this.#common, ...args], {
      env: { ...process.env, TIEOUT_ACTOR: actor },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C of a terminal must reach it once, through `stop`: a second one would end it at once.
      detached: true,
    })
    const started: Running = {
      ...{ id: (this.#last += 1), args, startedAt: new Date().toISOString() },
      ...{ lines: [] as string[], code: undefined, child },
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
        started.lines.push(...lines)
        started.lines.splice(0, started.lines.length - MOST_LINES)
      })
    }
    child.once('close', (code) => {
      started.code = code
    })
    child.once('error', (error) => {
      started.lines.push(error.message)
      started.code = null
    })
    this.#started.unshift(started)
    const ended = this.#started.filter(({ code }) => code !== undefined).slice(MOST_COMMANDS)
    this.#started = this.#started.filter((one) => !ended.includes(one))
    return started
  }

  /** Interrupts the commands that still run, as Ctrl-C would, and waits for their ends. */
  async stop(): Promise<void> {
    const running = this.#started.filter(({ code }) => code === undefined)
    await Promise.all(
      running.map(({ child }) => {
        const ended = new Promise((resolve) => child.once('close', resolve))
        child.kill('SIGINT')
        return ended
      }),
    )
  }
}

const PROGRAM = join(packageRoot, 'bin', 'tieout.mjs')
