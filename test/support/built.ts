/** The project as a user runs it: built from the sources as they are now, once for all test files. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { projectFiles, ROOT } from '../house/project-files.ts'

const FOLDERS = [
  'domain',
  'api',
  'lake',
  'reports',
  'activities',
  'workflows',
  'workers',
  'cli',
  'simulator',
]

/** The folder that holds what `npm run build` makes. */
export function builtProject(): string {
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
  const scratch = mkdtempSync(join(cache, 'building-'))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', scratch]
  execFileSync(process.execPath, [tsc, ...options], { cwd: ROOT })
  execFileSync(process.execPath, [join(scratch, 'workers', 'bundle-workflows.js')], { cwd: ROOT })
  try {
    renameSync(scratch, target)
  } catch (error) {
    // Another test file was faster with the same sources.
    rmSync(scratch, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

/** The workflow bundle, for workers of the tests. */
export const workflowBundle = () => ({ codePath: join(builtProject(), 'workflow-bundle.js') })

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Started {
  process: ChildProcess
  /** What it has said on stdout and stderr up to now. */
  said(): string
  /** Resolves when the text was said; rejects when the process ended without it. */
  says(text: string): Promise<void>
  ended: Promise<Ended>
}

/** Runs one command line to its end. */
export const tieout = (
  args: readonly string[],
  place: { cwd: string; env?: Record<string, string> },
): Promise<Ended> => startTieout(args, place).ended

/** Starts one command line; it is killed when the test ends before it. The environment is the given one alone. */
export function startTieout(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Started {
  const main = join(builtProject(), 'cli', 'main.js')
  const text = `import { main } from ${JSON.stringify(main)}
    process.exit(await main(process.argv.slice(1)))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text, '--', ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, ...said }))
  })
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => (said[name] += piece))
  }
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    process: child,
    said: () => said.stdout + said.stderr,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if ((said.stdout + said.stderr).includes(text)) resolve()
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        look()
        void ended.then((end) =>
          reject(new Error(`ended with ${end.code} without saying ${text}: ${end.stderr}`)),
        )
      }),
  }
}

/** The text of a file, empty where there is none. */
export function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
