/**
 * Stops each value that reaches a workflow without this lake's key, or in an envelope for something else. A refused
 * argument or result fails the workflow, the update or the query. A refused signal is ignored.
 */
import {
  log,
  patched,
  uuid4,
  workflowInfo,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import {
  type Envelope,
  enclosed,
  envelopeFor,
  isFresh,
  ORDER_VALID_MS,
  PURPOSE,
} from '../domain/envelope.ts'
import {
  ORDER_REFUSED,
  PAYLOAD_REFUSED,
  REFUSED_PAYLOAD,
  RESET_REFUSED,
} from '../domain/refused-payload.ts'
import { payloadRefused } from './data-converter.ts'

/** Throws payload_refused if one of the values was refused. */
function demandOpened(values: readonly unknown[]): void {
  if (values.includes(REFUSED_PAYLOAD)) throw payloadRefused()
}

/** Throws payload_refused unless the values are an envelope with one of the purposes. */
function demand(purposes: readonly string[], given: readonly unknown[]): Envelope {
  demandOpened(given)
  const envelope = envelopeFor(purposes, given)
  if (envelope === undefined) throw payloadRefused(ORDER_REFUSED)
  return envelope
}

function demandFresh(order: Envelope, arrivedAt_ms: number): void {
  if (!isFresh(order, arrivedAt_ms)) throw payloadRefused(ORDER_REFUSED)
}

/**
 * Throws payload_refused in a run after a reset. Such a run has the order and the start of the earlier one,
 * and would carry it out again, however old it is. Steps from before the reset are replayed. The patch marks the refusal
 * in the history, so that a later replay refuses at the same place.
 */
function refuseReset(): void {
  const { runId, originalExecutionRunId } = workflowInfo()
  if (runId !== originalExecutionRunId && patched(AFTER_RESET)) throw payloadRefused(RESET_REFUSED)
}

const AFTER_RESET = 'refuse after a reset'

const answerIn = (purpose: string, given: unknown): unknown => demand([purpose], [given]).values[0]

/** `received` holds the updates of the last minutes: nonce, and time of arrival. */
const inbound = (received: Map<string, number>): WorkflowInboundCallsInterceptor => ({
  async execute(input, next) {
    const { workflowType, startTime, firstExecutionRunId } = workflowInfo()
    const scheduled = PURPOSE.schedule(workflowType)
    const order = demand([PURPOSE.start(workflowType), scheduled], input.args)
    if (order.purpose !== scheduled) demandFresh(order, startTime.getTime())
    const result = await next({ ...input, args: order.values })
    return enclosed(PURPOSE.result(firstExecutionRunId), [result], issued())[0]
  },
  async handleSignal(input, next) {
    const order = envelopeFor([PURPOSE.signal(input.signalName)], input.args)
    if (order === undefined) {
      const { what } = input.args.includes(REFUSED_PAYLOAD) ? PAYLOAD_REFUSED : ORDER_REFUSED
      log.warn(`the signal ${input.signalName} is ignored: ${what}`)
      return
    }
    await next({ ...input, args: order.values })
  },
  validateUpdate(input, next) {
    const order = demand([PURPOSE.update(input.name)], input.args)
    demandFresh(order, Date.now())
    next({ ...input, args: order.values })
  },
  async handleUpdate(input, next) {
    const order = demand([PURPOSE.update(input.name)], input.args)
    const now_ms = Date.now()
    for (const [nonce, at_ms] of received) {
      if (now_ms - at_ms > 2 * ORDER_VALID_MS) received.delete(nonce)
    }
    if (received.has(order.nonce)) throw payloadRefused(ORDER_REFUSED)
    received.set(order.nonce, now_ms)
    return next({ ...input, args: order.values })
  },
  async handleQuery(input, next) {
    demandOpened(input.args)
    return next(input)
  },
})

const outbound: WorkflowOutboundCallsInterceptor = {
  async scheduleActivity(input, next) {
    refuseReset()
    const order = enclosed(
      PURPOSE.activity(input.activityType, workflowInfo().runId),
      input.args,
      issued(),
    )
    const answer = await next({ ...input, args: order })
    return answerIn(PURPOSE.answer(order[0].nonce), answer)
  },
  async startChildWorkflowExecution(input, next) {
    refuseReset()
    const args = enclosed(PURPOSE.start(input.workflowType), input.options.args, issued())
    const [started, result] = await next({ ...input, options: { ...input.options, args } })
    const answered = result.then(async (given) => answerIn(PURPOSE.result(await started), given))
    // A child that fails before anyone waits for it is reported to who waits later.
    answered.catch(() => {})
    return [started, answered]
  },
  async signalWorkflow(input, next) {
    refuseReset()
    await next({ ...input, args: enclosed(PURPOSE.signal(input.signalName), input.args, issued()) })
  },
  async continueAsNew(input, next) {
    refuseReset()
    const purpose = PURPOSE.start(input.options.workflowType ?? workflowInfo().workflowType)
    return next({ ...input, args: enclosed(purpose, input.args, issued()) })
  },
}

const issued = () => ({ issuedAt_ms: Date.now(), nonce: uuid4() })

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [inbound(new Map())],
  outbound: [outbound],
})
