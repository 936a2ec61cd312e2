/** The job `maintain --restore`: no other process may use the lake meanwhile. */
import { resolve } from 'node:path'
import type { Restored } from '../../domain/maintenance.ts'
import type { Settings } from '../../domain/settings.ts'
import { restore } from '../../lake/maintenance/restore.ts'
import { asOnlyUser } from '../../workers/only-user.ts'
import type { Context } from '../shell/context.ts'

/** Throws lake_locked while a worker or another command works on the lake. */
export const restoreLake = (
  { terminal, signal }: Context,
  settings: Settings,
  backup: string,
): Promise<Restored> =>
  asOnlyUser(settings, { say: terminal.say, signal }, () =>
    restore(settings.lake, { backup: resolve(backup), now: new Date(), signal }),
  )
