/** Sends one request for a page and judges its outcome. */
import type { Dispatcher } from 'undici'
import { Failure } from '../../domain/failure.ts'
import { announcedRate, type Announced } from '../rate/announced-rate.ts'
import { exchange, NoAnswer, TooLarge, type Get, type Reply } from './exchange.ts'
import { printable } from '../record/excerpt.ts'
import { readPage, servedAt, Unreadable, type Page } from './page.ts'
import type { Setback } from './retry-policy.ts'
import { Refusal } from './refusal.ts'
import { judge, type Verdict } from './response-verdict.ts'

export type Outcome =
  | { kind: 'page'; page: Page }
  /** Another try may help. */
  | { kind: 'setback'; setback: Setback; throttled: boolean }
  /** No other try helps, unless `smaller` is true: then a request for fewer records may succeed. */
  | { kind: 'refused'; failure: Failure; smaller: boolean }

export interface Place {
  pool: Dispatcher
  /** Host and port, for messages. */
  host: string
  /** True until the first page was read. Until then the address may be that of another program. */
  isUnproven: boolean
  /** Reads an answer. If absent, the answer is read as a page of a list. */
  read?: ((reply: Reply, url: URL) => Page) | undefined
  /** The credentials were accepted for another list, and not yet for this one. */
  isOtherList?: boolean
  /** Called with every answer, whatever its status, and with the rate that its headers announce. */
  onReply?: (reply: Reply, announced: Announced) => void
}

const UNREADABLE_TRIES = 3
/**
 * Statuses of a busy service, of a request that came too early, or of one that the service can't do. Fewer records
 * would not help.
 */
const NO_MATTER_OF_SIZE = [425, 501, 503, 505]
const ONE_LIST =
  'the credentials were taken for another list, so that it is this list that they may not read; ask the operator of the service for the permission'

/** Sends one request. Throws next_foreign, next_loop, or the signal's reason. */
export async function attempt(place: Place, get: Get): Promise<Outcome> {
  try {
    const reply = await exchange(place.pool, get)
    const announced = announcedRate(reply, new Date())
    place.onReply?.(reply, announced)
    const verdict = judge(reply, announced)
    return verdict.kind === 'answered'
      ? openPage(place, get.url, reply)
      : turnedAway(place, get.url, { reply, verdict, wait_ms: announced.wait_ms })
  } catch (cause) {
    if (cause instanceof TooLarge) {
      const failure = new Failure('page_unreadable', cause.message)
      return { kind: 'refused', failure, smaller: true }
    }
    if (!(cause instanceof NoAnswer)) throw cause
    const what = `${place.host} ${cause.message}`
    if (cause.hopeless) return refused('source_unreachable', what, cause.cause)
    const { isSlow } = cause
    return setback({ code: 'source_unreachable', what, cause: cause.cause, isSlow })
  }
}

function openPage(place: Place, url: URL, reply: Reply): Outcome {
  try {
    return { kind: 'page', page: (place.read ?? readPage)(reply, url) }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    const elsewhere = place.isUnproven && isMarkup(reply)
    const said = isMarkup(reply) ? 'is a web page and not JSON' : cause.message
    return setback({
      code: elsewhere ? 'source_not_the_service' : 'page_unreadable',
      what: elsewhere
        ? `${nameOf(url)} answered with a web page`
        : `a page of ${nameOf(url)} ${said}`,
      tries: UNREADABLE_TRIES,
    })
  }
}

interface TurnedAway {
  reply: Reply
  verdict: Exclude<Verdict, { kind: 'answered' }>
  wait_ms: number | undefined
}

function turnedAway(place: Place, url: URL, { reply, verdict, wait_ms }: TurnedAway): Outcome {
  const what = `${place.host} answered ${reply.status} to GET ${printable(url.pathname, 80)}`
  switch (verdict.kind) {
    case 'throttled':
      return setback({ code: 'source_throttled', what, wait_ms }, true)
    case 'broken':
      return setback({
        ...{ code: 'source_unreachable', what, wait_ms },
        isSlow: !NO_MATTER_OF_SIZE.includes(reply.status),
      })
    case 'unauthorized':
      return place.isOtherList === true
        ? refusal(`${what}: ${ONE_LIST}`, reply, { parameters: [], about: undefined })
        : refused('source_unauthorized', `${what}: the credentials were refused`)
    case 'elsewhere':
      return refused('source_not_the_service', `${what}, a redirect; it was not followed`)
    case 'refused':
      break
  }
  if (reply.status === 404 && place.isUnproven) {
    return refused(
      'source_not_the_service',
      `there is no list at ${nameOf(url)} (404); TIEOUT_BASE_URL and source.paths make this address`,
    )
  }
  return refusal(`${what}${remedyFor(reply.status, verdict)}`, reply, verdict)
}

type Refused = Pick<Extract<Verdict, { kind: 'refused' }>, 'parameters' | 'about'>

function refusal(
  what: string,
  { status, headers }: Reply,
  { parameters, about }: Refused,
): Outcome {
  const failure = new Refusal(what, { parameters, status, servedAt: servedAt(headers['date']) })
  // A refusal without a subject may concern the limit.
  const smaller = about === 'limit' || status === 413 || (status === 400 && about === undefined)
  return { kind: 'refused', failure, smaller }
}

/** Words for the parameters that the refusal names, or for the setting that may be wrong. */
function remedyFor(status: number, { parameters, about }: Refused): string {
  const setting = about === 'limit' || status === 413 ? '; source.page_size sets the limit' : ''
  if (parameters.length > 0) return `: it names the parameter ${parameters.join(', ')}${setting}`
  return [404, 405, 410].includes(status) ? ': source.paths has the path of each list' : setting
}

function setback(reason: Setback, throttled = false): Outcome {
  return { kind: 'setback', setback: reason, throttled }
}

function refused(code: Failure['code'], what: string, cause?: unknown): Outcome {
  const failure = new Failure(code, what, { cause })
  return { kind: 'refused', failure, smaller: false }
}

/**
 * True if the body is a web page. The header does not count: a reply with the media type of a web page may still
 * contain records, which no message may quote.
 */
function isMarkup({ body }: Reply): boolean {
  return body.subarray(0, 64).toString('latin1').trimStart().startsWith('<')
}

function nameOf(url: URL): string {
  return printable(`${url.origin}${url.pathname}`, 120)
}
