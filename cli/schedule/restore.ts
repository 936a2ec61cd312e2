/** The job `maintain --restore`: no other process may use the lake meanwhile. */
import { resolve } from 'node:path'
import { countedNoun } from '../../domain/headline.ts'
import type { LostActs, Restored } from '../../domain/maintenance.ts'
import type { Settings } from '../../domain/settings.ts'
import { wordsOf } from '../../lake/maintenance/lost-acts.ts'
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

/** The receipt of a restore. */
export const restoredLines = ({
  folder,
  backup,
  files,
  bytes,
  before,
  lost,
}: Restored): string[] => [
  `${countedNoun(files, 'file')} of ${bytes.toLocaleString('en')} bytes restored from ${backup} to ${folder}`,
  ...(before === undefined
    ? []
    : [`the earlier lake is in ${before}; delete it when you no longer need it`]),
  ...(lost === undefined ? [] : lostLines(lost)),
  'run tieout prove on a pack, and tieout schedule apply if there was a schedule',
]

/** Says what people have done that the restored lake does not know. */
function lostLines(lost: LostActs | null): string[] {
  if (lost === null) {
    return [
      'warning: the acts of the earlier lake could not be compared; entries of its approvals may already be in the ledger, and erasures must be done again',
    ]
  }
  if (lost.acts === 0) return ['the restored lake has all acts of the earlier one']
  const { acts, ...kinds } = lost
  return [
    `warning: the restored lake lacks ${countedNoun(acts, 'act')} of the earlier one: ${wordsOf(kinds)}`,
    ...(lost.approvals === 0
      ? []
      : [
          'entries of lost approvals may already be in the ledger, and the next approval exports them again; do not import them twice',
        ]),
    ...(lost.erasures === 0
      ? []
      : ['erase the cardholders of lost erasures again; the restored lake still identifies them']),
  ]
}
