/**
 * The conversion of payloads and failures in workers and commands. Temporal's library loads it by
 * its path. A payload that the codec refused fails the activity or the command.
 */
import type { Payload, PayloadConverter } from '@temporalio/common'
import {
  isRefused,
  payloadConverter as converter,
  payloadRefused,
} from '../../workflows/data-converter.ts'

export { failureConverter } from '../../workflows/data-converter.ts'

export const payloadConverter = {
  toPayload: (value: unknown) => converter.toPayload(value),
  fromPayload(payload: Payload) {
    if (isRefused(payload)) throw payloadRefused()
    return converter.fromPayload(payload)
  },
} as PayloadConverter
