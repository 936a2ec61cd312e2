/**
 * What a reconciliation costs at once and in parts, in CPU seconds of one thread, and what so many workers make of it:
 * `npm run bench:shards -- --transactions 200000 --shards 8`. The last line is JSON.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createPlanShards,
  createReconcileShard,
  partsDone,
} from '../activities/reconcile-shards.ts'
import { createReconcile } from '../activities/reconcile.ts'
import { SharedLake } from '../activities/shared-lake.ts'
import type { Run } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { generate } from './generated-history.ts'
import { settingsIn } from './lake.ts'
import { timed } from './timed.ts'

const WORKERS = [1, 2, 4, 8, 16]

interface Costs {
  transactions: number
  shards: number
  at_once_s: number
  plan_s: number
  /** By round, each of its tasks. */
  rounds_s: number[][]
  last_s: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '200000' },
      terminals: { type: 'string', default: '330' },
      days: { type: 'string', default: '60' },
      shards: { type: 'string', default: '8' },
    },
  })
  const [transactions, terminals, days, shards] = [
    values.transactions,
    values.terminals,
    values.days,
    values.shards,
  ].map(Number) as [number, number, number, number]
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const settings = settingsIn(folder, { lake: { threads: 1 } })
  const shared = new SharedLake(settings.lake, () => {})
  try {
    await shared.connected(async (_lake, connection) => {
      await generate(connection, { transactions, terminals, days })
      await connection.run(
        `insert into lake.ops.landing values (2, 'bench', 't', 0, 1, 1, 0, timestamp '2025-10-30', '{}')`,
      )
    })
    report({ transactions, shards, ...(await costs(settings, shared, shards)) })
  } finally {
    await shared.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

async function costs(
  settings: Settings,
  shared: SharedLake,
  shards: number,
): Promise<Omit<Costs, 'shards' | 'transactions'>> {
  const run: Run = {
    runId: 'at-once',
    account: 'bench',
    window: { from: '2025-09-25', to: '2025-10-30' },
    asOf: '2025-10-30T04:15:00Z',
    knownAt: '2',
  }
  const reconcile = createReconcile(settings, shared)
  const atOnce = await timed(() => reconcile(run))
  const divided = { ...run, runId: 'in-parts', shards }
  const plan = await timed(() => createPlanShards(settings, shared)(divided))
  const { knowledge, rounds } = plan.result
  const attempts: number[][] = []
  const rounds_s: number[][] = []
  for (const tasks of rounds) {
    const part = createReconcileShard(settings, shared)
    const done = { knowledge, attempts: [...attempts] }
    const took: number[] = []
    for (const task of tasks) {
      const { cpu_seconds } = await timed(() => part({ run: divided, task, done, attempt: 1 }))
      took.push(cpu_seconds)
    }
    attempts.push(tasks.map(() => 1))
    rounds_s.push(took)
  }
  const parts = partsDone(settings, divided, { knowledge, attempts })
  const last = await timed(() => reconcile(divided, { parts }))
  return {
    at_once_s: atOnce.cpu_seconds,
    plan_s: plan.cpu_seconds,
    rounds_s,
    last_s: last.cpu_seconds,
  }
}

/** Time until all tasks are done, each next one by whoever is free first. */
function busiest(tasks_s: readonly number[], workers: number): number {
  const until = Array.from({ length: workers }, () => 0)
  for (const took_s of tasks_s) {
    const free = until.indexOf(Math.min(...until))
    until[free] = (until[free] ?? 0) + took_s
  }
  return Math.max(...until)
}

function report(found: Costs): void {
  const { at_once_s, plan_s, rounds_s, last_s, shards } = found
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0)
  console.log(`| at once | ${at_once_s.toFixed(1)} |\n| plan | ${plan_s.toFixed(1)} |`)
  for (const [round, tasks] of rounds_s.entries()) {
    const most = Math.max(...tasks).toFixed(1)
    console.log(
      `| round ${round + 1}: ${tasks.length} tasks, all of them | ${sum(tasks).toFixed(1)} |`,
    )
    console.log(`| the longest of these | ${most} |`)
  }
  console.log(`| what is left at the end | ${last_s.toFixed(1)} |`)
  for (const workers of WORKERS.filter((count) => count <= shards)) {
    const wall_s = plan_s + last_s + sum(rounds_s.map((tasks) => busiest(tasks, workers)))
    console.log(
      `| ${workers} threads | ${wall_s.toFixed(1)} | ${(at_once_s / wall_s).toFixed(2)} |`,
    )
  }
  console.log(JSON.stringify(found))
}
