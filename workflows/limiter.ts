import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import {
  lease,
  newLeaseBook,
  type Lease,
  type LeaseBook,
  type LeaseRequest,
} from '../domain/rate.ts'

/** Asks for a part of the rate for a while, and tells what the worker has learned of the limit. */
export const renew = defineUpdate<Lease, [LeaseRequest]>('renew')
/** A worker needs its part no more. */
export const release = defineSignal<[string]>('release')
/** Requests per second that are never exceeded, whatever the workers learn; null for none. */
export const setMost = defineUpdate<void, [number | null]>('setMost')
export const bookQuery = defineQuery<LeaseBook>('book')

const RENEWALS = 500
const IDLE = '1 hour'

/** Shares the rate of one credential among all workers. It ends when nobody has asked for an hour. */
export async function limiter(before: LeaseBook = newLeaseBook()): Promise<void> {
  let book = before
  let asked = 0
  setHandler(bookQuery, () => book)
  setHandler(renew, (request) => {
    const [after, given] = lease(book, request, Date.now())
    book = after
    asked += 1
    return given
  })
  setHandler(release, (holder) => {
    const { [holder]: _left, ...holders } = book.holders
    book = { ...book, holders }
  })
  setHandler(setMost, (most) => {
    book = { ...book, most }
    asked += 1
  })
  const isLong = () => asked >= RENEWALS || workflowInfo().continueAsNewSuggested
  for (let heard = -1; heard !== asked;) {
    heard = asked
    if (!(await condition(isLong, IDLE))) continue
    await condition(allHandlersFinished)
    await continueAsNew<typeof limiter>(book)
  }
  await condition(allHandlersFinished)
}
