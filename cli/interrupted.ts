/** A person or the system ended the command. */
export class Interrupted extends Error {
  readonly exit: 130 | 143
  constructor(signal: NodeJS.Signals) {
    super(signal)
    this.name = 'Interrupted'
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}
