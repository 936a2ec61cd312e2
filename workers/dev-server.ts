/** The embedded Temporal server: one per lake folder, with a database file of its own. */
import { Connection } from '@temporalio/client'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../domain/failure.ts'
import { cantBeLake, lostLake } from '../lake/lost.ts'
import { SEARCH_ATTRIBUTES } from './search-attributes.ts'
import { temporalCli } from './temporal-cli.ts'

export interface DevServer {
  address: string
  /** True where a long-running worker owns it, which does the work, too. */
  hosted: boolean
  /** Stops the server; one that a worker hosts goes on. */
  stop(): Promise<void>
}

/** A worker stays and serves everybody; a command owns the server only for its own work. */
export type Owner = 'worker' | 'command'

export interface DevServerOptions {
  owner: Owner
  /** Hears of a binary that had to be fetched. */
  say: (line: string) => void
  /** Set when the person gives up waiting for it. */
  signal?: AbortSignal
}

interface Lock {
  serverPid: number
  ownerPid: number
  owner: Owner
  port: number
}

const READY_MS = 30_000
const STOP_MS = 8_000
const HOST = '127.0.0.1'

/** The address of the server that a long-running worker hosts for this folder, or undefined. */
export async function hostedServer(folder: string): Promise<string | undefined> {
  const lock = await liveLock(folder)
  return lock?.owner === 'worker' && isAlive(lock.ownerPid) ? `${HOST}:${lock.port}` : undefined
}

/** Makes sure that no server works in this folder: stops one whose owner was killed. Throws lake_locked. */
export async function vacate(folder: string): Promise<void> {
  const live = await liveLock(folder)
  if (live === undefined) return
  if (isAlive(live.ownerPid)) throw inUse(folder, live)
  await stopProcess(live.serverPid, folder)
}

/**
 * Uses the server that a worker hosts for this folder, takes over one whose owner was killed, or starts one.
 * Throws lake_locked while another command uses it, and temporal_unreachable.
 */
export async function startDevServer(
  folder: string,
  options: DevServerOptions,
): Promise<DevServer> {
  makeFolder(folder)
  const claim = await claimStart(folder, options.signal)
  try {
    const live = await liveLock(folder)
    return live === undefined ? await spawnServer(folder, options) : share(folder, live, options)
  } finally {
    rmSync(claim, { force: true })
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(join(folder, 'temporal'), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw lostLake(error) ?? cantBeLake(folder, error)
  }
}

/** One process at a time looks for a server and starts one; two on one database file would harm it. */
async function claimStart(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const file = join(folder, 'temporal', 'starting')
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
      return file
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
        throw lostLake(error) ?? cantBeLake(folder, error)
      }
    }
    // Whoever made it and died before it was done has no use for it; an empty file is still being written.
    const holder = Number(textOf(file))
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true })
    await sleep(50, undefined, signal === undefined ? {} : { signal })
  }
}

function share(folder: string, live: Lock, { owner }: DevServerOptions): DevServer {
  if (!isAlive(live.ownerPid)) writeLock(folder, { ...live, owner, ownerPid: process.pid })
  else if (live.owner === 'worker' && owner === 'command') {
    return { address: `${HOST}:${live.port}`, hosted: true, stop: () => Promise.resolve() }
  } else {
    throw inUse(folder, live)
  }
  return {
    address: `${HOST}:${live.port}`,
    hosted: false,
    stop: () => stopProcess(live.serverPid, folder),
  }
}

const inUse = (folder: string, { ownerPid }: Lock) =>
  new Failure('lake_locked', `process ${ownerPid} is using the lake in ${folder}`)

async function liveLock(folder: string): Promise<Lock | undefined> {
  const lock = readLock(folder)
  if (lock === undefined || !isAlive(lock.serverPid)) return undefined
  return (await isOpen(lock.port)) ? lock : undefined
}

async function spawnServer(folder: string, options: DevServerOptions): Promise<DevServer> {
  const binary = await temporalCli(options.say, options.signal)
  const port = await freePort()
  const child = spawn(binary, serverArguments(join(folder, 'temporal'), port), {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C reaches us alone: the server stops after the work did.
    detached: true,
  })
  const pid = child.pid
  if (pid === undefined) throw new Failure('temporal_unreachable', `${binary} can't be started`)
  try {
    writeLock(folder, { serverPid: pid, ownerPid: process.pid, owner: options.owner, port })
    await becomeReady(child, port)
  } catch (error) {
    await stopProcess(pid, folder)
    throw lostLake(error) ?? error
  }
  child.stderr?.resume()
  child.unref()
  return {
    address: `${HOST}:${port}`,
    hosted: false,
    stop: () => stopProcess(pid, folder),
  }
}

function serverArguments(place: string, port: number): string[] {
  const dynamic = [
    // With one partition per queue, priorities hold exactly.
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
    'matching.enableFairness=true',
    'history.timerProcessorMaxTimeShift="20ms"',
  ]
  return [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--headless'],
    ...['--log-level', 'error', '--db-filename', join(place, 'temporal.db')],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
    ...dynamic.flatMap((value) => ['--dynamic-config-value', value]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]
}

async function becomeReady(child: ChildProcess, port: number): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-500)
  })
  const deadline_ms = Date.now() + READY_MS
  while (!(await isOpen(port))) await stillStarting(child, deadline_ms, () => said)
  const connection = await Connection.connect({ address: `${HOST}:${port}` })
  try {
    for (;;) {
      const ready = await connection.workflowService
        .describeNamespace({ namespace: 'default' })
        .then(
          () => true,
          () => false,
        )
      if (ready) return
      await stillStarting(child, deadline_ms, () => said)
    }
  } finally {
    await connection.close()
  }
}

async function stillStarting(
  child: ChildProcess,
  deadline_ms: number,
  said: () => string,
): Promise<void> {
  if (child.exitCode !== null || Date.now() > deadline_ms) {
    const why = said().replaceAll(/\s+/g, ' ').trim()
    const what = `the embedded Temporal server did not start: ${why}`
    throw lostLake(what) ?? new Failure('temporal_unreachable', what)
  }
  await sleep(25)
}

async function stopProcess(pid: number, folder: string): Promise<void> {
  signal(pid, 'SIGTERM')
  const deadline_ms = Date.now() + STOP_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline_ms) signal(pid, 'SIGKILL')
    await sleep(20)
  }
  if (readLock(folder)?.serverPid === pid) rmSync(lockFile(folder), { force: true })
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** A child that ended but was not waited for is dead, too. */
function isAlive(pid: number): boolean {
  if (!signal(pid, 0)) return false
  return !/^State:\s+Z/m.test(textOf(`/proc/${pid}/status`))
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const lockFile = (folder: string) => join(folder, 'temporal', 'server.json')

function writeLock(folder: string, lock: Lock): void {
  // Whoever reads it meanwhile sees the whole of it.
  const scratch = `${lockFile(folder)}.${process.pid}`
  writeFileSync(scratch, JSON.stringify(lock), { mode: 0o600 })
  renameSync(scratch, lockFile(folder))
}

function readLock(folder: string): Lock | undefined {
  try {
    const lock: Lock = JSON.parse(textOf(lockFile(folder)))
    return lock
  } catch {
    return undefined
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** A port of this machine that nobody listened on a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, HOST, () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      )
    })
  })
}
