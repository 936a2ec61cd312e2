/** The embedded Temporal server: one per lake folder, with its own database file. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { cantBeLake, lakeFailure } from '../../lake/connection/lake-errors.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { endWithUs } from './end-with-us.ts'
import { announced, type Waiting } from './announced.ts'
import { isAlive, markOf } from '../../lake/connection/process-mark.ts'
import { SEARCH_ATTRIBUTES } from './search-attributes.ts'
import {
  claimed,
  HOST,
  isOpen,
  liveLock,
  readLock,
  STOP_MS,
  stopServer,
  writeLock,
  type Lock,
  type Owner,
} from './server-lock.ts'
import { temporalCli } from './temporal-cli.ts'

export interface DevServer {
  address: string
  /** True if a long-running worker owns it, which also does the work. */
  hosted: boolean
  /**
   * Rejects when the server ended and can't be restarted: temporal_unreachable, lake_locked or
   * lake_unreachable.
   */
  failed: Promise<never>
  /**
   * Stops the server, unless a worker hosts it. The server of a command is killed. A server that is asked to end waits a
   * second for requests, and no more can come (decision 0040).
   */
  stop(): Promise<void>
}

/** `say` also receives a line when a binary was fetched. */
export interface DevServerOptions extends Waiting {
  owner: Owner
}

const DATABASE = 'temporal.db'
const READY_MS = 60_000
const ANSWER_MS = 2_000
/** The interval between checks of the server. */
const LOOK_MS = 500
/** If the server ends more often than this in a minute, another restart will not help. */
const MOST_ENDS = 5

/** Stops a server whose owner was killed, so that none works in this folder. Throws lake_locked. */
export async function vacate(folder: string, waiting: Waiting): Promise<void> {
  const live = await liveLock(folder)
  if (live !== undefined && isAlive(live.ownerPid, live.ownerMark)) throw inUse(folder, live)
  await endLeft(folder, readLock(folder), waiting)
}

/** Waits for the end of a server that another process has left. A server that is ending listens no more. */
async function endLeft(folder: string, left: Lock | undefined, waiting: Waiting): Promise<void> {
  if (left === undefined) return
  const sentence = `waiting for the Temporal server of process ${left.ownerPid}, which has ended, at most ${STOP_MS / 1000} seconds`
  await announced(sentence, waiting, () => stopServer(left, folder))
}

/**
 * Uses the server of a worker for this folder, or starts one after it stopped one whose owner was
 * killed. Throws lake_locked while another command uses it, temporal_unreachable, and the signal's
 * reason.
 */
export async function startDevServer(
  folder: string,
  options: DevServerOptions,
): Promise<DevServer> {
  prepareFolder(folder)
  return claimed(folder, options, async () => {
    const live = await liveLock(folder)
    if (live !== undefined && isAlive(live.ownerPid, live.ownerMark)) {
      return share(folder, live, options)
    }
    const left = readLock(folder)
    await endLeft(folder, left, options)
    const start = () => spawnServer(folder, portsFrom(left?.port), options)
    const lock = left === undefined ? await start() : await announced(AFTER_KILL, options, start)
    return keepRunning(folder, lock, options)
  })
}

const AFTER_KILL = `waiting for the embedded Temporal server to start after its process was killed, at most ${READY_MS / 1000} seconds`

/** Tries the port of a lost server first, since clients still use it, then any free one. */
function portsFrom(lostPort: number | undefined): () => Promise<number> {
  let first = lostPort
  return async () => {
    const port = first
    first = undefined
    return port === undefined || (await isOpen(port)) ? freePort() : port
  }
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(join(folder, 'temporal'))
  } catch (error) {
    throw lakeFailure(error) ?? cantBeLake(folder, error)
  }
}

function share(folder: string, live: Lock, { owner }: DevServerOptions): DevServer {
  if (live.owner !== 'worker' || owner !== 'command') throw inUse(folder, live)
  const failed = new Promise<never>(() => {})
  return { address: addressOf(live), hosted: true, failed, stop: () => Promise.resolve() }
}

const addressOf = ({ port }: Lock) => `${HOST}:${port}`

/** Restarts the server on the same port and database whenever it ends unexpectedly. */
function keepRunning(folder: string, lock: Lock, options: DevServerOptions): DevServer {
  const stopping = new AbortController()
  let server = lock
  const keeping = async (): Promise<never> => {
    const ends_ms: number[] = []
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: stopping.signal, ref: false })
      if (isAlive(server.serverPid, server.serverMark)) continue
      ends_ms.push(Date.now())
      if (Date.now() - (ends_ms.at(-MOST_ENDS) ?? 0) < 60_000) throw endsAgain(server.serverPid)
      options.say('the embedded Temporal server ended; tieout starts it again')
      server = await claimed(folder, { ...options, signal: stopping.signal }, async () => {
        const live = await liveLock(folder)
        if (live !== undefined) throw inUse(folder, live)
        return spawnServer(folder, () => lock.port, options)
      })
    }
  }
  const running = keeping()
  const failed = running.catch((error: unknown): Promise<never> => {
    if (!stopping.signal.aborted) throw error
    return new Promise(() => {})
  })
  failed.catch(() => {})
  return {
    address: addressOf(lock),
    hosted: false,
    failed,
    stop: async () => {
      stopping.abort()
      await running.catch(() => {})
      await stopServer(server, folder, options.owner === 'command' ? 'SIGKILL' : 'SIGTERM')
    },
  }
}

const endsAgain = (pid: number) =>
  new Failure(
    'temporal_unreachable',
    `the embedded Temporal server keeps ending, last as process ${pid}`,
  )

const inUse = (folder: string, { ownerPid, owner }: Lock) => {
  if (owner === 'command') {
    return new Failure('lake_locked', `process ${ownerPid} is using the lake in ${folder}`)
  }
  return new Failure('lake_locked', `a worker, process ${ownerPid}, serves the lake in ${folder}`, {
    remedy: 'use that worker, or stop it and run the same command again',
  })
}

async function spawnServer(
  folder: string,
  portOf: () => number | Promise<number>,
  options: DevServerOptions,
): Promise<Lock> {
  const database = join(folder, 'temporal', DATABASE)
  const isNew = !existsSync(database)
  try {
    return await launch(folder, await portOf(), options)
  } catch (error) {
    if (isNew) removeDatabase(database)
    options.signal?.throwIfAborted()
    const isNeverMade = NEVER_MADE.test(String(error))
    if (!isNeverMade && !BROKEN_OFF.test(String(error))) throw lakeFailure(error) ?? error
    if (isNeverMade) removeDatabase(database)
    return await launch(folder, await portOf(), options)
  }
}

/**
 * Matches the server's message about a database whose creation was interrupted. Such a database never contained a
 * run.
 */
const NEVER_MADE = /no such table: (?:cluster_metadata_info|namespaces)\b/

/**
 * Matches the failure after another process took the chosen port. The message shows this for the main port, and exit
 * code 2 of a Go panic for the server's other ports.
 */
const BROKEN_OFF = /did not start, ended by (?:2:|.*address already in use)/

function removeDatabase(file: string): void {
  for (const ending of ['', '-shm', '-wal']) rmSync(`${file}${ending}`, { force: true })
}

async function launch(folder: string, port: number, options: DevServerOptions): Promise<Lock> {
  const binary = await temporalCli(options.say, options.signal)
  const child = spawn(binary.includes('/') ? resolve(binary) : binary, serverArguments(port), {
    // Temporal reads its database name as an address with special characters #, ? and %, so it gets
    // a plain name.
    cwd: join(folder, 'temporal'),
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C reaches this process alone: the server stops after the work.
    detached: true,
  })
  const guard = endWithUs(child)
  const pid = child.pid
  if (pid === undefined) throw await notStarted(child, binary)
  const lockNow = (): Lock => ({
    ...{ serverPid: pid, serverMark: markOf(pid) },
    ...{ ownerPid: process.pid, ownerMark: markOf(process.pid) },
    ...{ owner: options.owner, port },
  })
  try {
    writeLock(folder, lockNow())
    await becomeReady(child, port, options.signal)
  } catch (error) {
    await stopServer(lockNow(), folder)
    throw error
  }
  // The program may have been a script that became the server, with another command line.
  const lock = lockNow()
  writeLock(folder, lock)
  guard.look()
  child.stderr?.resume()
  child.unref()
  return lock
}

/** Waits a moment for the reason of a failed start. */
async function notStarted(child: ChildProcess, binary: string): Promise<Failure> {
  const [cause]: unknown[] = await once(child, 'error')
  return new Failure('temporal_unreachable', `${binary} can't be started: ${reasonOf(cause)}`, {
    cause,
    remedy: 'set TIEOUT_TEMPORAL_CLI to the Temporal command line program, or unset it',
  })
}

/** The server needs no variable of ours: the process list of a machine shows them to its owner and root. */
const bareEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

function serverArguments(port: number): string[] {
  const dynamic = [
    // With one partition per queue, priorities are exact.
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
    'matching.enableFairness=true',
    'history.timerProcessorMaxTimeShift="20ms"',
    // Nothing here uses the HTTP port, and it can't be closed. A browser can't send this host name.
    'frontend.httpAllowedHosts=["nobody.invalid"]',
  ]
  return [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--headless'],
    ...['--log-level', 'error', '--db-filename', DATABASE],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
    ...dynamic.flatMap((value) => ['--dynamic-config-value', value]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]
}

async function becomeReady(
  child: ChildProcess,
  port: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    const all = output + chunk.toString()
    output = all.length > 1000 ? `${all.slice(0, 500)} … ${all.slice(-480)}` : all
  })
  const deadline_ms = Date.now() + READY_MS
  const wait = async () => {
    signal?.throwIfAborted()
    await stillStarting(child, deadline_ms, () => output)
  }
  // The library takes as long to load as the server to start. Nothing else is loaded meanwhile.
  const { Connection } = await import('@temporalio/client')
  while (!(await isOpen(port))) await wait()
  // Lazy, because another process may listen there and never answer.
  const connection = Connection.lazy({ address: `${HOST}:${port}` })
  const describe = () => connection.workflowService.describeNamespace({ namespace: 'default' })
  const isReady = () =>
    connection.withDeadline(Date.now() + ANSWER_MS, describe).then(
      () => true,
      () => false,
    )
  try {
    while (child.exitCode !== null || !(await isReady())) await wait()
  } finally {
    await connection.close()
  }
}

const WITHOUT_ITS_DATABASE =
  'move away the folder temporal in the folder of the lake, and run the command again; it holds work under way and schedules (tieout schedule apply), and no records, decisions or packs'

async function stillStarting(
  child: ChildProcess,
  deadline_ms: number,
  output: () => string,
): Promise<void> {
  if (child.exitCode !== null || Date.now() > deadline_ms) {
    const why = output().replaceAll(/\s+/g, ' ').trim()
    const ended = child.exitCode === null ? '' : `, ended by ${child.exitCode}`
    const what = `the embedded Temporal server did not start${ended}: ${why}`
    const disk = lakeFailure(what)
    if (disk !== undefined && disk.code !== 'lake_damaged') throw disk
    // A damaged file of the server is none of the lake.
    const remedy = /malformed|not a database/.test(why) ? WITHOUT_ITS_DATABASE : undefined
    throw new Failure('temporal_unreachable', what, remedy === undefined ? {} : { remedy })
  }
  await sleep(25)
}

/** Returns a local port that was free a moment ago. */
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
