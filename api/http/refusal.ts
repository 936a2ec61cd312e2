/** The service answered, and will not give what was asked for. */
import { Failure } from '../../domain/failure.ts'

export class Refusal extends Failure {
  readonly status: number
  /** The parameters that it names. */
  readonly parameters: readonly string[]
  /** When it answered, by its own clock; null where it doesn't say. */
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

  /** True where nothing can be read at the address: not permitted, not found, no GET, gone for good. */
  get isAboutAddress(): boolean {
    return [403, 404, 405, 410].includes(this.status)
  }

  /** True where it may be about the terminal that was asked for: it names nothing else. */
  get isAboutTerminal(): boolean {
    const isKnown = this.status === 400 || this.status === 404
    return isKnown && this.parameters.every((name) => name === 'terminalId')
  }
}

/** Records of other terminals came where one was asked for: the service doesn't heed the parameter in this list. */
export class NotFiltered extends Failure {
  constructor(list: string, terminalId: string) {
    super(
      'source_refused',
      `the list of ${list} for terminal ${terminalId} holds records of another one: the service doesn't heed terminalId there`,
    )
  }
}
