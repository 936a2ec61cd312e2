/** The context of every command. */
import type { Flags } from '../../workers/config/settings.ts'
import type { Terminal } from './terminal.ts'

export interface Context {
  terminal: Terminal
  /** Set on an interruption. */
  signal: AbortSignal
  /** Merges a command's own flags with the global ones, wherever they stood. */
  flagsOf(flags: object): Flags & { json?: boolean }
  /** Sets the exit code for the end of the command. */
  exit(code: number): void
}
