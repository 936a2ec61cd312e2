/** Tells a chat that a pack is there: one POST of one line, in the form that Slack's incoming webhooks take. */
import { Failure } from '../../domain/failure.ts'
import type { Secret } from '../../domain/settings.ts'
import { staysUnread } from './address.ts'

/** Throws config_invalid, without a word of the address, for one where nothing is to be posted. */
export function checkWebhook(url: string): void {
  if (!URL.canParse(url)) throw invalid('is not an address')
  const address = new URL(url)
  if (address.username !== '' || address.password !== '') {
    throw invalid('holds a user or a password')
  }
  if (!staysUnread(address)) throw invalid('is neither https nor http on a loopback address')
}

const invalid = (what: string) => new Failure('config_invalid', `TIEOUT_WEBHOOK_URL ${what}`)

const PATIENCE_MS = 10_000

/**
 * Posts one line. Answers with what went wrong, in words that don't hold the address, or with undefined; it throws only
 * where `cancelled` is set. A redirection is not followed, and the answer's body is not read.
 */
export async function postLine(
  webhook: Secret,
  line: string,
  { cancelled, patience_ms = PATIENCE_MS }: { cancelled?: AbortSignal; patience_ms?: number } = {},
): Promise<string | undefined> {
  const late = AbortSignal.timeout(patience_ms)
  try {
    const answer = await fetch(webhook.reveal(), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: harmless(line) }),
      signal: cancelled === undefined ? late : AbortSignal.any([late, cancelled]),
    })
    await answer.body?.cancel()
    return answer.ok ? undefined : `it answered ${answer.status}`
  } catch {
    // The error names the host: what is told is only which kind it was.
    cancelled?.throwIfAborted()
    return late.aborted ? `it did not answer within ${patience_ms / 1000} s` : "it can't be reached"
  }
}

/** The three letters that begin a link or a mention in Slack's text. */
const harmless = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
