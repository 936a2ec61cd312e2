/** Runs a decision about the books as a short workflow, and prints its receipt. */
import { randomUUID } from 'node:crypto'
import { subjectOf, type BooksAct, type BooksActed } from '../../domain/books.ts'
import type { Settings } from '../../domain/settings.ts'
import { withEngine } from '../../workers/engine.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { keepBooks } from '../../workflows/keep-books.ts'
import type { Context } from '../shell/context.ts'

/** Performs the act through the task queue that all writes to the lake use. */
export function decide(context: Context, settings: Settings, act: BooksAct): Promise<BooksActed> {
  const { terminal, signal } = context
  const subject = subjectOf(act)
  const orderId = randomUUID()
  return withEngine([settings], { owner: 'command', say: terminal.say, signal }, ({ client }) =>
    client.workflow.execute<typeof keepBooks>('keepBooks', {
      taskQueue: TASK_QUEUE,
      // Two people with the same decision at the same moment make two acts; the second receives the
      // receipt of the first.
      workflowId: `books/${act.account}/${act.kind}/${subject}/${orderId.slice(0, 8)}`,
      args: [{ ...act, orderId }],
      staticSummary: `${act.kind} ${subject}`,
    }),
  )
}

/** Formats a receipt such as `act 3 of the audit trail, 2026-12-01T08:00:00.000Z`. */
export const actLine = ({ seq, actedAt, sha256 }: BooksActed): string =>
  `act ${seq} of the audit trail, ${actedAt}, ${sha256}`
