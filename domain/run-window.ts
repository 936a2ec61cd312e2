import { addDays, dateIn } from './business-day.ts'
import type { RunRequest, Window } from './run.ts'
import type { Settings } from './settings.ts'

/** The range of a run: the requested one, or the business days of the lookback before the date of `now_ms`. */
export function windowOf(
  { timezone, lookbackDays }: Pick<Settings, 'timezone' | 'lookbackDays'>,
  { window, businessDate }: Pick<RunRequest, 'window' | 'businessDate'>,
  now_ms: number,
): Window {
  const to = businessDate ?? dateIn(timezone, now_ms)
  return window ?? { from: addDays(to, -lookbackDays), to }
}
