/**
 * Does in memory exactly the work of lake/landing/land.ts: the fence of batches, versions that differ, quarantine
 * once per content.
 */
import type { Landed } from '../../lake/landing/land.ts'
import type { Landing } from '../../lake/landing/landing.ts'
import type { SweepPosition } from '../../lake/landing/sweep-position.ts'
import { TypedRows } from '../../lake/landing/typed-rows.ts'

export interface Version {
  id: string
  /** The row as text. */
  content: string
}

/** The target of the simulation's landings: the model, or the real lake. */
export interface Lander {
  land(landing: Landing): Promise<Landed>
  position(sweepId: string): Promise<SweepPosition | undefined>
}

export class LandingModel implements Lander {
  /** The versions, in the order of landing. */
  readonly versions: Version[] = []
  readonly quarantine: Version[] = []
  readonly newest = new Map<string, { content: string; seq: number }>()
  readonly #refused = new Map<string, { hash: string; seq: number }>()
  readonly #sweeps = new Map<string, SweepPosition>()
  #seq = 0

  async land(landing: Landing): Promise<Landed> {
    const before = this.#sweeps.get(landing.sweepId)
    if (before !== undefined && before.batch >= landing.batch)
      return { landed: false, newVersions: 0 }
    this.#seq += 1
    const newVersions = this.#insertVersions(landing)
    this.#insertQuarantine(landing)
    this.#sweeps.set(landing.sweepId, {
      batch: landing.batch,
      state: JSON.stringify(landing.state),
      records: (before?.records ?? 0) + landing.rows.length,
      newVersions: (before?.newVersions ?? 0) + newVersions,
      quarantined: (before?.quarantined ?? 0) + landing.rejects.length,
      isForgotten: false,
    })
    return { landed: true, newVersions }
  }

  async position(sweepId: string): Promise<SweepPosition | undefined> {
    return this.#sweeps.get(sweepId)
  }

  #insertVersions({ rows }: Landing): number {
    // Compared with the record before it in the batch, else with the newest in the lake as it was before the batch.
    const known = new Map<string, string | undefined>()
    let count = 0
    if (rows instanceof TypedRows) throw new Error('the model knows rows by what they say')
    for (const row of rows) {
      const id = idOf(row)
      const content = JSON.stringify(row)
      if (!known.has(id)) known.set(id, this.#knownBefore(id))
      if (known.get(id) !== content) {
        this.versions.push({ id, content })
        count += 1
        this.newest.set(id, { content, seq: this.#seq })
      }
      known.set(id, content)
    }
    return count
  }

  #knownBefore(id: string): string | undefined {
    const newest = this.newest.get(id)
    const refused = this.#refused.get(id)
    if (newest === undefined) return undefined
    return refused !== undefined && refused.seq >= newest.seq ? undefined : newest.content
  }

  #insertQuarantine({ rejects }: Landing): void {
    for (const reject of rejects) {
      const { subject_id: id, record_sha256: hash } = reject as Record<string, string>
      if (id === undefined || hash === undefined || this.#refused.get(id)?.hash === hash) continue
      this.#refused.set(id, { hash, seq: this.#seq })
      this.quarantine.push({ id, content: hash })
    }
  }
}

export function idOf(row: object): string {
  const { settlement_id, transaction_id } = row as Record<string, string>
  return settlement_id ?? transaction_id ?? ''
}
