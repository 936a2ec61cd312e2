/**
 * The services of a shared lake for a test file: PostgreSQL from Debian's packages, and a store that speaks the S3
 * protocol.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../workers/temporal/dev-server.ts'

const HOST = '127.0.0.1'
const DEBIAN = '/usr/lib/postgresql'
/** PostgreSQL refuses to run as root; this user owns nothing. */
const NOBODY = 65_534
const READY_MS = 60_000

export interface Services {
  /**
   * The environment of every process that shares a lake of this name. Each lake has a database and a prefix of its
   * own.
   */
  lake(name: string): Promise<Record<string, string>>
  /** The environment of a user of PostgreSQL who may only read the catalog of a lake. */
  reader(name: string): Promise<Record<string, string>>
  /** Counts the commits in the catalog of a lake. */
  commits(name: string): Promise<number>
  /** Kills PostgreSQL in mid-work (SIGKILL), and starts it again. */
  crashPostgres(): Promise<void>
  stopStore(): Promise<void>
  stop(): Promise<void>
}

/** The folder of PostgreSQL's programs, or undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  const found = spawnSync('ls', [DEBIAN], { encoding: 'utf8' })
  const versions = found.status === 0 ? found.stdout.trim().split('\n') : []
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'))
  return folders.findLast((folder) => readdirSync(folder).includes('initdb'))
}

/** Starts both with passwords of their own; nothing of them is left after `stop`. */
export async function startServices(): Promise<Services> {
  const password = randomBytes(9).toString('hex')
  const [postgres, store] = await Promise.all([startPostgres(password), startStore()])
  const secret = {
    TIEOUT_LAKE_PASSWORD: password,
    TIEOUT_HASH_KEY: 'a-key-that-all-workers-share',
    AWS_ACCESS_KEY_ID: 'lake-key-id',
    AWS_SECRET_ACCESS_KEY: randomBytes(9).toString('hex'),
    AWS_ENDPOINT_URL: `http://${HOST}:${store.port}`,
  }
  return {
    async lake(name) {
      await postgres.query(`create database ${name}`)
      const made = await fetch(`${secret.AWS_ENDPOINT_URL}/${name}`, { method: 'PUT' })
      if (!made.ok) throw new Error(`the store answers ${made.status} to a new bucket`)
      return {
        ...secret,
        TIEOUT_LAKE: `postgres://lake@${HOST}:${postgres.port}/${name}`,
        TIEOUT_LAKE_DATA: `s3://${name}/lake`,
      }
    },
    async reader(name) {
      const grants = 'grant select on all tables in schema public to reader'
      await postgres.query(`create role reader login password '${password}'; ${grants}`, name)
      return { ...secret, TIEOUT_LAKE: `postgres://reader@${HOST}:${postgres.port}/${name}` }
    },
    commits: async (name) =>
      Number(await postgres.query('select count(*) from ducklake_snapshot', name)),
    crashPostgres: postgres.crash,
    stopStore: store.stop,
    async stop() {
      await Promise.all([postgres.stop(), store.stop()])
    },
  }
}

async function startPostgres(password: string) {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const folder = mkdtempSync(join(tmpdir(), 'tieout-postgres-'))
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (isRoot) for (const path of [folder, passwordFile]) chownSync(path, NOBODY, NOBODY)
  chmodSync(folder, 0o700)
  const place = join(folder, 'data')
  execFileSync(
    join(programs, 'initdb'),
    [
      ...['--pgdata', place, '--username', 'lake', '--auth', 'scram-sha-256', '--no-sync'],
      ...['--pwfile', passwordFile, '--encoding', 'UTF8', '--locale', 'C'],
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  )
  const port = await freePort()
  const start = () =>
    spawn(
      join(programs, 'postgres'),
      [
        ...['-D', place, '-p', String(port), '-k', folder, '-c', `listen_addresses=${HOST}`],
        ...['-c', 'fsync=off', '-c', 'max_connections=300'],
      ],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
  let child = start()
  const query = async (sql: string, database = 'postgres') => {
    const env = { ...process.env, PGPASSWORD: password }
    const login = ['--host', HOST, '--port', String(port), '--username', 'lake', '--quiet']
    const answer = ['--tuples-only', '--dbname', database, '--command', sql]
    return execFileSync('psql', [...login, ...answer], { env, stdio: 'pipe', encoding: 'utf8' })
  }
  await until(child, () => query('select 1'))
  return {
    port,
    query,
    stop: () => stopped(child, folder, 'SIGINT'),
    async crash() {
      await ended(child, 'SIGKILL')
      const deadline_ms = Date.now() + READY_MS
      // A new server is refused until the last process of the old one has ended.
      do {
        child = start()
        await until(child, () => query('select 1')).catch(() => {})
      } while (child.exitCode !== null && Date.now() < deadline_ms)
    },
  }
}

/** A store that speaks the S3 protocol, with one bucket, and its environment. */
export async function startBucket(bucket: string) {
  const { port, stop } = await startStore()
  const AWS_ENDPOINT_URL = `http://${HOST}:${port}`
  const made = await fetch(`${AWS_ENDPOINT_URL}/${bucket}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`the store answers ${made.status} to a new bucket`)
  const AWS_SECRET_ACCESS_KEY = randomBytes(9).toString('hex')
  const env = { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID: 'pack-key-id', AWS_SECRET_ACCESS_KEY }
  return { env, stop }
}

async function startStore() {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'tieout-store-'))
  const child = spawn('moto_server', ['-H', HOST, '-p', String(port)], {
    cwd: folder,
    stdio: 'ignore',
  })
  await until(child, () => reached(port))
  return { port, stop: () => stopped(child, folder, 'SIGKILL') }
}

async function until(child: ChildProcess, isReady: () => Promise<unknown>): Promise<void> {
  const deadline_ms = Date.now() + READY_MS
  for (;;) {
    try {
      await isReady()
      return
    } catch (error) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (hasEnded || Date.now() > deadline_ms) throw error
      await sleep(50)
    }
  }
}

async function stopped(child: ChildProcess, folder: string, signal: NodeJS.Signals): Promise<void> {
  await ended(child, signal)
  rmSync(folder, { recursive: true, force: true })
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await exit
}

function reached(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, HOST, () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })
}
