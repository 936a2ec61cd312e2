/** Records a decision about the books: through the worker that has the lake open, or else in this process. */
import { randomUUID } from 'node:crypto'
import { createActOnBooks } from '../activities/decide/act-on-books.ts'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import { subjectOf, type BooksAct, type BooksActed } from '../domain/books.ts'
import type { Settings } from '../domain/settings.ts'
import { refuseMissing } from '../lake/connection/open.ts'
import { withEngine } from './engine.ts'
import { unlessServed } from './temporal/server-lock.ts'
import { TASK_QUEUE } from './temporal/task-queue.ts'
import type { keepBooks } from '../workflows/keep-books.ts'

/** The voice and the interruption of the process that decides. */
export interface Deciding {
  say(line: string): void
  signal: AbortSignal
}

/**
 * Performs the act. A worker of this lake, or a configured Temporal service, performs it in the queue of all writes to
 * the lake. Without one this process claims the lake for the moment and calls the same function. Throws lake_unreachable
 * if there is no lake: a decision makes none.
 */
export async function decide(
  deciding: Deciding,
  settings: Settings,
  act: BooksAct,
): Promise<BooksActed> {
  const order = { orderId: randomUUID(), ...act }
  const { configuredAddress } = await import('./temporal/connect.ts')
  const isElsewhere = configuredAddress() !== undefined
  const acted = isElsewhere ? undefined : await decideHere(deciding, settings, order)
  return acted ?? decideThere(deciding, settings, order)
}

/** Performs the act in this process; undefined if a server works for the lake. */
async function decideHere(
  { say, signal }: Deciding,
  settings: Settings,
  order: BooksAct,
): Promise<BooksActed | undefined> {
  const { folder } = settings.lake
  refuseMissing(settings.lake)
  return unlessServed(folder, { say, signal }, async () => {
    const shared = new SharedLake(settings.lake, say)
    try {
      signal.throwIfAborted()
      return await createActOnBooks(settings, shared)(order)
    } finally {
      await shared.close()
    }
  })
}

function decideThere(
  { say, signal }: Deciding,
  settings: Settings,
  order: BooksAct,
): Promise<BooksActed> {
  const subject = subjectOf(order)
  return withEngine([settings], { owner: 'command', say, signal }, ({ client }) =>
    client.workflow.execute<typeof keepBooks>('keepBooks', {
      taskQueue: TASK_QUEUE,
      // Two people with the same decision at the same moment make two acts; the second receives the
      // receipt of the first.
      workflowId: `books/${order.account}/${order.kind}/${subject}/${String(order.orderId).slice(0, 8)}`,
      args: [order],
      staticSummary: `${order.kind} ${subject}`,
    }),
  )
}
