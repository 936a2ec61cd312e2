/** The parts of a run with its pack, from the statements of its process and the files of its pack. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lengthOf, type Span, stageOf, storing } from './night-parts.ts'
import { sum } from './timed.ts'

export interface RunParts {
  /** Seconds of the models alone, and of everything from them to the published pack. */
  models_seconds: number
  store_seconds: number
  pack_seconds: number
  /** Everything together, as a multiple of the models alone. */
  ratio: number
  pack_mb: number
  /** Seconds until each file of the pack was followed by the next one. */
  files: Record<string, number>
}

/** Divides a run. The times are those of `performance.now()` at its steps. */
export function runParts(
  statements: readonly Span[],
  at: { begun: number; reconciled: number; published: number },
  pack: string,
): RunParts {
  const files = filesOf(pack)
  const own = statements.filter(({ from, to }) => at.begun <= from && to <= at.reconciled)
  const models_seconds = lengthOf(own.filter(({ name }) => stageOf(name) !== undefined))
  return {
    models_seconds,
    store_seconds: lengthOf(storing(own)),
    pack_seconds: (at.published - at.reconciled) / 1000,
    ratio: (at.published - at.begun) / 1000 / models_seconds,
    pack_mb: sum(files.map(({ stat }) => stat.size)) / 1_000_000,
    files: fileSeconds(files, performance.timeOrigin + at.published),
  }
}

const filesOf = (pack: string) =>
  readdirSync(pack, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(pack, name)) }))
    .filter(({ stat }) => stat.isFile())

function fileSeconds(pack: ReturnType<typeof filesOf>, end_ms: number): Record<string, number> {
  const files = pack.toSorted((a, b) => a.stat.birthtimeMs - b.stat.birthtimeMs)
  return Object.fromEntries(
    files.map(({ name, stat }, at) => {
      const next_ms = files[at + 1]?.stat.birthtimeMs ?? end_ms
      return [name, (next_ms - stat.birthtimeMs) / 1000]
    }),
  )
}
