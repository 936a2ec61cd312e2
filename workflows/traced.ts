/**
 * The trace of a workflow: passes the trace to its activities, and its end to the worker. None of
 * this is a step of the workflow, so histories replay with it and without it.
 */
import {
  ContinueAsNew,
  defaultPayloadConverter,
  isCancellation,
  proxySinks,
  workflowInfo,
  type Sinks,
  type WorkflowInterceptors,
} from '@temporalio/workflow'
import { TRACE_HEADER, type EndedWorkflow } from '../domain/trace.ts'
import { failureOf } from './failure-of.ts'

export interface TraceSinks extends Sinks {
  trace: { ended(workflow: EndedWorkflow): void }
}

const rootOf = () => workflowInfo().root?.runId ?? workflowInfo().runId

function codeOf(error: unknown): string | undefined {
  if (error instanceof ContinueAsNew) return undefined
  return isCancellation(error) ? 'cancelled' : failureOf(error).code
}

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute(input, next) {
        const { trace } = proxySinks<TraceSinks>()
        const { runId, parent, runStartTime } = workflowInfo()
        const end = (code?: string) =>
          trace.ended({
            ...{ root: rootOf(), run: runId, start_ms: runStartTime.getTime() },
            ...(parent === undefined ? {} : { parent: parent.runId }),
            ...(code === undefined ? {} : { code }),
            end_ms: Date.now(),
          })
        try {
          const result = await next(input)
          end()
          return result
        } catch (error) {
          end(codeOf(error))
          throw error
        }
      },
    },
  ],
  outbound: [
    {
      scheduleActivity(input, next) {
        const root = defaultPayloadConverter.toPayload(rootOf())
        return next({ ...input, headers: { ...input.headers, [TRACE_HEADER]: root } })
      },
    },
  ],
})
