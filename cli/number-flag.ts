import { Failure } from '../domain/failure.ts'

/** The whole number that a flag was given, `least` or more. Throws usage. */
export function wholeNumberFlag(name: string, text: string, least = 0): number {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= least) return value
  throw new Failure('usage', `${name} ${text} is no whole number from ${least}`)
}

/** The share that a flag was given, from 0 to 1. Throws usage. */
export function shareFlag(name: string, text: string): number {
  const value = Number(text)
  if (/^[\d.]+$/.test(text) && value >= 0 && value <= 1) return value
  throw new Failure('usage', `${name} ${text} is no share from 0 to 1`)
}
