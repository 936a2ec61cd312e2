/** Compares the landed records with everything that was ever in the list. */
import type { SweepState } from '../../api/sweep/sweep.ts'
import type { LandingModel, Version } from './landing-model.ts'
import type { MovingList } from './moving-list.ts'

export interface Judgement {
  wrong: string[]
  /** Records that were in the list all the while and did not land. */
  missed: number
}

/** The changes of the list between which a sweep ran, and how it ended. */
interface Span {
  from: number
  until: number
  state: SweepState
}

export function judge(list: MovingList, landing: LandingModel, span: Span): Judgement {
  const missed = missing(list, landing, span)
  const isProven = span.state.certificate !== 'BEST_EFFORT'
  return {
    missed: missed.length,
    wrong: [
      ...(isProven
        ? missed.map((id) => `record ${id} is lost, and the sweep says ${span.state.certificate}`)
        : []),
      ...twice(landing.versions),
      ...invented(list, landing.versions),
      ...backwards(landing.versions),
    ],
  }
}

function missing(list: MovingList, landing: LandingModel, { from, until, state }: Span): number[] {
  const { coversFrom } = state
  const refused = new Set(landing.quarantine.map(({ id }) => id))
  return [...list.lives]
    .filter(([, life]) => life.from <= from && life.until > until)
    .filter(([, life]) => coversFrom === null || life.created > coversFrom)
    .map(([id]) => id)
    .filter((id) => !landing.newest.has(String(id)) && !refused.has(String(id)))
}

/** A record whose content did not change has no new version. */
function twice(versions: readonly Version[]): string[] {
  const last = new Map<string, string>()
  return versions.flatMap(({ id, content }) => {
    const before = last.get(id)
    last.set(id, content)
    return before === content ? [`record ${id} landed twice with the same content`] : []
  })
}

/** A version that landed is one that the record had. */
function invented(list: MovingList, versions: readonly Version[]): string[] {
  return versions.flatMap(({ id, content }) => {
    const known = list.lives
      .get(Number(id))
      ?.versions.some(({ version }) => version === versionIn(content))
    return known === true ? [] : [`record ${id} landed as ${content}, which it never was`]
  })
}

/** Versions land in the order in which they came to be: an old one never lands over a new one. */
function backwards(versions: readonly Version[]): string[] {
  const newest = new Map<string, number>()
  return versions.flatMap(({ id, content }) => {
    const version = versionIn(content)
    const before = newest.get(id) ?? 0
    newest.set(id, version)
    return version < before ? [`record ${id} went back from version ${before} to ${version}`] : []
  })
}

function versionIn(content: string): number {
  return Number(/"(?:net|total)_cents":"([0-9]+)00"/.exec(content)?.[1])
}
