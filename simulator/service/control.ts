/** Controls that no real service has: move the clock, read the truth, count the requests. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { type Answer, errorAnswer } from './answer.ts'
import type { Clock } from './clock.ts'
import { truthText } from '../world/truth.ts'

export const CONTROL_PATH = '/_simulator/'

const LONGEST_BODY = 10_000

/** Answers a call of one of the handles; the truth comes as a stream. */
export async function control(
  clock: Clock,
  stats: object,
  call: { request: IncomingMessage; path: string },
): Promise<Answer | Readable> {
  const handle = `${call.request.method} ${call.path.slice(CONTROL_PATH.length)}`
  if (handle === 'GET stats')
    return { status: 200, body: JSON.stringify({ now: clock.now(), ...stats }) }
  if (handle === 'GET truth') return Readable.from(truthText(clock.truth()))
  if (handle !== 'POST advance')
    return errorAnswer(404, { message: 'There is POST advance, GET truth and GET stats.' })
  try {
    clock.advanceTo(await wantedInstant(call.request))
    return { status: 200, body: JSON.stringify({ now: clock.now() }) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return errorAnswer(400, { message: error.message, parameter: 'now', type: 'invalid' })
  }
}

/** The `now` of a JSON body. */
async function wantedInstant(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) {
    text += String(piece)
    if (text.length > LONGEST_BODY) throw new Failure('usage', 'the body is too long')
  }
  return instantIn(text)
}

function instantIn(text: string): string {
  const wanted = /"now"\s*:\s*"([^"]*)"/.exec(text)?.[1]
  if (wanted === undefined) throw new Failure('usage', 'the body has no "now"')
  return wanted
}
