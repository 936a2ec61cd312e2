import { Failure } from '../../domain/failure.ts'

/** The whole number that a flag was given, `least` or more. Throws usage. */
export function wholeNumberFlag(name: string, text: string, least = 0): number {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= least) return value
  throw new Failure('usage', `${name} ${text} is no whole number from ${least}`)
}

/** Requests per second that a flag was given, more than none. Throws usage. */
export function rateFlag(name: string, text: string): number {
  const value = Number(text)
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text) && value > 0) return value
  throw new Failure('usage', `${name} ${text} is no number of requests per second, such as 5`)
}

/** The share that a flag was given, from 0 to 1. Throws usage. */
export function shareFlag(name: string, text: string): number {
  const value = Number(text)
  if (/^[\d.]+$/.test(text) && value >= 0 && value <= 1) return value
  throw new Failure('usage', `${name} ${text} is no share from 0 to 1`)
}
