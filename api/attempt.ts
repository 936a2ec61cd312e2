/** One try to read a page, and what came of it. */
import type { Pool } from 'undici'
import { Failure } from '../domain/failure.ts'
import { exchange, NoAnswer, type Get, type Reply } from './exchange.ts'
import { printable } from './excerpt.ts'
import { readPage, servedAt, Unreadable, type Page } from './page.ts'
import type { Setback } from './patience.ts'
import { Refusal } from './refusal.ts'
import { judge, type Verdict } from './verdict.ts'

export type Outcome =
  | { kind: 'page'; page: Page }
  /** Another try may help. */
  | { kind: 'setback'; setback: Setback; throttled: boolean }
  /** No other try helps, unless it is for fewer records where `smaller` says so. */
  | { kind: 'refused'; failure: Failure; smaller: boolean }

export interface Place {
  pool: Pool
  /** Host and port, for people. */
  host: string
  /** Nothing proves yet that this is the service: no page of it was ever read. */
  isUnproven: boolean
  /** Reads an answer; as a page of a list unless it says otherwise. */
  read?: ((reply: Reply, url: URL) => Page) | undefined
  /** Hears of every answer, whatever it says. */
  onReply?: (reply: Reply) => void
}

const UNREADABLE_TRIES = 3

/** Sends one request. Throws next_foreign, next_loop, page_unreadable for a page too large, or the signal's reason. */
export async function attempt(place: Place, get: Get): Promise<Outcome> {
  try {
    const reply = await exchange(place.pool, get)
    place.onReply?.(reply)
    const verdict = judge(reply)
    return verdict.kind === 'answered'
      ? openPage(place, get.url, reply)
      : turnedAway(place, get.url, { reply, verdict })
  } catch (cause) {
    if (!(cause instanceof NoAnswer)) throw cause
    const what = `${place.host} ${cause.message}`
    if (cause.hopeless) return refused('source_unreachable', what, cause.cause)
    return setback({ code: 'source_unreachable', what, cause: cause.cause })
  }
}

function openPage(place: Place, url: URL, reply: Reply): Outcome {
  try {
    return { kind: 'page', page: (place.read ?? readPage)(reply, url) }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    const elsewhere = place.isUnproven && isMarkup(reply)
    return setback({
      code: elsewhere ? 'source_not_the_service' : 'page_unreadable',
      what: elsewhere
        ? `${nameOf(url)} answered with a web page`
        : `a page of ${nameOf(url)} ${cause.message}`,
      tries: UNREADABLE_TRIES,
    })
  }
}

type TurnedAway = { reply: Reply; verdict: Exclude<Verdict, { kind: 'answered' }> }

function turnedAway(place: Place, url: URL, { reply, verdict }: TurnedAway): Outcome {
  const what = `${place.host} answered ${reply.status} to GET ${printable(url.pathname, 80)}`
  switch (verdict.kind) {
    case 'throttled':
      return setback({ code: 'source_throttled', what, wait_ms: verdict.wait_ms }, true)
    case 'broken':
      return setback({ code: 'source_unreachable', what })
    case 'unauthorized':
      return refused('source_unauthorized', `${what}: the credentials were refused`)
    case 'elsewhere':
      return refused('source_not_the_service', `${what}, a redirect; it was not followed`)
    case 'refused':
      break
  }
  if (reply.status === 404 && place.isUnproven) {
    return refused('source_not_the_service', `there is no list at ${nameOf(url)} (404)`)
  }
  const named = verdict.parameters.join(', ')
  const said = named === '' ? '' : `: it names the parameter ${named}`
  return {
    kind: 'refused',
    failure: new Refusal(`${what}${said}`, {
      ...{ parameters: verdict.parameters, status: reply.status },
      servedAt: servedAt(reply.headers['date']),
    }),
    // A refusal that doesn't say what it is about may be about the limit.
    smaller: verdict.about === 'limit' || (reply.status === 400 && verdict.about === undefined),
  }
}

function setback(reason: Setback, throttled = false): Outcome {
  return { kind: 'setback', setback: reason, throttled }
}

function refused(code: Failure['code'], what: string, cause?: unknown): Outcome {
  const failure = new Failure(code, what, cause === undefined ? {} : { cause })
  return { kind: 'refused', failure, smaller: false }
}

/** Told by the body alone: what has the type of a web page may still be records, which are never quoted. */
function isMarkup({ body }: Reply): boolean {
  return body.subarray(0, 64).toString('latin1').trimStart().startsWith('<')
}

function nameOf(url: URL): string {
  return printable(`${url.origin}${url.pathname}`, 120)
}
