/**
 * Goal: an activity runs only for an order of a workflow, made for it and just now. Method: the interceptor of the
 * worker runs an activity in memory.
 */
import type {
  ActivityInboundCallsInterceptor,
  ActivityInterceptorsFactory,
} from '@temporalio/worker'
import { expect, test } from 'vitest'
import { enclosed, envelopeFor, ORDER_VALID_MS, PURPOSE } from '../../../domain/envelope.ts'
import { activityEnvelopes } from '../../../workers/temporal/envelopes.ts'

const NOW_MS = Date.parse('2026-11-27T03:00:00Z')
const issued = (ago_ms = 0) => ({ issuedAt_ms: NOW_MS - ago_ms, nonce: 'n1' })

/** Runs the activity `erase`, which answers with its arguments. */
async function erased(args: unknown[]): Promise<unknown> {
  const workflowExecution = { workflowId: 'w', runId: 'r1' }
  const info = { activityType: 'erase', scheduledTimestampMs: NOW_MS, workflowExecution }
  const { inbound } = activityEnvelopes({ info } as Parameters<ActivityInterceptorsFactory>[0])
  const execute = (inbound as Required<ActivityInboundCallsInterceptor>).execute
  const next = (input: { args: unknown[] }) => Promise.resolve(input.args)
  return execute({ args, headers: {} }, next)
}

test('an activity gets the values of its order, and its answer names the order', async () => {
  const answer = await erased(enclosed(PURPOSE.activity('erase', 'r1'), ['a', 'b'], issued()))
  expect(answer).toMatchObject({ purpose: 'answer to n1', values: [['a', 'b']] })
})

test('an activity accepts an order of five minutes before, and none older or later', async () => {
  const order = (ago_ms: number) => enclosed(PURPOSE.activity('erase', 'r1'), ['a'], issued(ago_ms))
  await expect(erased(order(ORDER_VALID_MS))).resolves.toBeDefined()
  await expect(erased(order(ORDER_VALID_MS + 1))).rejects.toMatchObject({ type: 'payload_refused' })
  await expect(erased(order(-ORDER_VALID_MS - 1))).rejects.toMatchObject({
    type: 'payload_refused',
  })
})

test.each([
  ['the order of another activity', enclosed(PURPOSE.activity('sweep', 'r1'), ['a'], issued())],
  ['the order of a run before a reset', enclosed(PURPOSE.activity('erase', 'r0'), ['a'], issued())],
  ['the answer of an activity', enclosed(PURPOSE.answer('erase'), ['a'], issued())],
  [
    'an order with a further value',
    [...enclosed(PURPOSE.activity('erase', 'r1'), ['a'], issued()), 'b'],
  ],
  ['values without an envelope', ['a']],
  ['nothing', []],
])('an activity refuses %s', async (_name, args) => {
  await expect(erased(args)).rejects.toMatchObject({ type: 'payload_refused' })
})

test.each([
  [{ issuedAt_ms: NOW_MS, nonce: 'n1', values: [] }],
  [{ purpose: 'start nightly', nonce: 'n1', values: [] }],
  [{ purpose: 'start nightly', issuedAt_ms: NOW_MS, values: [] }],
  [{ purpose: 'start nightly', issuedAt_ms: NOW_MS, nonce: 'n1' }],
  ['start nightly'],
  [null],
])('%j is no envelope', (given) => {
  expect(envelopeFor(['start nightly'], [given])).toBeUndefined()
})
