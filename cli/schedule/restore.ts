/** The job `maintain --restore`: no server may work on the lake meanwhile. */
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Restored } from '../../domain/maintenance.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { restore } from '../../lake/maintenance/restore.ts'
import { unlessServed } from '../../workers/temporal/server-lock.ts'
import type { Context } from '../shell/context.ts'

/** Throws lake_locked while a worker or another command works on the lake. */
export async function restoreLake(
  { terminal, signal }: Context,
  lake: LakeSettings,
  backup: string,
): Promise<Restored> {
  const folder = resolve(lake.folder)
  const restored = await unlessServed(folder, { say: terminal.say, signal }, () =>
    restore(lake, { backup: resolve(backup), now: new Date(), signal }),
  )
  if (restored !== undefined) return restored
  throw new Failure('lake_locked', `a worker or a command works on the lake in ${folder}`, {
    remedy: 'stop it, then run the same command again',
  })
}
