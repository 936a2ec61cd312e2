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

/** Requests a share of the rate for a while, and reports what the worker learned of the limit. */
export const renew = defineUpdate<Lease, [LeaseRequest]>('renew')
/** Releases the share of a worker. */
export const release = defineSignal<[string]>('release')
export const bookQuery = defineQuery<LeaseBook>('book')

const RENEWALS = 500
const IDLE = '1 hour'

/** Shares the rate of one credential among all workers. The workflow ends after an hour without a request. */
export async function limiter(before: LeaseBook = newLeaseBook()): Promise<void> {
  let book = before
  let requests = 0
  setHandler(bookQuery, () => book)
  setHandler(renew, (request) => {
    const [after, given] = lease(book, request, Date.now())
    book = after
    requests += 1
    return given
  })
  setHandler(release, (holder) => {
    const { [holder]: _left, ...holders } = book.holders
    book = { ...book, holders }
  })
  const isLong = () => requests >= RENEWALS || workflowInfo().continueAsNewSuggested
  for (let requestsBefore = -1; requestsBefore !== requests;) {
    requestsBefore = requests
    if (!(await condition(isLong, IDLE))) continue
    await condition(allHandlersFinished)
    await continueAsNew<typeof limiter>(book)
  }
  await condition(allHandlersFinished)
}
