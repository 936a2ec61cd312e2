/** The values that the outputs of commands are made of. */
import { z } from 'zod'
import { CERTIFICATES } from '../../domain/run.ts'

export const text = z.string()
export const id = z.string().regex(/^\d+$/).describe('a whole number, as text')
export const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .describe('a business date')
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
  .describe('an instant in UTC')
export const money = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .describe('an amount with two places')
export const sha256 = z
  .string()
  .regex(/^[\da-f]{64}$/)
  .describe('a SHA-256 in hex')
export const CERTIFICATE_NAMES = z.enum(CERTIFICATES)

/** An object to which a later version may add keys. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape)
export const optional = <Type extends z.ZodType>(type: Type) => type.optional()

export const count = z.int()
export const headline = object({
  ...{ settlements: count, tied: count, explained: count, breaks: count, pending: count },
  noData: count,
})
export const error = object({ code: text, message: text, next: text })
