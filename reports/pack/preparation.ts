/** Who prepared a pack, when, and where its approval stands, in words of both summaries. */
import type { PackAbout } from './pack-source.ts'

/** The time in a run's id, such as `2026-11-26 07:53:49`; undefined for an id without one. */
export function beganAt(runId: string): string | undefined {
  const [, year, month, day, ...time] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(runId) ?? []
  return year === undefined ? undefined : `${year}-${month}-${day} ${time.join(':')}`
}

/** Names and values. A pack is published before it is approved, so that it names only its preparer. */
export function preparationFacts({ preparedBy, runId }: PackAbout): (readonly [string, string])[] {
  const began = beganAt(runId)
  return [
    ['Prepared by', preparedBy ?? 'not named'],
    ...(began === undefined ? [] : [['Prepared at', `${began} UTC`] as const]),
    [
      'Approved',
      'not when this was made; once it is, approval.json beside it says by whom and when',
    ],
  ]
}
