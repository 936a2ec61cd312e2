/** Writes figures into pages of docs/. A run replaces the text between two marks; the rest of the page stays. */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import type { MeasuredRuns } from './run.ts'
import type { PeerFigures, SideBySide } from './peers/side-by-side.ts'
import type { SmallNight } from './small-night.ts'
import { median, sum } from './timed.ts'

const PAGE = 'docs/performance.md'
const SCALING_PAGE = 'docs/scaling.md'

const begins = (bench: string) => `<!-- figures of ${bench}: made by the run, not by hand -->`
const ends = (bench: string) => `<!-- end of the figures of ${bench} -->`

/** The aims for the core: the most scans that it may take, by the number of transactions. */
const AIMS: Record<number, { models: number; three_stages?: number }> = {
  10_000_000: { models: 20, three_stages: 12 },
  50_000_000: { models: 25 },
}

/** The aims for other engines: how many times as long as ours each must take at least. */
const PEER_AIMS: Record<string, number> = {
  polars: 1.5,
  polars_streaming: 1,
  pandas: 5,
  chdb: 2,
  datacompy: 1,
  row_loop: 15,
}

const MOST_MODELS = 12

export interface CoreFigures {
  transactions: number
  terminals: number
  days: number
  memory_limit: string
  /** The ratio of all models to the scan, by wall time, for each round. */
  rounds: readonly number[]
  /** Seconds of the plain scan of the lake's columns, in the median round. */
  scan_s: number
  /** The ratio of all models to the scan, in CPU time. */
  cpu_ratio_to_scan: number
  stages: Record<string, number>
  peak_rss_mb: number
  sideBySide: SideBySide | undefined
}

/**
 * Returns the call of a bench without the flags that change no figure. This call is the name of its place on the
 * page.
 */
export function asCalled(bench: string, args: readonly string[]): string {
  const keep = args.indexOf('--keep')
  const options = args.filter(
    (arg, i) => arg !== '--write-docs' && (keep < 0 || (i !== keep && i !== keep + 1)),
  )
  return ['npm run', bench, ...(options.length === 0 ? [] : ['--', ...options])].join(' ')
}

/** Writes the figures of a run of the core into the page. Throws if the page has no place for this call. */
export function writeCore(called: string, figures: CoreFigures): void {
  writeSection(PAGE, called, [...madeBy(called), ...coreLines(figures)].join('\n'))
}

/** A command beside the smallest program that does the same kind of work. */
export interface StartFigures {
  name: string
  beside: string
  /** The most times as long as the other program that the command may take. */
  aim: number
  /** Medians over the rounds. */
  seconds: number
  bare_seconds: number
  /** The ratio of the two by time, for each round. */
  ratios: readonly number[]
  cpu_ratio: number
}

/** Writes the figures of the start of commands into the page. Throws if the page has no place for this call. */
export function writeStart(called: string, figures: readonly StartFigures[]): void {
  const lines = [
    ...madeBy(called),
    '| command | seconds | beside | seconds | × by time | × by CPU time | aim |',
    '|---|---|---|---|---|---|---|',
    ...figures.map(
      ({ name, beside, aim, seconds, bare_seconds, ratios, cpu_ratio }) =>
        `| \`tieout ${name}\` | ${seconds.toFixed(2)} | ${beside} | ${bare_seconds.toFixed(2)} | ${median(ratios).toFixed(2)} | ${cpu_ratio.toFixed(2)} | ${aim} |`,
    ),
  ]
  writeSection(PAGE, called, lines.join('\n'))
}

/** Writes where small nights spend their time. Throws if the page has no place for this call. */
export function writeSmallNight(called: string, found: readonly SmallNight[]): void {
  const medians = (of: (one: SmallNight) => readonly number[]) =>
    found.map((one) => median(of(one)).toFixed(2)).join(' | ')
  const row = (name: string, of: (one: SmallNight) => readonly number[]) =>
    `| ${name} | ${medians(of)} |`
  const parts = Object.keys(found[0]?.nights[0]?.parts ?? {})
  const lines = [
    ...madeBy(called),
    `| seconds | ${found.map(({ transactions }) => count(transactions)).join(' | ')} |`,
    `|---|${found.map(() => '---|').join('')}`,
    ...parts.map((part) => row(part, ({ nights }) => nights.map(({ parts }) => parts[part] ?? 0))),
    row('**whole night**', ({ nights }) => nights.map(({ seconds }) => seconds)),
    row('**beyond the requests**', ({ nights }) => nights.map((night) => night.beyond_seconds)),
    row('the same models bare', ({ bare }) => bare.map(({ seconds }) => seconds)),
    row('× the bare models (aim 3)', ({ nights, bare }) =>
      nights.map((night, at) => night.beyond_seconds / (bare[at]?.seconds ?? Number.NaN)),
    ),
    row('CPU time of the program', ({ nights }) => nights.map((night) => night.cpu_seconds)),
    row('CPU time of the models bare', ({ bare }) => bare.map(({ cpu_seconds }) => cpu_seconds)),
    row('× by CPU time', ({ nights, bare }) =>
      nights.map((night, at) => night.cpu_seconds / (bare[at]?.cpu_seconds ?? Number.NaN)),
    ),
  ]
  writeSection(PAGE, called, lines.join('\n'))
}

/** Writes how a run grows with its history into docs/scaling.md. Throws if the page has no place for this call. */
export function writeRuns(called: string, runs: readonly MeasuredRuns[]): void {
  type Round = MeasuredRuns['rounds'][number]
  const row = (name: string, of: (round: Round, runs: MeasuredRuns) => number, digits = 0) =>
    `| ${name} | ${runs
      .map((one) => figure(median(one.rounds.map((round) => of(round, one))), digits))
      .join(' | ')} |`
  const lines = [
    ...madeBy(called),
    `| | ${runs.map(({ transactions }) => count(transactions)).join(' | ')} |`,
    `|---|${runs.map(() => '---|').join('')}`,
    row('terminals', (_, { terminals }) => terminals),
    `| \`memory_limit\` | ${runs.map(({ memory_limit }) => memory_limit).join(' | ')} |`,
    row('Parquet files of the lake, MB', (_, { lake_mb }) => lake_mb),
    row('the models alone, seconds', ({ parts }) => parts.models_seconds),
    row('storing, seconds', ({ parts }) => parts.store_seconds),
    row('the pack, seconds', ({ parts }) => parts.pack_seconds),
    row('**everything, seconds**', ({ seconds }) => seconds),
    row('everything, CPU seconds', (round) => round.cpu_seconds),
    row('× the models alone (aim 2)', ({ parts }) => parts.ratio, 2),
    row(
      'microseconds for each transaction',
      ({ seconds }, { transactions }) => (seconds / transactions) * 1_000_000,
      1,
    ),
    row('largest memory, MB', (round) => round.peak_rss_mb),
    row('largest disk with scratch files, MB', (round) => round.peak_disk_mb),
    row('size of the pack, MB', ({ parts }) => parts.pack_mb),
  ]
  writeSection(SCALING_PAGE, called, lines.join('\n'))
}

const figure = (value: number, digits: number) =>
  digits === 0 ? count(Math.round(value)) : value.toFixed(digits)

/** Writes the figures of a bench between its marks on a page. Throws if the page has lost them. */
export function writeSection(path: string, bench: string, text: string): void {
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), bench, text))
}

/** Replaces the text between the marks of a bench. Throws if a mark is missing. */
export function withSection(page: string, bench: string, text: string): string {
  const [begin, end] = [page.indexOf(begins(bench)), page.indexOf(ends(bench))]
  if (begin < 0 || end < begin) throw new Error(`the page has no place for figures of ${bench}`)
  return `${page.slice(0, begin + begins(bench).length)}\n${text}\n${page.slice(end)}`
}

const madeBy = (called: string): string[] => [
  `\`${called}\` on ${new Date().toISOString().slice(0, 10)}, on a machine of ${availableParallelism()} cores with a load of ${(loadavg()[1] ?? Number.NaN).toFixed(0)}.`,
  '',
]

function coreLines(figures: CoreFigures): string[] {
  const { transactions, terminals, days, memory_limit, rounds, scan_s, stages, sideBySide } =
    figures
  const aims = AIMS[transactions]
  const total_s = sum(Object.values(stages))
  const slowest = Object.entries(stages)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_MODELS)
  return [
    `${count(transactions)} transactions of ${count(terminals)} terminals over ${days} days, one settlement in a hundred wrong; two threads, \`memory_limit\` ${memory_limit}.`,
    '',
    '| | seconds | × the scan | aim |',
    '|---|---|---|---|',
    line('plain scan of the columns that are needed', scan_s, scan_s),
    line('all models up to the findings', total_s, scan_s, aims?.models),
    ...slowest.map(([model, took_s]) => line(`of these \`${model}\``, took_s, scan_s)),
    '',
    `In CPU time all models are ${figures.cpu_ratio_to_scan.toFixed(1)} scans; by time ${rounds.map((ratio) => ratio.toFixed(1)).join(', ')}, round by round.`,
    `${count(Math.round(transactions / total_s))} transactions a second; at most ${count(figures.peak_rss_mb)} MB of memory over all rounds.`,
    ...(sideBySide === undefined ? [] : ['', ...sideBySideLines(sideBySide, aims?.three_stages)]),
  ]
}

function sideBySideLines(figures: SideBySide, aim: number | undefined): string[] {
  const { stages, scan_s, rounds } = figures
  const ours = ['read', 'window', 'ceiling', 'duplicates']
  const three_s = sum(ours.map((stage) => stages[stage] ?? 0))
  return [
    '| three stages | seconds | × the scan | aim |',
    '|---|---|---|---|',
    line('plain scan of the columns of the three stages', scan_s, scan_s),
    ...ours.map((stage) => line(stage, stages[stage] ?? Number.NaN, scan_s)),
    line('the three together, with reading', three_s, scan_s, aim),
    line('compare', stages['compare'] ?? Number.NaN, scan_s),
    '',
    `In CPU time the three together are ${figures.cpu_ratio_to_scan_three_stages.toFixed(1)} scans.`,
    ...peerLines(Object.entries(figures.peers), rounds),
  ]
}

const peerLines = (peers: readonly [string, PeerFigures | string][], rounds: number): string[] =>
  peers.length === 0
    ? []
    : [
        '',
        `| other engine, ${rounds === 1 ? 'one run' : `median of ${rounds} runs`} | seconds | × ours | aim | × ours in CPU time | peak MB |`,
        '|---|---|---|---|---|---|',
        ...peers.map(([name, peer]) => peerLine(name, peer)),
      ]

function peerLine(name: string, peer: PeerFigures | string): string {
  const words = name.replaceAll('_', ' ')
  if (typeof peer === 'string') return `| ${words} | ${peer} | | | | |`
  const isCompare = peer.of === 'compare'
  const cells = [
    isCompare ? `${words}, compare only` : words,
    peer.seconds.toFixed(3),
    peer.ratio_to_ours.toFixed(2),
    PEER_AIMS[name] ?? '',
    isCompare ? '' : peer.cpu_ratio_to_ours.toFixed(2),
    count(peer.peak_rss_mb),
  ]
  return `| ${cells.join(' | ')} |`
}

const line = (what: string, took_s: number, scan_s: number, aim: number | '' = '') =>
  `| ${what} | ${took_s.toFixed(3)} | ${(took_s / scan_s).toFixed(1)} | ${aim} |`

const count = (n: number) => n.toLocaleString('en-US')
