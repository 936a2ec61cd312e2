/** Money: whole cents as bigint, from the first parse to the last byte. */
declare const unit: unique symbol
export type Cents = bigint & { readonly [unit]: 'cents' }

/** An amount without its sign, such as `12.30`, as a regular expression of JavaScript and of DuckDB. */
export const AMOUNT_PATTERN = String.raw`[0-9]{1,13}\.[0-9]{2}`
const AMOUNT = new RegExp(`^-?${AMOUNT_PATTERN}$`)
const PRINTED = /^-?[0-9]+\.[0-9]{2}$/
const JSON_NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/
const MAX_CENTS = 10n ** 15n

export const cents = (value: bigint): Cents => value as Cents

/**
 * Reads an amount of exactly two decimals and at most 13 digits before them, such as `-12.30`;
 * anything else is undefined.
 */
export function parseCents(text: string): Cents | undefined {
  return AMOUNT.test(text) ? cents(BigInt(text.replace('.', ''))) : undefined
}

/**
 * Reads the text of a JSON number as cents, without passing through a double. A value within
 * 0.000001 of a whole cent is that cent; `noise` is true if it was not exact. A value farther off,
 * or beyond 9,999,999,999,999.99, is undefined.
 */
export function parseNumberCents(text: string): { cents: Cents; noise: boolean } | undefined {
  const parts = JSON_NUMBER.exec(text)
  if (parts === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  // The value is digits * 10^scale; scale counts from millionths of a major unit.
  const digits = (whole + fraction).replace(/^0+(?=.)/, '')
  const scale = Number(exponent) - fraction.length
  if (/^0*$/.test(digits)) return { cents: cents(0n), noise: false }
  if (digits.length + scale > 14) return undefined
  return nearestCent(digits, scale, sign === '-')
}

/** Reads an amount or a sum that formatCents or the SQL printed, however large; anything else is undefined. */
export const printedCents = (text: string): Cents | undefined =>
  PRINTED.test(text) ? cents(BigInt(text.replace('.', ''))) : undefined

/** Prints cents as decimal text with two places and a leading minus: `-12.30`. */
export function formatCents(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function nearestCent(digits: string, scale: number, negative: boolean) {
  const places = Math.max(-scale, 2)
  const scaled = BigInt(digits) * 10n ** BigInt(places + scale)
  const cent = 10n ** BigInt(places - 2)
  const rest = scaled % cent
  const below = scaled / cent
  const nearest = rest * 2n >= cent ? below + 1n : below
  const off = rest * 2n >= cent ? cent - rest : rest
  // The condition off / 10^places <= 0.000001, computed in whole numbers.
  if (off * 1_000_000n > 10n ** BigInt(places) || nearest >= MAX_CENTS) return undefined
  return { cents: cents(negative ? -nearest : nearest), noise: off !== 0n }
}

/** An amount or a count for reading: `-1234567.80` is `-1,234,567.80`. Files keep the plain form. */
export const grouped = (text: string): string =>
  text.replace(
    /^(-?)(\d+)/,
    (_, sign: string, whole: string) => `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}`,
  )
