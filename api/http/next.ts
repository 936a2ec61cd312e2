/**
 * Reads the `next` of a page, which says whether more records follow. The address is checked in full, but only its
 * offset is used.
 */
import { Failure } from '../../domain/failure.ts'
import { printable } from '../record/excerpt.ts'
import { Ambiguous, JsonNumber } from '../json/json.ts'

const OFFSET = /^[0-9]{1,15}$/

export interface NextPlace {
  offset: number
}

/**
 * Returns the offset of the next page, or undefined if `next` is absent, null or empty. `next` must be an address of
 * the same list, with a larger offset. Throws next_foreign for any other address or type, and next_loop for an offset
 * that is not larger.
 */
export function nextPlace(next: unknown, page: URL): NextPlace | undefined {
  if (next === undefined || next === null || next === '') return undefined
  if (typeof next !== 'string') {
    throw foreign(page, `is ${typeName(next)}, not an address`)
  }
  if (!URL.canParse(next, page.href)) throw foreign(page, 'can not be read as an address')
  const url = new URL(next, page.href)
  checkPlace(url, page)
  return { offset: checkedOffset(url, page) }
}

function typeName(value: unknown): string {
  if (value instanceof JsonNumber) return 'a number'
  if (value instanceof Ambiguous) return 'there twice with different values'
  if (typeof value === 'boolean') return 'true or false'
  return Array.isArray(value) ? 'an array' : 'an object'
}

function checkPlace(url: URL, page: URL): void {
  if (url.protocol !== page.protocol || url.host !== page.host || url.origin !== page.origin) {
    throw foreign(page, `lies at ${printable(`${url.protocol}//${url.host}`, 80)}`)
  }
  if (url.username !== '' || url.password !== '') throw foreign(page, 'holds a user or a password')
  if (url.pathname !== page.pathname) {
    throw foreign(page, 'has another path')
  }
  const [asked, offered] = [page, url].map((one) => one.searchParams.getAll('terminalId').join())
  if (asked !== offered) throw foreign(page, 'is about another terminal')
}

function checkedOffset(url: URL, page: URL): number {
  const here = page.searchParams.get('offset') ?? '0'
  const offsets = url.searchParams.getAll('offset')
  const there = offsets[0] ?? ''
  if (offsets.length === 1 && OFFSET.test(there) && Number(there) > Number(here)) {
    return Number(there)
  }
  const has =
    offsets.length > 0 && offsets.every(isOffset) ? `offset ${offsets.join()}` : 'no offset'
  throw new Failure(
    'next_loop',
    `the next page of ${page.pathname} after offset ${here} has ${has}, which is not further on`,
  )
}

const isOffset = (text: string) => OFFSET.test(text)

function foreign(page: URL, what: string): Failure {
  return new Failure(
    'next_foreign',
    `the next page of ${printable(page.pathname, 80)} ${what}; the service is ${page.origin}`,
  )
}
