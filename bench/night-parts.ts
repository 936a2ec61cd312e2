/** The parts of a night, from what bench/trace-night.mjs recorded of its process. */
import { readChecks, readModels } from '../lake/run/models.ts'
import { cpuSeconds, sum } from './timed.ts'

export interface Span {
  /** Milliseconds since the start of the process. */
  from: number
  to: number
  name: string
}

export interface Trace {
  steps: readonly Span[]
  statements: readonly Span[]
  requests: readonly Span[]
  ended: number
  cpu: NodeJS.CpuUsage
}

export interface Night {
  seconds: number
  /** The night without the time in which at least one request was open. */
  beyond_seconds: number
  /** CPU seconds of the program, without its server. */
  cpu_seconds: number
  /** Seconds of each part, in the order of the night. */
  parts: Record<string, number>
}

const STAGES = new Map([...readModels(), ...readChecks()].map(({ name, stage }) => [name, stage]))
const STAGE_NAMES = [...new Set(STAGES.values())]

/** Divides the time of a night. Each instant counts once, for the first part that it belongs to. */
export function partsOf(
  { steps, statements, requests, ended, cpu }: Trace,
  seconds: number,
): Night {
  const open = unionOf(requests)
  const inSteps = (names: RegExp) => steps.filter(({ name }) => names.test(name))
  const first = Math.min(...steps.map(({ from }) => from))
  const last = Math.max(...steps.map(({ to }) => to))
  const within = (spans: readonly Span[], around: readonly Span[]) =>
    spans.filter(({ from, to }) => around.some((one) => one.from <= from && to <= one.to))
  const reconcile = inSteps(/^reconcile/)
  const publish = inSteps(/^publish/)
  const others = steps.filter((step) => !reconcile.includes(step) && !publish.includes(step))
  const own = within(statements, reconcile)
  const stage = (name: string) => own.filter(({ name: sql }) => stageOf(sql) === name)
  const bound = own.filter(({ name }) => BINDS.test(name))
  const stages = own.filter(({ name }) => stageOf(name) !== undefined)
  const stored = storing(own)
  const landed = within(statements, others)
  const [reading, landing] = [lengthOf(others, open), lengthOf(landed, open)]
  const judged = lengthOf([...bound, ...stages, ...stored])
  const parts: Record<string, number> = {
    'start of program, server and worker': first / 1000,
    'sweep: requests': lengthOf(requests),
    'sweep: statements of landing': landing,
    'sweep: all else': reading - landing,
    'run: bind inputs': lengthOf(bound),
    ...Object.fromEntries(STAGE_NAMES.map((name) => [`run: ${name}`, lengthOf(stage(name))])),
    'run: store': lengthOf(stored),
    'run: all else': lengthOf(reconcile) - judged,
    pack: lengthOf(publish),
    'between the steps': (last - first) / 1000 - lengthOf([...steps, ...requests]),
    'end of worker, server and program': seconds - last / 1000,
  }
  if (ended < last) throw new Error('a step ended after the process')
  const beyond_seconds = seconds - lengthOf(requests)
  return { seconds, beyond_seconds, cpu_seconds: cpuSeconds(cpu), parts }
}

const BINDS = /^create temp (?:table|view) (?:seen|ops|result)_|^\s*select table_name, sum\(file/

/** The stage of a statement that makes a model or checks one. */
export const stageOf = (sql: string): string | undefined =>
  STAGES.get(/-- (?:model|view|finding|pack|check)\s+(\w+)/.exec(sql)?.[1] ?? '')

/** The statements of the run from the first that writes a result. */
export function storing(statements: readonly Span[]): readonly Span[] {
  const begins = statements.findIndex(({ name }) =>
    /^\s*insert into lake\.(?:ops|result)/.test(name),
  )
  return begins < 0 ? [] : statements.slice(begins)
}

type Interval = readonly [from: number, to: number]

function unionOf(spans: readonly { from: number; to: number }[]): Interval[] {
  const union: [number, number][] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = union.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else union.push([from, to])
  }
  return union
}

/** Seconds that the spans cover, outside of the given intervals. */
export function lengthOf(spans: readonly Span[], without: readonly Interval[] = []): number {
  const covered = unionOf(spans)
  const overlap = covered.flatMap(([from, to]) =>
    without.map(([a, b]) => Math.max(0, Math.min(to, b) - Math.max(from, a))),
  )
  const whole = covered.map(([from, to]) => to - from)
  return (sum(whole) - sum(overlap)) / 1000
}
