/** Rates and times in words. */
import type { ReadingEstimate } from '../../domain/backfill.ts'

/** The source of a rate. */
export const PACE_OF: Record<ReadingEstimate['paceOf'], string> = {
  learned: 'the rate that the workers have learned',
  sweeps: 'the pace of the last sweeps',
  default: 'the starting rate for an unknown service',
  asked: 'as asked',
}

/** Formats such as `5.5 requests a second`. */
export const rateOf = (perSecond: number) => `${Number(perSecond.toFixed(1))} requests a second`

/** Formats seconds as `45 s`, `12 min` or `3 h 20 min`. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
