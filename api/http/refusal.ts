/** The failure of a request that the service answered with a refusal. */
import { Failure } from '../../domain/failure.ts'

export class Refusal extends Failure {
  readonly status: number
  /** The names of the parameters that the service refused. */
  readonly parameters: readonly string[]
  /** The time of the answer by the service's clock; null if the answer has no date. */
  readonly servedAt: string | null

  constructor(
    what: string,
    { status, parameters, servedAt }: Pick<Refusal, 'status' | 'parameters' | 'servedAt'>,
  ) {
    super('source_refused', what)
    this.status = status
    this.parameters = parameters
    this.servedAt = servedAt
  }

  /** True if the address can't be read at all: not permitted, not found, GET not allowed, or gone. */
  get isAboutAddress(): boolean {
    return [403, 404, 405, 410].includes(this.status)
  }

  /** True if the refusal may concern the requested terminal. This is so if it names no other parameter. */
  get isAboutTerminal(): boolean {
    const isKnown = this.status === 400 || this.status === 404
    return isKnown && this.parameters.every((name) => name === 'terminalId')
  }
}

/**
 * The failure of a list that contains records of other terminals than the requested one. The service ignores the
 * parameter terminalId there.
 */
export class NotFiltered extends Failure {
  constructor(list: string, terminalId: string) {
    super(
      'source_refused',
      `the list of ${list} for terminal ${terminalId} holds records of another one: the service doesn't heed terminalId there`,
    )
  }
}
