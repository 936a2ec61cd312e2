/** Card numbers that people type into free text. */

const GROUP = String.raw`[0-9]+`
const SEPARATOR = String.raw`[ \u00a0\u2010-\u2015-]{1,3}`
const RUN = new RegExp(`${GROUP}(?:${SEPARATOR}${GROUP})*`, 'g')
const EDGE = /[0-9]+/g

/**
 * Replaces what may be a card number by `****` and its last four digits: 13 to 19 digits, also in groups
 * with spaces or dashes between them, that begin with 2 to 6 and pass the Luhn check.
 */
export function maskCardNumbers(text: string): string {
  // Most texts are too short for a card number.
  if (text.length < 13) return text
  return text.replace(RUN, maskRun)
}

/** A run may hold more than the card number, such as a year before it: every span of whole groups is tried. */
function maskRun(run: string): string {
  if (run.length < 13) return run
  const groups = [...run.matchAll(EDGE)]
  for (const [first, from] of groups.entries()) {
    let digits = ''
    for (const to of groups.slice(first)) {
      digits += to[0]
      if (digits.length > 19) break
      if (!isCardNumber(digits)) continue
      const end = to.index + to[0].length
      return `${run.slice(0, from.index)}****${digits.slice(-4)}${maskRun(run.slice(end))}`
    }
  }
  return run
}

function isCardNumber(digits: string): boolean {
  return digits.length >= 13 && /^[2-6]/.test(digits) && passesLuhn(digits)
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let back = 0; back < digits.length; back++) {
    const digit = digits.charCodeAt(digits.length - 1 - back) - 48
    const weighed = back % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
