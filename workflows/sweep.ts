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
  /** Lists that were read whole before the history grew too long and the workflow went on as a new one. */
  read?: SweepResult[]
  /** Instant: transactions created since then are read again. */
  since?: string
  /** Business date with which the range begins that somebody asked for; absent: what a night reads. */
  from?: string
}

/** What may change while a sweep is under way; it holds from the next segment on. */
export interface Steering {
  pace?: Pace
  /** True: nothing more is asked of the service until it is false. */
  isHeld?: boolean
}

export interface Swept {
  records: number
  newVersions: number
  requests: number
}

export const steer = defineSignal<[Steering]>('steer')
/** The lists that are read so far. */
export const readQuery = defineQuery<SweepResult[]>('read')

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
  // The service refuses the list of terminals: one that only transactions name is asked for by its id.
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

/** As it stands in Temporal's pages. */
const summaryOf = ({ list, pass }: Reading) => (pass === 1 ? list : `${list}, again`)

/** Asks for one segment after the other; where to go on is in the lake, so that a new workflow can ask for the next. */
const whole =
  ({ runId, account, since, from }: SweepOrder, read: SweepResult[], steering: Steering) =>
  async (reading: Reading): Promise<SweepResult> => {
    // What settlements brought since is in the usual part of the list.
    const again = since === undefined || reading.pass > 1 ? {} : { since }
    const order = { runId, account, ...(from === undefined ? {} : { from }) }
    for (;;) {
      await condition(() => steering.isHeld !== true)
      const { pace } = steering
      const paced = pace === undefined ? {} : { pace }
      const request = { ...order, ...reading, ...again, ...paced }
      const result = await sweepList.executeWithOptions({ summary: summaryOf(reading) }, [request])
      if (result.done) return result
      if (workflowInfo().continueAsNewSuggested) {
        const { isHeld = false } = steering
        await continueAsNew<typeof sweep>({ ...order, read, ...again, ...paced, isHeld })
      }
    }
  }
