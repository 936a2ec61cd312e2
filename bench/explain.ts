/**
 * Measures the explanation of one settlement in a large lake whose newest run is published. Call:
 * `npm run bench:explain -- --transactions 1000000`. The last line is JSON.
 *
 * The lake is opened once. Then settlements that tie out and others that do not are explained in turn. `--keep` names
 * a folder in which the lake stays for the next call.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeAsStored } from '../queries/explain-settlement.ts'
import { explanationOf } from '../queries/explanation.ts'
import { createReconcile } from '../activities/reconcile/reconcile.ts'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import type { Run } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { codeVersion } from '../lake/run/code-version.ts'
import { isThere, openLake } from '../lake/connection/open.ts'
import { type Lake } from '../lake/connection/lake.ts'
import { recordPublication } from '../lake/results/publications.ts'
import { generate, type HistorySize } from './generated-history.ts'
import { settingsIn } from './lake.ts'
import { median, timed, type Took } from './timed.ts'

/** Each version of the models stores its own run in a lake from `--keep`. */
const RUN: Run = {
  ...{ runId: codeVersion(), account: 'bench', asOf: '2026-11-20T04:15:00Z', knownAt: '3' },
  window: { from: '2025-09-26', to: '2025-10-31' },
}

/** The verdicts, and the number of settlements of each that are explained. */
const KINDS = { TIED: 5, BREAK: 5 }

interface Explained extends Took {
  settlementId: string
  verdict: string
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      terminals: { type: 'string', default: '330' },
      'memory-limit': { type: 'string', default: '8GB' },
      keep: { type: 'string' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const settings = settingsIn(values.keep ?? folder, {
    lake: { memoryLimit: values['memory-limit'] },
  })
  const transactions = Number(values.transactions)
  try {
    const size = { transactions, terminals: Number(values.terminals), days: 60, isSwept: true }
    const made = await timed(() => makeLake(settings, size))
    console.log(`lake made in ${made.cpu_seconds.toFixed(0)} s of CPU time`)
    const opening = await timed(() => openLake(settings.lake, { create: false }))
    const explained: Explained[] = []
    for (const id of await explainedIds(opening.result)) {
      explained.push(await explain(opening.result, settings, id))
    }
    opening.result.close()
    report({ transactions, opening_cpu_seconds: opening.cpu_seconds, explained })
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes those parts of the lake that do not exist yet. */
async function makeLake(settings: Settings, size: HistorySize): Promise<void> {
  const hasLake = isThere(settings.lake)
  const shared = new SharedLake(settings.lake, () => {})
  try {
    if (!hasLake) {
      await shared.connected(async (_lake, connection) => {
        await generate(connection, size)
        await connection.run(
          `insert into lake.ops.landing values (3, 'bench', 't', 0, 1, 1, 0, timestamp '2026-11-20', '{}')`,
        )
      })
    }
    await createReconcile(settings, shared)(RUN)
    await shared.connected((lake, connection) =>
      recordPublication(lake, connection, { ...RUN, certificate: 'CONTIGUOUS' }),
    )
  } finally {
    await shared.close()
  }
}

/** Returns settlements of the two kinds in turn, so that other work on the machine affects both equally. */
async function explainedIds(lake: Lake): Promise<string[]> {
  const connection = await lake.connect()
  const found = await connection.runAndReadAll(
    `select "settlementId", row_number() over (partition by "verdict" order by hash("settlementId")) as turn
     from lake.result.settlements where run_id = '${RUN.runId}' and "created" >= '2025-09-28'
     qualify ${Object.entries(KINDS)
       .map(([verdict, many]) => `("verdict" = '${verdict}' and turn <= ${many})`)
       .join(' or ')}
     order by turn, "verdict"`,
  )
  connection.closeSync()
  return found.getRows().map(([id]) => String(id))
}

async function explain(lake: Lake, settings: Settings, settlementId: string): Promise<Explained> {
  const { result, seconds, cpu_seconds } = await timed(async () => {
    const connection = await lake.connect()
    const why = await judgeAsStored(connection, { settings, settlementId })
    if (why !== undefined) throw new Error(`${settlementId} is not told as stored: ${why}`)
    const { verdict } = await explanationOf(connection, settlementId)
    connection.closeSync()
    return verdict
  })
  return { settlementId, verdict: result, seconds, cpu_seconds }
}

function report(found: {
  transactions: number
  opening_cpu_seconds: number
  explained: readonly Explained[]
}): void {
  for (const verdict of Object.keys(KINDS)) {
    const some = found.explained.filter((one) => one.verdict === verdict)
    const middle = (of: (took: Took) => number) => median(some.map(of)).toFixed(3)
    console.log(
      `${verdict.padEnd(10)}${middle(({ seconds }) => seconds)} s, ${middle((took) => took.cpu_seconds)} s of CPU time, medians of ${some.length}`,
    )
  }
  console.log(JSON.stringify({ ...found, load: loadavg()[0] }))
}
