import { continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { Run, SweepResult } from '../domain/run.ts'
import { sweepList } from './activity-options.ts'

export interface SweepOrder extends Pick<Run, 'runId' | 'account'> {
  /** Lists that were read whole before the history grew too long and the workflow went on as a new one. */
  read?: SweepResult[]
}

/** Settlements again at last: one that is new or changed by then may hold transactions that were not settled before. */
const READINGS = [
  { list: 'terminals', pass: 1 },
  { list: 'settlements', pass: 1 },
  { list: 'transactions', pass: 1 },
  { list: 'settlements', pass: 2 },
] as const

/**
 * Reads terminals, settlements and transactions, then settlements again; where that second reading brought anything new,
 * the transactions are read once more.
 */
export async function sweep(order: SweepOrder): Promise<{ records: number; newVersions: number }> {
  const read = [...(order.read ?? [])]
  for (const reading of READINGS.slice(read.length)) {
    read.push(await sweepWhole(order, read, reading))
  }
  if ((read[READINGS.length - 1]?.newVersions ?? 0) > 0 && read.length === READINGS.length) {
    read.push(await sweepWhole(order, read, { list: 'transactions', pass: 2 }))
  }
  // The service refuses the list of terminals: one that only transactions name is asked for by its id.
  if (read[0]?.later === true) {
    read.push(await sweepWhole(order, read, { list: 'terminals', pass: 2 }))
  }
  return {
    records: read.reduce((sum, result) => sum + result.records, 0),
    newVersions: read.reduce((sum, result) => sum + result.newVersions, 0),
  }
}

/** Asks for one segment after the other; where to go on is in the lake, so that a new workflow can ask for the next. */
async function sweepWhole(
  { runId, account }: SweepOrder,
  read: SweepResult[],
  reading: Pick<SweepResult, 'list' | 'pass'>,
): Promise<SweepResult> {
  for (;;) {
    const result = await sweepList({ runId, account, ...reading })
    if (result.done) return result
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof sweep>({ runId, account, read })
    }
  }
}
