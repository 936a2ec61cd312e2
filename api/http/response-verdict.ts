/** Judges an answer by its status, and reads the errors in its body. */
import { z } from 'zod'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Announced } from '../rate/announced-rate.ts'
import type { Reply } from './exchange.ts'

export type Verdict =
  | { kind: 'answered' }
  /** The credentials may not read this list, or may read nothing at all. */
  | { kind: 'unauthorized' }
  | { kind: 'elsewhere' }
  | { kind: 'throttled' }
  | { kind: 'broken' }
  | {
      kind: 'refused'
      /** The names of the refused parameters. The error's text is dropped, because it may quote a person's data. */
      parameters: string[]
      about: 'limit' | 'terminal' | undefined
    }

const TRANSIENT = [408, 425]
const THROTTLED = [420, 429]
/** These statuses mean throttling if the headers name a wait. */
const PERHAPS_THROTTLED = [403, 503]
const ErrorBody = z.object({
  errors: z.array(z.object({ message: z.string(), parameter: z.string().nullish() })),
})

/** Judges an answer by its status and by the wait that its headers name. Only the errors are read from the body. */
export function judge({ status, body }: Omit<Reply, 'headers'>, { wait_ms }: Announced): Verdict {
  if (status === 200) return { kind: 'answered' }
  const isPaced = PERHAPS_THROTTLED.includes(status) && wait_ms !== undefined
  if (THROTTLED.includes(status) || isPaced) return { kind: 'throttled' }
  if (status === 401 || status === 403) return { kind: 'unauthorized' }
  if (status >= 300 && status < 400) return { kind: 'elsewhere' }
  if (status < 300 || status >= 500 || TRANSIENT.includes(status)) return { kind: 'broken' }
  return { kind: 'refused', ...readErrors(body.toString('utf8')) }
}

const PARAMETER = /^[a-z][a-zA-Z]{0,39}$/

type Errors = z.infer<typeof ErrorBody>['errors']

function readErrors(text: string): Omit<Extract<Verdict, { kind: 'refused' }>, 'kind'> {
  const { data } = ErrorBody.safeParse(parsedJson(text))
  const errors = data?.errors ?? []
  return {
    parameters: errors.flatMap(({ parameter }) =>
      typeof parameter === 'string' && PARAMETER.test(parameter) ? [parameter] : [],
    ),
    about: subjectOf(errors),
  }
}

function subjectOf(errors: Errors): 'limit' | 'terminal' | undefined {
  const names = (parameter: string, word: RegExp) =>
    errors.some((error) => error.parameter === parameter || word.test(error.message))
  if (names('limit', /\blimit\b/i)) return 'limit'
  return names('terminalId', /\bterminal/i) ? 'terminal' : undefined
}
