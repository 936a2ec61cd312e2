/** The one line that every error is told in. */

/** A stable code, what failed, and the next command to type. */
export const errorLine = ({ code, message, next }: ErrorAnswer) =>
  `error ${code}: ${inOneLine(message)}; next: ${next}`

export const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** An error as a program reads it. */
export interface ErrorAnswer {
  code: string
  message: string
  next: string
}
