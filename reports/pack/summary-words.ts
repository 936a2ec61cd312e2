/** Words of both summaries, stated once. */

/** The parts into which differences are divided. */
export const PARTS: Readonly<Record<string, string>> = {
  UNEXPLAINED: 'Unexplained',
  EXPLAINED: 'Explained',
  DECIDED: 'Waived or resolved',
  EARLIER: 'Older than the range, still open',
  LATER: 'After the range, still open',
}

/** The parts into which open items are divided by their dates. */
export const OPEN_PARTS: Readonly<Record<string, string>> = {
  RANGE: 'Of this range',
  EARLIER: 'Older than the range',
  LATER: 'After the range',
  ALL: 'All',
}

/** The meaning of the signs of a settlement's difference. */
export const SIGNS =
  'Plus: the processor reported too little, so we ask for money. Minus: the processor reported too much.'

/** The three sums of differences. */
export const SUMS =
  'Short: the processor reported too little. Over: it reported too much. Gross: both together, without netting.'

/** The two kinds of amounts of open items. */
export const KINDS =
  'Differences are those of settlements. Other amounts are to be checked, such as those of whole transactions, and are no exposure. No sum adds both.'

/** The verdicts whose amounts count. The reported net of a PENDING settlement may change. */
export const JUDGED = ['TIED', 'EXPLAINED', 'BREAK']

/** The meaning of a settlement's certificate for its money. */
export const MEANINGS: Readonly<Record<string, string>> = {
  UNIQUE:
    'Only these transactions give the net, or only this explanation accounts for the difference.',
  AMBIGUOUS:
    'Other transactions or another explanation would do as well. A tied settlement has the right sum. Do not rely on its list for a single transaction, such as in a claim or a refund. The explanation of a difference is possible, but not proven.',
  UNSOLVED: 'The difference has no explanation, or there was no data.',
}

/** The meaning of the certificate of the sweeps. */
export const SWEEP_MEANINGS: Readonly<Record<string, string>> = {
  SNAPSHOT: 'Two complete readings of the lists were identical.',
  CONTIGUOUS: 'The pages of every list joined without a gap, and the head was read again.',
  BEST_EFFORT:
    'The lists changed while they were read: records may be missing, and nothing here proves an absence.',
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
