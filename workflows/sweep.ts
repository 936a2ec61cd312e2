import type { Run, SweepResult } from '../domain/run.ts'
import { sweepList } from './activity-options.ts'

export type SweepOrder = Pick<Run, 'runId' | 'account'>

/**
 * Reads terminals, settlements and transactions, then settlements again: one that is new or changed in the second
 * reading may hold transactions that were not settled yet in the first, so these are read once more.
 */
export async function sweep(order: SweepOrder): Promise<{ records: number; newVersions: number }> {
  const results = [
    await sweepWhole(order, { list: 'terminals', pass: 1 }),
    await sweepWhole(order, { list: 'settlements', pass: 1 }),
    await sweepWhole(order, { list: 'transactions', pass: 1 }),
  ]
  const again = await sweepWhole(order, { list: 'settlements', pass: 2 })
  results.push(again)
  if (again.newVersions > 0) {
    results.push(await sweepWhole(order, { list: 'transactions', pass: 2 }))
  }
  return {
    records: results.reduce((sum, result) => sum + result.records, 0),
    newVersions: results.reduce((sum, result) => sum + result.newVersions, 0),
  }
}

async function sweepWhole(
  { runId, account }: SweepOrder,
  part: Pick<SweepResult, 'list' | 'pass'>,
): Promise<SweepResult> {
  for (;;) {
    const result = await sweepList({ runId, account, ...part })
    if (result.done) return result
  }
}
