/** Puts the orders of clients into envelopes, takes them out in activities, and takes results out of theirs. */
import type {
  Client,
  ClientInterceptors,
  WorkflowClientInterceptor,
  WorkflowHandle,
} from '@temporalio/client'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { randomUUID } from 'node:crypto'
import { enclosed, envelopeFor, isFresh, PURPOSE } from '../../domain/envelope.ts'
import { ORDER_REFUSED } from '../../domain/refused-payload.ts'
import { payloadRefused } from '../../workflows/data-converter.ts'

/** The instant of an order and its number, by which a worker refuses an old one. */
export const issued = () => ({ issuedAt_ms: Date.now(), nonce: randomUUID() })

const workflow: WorkflowClientInterceptor = {
  startWithDetails(input, next) {
    const { workflowType, options } = input
    const args = enclosed(PURPOSE.start(workflowType), options.args, issued())
    return next({ ...input, options: { ...options, args } })
  },
  startUpdate: (input, next) =>
    next({ ...input, args: enclosed(PURPOSE.update(input.updateName), input.args, issued()) }),
  startUpdateWithStart(input, next) {
    const { workflowType, workflowStartOptions: options, updateName } = input
    const args = enclosed(PURPOSE.start(workflowType), options.args, issued())
    return next({
      ...input,
      workflowStartOptions: { ...options, args },
      updateArgs: enclosed(PURPOSE.update(updateName), input.updateArgs, issued()),
    })
  },
  signal: (input, next) =>
    next({ ...input, args: enclosed(PURPOSE.signal(input.signalName), input.args, issued()) }),
}

/** For clients of commands, and for those inside activities. */
export const clientEnvelopes: ClientInterceptors = { workflow: [workflow] }

/** Lets a client take results out of their envelopes. Results then fail with payload_refused if they are copies. */
export function takingResults(client: Client): Client {
  const { workflow: workflows } = client
  const read = workflows.result.bind(workflows)
  workflows.result = async (workflowId, runId, options) => {
    const given: unknown = await read(workflowId, runId, options)
    const own = runId === undefined ? [] : [PURPOSE.result(runId)]
    const result =
      envelopeFor(own, [given]) ??
      // A command may wait for a workflow that goes on from an earlier run.
      envelopeFor(
        [PURPOSE.result(await firstRunOf(workflows.getHandle(workflowId, runId)))],
        [given],
      )
    if (result === undefined) throw payloadRefused(ORDER_REFUSED)
    return result.values[0] as never
  }
  return client
}

/** The id of a workflow's first run; empty if the service does not tell it. */
const firstRunOf = (handle: WorkflowHandle): Promise<string> =>
  handle.describe().then(
    ({ raw }) => raw.workflowExecutionInfo?.firstRunId ?? '',
    () => '',
  )

/** Runs an activity only for an order of a workflow, and names that order in the answer. */
export const activityEnvelopes: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    async execute(input, next) {
      const order = envelopeFor(
        [PURPOSE.activity(info.activityType, info.workflowExecution?.runId ?? '')],
        input.args,
      )
      if (order === undefined || !isFresh(order, info.scheduledTimestampMs))
        throw payloadRefused(ORDER_REFUSED)
      const answer = await next({ ...input, args: order.values })
      return enclosed(PURPOSE.answer(order.nonce), [answer], issued())[0]
    },
  },
})
