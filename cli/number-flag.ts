import { Failure } from '../domain/failure.ts'

/** The number that a flag was given, zero or more. Throws usage. */
export function numberFlag(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new Failure('usage', `${name} ${text} is no number`)
}
