/** The project as a user runs it: built from the current sources, started as another process. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { projectFiles, ROOT } from '../house/project-files.ts'
import { emptyLakeIn, newFolder } from './lake-template.ts'
import { surroundings } from './surroundings.ts'

/** The sources of a build, as its settings list them. */
const { include }: { include: string[] } = JSON.parse(
  readFileSync(join(ROOT, 'tsconfig.build.json'), 'utf8'),
)
const FOLDERS = [...include, 'bin']

const DAY_MS = 86_400_000
/** The exit code of an unforeseen error, which is always a failure of the test. */
export const BUG = 70

let built: string | undefined

/** A folder with `bin/` and `dist/` as `npm run build` leaves them; made once for all test files. */
export const builtProject = (): string => (built ??= findOrBuild())

function findOrBuild(): string {
  const hash = createHash('sha256')
  for (const folder of FOLDERS) {
    for (const { path, text } of projectFiles(folder)) hash.update(path).update(text)
  }
  const cache = join(ROOT, '.cache', 'built')
  const target = join(cache, hash.digest('hex').slice(0, 16))
  if (!existsSync(target)) build(cache, target)
  return target
}

function build(cache: string, target: string): void {
  mkdirSync(cache, { recursive: true })
  removeOld(cache)
  const scratch = mkdtempSync(join(cache, 'building-'))
  const dist = join(scratch, 'dist')
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  // Types are checked elsewhere; this is about what the program does.
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', dist, '--noCheck']
  execFileSync(process.execPath, [tsc, ...options], { cwd: ROOT })
  execFileSync(process.execPath, [join(dist, 'workers', 'bundle-workflows.js')], { cwd: ROOT })
  cpSync(join(ROOT, 'web', 'assets'), join(dist, 'web', 'assets'), { recursive: true })
  mkdirSync(join(scratch, 'bin'))
  copyFileSync(join(ROOT, 'bin', 'tieout.mjs'), join(scratch, 'bin', 'tieout.mjs'))
  try {
    renameSync(scratch, target)
  } catch (error) {
    // Another test file was faster with the same sources.
    rmSync(scratch, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > DAY_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** The workflow bundle, for workers of the tests. */
export const workflowBundle = () => ({
  codePath: join(builtProject(), 'dist', 'workflow-bundle.js'),
})

/** A folder in which command lines are run, and the variables they are given. */
export interface Place {
  cwd: string
  env: Record<string, string>
  /** The folder with `bin/` and `dist/`, if it is not the one of the current sources. */
  program?: string
}

const places: string[] = []

/** A new empty folder. After the file's tests whatever still runs in it is killed, and it is removed. */
export function newPlace(env: Record<string, string> = {}): Place {
  const cwd = newFolder()
  places.push(cwd)
  return { cwd, env }
}

/** The same with an empty lake: for those to whom it doesn't matter who made it, since to make one takes a second or two. */
export function newPlaceWithLake(env: Record<string, string>): Place {
  const place = newPlace(env)
  emptyLakeIn(place.cwd, 'data')
  return place
}

afterAll(async () => {
  for (const cwd of places) {
    for (const { pid } of processesIn(cwd)) kill(pid)
    rmSync(cwd, { recursive: true, force: true, maxRetries: 5 })
  }
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process ended by itself meanwhile.
  }
}

/** Processes that were started in a folder or name it: a command, its Temporal server, whatever they started. */
export function processesIn(cwd: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), place: placeOf(name), command: commandOf(name) }))
    .filter(({ place, command }) => command !== '' && `${place} ${command}`.includes(cwd))
    .map(({ pid, command }) => ({ pid, command }))
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** Empty for a process that ended and was not yet waited for. */
const commandOf = (pid: string) => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Started {
  pid: number
  kill(signal: NodeJS.Signals): void
  /** Resolves with all that was said on stdout and stderr once that holds the text; rejects when it ended without it. */
  says(text: string): Promise<string>
  ended: Promise<Ended>
}

/** Runs one command line to its end. */
export const tieout = (args: readonly string[], place: Place): Promise<Ended> =>
  startTieout(args, place).ended

/** Starts one command line. Its variables are the place's own and those that mean nothing to tieout. */
export function startTieout(args: readonly string[], { cwd, env, program }: Place): Started {
  const main = join(program ?? builtProject(), 'bin', 'tieout.mjs')
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...surroundings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('close', (code) => {
      if (code === BUG) reject(new Error(`${args.join(' ')} met a bug: ${said.stderr}`))
      else resolve({ code, ...said })
    })
  })
  // Every caller that awaits the process gets the error.
  ended.catch(() => {})
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => (said[name] += piece))
  }
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const all = said.stdout + said.stderr
          if (all.includes(text)) resolve(all)
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        look()
        void ended.then(
          (end) =>
            reject(new Error(`ended with ${end.code} without saying ${text}: ${end.stderr}`)),
          reject,
        )
      }),
  }
}

/** The variables that `tieout simulate` prints. */
export function exportsIn(said: string): Record<string, string> {
  return Object.fromEntries(
    [...said.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** Starts `tieout simulate` and answers with the variables that lead to it. */
export async function simulate(
  args: readonly string[],
  place: Place,
): Promise<Record<string, string>> {
  return exportsIn(
    await startTieout(['simulate', ...args], place).says('simulator-application-key'),
  )
}

/** The text of a file, empty where there is none. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
