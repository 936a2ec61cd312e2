/** Words of both summaries, stated once. */

/** The parts into which differences are divided. */
export const PARTS: Readonly<Record<string, string>> = {
  UNEXPLAINED: 'Unexplained',
  EXPLAINED: 'Explained',
  DECIDED: 'Waived or resolved',
  EARLIER: 'Older than the range, still open',
}

/** The meaning of a settlement's certificate for its money. */
export const MEANINGS: Readonly<Record<string, string>> = {
  UNIQUE: 'Only these transactions give the net.',
  AMBIGUOUS: 'The sum is right. Other transactions of the same amount could be in it instead.',
  UNSOLVED: 'The difference has no explanation, or there was no data.',
}

/** The tone of a word: its colour on the page and in the workbook. */
export const TONES: Readonly<Record<string, 'good' | 'bad' | 'warn'>> = {
  TIED: 'good',
  COMPLETE: 'good',
  yes: 'good',
  BREAK: 'bad',
  NO_DATA: 'bad',
  error: 'bad',
  CERTAIN: 'bad',
  UNSOLVED: 'bad',
  no: 'bad',
  EXPLAINED: 'warn',
  PENDING: 'warn',
  SUSPECTED: 'warn',
  AMBIGUOUS: 'warn',
  warning: 'warn',
}
