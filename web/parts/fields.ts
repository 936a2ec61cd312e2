/** Reads what a person typed into a filter; undefined for a text that is no such value. */
import { isDate } from '../../domain/business-day.ts'

const MOST_ID = 9_223_372_036_854_775_807n

export const ID = (text: string) =>
  /^\d{1,19}$/.test(text) && BigInt(text) <= MOST_ID ? text : undefined
export const AMOUNT = (text: string) => (/^-?\d{1,13}(\.\d{1,2})?$/.test(text) ? text : undefined)
export const DAY = (text: string) => (isDate(text) ? text : undefined)
