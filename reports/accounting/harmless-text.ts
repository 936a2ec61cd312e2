/** Makes text harmless for the program that reads it. */
import { hash as digestOf } from 'node:crypto'
import { isFormula } from '../../domain/csv-text.ts'

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const NEEDS_CLEANING = /[\p{Cc}\p{Zl}\p{Zp}]|^ | $| {2}/u

/** Returns the text as a single line without control characters and without two spaces in a row. */
export const oneLine = (text: string): string =>
  NEEDS_CLEANING.test(text) ? text.replaceAll(BREAKS, ' ').replaceAll(/ {2,}/g, ' ').trim() : text

/** Returns a single line that no spreadsheet evaluates. A `'` precedes a possible formula. */
export function guarded(text: string): string {
  const line = oneLine(text)
  return isFormula(line) ? `'${line}` : line
}

/** Returns a single line of ASCII without double quotes. Characters without an ASCII form become `?`. */
export function asciiLine(text: string): string {
  const line = oneLine(text).replaceAll('"', "'")
  if (/^[ -~]*$/.test(line)) return line
  return line
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]/gu, '?')
}

/**
 * Cuts a text to at most `max` characters, never within one. Three dots mark the cut, so that a shortened number can
 * be recognised.
 */
export const cutText = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${Array.from(text)
        .slice(0, Math.max(0, max - 3))
        .join('')}${'...'.slice(0, max)}`

/** Returns the id itself if it fits, or else its prefix and a hash. The same id always gives the same result. */
export function shortId(id: string, max: number): string {
  if (id.length <= max) return id
  const hash = BigInt(`0x${digestOf('sha256', id)}`)
  const prefix = /^[A-Z]{1,3}-/.exec(id)?.[0] ?? ''
  return `${prefix}${hash.toString(36).toUpperCase()}`.slice(0, max)
}
