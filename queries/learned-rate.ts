/** The rate of an account's credential as the workers have learned it. */
import type { Client } from '@temporalio/client'
import { credentialOf } from '../api/http/source.ts'
import { type LeaseBook, limiterId } from '../domain/rate.ts'
import type { Secret, Settings } from '../domain/settings.ts'

const ANSWERS_MS = 3_000

/** Requests per second; undefined where no limit is known yet, or nobody is there to tell. */
export async function learnedPace(
  client: Client,
  { source }: Settings,
  hashKey: Secret,
): Promise<number | undefined> {
  if (source === undefined) return undefined
  const limiter = client.workflow.getHandle(limiterId(credentialOf(source, hashKey)))
  try {
    const { view } = await client.withDeadline(Date.now() + ANSWERS_MS, () =>
      limiter.query<LeaseBook>('book'),
    )
    return typeof view?.known === 'number' ? view.perSecond : undefined
  } catch {
    return undefined
  }
}
