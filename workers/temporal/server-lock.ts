/** The lock of a folder's server: its process, its owner, and a claim while one is starting. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cantBeLake, lakeFailure } from '../../lake/connection/lake-errors.ts'

/** Servers listen only here. */
export const HOST = '127.0.0.1'

/**
 * A worker keeps running and serves all commands; a command owns the server only for its own work.
 */
export type Owner = 'worker' | 'command'

/** The file beside the database of a server. */
export interface Lock {
  serverPid: number
  /** The starts of both processes, since another process may get the same number later. */
  serverStart?: string | undefined
  ownerPid: number
  ownerStart?: string | undefined
  owner: Owner
  port: number
}

const STOP_MS = 8_000
/** Writing a one-word file takes less. */
const WRITTEN_MS = 5_000
/**
 * Lets one process at a time look for a server and start one, because two would damage one database
 * file.
 */
export async function claimed<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const claim = await claimStart(folder, signal)
  try {
    return await work()
  } finally {
    rmSync(claim, { force: true })
  }
}

async function claimStart(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const file = join(folder, 'temporal', 'starting')
  for (;;) {
    try {
      if (isClaimed(file)) return file
      if (isAbandoned(file)) rmSync(file, { force: true })
    } catch (error) {
      throw lakeFailure(error) ?? cantBeLake(folder, error)
    }
    await sleep(50, undefined, signal === undefined ? {} : { signal })
  }
}

/** Returns false while another process has the claim. */
function isClaimed(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${startOf(process.pid) ?? ''}`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    // On a full disk the file can be made but not written.
    rmSync(file, { force: true })
    throw error
  }
}

/**
 * Returns true for the claim of a dead process. An empty file may still be written for a moment.
 */
function isAbandoned(file: string): boolean {
  const [holder, start] = textOf(file).split(' ')
  if (Number(holder) > 0) return !isAlive(Number(holder), start)
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
  return Date.now() - mtimeMs > WRITTEN_MS
}

/** The lock of a server that is alive and listens; undefined if there is none. */
export async function liveLock(folder: string): Promise<Lock | undefined> {
  const lock = readLock(folder)
  if (lock === undefined || !isAlive(lock.serverPid, lock.serverStart)) return undefined
  return (await isOpen(lock.port)) ? lock : undefined
}

/** Stops a server, by force if it doesn't end. Another process that got its number is left alone. */
export async function stopServer(
  { serverPid, serverStart }: Pick<Lock, 'serverPid' | 'serverStart'>,
  folder: string,
): Promise<void> {
  if (isAlive(serverPid, serverStart)) signal(serverPid, 'SIGTERM')
  const deadline_ms = Date.now() + STOP_MS
  while (isAlive(serverPid, serverStart)) {
    if (Date.now() > deadline_ms) signal(serverPid, 'SIGKILL')
    await sleep(20)
  }
  if (readLock(folder)?.serverPid === serverPid) rmSync(lockFile(folder), { force: true })
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/**
 * Returns false also for a child that ended and was not waited for, and for another process that began later under the
 * same number.
 */
export function isAlive(pid: number, start?: string): boolean {
  if (!signal(pid, 0)) return false
  const now = startOf(pid)
  if (start !== undefined && start !== '' && now !== undefined && now !== start) return false
  return !/^State:\s+Z/m.test(textOf(`/proc/${pid}/status`))
}

/** The start of a process, in ticks since the machine started. Undefined if the system has no /proc. */
export function startOf(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name in brackets may hold blanks. The start is the 20th field behind it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const lockFile = (folder: string) => join(folder, 'temporal', 'server.json')

export function writeLock(folder: string, lock: Lock): void {
  // The rename lets a concurrent reader see the whole file.
  const scratch = `${lockFile(folder)}.${process.pid}`
  writeFileSync(scratch, JSON.stringify(lock), { mode: 0o600 })
  renameSync(scratch, lockFile(folder))
}

/** The lock as last written; its server may be gone. */
export function readLock(folder: string): Lock | undefined {
  try {
    const lock: Lock = JSON.parse(textOf(lockFile(folder)))
    return lock
  } catch {
    return undefined
  }
}

/** Returns true if a local process listens on the port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
