/** The form of the message that the webhook gets. */
import { z } from 'zod'
import { WEBHOOK_EVENTS, WEBHOOK_SEVERITIES } from '../../domain/webhook.ts'
import {
  CERTIFICATE_NAMES,
  count,
  date,
  id,
  instant,
  money,
  object,
  optional,
  text,
} from './words.ts'

const counts = object({
  ...{ total: count, tied: count, explained: count, breaks: count, pending: count, noData: count },
})

/** Only `published`, and `withheld` after a stored run, have the counts and amounts. */
export const webhook = object({
  ...{ text, version: z.literal(1), event: z.enum(WEBHOOK_EVENTS) },
  ...{ severity: z.enum(WEBHOOK_SEVERITIES), account: text, runId: text },
  ...{ from: optional(date), to: optional(date), isBackfill: optional(z.literal(true)) },
  ...{ asOf: optional(instant), knownAt: optional(id), certificate: optional(CERTIFICATE_NAMES) },
  ...{ pack: optional(text), settlements: optional(counts), link: optional(text) },
  openExceptions: optional(
    object({ errors: count, warnings: count, byCode: z.record(z.string(), count) }),
  ),
  unexplained: optional(object({ currency: text, short: money, over: money, gross: money })),
  error: optional(object({ code: text, message: text })),
  command: text.describe('a command to type next'),
  next: optional(text).describe('the remedy of the error, for a person'),
})
