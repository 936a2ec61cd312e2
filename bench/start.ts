/**
 * Measures the wait for a command that does little: `npm run bench:start`. The last line is JSON.
 *
 * The help runs beside a bare Node. Three commands run beside a script that opens the same lake and runs one query.
 * All run as the built program, so `npm run build` comes first. The lake is that of the demo. `--keep` names a folder
 * in which it stays for the next call.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { extensionFolder } from '../lake/connection/extensions.ts'
import { openLake } from '../lake/connection/open.ts'
import { lakeIn } from './lake.ts'
import { asCalled, writeStart, type StartFigures } from './performance-page.ts'
import { median } from './timed.ts'

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'tieout.mjs')
const BARE_QUERY = join(import.meta.dirname, 'bare-query.mjs')

/** A command of tieout, and the smallest program that a person could compare it with. */
interface Pair {
  name: string
  aim: number
  command: readonly string[]
  beside: { name: string; args: readonly string[] }
}

interface Took {
  seconds: number
  cpu_seconds: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '9' },
      keep: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
    },
  })
  const scratch = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  try {
    const folder = values.keep ?? scratch
    if (!existsSync(join(folder, 'lake', 'catalog.sqlite'))) makeDemo(folder)
    const figures = measured(await pairsIn(folder), Number(values.rounds))
    for (const { name, beside, ratios, cpu_ratio, seconds } of figures) {
      console.log(
        `${name.padEnd(18)}${seconds.toFixed(2)} s, ${median(ratios).toFixed(2)} x ${beside}, ${cpu_ratio.toFixed(2)} x by CPU time`,
      )
    }
    if (values['write-docs']) writeStart(asCalled('bench:start', process.argv.slice(2)), figures)
    console.log(JSON.stringify(figures))
    return 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function makeDemo(folder: string): void {
  console.log('making the demo, which takes some two minutes')
  ran([PROGRAM, 'demo', '--lake', join(folder, 'lake'), '--out', join(folder, 'out')])
}

/** The pairs to measure. Each query reads the rows that the command shows. */
async function pairsIn(folder: string): Promise<Pair[]> {
  const { runId, settlementId } = await newestBreak(folder)
  const place = join(folder, 'lake')
  const config = ['--config', join(place, 'tieout.yaml')]
  const extensions = (await extensionFolder()) ?? ''
  const query = (sql: string) => ({
    name: 'a script with one query',
    args: [BARE_QUERY, place, extensions, sql],
  })
  return [
    {
      ...{ name: '--help', aim: 4, command: ['--help'] },
      beside: { name: 'node -e 0', args: ['-e', '0'] },
    },
    {
      ...{ name: 'exceptions list', aim: 3, command: [...config, 'exceptions', 'list'] },
      beside: query(`from lake.result.exceptions where run_id = '${runId}'`),
    },
    {
      ...{ name: 'status', aim: 3, command: [...config, 'status'] },
      beside: query('from lake.ops.run'),
    },
    {
      ...{ name: 'explain', aim: 3, command: [...config, 'explain', settlementId] },
      beside: query(
        `from lake.result.settlements where run_id = '${runId}' and "settlementId" = '${settlementId}'`,
      ),
    },
  ]
}

async function newestBreak(folder: string): Promise<{ runId: string; settlementId: string }> {
  const lake = await openLake(lakeIn(join(folder, 'lake')), { create: false })
  try {
    const connection = await lake.connect()
    const reader = await connection.runAndReadAll(
      `select run_id, "settlementId" from lake.result.settlements
       where "verdict" = 'BREAK' and run_id = (select max(run_id) from lake.ops.publication)
       order by "created" desc limit 1`,
    )
    const [runId, settlementId] = (reader.getRows()[0] ?? []).map(String)
    if (runId === undefined || settlementId === undefined) throw new Error('the demo has no break')
    return { runId, settlementId }
  } finally {
    lake.close()
  }
}

/** Runs all programs in turn, round by round, so that other work on the machine affects all of them. */
function measured(pairs: readonly Pair[], rounds: number): StartFigures[] {
  const turns = Array.from({ length: rounds }, () =>
    pairs.map(({ command, beside }) => ({
      bare: ran(beside.args),
      own: ran([PROGRAM, ...command]),
    })),
  )
  return pairs.map(({ name, aim, beside }, at) => {
    const both = turns.flatMap((turn) => turn[at] ?? [])
    return {
      ...{ name, aim, beside: beside.name },
      seconds: median(both.map(({ own }) => own.seconds)),
      bare_seconds: median(both.map(({ bare }) => bare.seconds)),
      ratios: both.map(({ own, bare }) => own.seconds / bare.seconds),
      cpu_ratio: median(both.map(({ own, bare }) => own.cpu_seconds / bare.cpu_seconds)),
    }
  })
}

/** Runs Node with these arguments, without its output. The shell reports the CPU time. Throws if the program fails. */
function ran(args: readonly string[]): Took {
  const since_ms = performance.now()
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', '"$@" > /dev/null; code=$?; times; exit $code', 'sh', process.execPath, ...args],
    { encoding: 'utf8' },
  )
  const seconds = (performance.now() - since_ms) / 1000
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`)
  const [, children = ''] = stdout.trim().split('\n')
  const cpu_seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
    .reduce((sum, part) => sum + part, 0)
  return { seconds, cpu_seconds }
}
