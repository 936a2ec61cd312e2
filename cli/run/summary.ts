/** The lines that a person reads at the end of a run. */
import { withLocalTime } from '../../domain/business-day.ts'
import { headlineWords, openWords } from '../../domain/headline.ts'
import type { RunResult, UnknownNames } from '../../domain/run.ts'
import { undelivered } from '../../domain/webhook.ts'

export function summaryOf(result: RunResult, zone: string): string[] {
  const { headline, exceptions, window } = result
  const codes = Object.entries(exceptions)
  const width = Math.max(0, ...codes.map(([code]) => code.length))
  return [
    `${window.from} to ${window.to}, as of ${withLocalTime(result.asOf, zone)}${result.isAsOfSweep === true ? ' (the end of the newest sweep)' : ''}, known at ${result.knownAt}, sweeps ${result.certificate}`,
    headlineWords(headline),
    openWords(result),
    ...codes.map(([code, n]) => `  ${code.padEnd(width)}  ${n.toLocaleString('en')}`),
    ...unknownLines(result.unknownNames ?? {}),
    `pack ${result.pack}`,
    ...(result.foreignLatest === undefined
      ? []
      : [
          `warning: latest named ${result.foreignLatest}, which this lake did not publish; the lake is another one, or older`,
        ]),
    ...(result.webhookFailed === undefined ? [] : [undelivered(result.webhookFailed)]),
  ]
}

function unknownLines(unknownNames: UnknownNames): string[] {
  return Object.entries(unknownNames).map(([list, names]) => {
    const shown = Object.entries(names).map(([name, n]) => `${name} (${n.toLocaleString('en')})`)
    return `${list} hold fields or values that the known interface doesn't have: ${shown.join(', ')}`
  })
}
