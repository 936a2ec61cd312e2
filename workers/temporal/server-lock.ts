/** The lock of a folder's server: its process, its owner, and a claim while one is starting. */
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { cantBeLake, lakeFailure } from '../../lake/connection/lake-errors.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { announced, type Waiting } from './announced.ts'
import { isAlive, markOf, signal, textOf } from '../../lake/connection/process-mark.ts'

/** Servers listen only here. */
export const HOST = '127.0.0.1'

/**
 * A worker keeps running and serves all commands; a command owns the server only for its own work.
 */
export type Owner = 'worker' | 'command'

/** The file beside the database of a server. */
export interface Lock {
  serverPid: number
  /** The marks of both processes, since another process may get the same number later. */
  serverMark?: string | undefined
  ownerPid: number
  ownerMark?: string | undefined
  owner: Owner
  port: number
}

/** The longest wait for a server to end. */
export const STOP_MS = 8_000
/** Writing a one-word file takes less. */
const WRITTEN_MS = 5_000
/**
 * Lets one process at a time look for a server and start one, because two would damage one database
 * file.
 */
export async function claimed<T>(
  folder: string,
  waiting: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  const claim = await announced(
    `waiting for another command that starts the Temporal server of the lake in ${folder}, or needs the lake for itself`,
    waiting,
    () => claimStart(folder, waiting.signal),
  )
  try {
    return await work()
  } finally {
    // After an exchange of the folder, the claim of another process stands there.
    if (textOf(claim) === ownClaim()) rmSync(claim, { force: true })
  }
}

/**
 * Runs `work` while no server works for the lake, and none can start. Returns undefined if one works for it already.
 * Makes the folder.
 */
export function unlessServed<T>(
  folder: string,
  waiting: Waiting,
  work: () => Promise<T>,
): Promise<T | undefined> {
  makeFolder(join(folder, 'temporal'))
  return claimed(folder, waiting, async () =>
    (await liveLock(folder)) === undefined ? work() : undefined,
  )
}

async function claimStart(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const file = join(folder, 'temporal', 'starting')
  for (;;) {
    try {
      if (isClaimed(file)) return file
      if (isAbandoned(file)) rmSync(file, { force: true })
    } catch (error) {
      if (!existsSync(dirname(file))) throw exchanged(folder)
      throw lakeFailure(error) ?? cantBeLake(folder, error)
    }
    await sleep(50, undefined, signal === undefined ? {} : { signal })
  }
}

/** The folder was there before the wait. */
const exchanged = (folder: string) =>
  new Failure(
    'lake_locked',
    `the folder ${folder} was exchanged while this command waited for it, as tieout maintain --restore does`,
    {
      remedy:
        'look at the lake that is there now, then run the same command again if you still need it',
    },
  )

const ownClaim = () => `${process.pid} ${markOf(process.pid) ?? ''}`

/** Returns false while another process has the claim. */
function isClaimed(file: string): boolean {
  try {
    writeFileSync(file, ownClaim(), { flag: 'wx', mode: 0o600 })
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
  const [holder, mark] = textOf(file).split(' ')
  if (Number(holder) > 0) return !isAlive(Number(holder), mark)
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
  return Date.now() - mtimeMs > WRITTEN_MS
}

/** The lock of a server that is alive and listens; undefined if there is none. */
export async function liveLock(folder: string): Promise<Lock | undefined> {
  const lock = readLock(folder)
  if (lock === undefined || !isAlive(lock.serverPid, lock.serverMark)) return undefined
  return (await isOpen(lock.port)) ? lock : undefined
}

/** Stops a server, by force if it doesn't end. Another process that got its number is left alone. */
export async function stopServer(
  { serverPid, serverMark }: Pick<Lock, 'serverPid' | 'serverMark'>,
  folder: string,
  by: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  signal(serverPid, serverMark, by)
  const deadline_ms = Date.now() + STOP_MS
  while (isAlive(serverPid, serverMark)) {
    if (Date.now() > deadline_ms) signal(serverPid, serverMark, 'SIGKILL')
    await sleep(20)
  }
  if (readLock(folder)?.serverPid === serverPid) rmSync(lockFile(folder), { force: true })
}

const lockFile = (folder: string) => join(folder, 'temporal', 'server.json')

export function writeLock(folder: string, lock: Lock): void {
  // The rename lets a concurrent reader see the whole file.
  const scratch = `${lockFile(folder)}.${process.pid}`
  writeFileSync(scratch, JSON.stringify({ ...lock, folder: identityOf(folder) }), { mode: 0o600 })
  renameSync(scratch, lockFile(folder))
}

/**
 * The lock as last written; its server may be gone. A copy of the folder has no lock: the server of the original works
 * on the original.
 */
export function readLock(folder: string): Lock | undefined {
  try {
    const lock: Lock & { folder: string } = JSON.parse(textOf(lockFile(folder)))
    return lock.folder === identityOf(folder) ? lock : undefined
  } catch {
    return undefined
  }
}

/** Tells a folder from its copies. A folder that is moved stays the same. */
function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}:${ino}`
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

/**
 * The address of the server that a long-running worker hosts for this folder; undefined if there is
 * none. With `ofAny`, a command may be its owner, too.
 */
export async function hostedServer(folder: string, ofAny = false): Promise<string | undefined> {
  const lock = await liveLock(folder)
  if (lock === undefined || !isAlive(lock.ownerPid, lock.ownerMark)) return undefined
  return ofAny || lock.owner === 'worker' ? `${HOST}:${lock.port}` : undefined
}
