/** Who prepared a pack, when, and where its approval stands, in words of both summaries. */
import type { PackAbout } from './pack-source.ts'

/** Names and values. A pack is published before it is approved, so that it names only its preparer. */
export function preparationFacts({ preparedBy, runId }: PackAbout): (readonly [string, string])[] {
  const began = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(runId)
  const [, year, month, day, hour, minute, second] = began ?? []
  return [
    ['Prepared by', preparedBy ?? 'not named'],
    ...(began === null
      ? []
      : [['Prepared at', `${year}-${month}-${day} ${hour}:${minute}:${second} UTC`] as const]),
    [
      'Approved',
      'not when this was made; once it is, approval.json beside it says by whom and when',
    ],
  ]
}
