/** Records a decision about the books, and prints its receipt. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createActOnBooks } from '../../activities/decide/act-on-books.ts'
import { SharedLake } from '../../activities/runtime/shared-lake.ts'
import { subjectOf, type BooksAct, type BooksActed } from '../../domain/books.ts'
import type { Settings } from '../../domain/settings.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { isThere } from '../../lake/connection/open.ts'
import { withEngine } from '../../workers/engine.ts'
import { claimed, liveLock } from '../../workers/temporal/server-lock.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { keepBooks } from '../../workflows/keep-books.ts'
import type { Context } from '../shell/context.ts'

/**
 * Performs the act. A worker of this lake, or a configured Temporal service, performs it in the queue of all writes to
 * the lake. Without one this process claims the lake for the moment and calls the same function.
 */
export async function decide(
  context: Context,
  settings: Settings,
  act: BooksAct,
): Promise<BooksActed> {
  const order = { ...act, orderId: randomUUID() }
  const isElsewhere = TEMPORAL_VARIABLES.some((name) => process.env[name] !== undefined)
  const acted = isElsewhere ? undefined : await decideHere(context, settings, order)
  return acted ?? decideThere(context, settings, order)
}

/** Variables that name a Temporal service or a file that may name one. */
const TEMPORAL_VARIABLES = ['TEMPORAL_ADDRESS', 'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE']

/** Performs the act in this process; undefined if a server works for the lake, or if there is no lake yet. */
async function decideHere(
  { terminal, signal }: Context,
  settings: Settings,
  order: BooksAct,
): Promise<BooksActed | undefined> {
  const { folder } = settings.lake
  if (!isThere(settings.lake)) return undefined
  makeFolder(join(folder, 'temporal'))
  return claimed(folder, { say: terminal.say, signal }, async () => {
    if ((await liveLock(folder)) !== undefined) return undefined
    const shared = new SharedLake(settings.lake, terminal.say)
    try {
      signal.throwIfAborted()
      return await createActOnBooks(settings, shared)(order)
    } finally {
      await shared.close()
    }
  })
}

function decideThere(
  { terminal, signal }: Context,
  settings: Settings,
  order: BooksAct,
): Promise<BooksActed> {
  const subject = subjectOf(order)
  return withEngine([settings], { owner: 'command', say: terminal.say, signal }, ({ client }) =>
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

/** Formats a receipt such as `act 3 of the audit trail, 2026-12-01T08:00:00.000Z`. */
export const actLine = ({ seq, actedAt, sha256 }: BooksActed): string =>
  `act ${seq} of the audit trail, ${actedAt}, ${sha256}`
