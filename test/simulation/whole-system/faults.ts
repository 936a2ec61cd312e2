/**
 * Faults of one process: it dies, or one operation of it fails. An operation is a statement of DuckDB, or a call of the
 * file system inside the folder of the simulation. The functions of Node are replaced for that, so the product needs no
 * seam.
 */
import { DuckDBConnection } from '@duckdb/node-api'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Failure } from '../../../domain/failure.ts'

/** The functions as they were, for the simulation itself. */
export const real = { ...fs, now: Date.now, setTimeout }

export const FAULTS = [
  'killed-before-an-operation',
  'killed-after-an-operation',
  'file-operation-failed',
  'statement-failed',
  'commit-lost-a-race',
  'disk-full',
  'delivered-twice-at-once',
  'delivered-twice-in-turn',
] as const
export type FaultKind = (typeof FAULTS)[number]

export interface Fault {
  kind: FaultKind
  /** The operation that it meets, from 1; of a full disk, the bytes that are free. */
  at: number
  /** The error of a failed operation. */
  errno: string
}

/** The error of every operation of a dead process. */
export class Killed extends Error {}

const TEXTS: Readonly<Record<string, string>> = {
  EIO: 'Input/output error',
  ENOSPC: 'No space left on device',
  EMFILE: 'Too many open files',
  EACCES: 'Permission denied',
}
export const ERRNOS = Object.keys(TEXTS)

interface Process {
  folder: string
  fault: Fault | undefined
  /** Keeps the files as they are at the instant of the death. */
  onDeath: () => void
  operations: number
  isDead: boolean
  hasHappened: boolean
}

let current: Process | undefined

export interface Lived<T> {
  outcomes: PromiseSettledResult<T>[]
  died: boolean
  /** False for a fault whose operation never came. */
  happened: boolean
}

/** Runs all of the work at once, as one process that meets the fault. */
export async function within<T>(
  about: { folder: string; fault: Fault | undefined; onDeath: () => void },
  work: readonly (() => Promise<T>)[],
): Promise<Lived<T>> {
  const mine: Process = { ...about, operations: 0, isDead: false, hasHappened: false }
  current = mine
  const outcomes = await Promise.allSettled(work.map((one) => one()))
  current = undefined
  return { outcomes, died: mine.isDead, happened: mine.hasHappened }
}

type Call = (...args: unknown[]) => unknown

/** The fault comes due at this operation. */
const isDue = ({ fault, operations, hasHappened }: Process): boolean =>
  fault !== undefined && !hasHappened && operations >= fault.at

function die(running: Process): never {
  const { onDeath } = running
  running.hasHappened = true
  running.isDead = true
  // Node copies with the functions that were replaced.
  current = undefined
  onDeath()
  current = running
  throw new Killed('the process was killed')
}

/** Before an operation: a dead process does nothing, and one that is to die now dies. */
function begin(running: Process): void {
  if (running.isDead) throw new Killed('the process was killed')
  running.operations += 1
  if (isDue(running) && running.fault?.kind === 'killed-before-an-operation') die(running)
}

function end(running: Process): void {
  if (running.isDead) throw new Killed('the process was killed')
  if (isDue(running) && running.fault?.kind === 'killed-after-an-operation') die(running)
}

function failFile(running: Process, name: string, path: string): void {
  if (running.fault?.kind !== 'file-operation-failed' || !isDue(running)) return
  running.hasHappened = true
  const { errno } = running.fault
  throw Object.assign(new Error(`${errno}: ${TEXTS[errno]}, ${name} '${path}'`), {
    code: errno,
    path,
    syscall: name,
  })
}

function failStatement(running: Process, sql: string): void {
  const { fault } = running
  if (fault === undefined || !isDue(running)) return
  if (fault.kind === 'statement-failed') {
    // A rollback that fails as well has no effect of its own: the connection closes.
    running.hasHappened = true
    throw new Error(
      `IO Error: Could not write file "${running.folder}/lake": ${TEXTS[fault.errno]}`,
    )
  }
  if (fault.kind !== 'commit-lost-a-race' || sql !== 'commit') return
  running.hasHappened = true
  throw new Error(
    'TransactionContext Error: Failed to commit: Failed to execute query "COMMIT": database is locked',
  )
}

const isInside = (running: Process | undefined, path: unknown): path is string =>
  running !== undefined && typeof path === 'string' && path.startsWith(`${running.folder}/`)

function replaceSync(name: 'renameSync' | 'readdirSync' | 'statSync' | 'rmSync' | 'copyFileSync') {
  const call = Reflect.get(fs, name) as Call
  Reflect.set(fs, name, (...args: unknown[]) => {
    const running = current
    const [path] = args
    if (running === undefined || !isInside(running, path)) return Reflect.apply(call, fs, args)
    begin(running)
    failFile(running, name, path)
    const result = Reflect.apply(call, fs, args)
    end(running)
    return result
  })
}

function replaceStream(name: 'createReadStream' | 'createWriteStream') {
  const call = Reflect.get(fs, name) as Call
  Reflect.set(fs, name, (...args: unknown[]) => {
    const running = current
    const [path] = args
    if (running !== undefined && isInside(running, path)) {
      begin(running)
      failFile(running, 'open', path)
    }
    return Reflect.apply(call, fs, args)
  })
}

function replaceAsync(name: string) {
  const call = Reflect.get(fs.promises, name) as Call
  Reflect.set(fs.promises, name, async (...args: unknown[]) => {
    const running = current
    const path = args.find((arg) => isInside(running, arg))
    if (running === undefined || typeof path !== 'string') {
      return Reflect.apply(call, fs.promises, args)
    }
    begin(running)
    failFile(running, name, path)
    const result = await Reflect.apply(call, fs.promises, args)
    if (name === 'open') replaceFlush(running, result as fs.promises.FileHandle, path)
    end(running)
    return result
  })
}

/** The flush of an open file is an operation of its own. */
function replaceFlush(running: Process, handle: fs.promises.FileHandle, path: string): void {
  const call = handle.sync.bind(handle)
  handle.sync = async () => {
    begin(running)
    failFile(running, 'fsync', path)
    await call()
    end(running)
  }
}

function replaceStatements(name: 'run' | 'stream') {
  const call = Reflect.get(DuckDBConnection.prototype, name) as Call
  Reflect.set(
    DuckDBConnection.prototype,
    name,
    async function replaced(this: DuckDBConnection, ...args: unknown[]) {
      const running = current
      if (running === undefined) return Reflect.apply(call, this, args)
      begin(running)
      failStatement(running, String(args[0]))
      const result = await Reflect.apply(call, this, args)
      end(running)
      return result
    },
  )
}

/** Time that passes for the product, beyond the real one. */
export const clock = { ahead_ms: 0 }

/** Replaces the functions, once for this process of Node. */
export function replaceFunctions(): void {
  for (const name of ['renameSync', 'readdirSync', 'statSync', 'rmSync', 'copyFileSync'] as const) {
    replaceSync(name)
  }
  replaceStream('createReadStream')
  replaceStream('createWriteStream')
  for (const name of [
    ...['mkdir', 'open', 'readdir', 'readFile', 'rename', 'rm', 'stat', 'lstat', 'symlink'],
    ...['writeFile', 'chmod', 'cp', 'copyFile', 'readlink'],
  ]) {
    replaceAsync(name)
  }
  syncBuiltinESMExports()
  replaceStatements('run')
  replaceStatements('stream')
  Date.now = () => real.now() + clock.ahead_ms
}

/** The code of a refusal; undefined for what is no failure with a code, or a bug. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Failure && error.code !== 'bug' ? error.code : undefined
