import { Failure } from '../../domain/failure.ts'

/** Returns the whole number of a flag, at least `least`. Throws usage. */
export function wholeNumberFlag(name: string, text: string, least = 0): number {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= least) return value
  throw new Failure('usage', `${name} ${text} is not a whole number of at least ${least}`, {
    remedy: `write it in digits only, such as ${Math.max(least, 30)}`,
  })
}

/** The same for a number that has an upper limit, too. Throws usage. */
export function numberUpTo(name: string, text: string, { least = 0, most }: Limits): number {
  const value = wholeNumberFlag(name, text, least)
  if (value <= most) return value
  throw new Failure('usage', `${name} ${text} is more than ${most}`, {
    remedy: `write a number from ${least} to ${most}`,
  })
}

interface Limits {
  least?: number
  most: number
}

/** Returns the port of a flag; 0 is any free one. Throws usage. */
export const portFlag = (text: string): number => numberUpTo('--port', text, { most: 65_535 })

/** Returns the size of a simulated world. A larger one would not fit into memory. Throws usage. */
export const transactionsFlag = (text: string): number =>
  numberUpTo('--transactions', text, { least: 1, most: 100_000_000 })

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
