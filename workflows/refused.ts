/**
 * Stops each value that reaches a workflow without this lake's key. A refused argument or result
 * fails the workflow, the update or the query. A refused signal is ignored.
 */
import { log, type WorkflowInterceptors } from '@temporalio/workflow'
import { PAYLOAD_REFUSED, REFUSED_PAYLOAD } from '../domain/refused-payload.ts'
import { payloadRefused } from './data-converter.ts'

/** Throws payload_refused if one of the values was refused. */
function demandOpened(values: readonly unknown[]): void {
  if (values.includes(REFUSED_PAYLOAD)) throw payloadRefused()
}

const opened = <T>(value: T): T => {
  demandOpened([value])
  return value
}

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute(input, next) {
        demandOpened(input.args)
        return next(input)
      },
      async handleSignal(input, next) {
        if (input.args.includes(REFUSED_PAYLOAD)) {
          log.warn(`the signal ${input.signalName} is ignored: ${PAYLOAD_REFUSED.what}`)
          return
        }
        await next(input)
      },
      validateUpdate(input, next) {
        demandOpened(input.args)
        next(input)
      },
      async handleUpdate(input, next) {
        demandOpened(input.args)
        return next(input)
      },
      async handleQuery(input, next) {
        demandOpened(input.args)
        return next(input)
      },
    },
  ],
  outbound: [
    {
      scheduleActivity: async (input, next) => opened(await next(input)),
      async startChildWorkflowExecution(input, next) {
        const [started, result] = await next(input)
        return [started, result.then(opened)]
      },
    },
  ],
})
