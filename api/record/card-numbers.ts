/** Masks card numbers in free text. */

const GROUP = String.raw`[0-9]+`
const SEPARATOR = String.raw`[ \u00a0\u2010-\u2015-]{1,3}`
const RUN = new RegExp(`${GROUP}(?:${SEPARATOR}${GROUP})*`, 'g')
const EDGE = /[0-9]+/g
const LONGEST = 19

/**
 * Replaces each possible card number by `****` and its last four digits. Such a number has 13 to 19 digits, possibly
 * in groups with spaces or dashes between them. The number begins with 2 to 6 and passes the Luhn check.
 */
export function maskCardNumbers(text: string): string {
  // Most texts are too short for a card number.
  if (text.length < 13) return text
  return text.replace(RUN, maskRun)
}

interface Span {
  /** The index of the group after the last one, and of the character after the last digit. */
  nextGroup: number
  end: number
  digits: string
}

/**
 * Tries every sequence of whole groups of digits. A card number may stand beside other digits, such as a year before it.
 */
function maskRun(run: string): string {
  if (run.length < 13) return run
  const groups = [...run.matchAll(EDGE)]
  let masked = ''
  let copied = 0
  for (let first = 0; first < groups.length; first++) {
    const span = cardNumberFrom(groups, first)
    if (span === undefined) continue
    masked += `${run.slice(copied, groups[first]?.index)}****${span.digits.slice(-4)}`
    copied = span.end
    first = span.nextGroup - 1
  }
  return masked + run.slice(copied)
}

function cardNumberFrom(groups: readonly RegExpExecArray[], first: number): Span | undefined {
  let digits = ''
  for (let group = first; group < groups.length; group++) {
    const edge = groups[group]
    if (edge === undefined || digits.length + edge[0].length > LONGEST) return undefined
    digits += edge[0]
    if (isCardNumber(digits)) {
      return { nextGroup: group + 1, end: edge.index + edge[0].length, digits }
    }
  }
  return undefined
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
