/** Writes figures into pages of docs/. A run replaces the text between two marks; the rest of the page stays. */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import type { PeerFigures, SideBySide } from './peers/side-by-side.ts'

const PAGE = 'docs/performance.md'

const begins = (bench: string) => `<!-- figures of ${bench}: made by the run, not by hand -->`
const ends = (bench: string) => `<!-- end of the figures of ${bench} -->`

/** The aims for the core: the most scans that it may take, by the number of transactions. */
const AIMS: Record<number, { models: number; three_stages?: number }> = {
  10_000_000: { models: 30, three_stages: 12 },
  50_000_000: { models: 40 },
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

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

const count = (n: number) => n.toLocaleString('en-US')
