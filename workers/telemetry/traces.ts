/**
 * The spans of a worker: one for each ended workflow, and in it one for each attempt of an
 * activity.
 */
import { defaultPayloadConverter } from '@temporalio/common'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'
import { TRACE_HEADER } from '../../domain/trace.ts'
import type { TraceSinks } from '../../workflows/traced.ts'
import { codeOf, countsOf, idsOf } from './log-ids.ts'
import type { Tracer } from './tracer.ts'

/** Receives ended workflows; without a tracer it ignores them. */
export const traceSinks = (tracer: Tracer | undefined): InjectedSinks<TraceSinks> => ({
  trace: {
    ended: {
      callDuringReplay: false,
      fn({ workflowType, workflowId }, { root, run, parent, start_ms, end_ms, code }) {
        tracer?.take({
          ...{ name: workflowType, trace: root, span: run, parent, start_ms, end_ms, code },
          attributes: { workflowId },
        })
      },
    },
  },
})

/** Makes a span of an activity with the fields of its log line. */
export const tracedBy =
  (tracer: Tracer): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const { workflowId = '', runId = '' } = info.workflowExecution ?? {}
        const payload = input.headers[TRACE_HEADER]
        const root =
          payload === undefined ? runId : defaultPayloadConverter.fromPayload<string>(payload)
        const start_ms = Date.now()
        const end = (found: Record<string, unknown>, code?: string) =>
          tracer.take({
            name: info.activityType,
            ...{ trace: root, span: `${runId} ${info.activityId} ${info.attempt}`, parent: runId },
            ...{ start_ms, end_ms: Date.now(), code },
            attributes: {
              workflowId,
              attempt: info.attempt,
              ...idsOf(input.args[0]),
              ...found,
            },
          })
        try {
          const result = await next(input)
          end(countsOf(result))
          return result
        } catch (error) {
          end({}, codeOf(error) ?? 'bug')
          throw error
        }
      },
    },
  })
