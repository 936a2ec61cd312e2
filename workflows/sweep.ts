import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { Pace, Run, SweepRequest, SweepResult } from '../domain/run.ts'
import { sweepList } from './activity-options.ts'

export interface SweepOrder extends Pick<Run, 'runId' | 'account'>, Steering {
  /** Lists that were completely read before the workflow continued as a new one. */
  read?: SweepResult[]
  /** Instant: transactions created since then are read again. */
  since?: string
  /** First business date of a requested range; absent: the nightly range. */
  from?: string
}

/** The controls of a running sweep; they apply from its next segment on. */
export interface Steering {
  pace?: Pace
  /** True: send no request to the service until it is false. */
  isHeld?: boolean
}

export interface Swept {
  records: number
  newVersions: number
  requests: number
}

export const steer = defineSignal<[Steering]>('steer')
/** The lists that are complete so far. */
export const readQuery = defineQuery<SweepResult[]>('read')

/**
 * Settlements are read again at the end: a new or changed one may hold transactions that were not
 * settled before.
 */
const READINGS = [
  { list: 'terminals', pass: 1 },
  { list: 'settlements', pass: 1 },
  { list: 'transactions', pass: 1 },
  { list: 'settlements', pass: 2 },
] as const

/**
 * Reads terminals, settlements and transactions, then settlements again. If that second reading
 * brought changes, it reads the transactions once more.
 */
export async function sweep(order: SweepOrder): Promise<Swept> {
  const read = [...(order.read ?? [])]
  const steering: Steering = { ...order }
  setHandler(readQuery, () => read)
  setHandler(steer, (next) => {
    Object.assign(steering, next)
  })
  const sweepWhole = whole(order, read, steering)
  for (const reading of READINGS.slice(read.length)) {
    read.push(await sweepWhole(reading))
  }
  if ((read[READINGS.length - 1]?.newVersions ?? 0) > 0 && read.length === READINGS.length) {
    read.push(await sweepWhole({ list: 'transactions', pass: 2 }))
  }
  // The service refuses the list of terminals, so those that only transactions name are read by id.
  if (read[0]?.later === true) {
    read.push(await sweepWhole({ list: 'terminals', pass: 2 }))
  }
  const sum = (count: (result: SweepResult) => number) =>
    read.reduce((total, result) => total + count(result), 0)
  return {
    records: sum(({ records }) => records),
    newVersions: sum(({ newVersions }) => newVersions),
    requests: sum(({ requests }) => requests),
  }
}

type Reading = Pick<SweepRequest, 'list' | 'pass'>

/** The summary of a step that reads a list, for Temporal's web pages. */
const summaryOf = ({ list, pass }: Reading) => (pass === 1 ? list : `${list}, again`)

/**
 * Runs one segment after the other; the position is in the lake, so that a new workflow can
 * continue.
 */
const whole =
  ({ runId, account, since, from }: SweepOrder, read: SweepResult[], steering: Steering) =>
  async (reading: Reading): Promise<SweepResult> => {
    // The normal range of the list has the changes that settlements brought.
    const again = since === undefined || reading.pass > 1 ? {} : { since }
    const order = { runId, account, ...(from === undefined ? {} : { from }) }
    const paced = () => (steering.pace === undefined ? {} : { pace: steering.pace })
    for (;;) {
      await condition(() => steering.isHeld !== true)
      const request = { ...order, ...reading, ...again, ...paced() }
      const result = await sweepList.executeWithOptions({ summary: summaryOf(reading) }, [request])
      if (result.done) return result
      if (workflowInfo().continueAsNewSuggested) {
        const { isHeld = false } = steering
        // A person may have steered it during the segment.
        await continueAsNew<typeof sweep>({ ...order, read, ...again, ...paced(), isHeld })
      }
    }
  }
