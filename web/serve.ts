/** Serves the console on an address until the signal. */
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import type { BooksAct } from '../domain/books.ts'
import { assert, Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import type { ConfigFile } from '../workers/config/config-file.ts'
import { decide } from '../workers/decide.ts'
import { createApp } from './app.tsx'
import { Commands } from './parts/commands.ts'
import type { Console } from './parts/console.tsx'
import type { Entrance } from './parts/guard.ts'
import { branchOf, ONLY } from './parts/link.tsx'
import { createQueue } from './parts/queue.ts'
import { Reader } from './parts/reader.ts'

export type WebSettings = NonNullable<ConfigFile['web']>

export interface Serving {
  /** All accounts to serve; they share a lake. */
  accounts: readonly [Settings, ...Settings[]]
  host: string
  /** 0 takes a free port. */
  port: number
  /** The person for whom the console acts; empty for one who only looks. */
  actor: string
  /** The proxy of a team; absent: a one-time token opens the console for this person alone. */
  proxy?: WebSettings
  /** Global flags for the commands that pages start, apart from the account's. */
  commandFlags: readonly string[]
  say(line: string): void
  signal: AbortSignal
}

export interface Served {
  /** The address, with a one-time token if no proxy names the people. */
  url: string
  close(): Promise<void>
}

/** Starts the console. Throws config_invalid if the address is in use or not of this machine. */
export async function serveConsole(serving: Serving): Promise<Served> {
  const { accounts, host, port, say, signal } = serving
  const token = randomBytes(24).toString('base64url')
  const entrance = entranceOf(serving, token)
  const reader = new Reader(accounts[0].lake)
  const hosts: string[] = []
  const inTurn = createQueue()
  const consoleOf = (settings: Settings): Console => ({
    ...{ settings, branch: accounts.length === 1 ? ONLY : branchOf(settings.account) },
    ...{ reader: reader.ofAccount(settings.account), say, signal, inTurn },
    commands: new Commands(serving.commandFlags),
    decide: (act: BooksAct) => decide({ say, signal }, settings, act),
  })
  const [first, ...others] = accounts.filter(({ trouble }) => trouble === undefined).map(consoleOf)
  // Settings of which every account has a fault are refused before.
  assert(first !== undefined, 'an account has no fault')
  const consoles = [first, ...others] as const
  const troubled = accounts.filter(({ trouble }) => trouble !== undefined)
  const app = createApp({ consoles, troubled, guarding: { entrance, hosts }, say })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(starting))
    starting.once('error', (cause) => reject(notBound(host, port, cause)))
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const [own = '', local = ''] = [host, 'localhost'].map(
    (name) => `${name.includes(':') ? `[${name}]` : name}:${bound}`,
  )
  hosts.push(...(serving.proxy?.hosts ?? []), own, local)
  return {
    url: `http://${own}/${entrance.kind === 'token' ? `?token=${token}` : ''}`,
    close: async () => {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await Promise.all(consoles.map(({ commands }) => commands.stop()))
      // A decision that has begun gets its receipt, and an approval its file.
      await inTurn(() => Promise.resolve())
      await reader.close()
    },
  }
}

const entranceOf = ({ actor, proxy }: Serving, token: string): Entrance =>
  proxy === undefined
    ? { kind: 'token', token, actor }
    : {
        ...{ kind: 'proxy', header: proxy.user_header, addresses: proxy.proxies },
        users: proxy.users,
      }

const notBound = (host: string, port: number, cause: unknown) =>
  new Failure('config_invalid', `the console can't listen on ${host}:${port}`, {
    cause,
    remedy: 'choose another port with --port',
  })
