/** What every command is given. */
import type { Flags } from '../../workers/config/settings.ts'
import type { Terminal } from './terminal.ts'

export interface Context {
  terminal: Terminal
  /** Set when the person gives up. */
  signal: AbortSignal
  /** A command's own flags with the global ones, wherever they stood. */
  flagsOf(flags: object): Flags & { json?: boolean }
  /** Leaves with this code after the command. */
  exit(code: number): void
}
