/** Formats every error as a single line. */

/** Formats the stable code, the failure and the next command. */
export const errorLine = ({ code, message, next }: ErrorAnswer) =>
  `error ${code}: ${inOneLine(message)}; next: ${next}`

export const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** An error as JSON. */
export interface ErrorAnswer {
  code: string
  message: string
  next: string
}
