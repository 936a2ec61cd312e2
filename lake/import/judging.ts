/** Types for the checks of a file's records, and for the scratch files of an import. */
import type { ImportReading } from '../../domain/import.ts'
import type { KeyRing } from '../../domain/settings.ts'
import type { Plan } from './plan.ts'
import type { Judge } from './stage.ts'
import type { KnownWords } from './unknown-words.ts'
import type { Spellings } from './documented-text.ts'

/** The rules by which the records of a file are judged. */
export interface Judging {
  reading: ImportReading
  hashKeys: KeyRing
  /**
   * Makes the function that judges single records by the rules of the service's own records. The plan describes how
   * the file writes them.
   */
  judgeFor: (plan: Plan, reading: ImportReading) => Judge
  /** The words that the interface has. */
  knownWords: KnownWords
  spellings: Spellings
  /** The account's currency. */
  currency: string
  timezone: string
}

/** Paths of files that the import writes for its own use. The caller who chose the paths removes the files. */
export interface ScratchFiles {
  rows: string
  copy: string
}
