/** The acts of people that a lake loses when an earlier state takes its place, and the words for lost contents. */
import type { LostActs, Newer } from '../../domain/maintenance.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { withLake } from '../connection/read-lake.ts'
import { readTrail, type AuditAction, type AuditEntry } from '../decisions/audit-trail.ts'

/** Compares the audit trails of both lakes. Null: one of them can't be read, so that nothing is known. */
export async function lostActs(
  earlier: LakeSettings,
  restored: LakeSettings,
): Promise<LostActs | null> {
  try {
    const known = new Set((await trailOf(restored)).map(({ sha256 }) => sha256))
    return countsOf((await trailOf(earlier)).filter(({ sha256 }) => !known.has(sha256)))
  } catch {
    // A person often restores because the earlier lake is damaged, so that its damage can't stop the restore.
    return null
  }
}

const trailOf = (settings: LakeSettings): Promise<AuditEntry[]> =>
  withLake(settings, { create: false, readOnly: true, asItIs: true }, (lake) => readTrail(lake))

function countsOf(lost: readonly AuditEntry[]): LostActs {
  const number = (name: AuditAction) => lost.filter(({ action }) => action === name).length
  const [approvals, closes] = [number('pack.approve'), number('period.close')]
  const erasures = number('identity.erase')
  const decisions = lost.length - approvals - closes - erasures
  return { acts: lost.length, approvals, closes, decisions, erasures }
}

/** Counts in words, such as `2 landings, 3 acts of the audit trail`. Empty if all are zero. */
export const wordsOf = (lost: Partial<Newer & LostActs>): string =>
  (Object.entries(lost) as [keyof typeof WORDS, number][])
    .map(([name, count]) => [count, WORDS[name]] as const)
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${count === 1 ? word.replace(/s(?= |$)/, '') : word}`)
    .join(', ')

const WORDS: Record<keyof Newer | keyof LostActs, string> = {
  landings: 'landings',
  sweeps: 'sweeps',
  runs: 'runs',
  packs: 'packs',
  acts: 'acts of the audit trail',
  approvals: 'approvals of exported entries',
  closes: 'closes of periods',
  decisions: 'other decisions',
  erasures: 'erasures of cardholders',
  backfillEvents: 'events of backfills',
}
