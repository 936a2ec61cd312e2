/** Asks the rate limiter's workflow for the rate that the workers have learned for an account's credentials. */
import type { Client } from '@temporalio/client'
import { credentialOf } from '../api/http/source.ts'
import { type LeaseBook, limiterId } from '../domain/rate.ts'
import type { Secret, Settings } from '../domain/settings.ts'

const ANSWERS_MS = 3_000

/** Returns requests per second. Undefined if no limit is known yet, or if no worker answers. */
export async function learnedPace(
  client: Client,
  { source }: Settings,
  payloadKey: Secret,
): Promise<number | undefined> {
  if (source === undefined) return undefined
  const limiter = client.workflow.getHandle(limiterId(credentialOf(source, payloadKey)))
  try {
    const { view } = await client.withDeadline(Date.now() + ANSWERS_MS, () =>
      limiter.query<LeaseBook>('book'),
    )
    return typeof view?.known === 'number' ? view.perSecond : undefined
  } catch {
    return undefined
  }
}
