/** Pages of docs/ with figures: what stands between two marks is made from a run, the rest of the page stays. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { SideBySide } from './peers/side-by-side.ts'

const begins = (bench: string) => `<!-- figures of ${bench}: made by the run, not by hand -->`
const ends = (bench: string) => `<!-- end of the figures of ${bench} -->`

export interface CoreFigures {
  transactions: number
  terminals: number
  days: number
  rounds: number
  /** Of the round in the middle: seconds of the plain scan of the lake's columns, and of each model. */
  scan_s: number
  /** How many scans all models take in CPU time. */
  cpu_ratio_to_scan: number
  stages: Record<string, number>
  peak_rss_mb: number
  /** How many wanted to run meanwhile, on the average of five minutes, and on how many cores. */
  machine: { load: number; cores: number }
  sideBySide: SideBySide | undefined
}

/** Writes the figures of a run into the page. Throws if the page has lost its marks. */
export function writeFigures(path: string, figures: CoreFigures): void {
  writeSection(path, 'bench:core', section(figures))
}

/** Puts the figures of a bench between its marks on a page. Throws if the page has lost them. */
export function writeSection(path: string, bench: string, text: string): void {
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), bench, text))
}

/** The page with the text between the marks of a bench replaced. Throws if a mark is missing. */
export function withSection(page: string, bench: string, text: string): string {
  const [begin, end] = [page.indexOf(begins(bench)), page.indexOf(ends(bench))]
  if (begin < 0 || end < begin) throw new Error('the page has no marks between which figures go')
  return `${page.slice(0, begin + begins(bench).length)}\n${text}\n${page.slice(end)}`
}

function section(figures: CoreFigures): string {
  const { transactions, terminals, days, rounds, scan_s, stages, sideBySide } = figures
  const total_s = Object.values(stages).reduce((sum, took_s) => sum + took_s, 0)
  const slowest = Object.entries(stages)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 12)
  return [
    `Made by \`npm run bench:core -- --transactions ${transactions} --write-docs\`. A generated history of ${count(transactions)} transactions, ${terminals} terminals, ${days} days,`,
    `one settlement in a hundred wrong; two threads, on a machine of ${figures.machine.cores} cores with a load of ${figures.machine.load.toFixed(0)}. Times move with the load; ratios are of one round, side by side, the one in the middle of ${rounds}.`,
    '',
    '| | seconds | × the scan |',
    '|---|---|---|',
    line('plain scan of the columns that are needed', scan_s, scan_s),
    line('all models up to the findings', total_s, scan_s),
    ...slowest.map(([model, took_s]) => line(`of these \`${model}\``, took_s, scan_s)),
    '',
    `That is ${count(Math.round(transactions / total_s))} transactions a second; at most ${figures.peak_rss_mb} MB of memory. In CPU time all models are ${figures.cpu_ratio_to_scan.toFixed(1)} scans.`,
    ...(sideBySide === undefined ? [] : ['', ...sideBySideLines(sideBySide)]),
  ].join('\n')
}

function sideBySideLines(figures: SideBySide): string[] {
  const { stages, scan_s } = figures
  const ours = ['read', 'window', 'ceiling', 'duplicates']
  const three_s = ours.reduce((sum, stage) => sum + (stages[stage] ?? 0), 0)
  return [
    'Three stages on the same Parquet file, each engine in a process of its own, all with the same answers: the plain window with its flags, the refund',
    'ceiling, and duplicates. datacompy only compares the reported nets with the computed ones.',
    '',
    '| ours | seconds | × the scan |',
    '|---|---|---|',
    line('plain scan of the columns of the three stages', scan_s, scan_s),
    ...ours.map((stage) => line(stage, stages[stage] ?? Number.NaN, scan_s)),
    line('the three together, with reading', three_s, scan_s),
    line('compare', stages['compare'] ?? Number.NaN, scan_s),
    '',
    `In CPU time the three together are ${figures.cpu_ratio_to_scan_three_stages.toFixed(1)} scans.`,
    '',
    `| other engine, median of ${figures.rounds} ${figures.rounds === 1 ? 'run' : 'runs'} | seconds | × ours | × ours in CPU time | peak MB |`,
    '|---|---|---|---|---|',
    ...Object.entries(figures.peers).map(([name, peer]) =>
      typeof peer === 'string'
        ? `| ${name.replaceAll('_', ' ')} | ${peer} | | | |`
        : `| ${name.replaceAll('_', ' ')}${peer.of === 'compare' ? ', compare only' : ''} | ${peer.seconds.toFixed(3)} | ${peer.ratio_to_ours.toFixed(2)} | ${peer.of === 'compare' ? '' : peer.cpu_ratio_to_ours.toFixed(2)} | ${peer.peak_rss_mb} |`,
    ),
  ]
}

const line = (what: string, took_s: number, scan_s: number) =>
  `| ${what} | ${took_s.toFixed(3)} | ${(took_s / scan_s).toFixed(1)} |`

const count = (n: number) => n.toLocaleString('en-US')
