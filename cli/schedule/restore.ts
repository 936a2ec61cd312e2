/** The job `maintain --restore`: no server may work on the lake meanwhile. */
import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Restored } from '../../domain/maintenance.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { restore } from '../../lake/maintenance/restore.ts'
import { claimed, liveLock } from '../../workers/temporal/server-lock.ts'
import type { Context } from '../shell/context.ts'

/** Throws lake_locked while a worker or another command works on the lake. */
export async function restoreLake(
  { terminal, signal }: Context,
  lake: LakeSettings,
  backup: string,
): Promise<Restored> {
  const folder = resolve(lake.folder)
  mkdirSync(dirname(folder), { recursive: true })
  makeFolder(`${folder}/temporal`)
  return claimed(folder, { say: terminal.say, signal }, async () => {
    if ((await liveLock(folder)) !== undefined) {
      throw new Failure('lake_locked', `a worker or a command works on the lake in ${folder}`, {
        remedy: 'stop it, then run the same command again',
      })
    }
    return restore(lake, { backup: resolve(backup), now: new Date(), signal })
  })
}

export const restoredLines = ({ folder, backup, files, bytes, before }: Restored): string[] => [
  `${files.toLocaleString('en')} files of ${bytes.toLocaleString('en')} bytes restored from ${backup} to ${folder}`,
  ...(before === undefined
    ? []
    : [`the earlier lake is in ${before}; delete it when you no longer need it`]),
  'run tieout prove on a pack, and tieout schedule apply if there was a schedule',
]
