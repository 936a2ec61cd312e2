/** Posts one line to a chat when a pack is published, in the form of Slack's incoming webhooks. */
import { Agent, fetch } from 'undici'
import { Failure } from '../../domain/failure.ts'
import type { Secret } from '../../domain/settings.ts'
import { staysUnread } from './address.ts'

/** Throws config_invalid for an address that must not be used. The message does not repeat the address. */
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
 * Posts one line. Returns undefined on success, or a description of the error that does not contain the address.
 * Throws only if `cancelled` is aborted. The function follows no redirect and does not read the answer's body.
 */
export async function postLine(
  webhook: Secret,
  line: string,
  { cancelled, patience_ms = PATIENCE_MS }: { cancelled?: AbortSignal; patience_ms?: number } = {},
): Promise<string | undefined> {
  const late = AbortSignal.timeout(patience_ms)
  // NODE_TLS_REJECT_UNAUTHORIZED may be set for another program of this machine.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: true } })
  try {
    const answer = await fetch(webhook.reveal(), {
      method: 'POST',
      redirect: 'manual',
      dispatcher,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: harmless(line) }),
      signal: cancelled === undefined ? late : AbortSignal.any([late, cancelled]),
    })
    await answer.body?.cancel()
    return answer.ok ? undefined : `it answered ${answer.status}`
  } catch {
    // The error's message contains the host name, so that only the kind of error is reported.
    cancelled?.throwIfAborted()
    return late.aborted ? `it did not answer within ${patience_ms / 1000} s` : "it can't be reached"
  } finally {
    // An open connection would keep the process running.
    await dispatcher.destroy()
  }
}

/** Escapes the three characters that begin a link or a mention in Slack's text. */
const harmless = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
