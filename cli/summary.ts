/** The end of a run as a person reads it. */
import type { RunResult, UnknownNames } from '../domain/run.ts'

export function summaryOf(result: RunResult): string[] {
  const { headline, exceptions, window } = result
  const count = (n: number, what: string) => `${n.toLocaleString('en')} ${what}`
  const noData = headline.noData > 0 ? `, ${count(headline.noData, 'no data')}` : ''
  const codes = Object.entries(exceptions)
  const width = Math.max(0, ...codes.map(([code]) => code.length))
  return [
    `${window.from} to ${window.to}, as of ${result.asOf}, known at ${result.knownAt}, sweeps ${result.certificate}`,
    `settlements ${headline.settlements.toLocaleString('en')}: ${count(headline.tied, 'tied')}, ${count(headline.explained, 'explained')}, ${count(headline.breaks, 'breaks')}, ${count(headline.pending, 'pending')}${noData}`,
    codes.length === 0
      ? 'no open exceptions'
      : `open exceptions: ${count(result.openErrors, 'errors')}, ${count(result.openWarnings, 'warnings')}`,
    ...codes.map(([code, n]) => `  ${code.padEnd(width)}  ${n.toLocaleString('en')}`),
    ...unknownLines(result.unknownNames ?? {}),
    `pack ${result.pack}`,
  ]
}

function unknownLines(unknownNames: UnknownNames): string[] {
  return Object.entries(unknownNames).map(([list, names]) => {
    const shown = Object.entries(names).map(([name, n]) => `${name} (${n.toLocaleString('en')})`)
    return `${list} hold what the known interface doesn't have: ${shown.join(', ')}`
  })
}
