/**
 * The conversion of payloads and failures inside workflows.
 * 1. A payload that the codec refused becomes a REFUSED_PAYLOAD, which workflows/refused.ts stops.
 * 2. Messages and stacks of failures become payloads, so that the codec encrypts them too.
 */
import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
} from '@temporalio/common'
import {
  type ORDER_REFUSED,
  PAYLOAD_REFUSED,
  REFUSED_ENCODING,
  REFUSED_PAYLOAD,
  type RESET_REFUSED,
} from '../domain/refused-payload.ts'

/** The failure of whatever a refused payload was meant for. */
export function payloadRefused(
  because: typeof PAYLOAD_REFUSED | typeof ORDER_REFUSED | typeof RESET_REFUSED = PAYLOAD_REFUSED,
): ApplicationFailure {
  const { code, what, remedy } = because
  return ApplicationFailure.create({
    type: code,
    message: what,
    nonRetryable: true,
    details: [{ remedy }],
  })
}

export const isRefused = (payload: Payload): boolean =>
  String.fromCodePoint(...(payload.metadata?.['encoding'] ?? [])) === REFUSED_ENCODING

export const payloadConverter = {
  toPayload: (value: unknown) => defaultPayloadConverter.toPayload(value),
  fromPayload: (payload: Payload) =>
    isRefused(payload) ? REFUSED_PAYLOAD : defaultPayloadConverter.fromPayload(payload),
} as PayloadConverter

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true })
