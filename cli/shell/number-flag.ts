import { Failure } from '../../domain/failure.ts'

/** Returns the whole number of a flag, at least `least`. Throws usage. */
export function wholeNumberFlag(name: string, text: string, least = 0): number {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= least) return value
  throw new Failure('usage', `${name} ${text} is not a whole number of at least ${least}`, {
    remedy: `write it in digits only, such as ${Math.max(least, 30)}`,
  })
}

/** Returns the requests per second of a flag, above zero. Throws usage. */
export function rateFlag(name: string, text: string): number {
  const value = Number(text)
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text) && value > 0) return value
  throw new Failure('usage', `${name} ${text} is not a number of requests per second such as 5`, {
    remedy: 'write it as 5 or 0.5',
  })
}

/** Returns the share of a flag, between 0 and 1. Throws usage. */
export function shareFlag(name: string, text: string): number {
  const value = Number(text)
  if (/^[\d.]+$/.test(text) && value >= 0 && value <= 1) return value
  throw new Failure('usage', `${name} ${text} is not a share between 0 and 1`, {
    remedy: 'write it as 0.25',
  })
}
