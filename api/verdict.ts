/** What an answer other than 200 means. */
import { z } from 'zod'
import type { Reply } from './exchange.ts'
import { askedWait_ms } from './retry-timing.ts'

export type Verdict =
  | { kind: 'answered' }
  | { kind: 'unauthorized' }
  | { kind: 'elsewhere' }
  | { kind: 'throttled'; wait_ms: number | undefined }
  | { kind: 'broken' }
  | {
      kind: 'refused'
      /** The parameters that it names: what it says in words may quote somebody's data. */
      parameters: string[]
      about: 'limit' | 'terminal' | undefined
    }

const TRANSIENT = [408, 425]
const ErrorBody = z.object({
  errors: z.array(z.object({ message: z.string(), parameter: z.string().nullish() })),
})

/** Judges an answer by its status and headers; of the body only errors are read. */
export function judge({ status, headers, body }: Reply): Verdict {
  if (status === 200) return { kind: 'answered' }
  if (status === 401 || status === 403) return { kind: 'unauthorized' }
  if (status >= 300 && status < 400) return { kind: 'elsewhere' }
  const wait_ms = askedWait_ms(headers['retry-after'], headers['date'])
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
    return { kind: 'throttled', wait_ms }
  }
  if (status < 300 || status >= 500 || TRANSIENT.includes(status)) return { kind: 'broken' }
  return { kind: 'refused', ...readErrors(body.toString('utf8')) }
}

const PARAMETER = /^[a-z][a-zA-Z]{0,39}$/

type Errors = z.infer<typeof ErrorBody>['errors']

function readErrors(text: string): Omit<Extract<Verdict, { kind: 'refused' }>, 'kind'> {
  const { data } = ErrorBody.safeParse(parseOrNothing(text))
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

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
