/** How a file is judged, and the files that reading it makes. */
import type { ImportReading } from '../../domain/import.ts'
import type { Secret } from '../../domain/settings.ts'
import type { Plan } from './plan.ts'
import type { Judge } from './stage.ts'
import type { KnownWords } from './unknown-words.ts'
import type { Spellings } from './documented-text.ts'

/** How the records of a file are judged. */
export interface Judging {
  reading: ImportReading
  hashKey: Secret
  /** Judges records one by one as the service's own are judged; the plan tells how the file writes them. */
  judgeFor: (plan: Plan, reading: ImportReading) => Judge
  /** The words of the interface as it is known. */
  knownWords: KnownWords
  spellings: Spellings
  /** Of the account. */
  currency: string
  timezone: string
}

/** Files that are made on the way; whoever names them removes them. */
export interface ScratchFiles {
  rows: string
  copy: string
}
