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
import type { Settings } from '../domain/settings.ts'
import { openLake } from '../lake/connection/open.ts'
import { type Lake } from '../lake/connection/lake.ts'
import { settingsIn } from './lake.ts'
import { makeLake, RUN } from './published-lake.ts'
import { median, timed, type Took } from './timed.ts'

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
    const size = {
      transactions,
      terminals: Number(values.terminals),
      days: 60,
      landings: 'two' as const,
    }
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
