/** The commands `upgrade` and `rollback`: no other process may use the lake meanwhile. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { RolledBack, Upgraded } from '../../domain/maintenance.ts'
import type { Lake } from '../../lake/connection/lake.ts'
import { openLake, refuseMissing } from '../../lake/connection/open.ts'
import { ownSessions } from '../../lake/connection/other-sessions.ts'
import { packageVersion } from '../../lake/connection/package-root.ts'
import { wordsOf } from '../../lake/maintenance/lost-acts.ts'
import { rollback, upgrade } from '../../lake/maintenance/upgrade.ts'
import { readAccounts } from '../../workers/config/settings.ts'
import { asOnlyUser } from '../../workers/only-user.ts'
import type { Context } from '../shell/context.ts'

export interface RollbackFlags {
  discardNewer?: boolean
}

export async function upgradeCommand(context: Context): Promise<void> {
  const program = packageVersion()
  await show(context, upgradeLines, (lake, connection, ensureAlone) =>
    upgrade(lake, connection, { program, ensureAlone }),
  )
}

export async function rollbackCommand(
  context: Context,
  { discardNewer = false }: RollbackFlags,
): Promise<void> {
  await show(context, rollbackLines, (lake, connection, ensureAlone) =>
    rollback(lake, connection, { discardNewer, ensureAlone }),
  )
}

/** Opens the lake as its only user, runs `work` and prints its result. Throws lake_locked. */
async function show<T>(
  context: Context,
  linesOf: (done: T) => string[],
  work: (lake: Lake, connection: DuckDBConnection, ensureAlone: () => Promise<void>) => Promise<T>,
): Promise<void> {
  const { terminal, signal } = context
  const { json, ...settable } = context.flagsOf({})
  const [settings] = readAccounts(settable)
  refuseMissing(settings.lake)
  const own = ownSessions(settings.lake)
  const done = await asOnlyUser(settings, { say: terminal.say, signal }, async () => {
    const lake = await openLake(own.settings, { create: false, asItIs: true, say: terminal.say })
    try {
      const connection = await lake.connect()
      // Called before each step that changes the lake, so that an interruption ends there.
      const ensureAlone = () => {
        signal.throwIfAborted()
        return own.refuseOthers(connection)
      }
      await ensureAlone()
      return await work(lake, connection, ensureAlone)
    } finally {
      lake.close()
    }
  })
  if (json === true) terminal.print(JSON.stringify(done))
  else for (const line of linesOf(done)) terminal.print(line)
}

const number = (value = 0) => value.toLocaleString('en')

function upgradeLines({ program, from, to, applied, files, bytes }: Upgraded): string[] {
  if (files === undefined) {
    return [`the lake has schema version ${to}, as tieout ${program} needs it; nothing to do`]
  }
  return [
    ...applied.map((name) => `applied ${name}`),
    `${number(files)} files of ${number(bytes)} bytes are as they were written`,
    `the lake now has schema version ${to}, before ${from}, for tieout ${program}`,
    'tieout rollback goes back, until maintenance removes files two days after they were replaced',
  ]
}

function rollbackLines({ from, to, discarded, files, bytes }: RolledBack): string[] {
  const lost = wordsOf(discarded)
  return [
    `${number(files)} files of ${number(bytes)} bytes are as they were written`,
    `the lake has schema version ${to} again, before ${from}${lost === '' ? '' : `; lost: ${lost}`}`,
    'install the version of tieout that this lake is of before you go on',
  ]
}
