/**
 * The conversion of payloads and failures in workers and commands. Temporal's library loads it by
 * its path. A payload that the codec refused fails the activity or the command.
 */
import { ApplicationFailure, type Payload, type PayloadConverter } from '@temporalio/common'
import { PAYLOAD_REFUSED } from '../../domain/refused-payload.ts'
import { isRefused, payloadConverter as converter } from '../../workflows/data-converter.ts'

export { failureConverter } from '../../workflows/data-converter.ts'

export const payloadConverter = {
  toPayload: (value: unknown) => converter.toPayload(value),
  fromPayload(payload: Payload) {
    if (!isRefused(payload)) return converter.fromPayload(payload)
    const { code, what, remedy } = PAYLOAD_REFUSED
    throw ApplicationFailure.create({
      type: code,
      message: what,
      nonRetryable: true,
      details: [{ remedy }],
    })
  },
} as PayloadConverter
