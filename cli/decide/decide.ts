/** Records a decision of a command, and formats its receipt. */
import type { BooksAct, BooksActed } from '../../domain/books.ts'
import type { Settings } from '../../domain/settings.ts'
import { decide as decideBy } from '../../workers/decide.ts'
import type { Context } from '../shell/context.ts'

/** Performs the act, wherever the lake is written at the moment. */
export const decide = (
  { terminal, signal }: Context,
  settings: Settings,
  act: BooksAct,
): Promise<BooksActed> => decideBy({ say: terminal.say, signal }, settings, act)

/** Formats a receipt such as `act 3 of the audit trail, 2026-12-01T08:00:00.000Z`. */
export const actLine = ({ seq, actedAt, sha256 }: BooksActed): string =>
  `act ${seq} of the audit trail, ${actedAt}, ${sha256}`
