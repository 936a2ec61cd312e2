/** Posts a message for each outcome of a run. Its key `text` is that of Slack's incoming webhooks. */
import { createHmac } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { Failure } from '../../domain/failure.ts'
import type { Webhook } from '../../domain/settings.ts'
import { isWanted, withLink, type WebhookMessage } from '../../domain/webhook.ts'
import { staysUnread } from './address.ts'
import { isLinkLocal, linkLocalFailure } from './link-local.ts'

/** Throws config_invalid for an address that must not be used. The message does not repeat the address. */
export function checkWebhook(url: string): void {
  if (!URL.canParse(url)) throw invalid('is not an address')
  const address = new URL(url)
  if (address.username !== '' || address.password !== '') {
    throw invalid('holds a user or a password')
  }
  if (!staysUnread(address)) throw invalid('is neither https nor http on a loopback address')
  if (isLinkLocal(address.hostname)) throw linkLocalFailure('TIEOUT_WEBHOOK_URL', 'is')
}

const invalid = (what: string) => new Failure('config_invalid', `TIEOUT_WEBHOOK_URL ${what}`)

const PATIENCE_MS = 10_000

/**
 * Posts a message that the rules want. Returns undefined on success, or a description of the error that does not
 * contain the address. Throws only if `cancelled` is aborted. The function follows no redirect and does not read the
 * answer's body.
 */
export async function postMessage(
  webhook: Webhook,
  message: WebhookMessage,
  { cancelled, patience_ms = PATIENCE_MS }: { cancelled?: AbortSignal; patience_ms?: number } = {},
): Promise<string | undefined> {
  if (!isWanted(webhook, message)) return undefined
  const text = harmless(message.text)
  const body = JSON.stringify(withLink(webhook, { ...message, text }))
  const { fetch } = await import('undici')
  const late = AbortSignal.timeout(patience_ms)
  const url = webhook.url.reveal()
  let dispatcher: Dispatcher | undefined
  try {
    const { dispatcherTo } = await import('./dispatcher.ts')
    dispatcher = dispatcherTo(new URL(url).origin, {
      connect_ms: patience_ms,
      linkLocalRefusal: linkLocalFailure('TIEOUT_WEBHOOK_URL', 'is a name of'),
    })
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      dispatcher,
      headers: { 'content-type': 'application/json', ...signature(webhook, body) },
      body,
      signal: cancelled === undefined ? late : AbortSignal.any([late, cancelled]),
    })
    await answer.body?.cancel()
    return answer.ok ? undefined : `it answered ${answer.status}`
  } catch (error) {
    const failure = failureIn(error)
    if (failure !== undefined) return failure.message
    // The error's message contains the host name, so that only the kind of error is reported.
    cancelled?.throwIfAborted()
    return late.aborted ? `it did not answer within ${patience_ms / 1000} s` : "it can't be reached"
  } finally {
    // An open connection would keep the process running.
    await dispatcher?.destroy()
  }
}

/** A setting of the proxy that can't be used, or a name with a link-local address. Each names its variable. */
function failureIn(error: unknown): Failure | undefined {
  const causes = error instanceof Error ? [error, error.cause] : []
  return causes.find((cause) => cause instanceof Failure)
}

/**
 * The receiver computes the same HMAC over `<t>.<body>` with the shared key. The instant `t`, in seconds, lets it refuse
 * a message that another sends again later.
 */
function signature({ key }: Webhook, body: string): Record<string, string> {
  if (key === undefined) return {}
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', key.reveal()).update(`${t}.${body}`).digest('hex')
  return { 'x-tieout-signature': `t=${t},v1=${v1}` }
}

/** Escapes the three characters that begin a link or a mention in Slack's text. */
const harmless = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
