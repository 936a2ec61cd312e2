/** Instants of a world are whole seconds since 1970, UTC: the interface shows no finer ones. */
import { Failure } from '../../domain/failure.ts'

export const HOUR_S = 3600
export const DAY_S = 86_400
/** An instant that never comes. */
export const NEVER = 0xffff_ffff

const dates = new Map<number, string>()

/**
 * Formats as `2026-11-21T07:00:00Z`. Pages have many of these, so the text of each date is cached.
 */
export function instantText(at_s: number): string {
  const day = Math.floor(at_s / DAY_S)
  const date = dates.get(day) ?? new Date(day * DAY_S * 1000).toISOString().slice(0, 11)
  dates.set(day, date)
  const second = at_s - day * DAY_S
  const minute = Math.floor(second / 60)
  return `${date}${two(Math.floor(minute / 60))}:${two(minute % 60)}:${two(second % 60)}Z`
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** Seconds of an ISO 8601 instant with Z, or of a date's midnight. */
export function secondsOf(text: string): number {
  const at_ms = /^\d{4}-\d{2}-\d{2}(T\S+Z)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at_ms))
    throw new Failure('usage', `${text} is not an instant such as 2026-11-21T07:00:00Z`)
  return Math.floor(at_ms / 1000)
}

export const midnightBefore = (at_s: number): number => at_s - (at_s % DAY_S)

/** The day of the week; 0 is Sunday. */
export const weekday = (at_s: number): number => (Math.floor(at_s / DAY_S) + 4) % 7
