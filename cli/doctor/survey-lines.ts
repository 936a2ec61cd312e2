/** The lines that describe a surveyed service. */
import { countedNoun } from '../../domain/headline.ts'
import type { SettledFlag } from '../../queries/settled-flag.ts'
import type { ListSurvey, SourceSurvey } from '../../api/sweep/probe-service.ts'

export interface SourceReport extends SourceSurvey {
  settledFlag: SettledFlag
}

/** Makes one line for each question that the interface leaves open. */
export function surveyLines(report: SourceReport): string[] {
  const { lists, rateHeaders, announcedPerSecond, settledFlag } = report
  const rate = announcedPerSecond === null ? '' : `, ${announcedPerSecond} requests a second`
  return [
    ...Object.entries(lists).map(([name, list]) => `${name}: ${listLine(list)}`),
    `one terminal by its id: ${statusWords(report.singleTerminal)}`,
    `an unknown parameter: ${statusWords(report.unknownParameter)}`,
    `an unknown terminal: ${statusWords(report.unknownTerminal)}`,
    `version: ${versionWords(report.version)}`,
    `rate: ${rateHeaders.length === 0 ? 'no headers announce it' : `headers ${rateHeaders.join(', ')}`}${rate}; ${report.throttled} of ${report.requests} requests throttled`,
    `clock: ${clockWords(report.clockAhead_s)}`,
    `settled flag: ${flagWords(settledFlag)}`,
  ]
}

function versionWords(version: string | null): string {
  if (version === null) return 'older than 2018-06-01, or its fields are empty'
  // Later versions differ only in terminals for ACH, and an account may have none.
  const newer = version === '2023-05-16' ? ', or of 2026-08-21 without a terminal for ACH' : ''
  return `fields of ${version}${newer}`
}

function listLine(list: ListSurvey): string {
  const { status, defaultLimit, sortedBy, terminalId, unreadable, unknownNames } = list
  const all = status === 200 ? '' : `the list of all terminals is refused (${status}), `
  if (list.askedFor === 0) return `refused (${status})`
  return [
    `${all}${pageWords(list)}`,
    ...(defaultLimit === null ? [] : [`pages of ${defaultLimit} unasked`]),
    sortedBy.length === 0 ? 'in no visible order' : `sorted by ${sortedBy.join(' and ')}`,
    ...(terminalId === null ? [] : [`terminalId ${terminalId}`]),
    ...(unreadable === 0 ? [] : [`${countedNoun(unreadable, 'record')} can't be read`]),
    ...(unknownNames.length === 0 ? [] : [`unknown: ${unknownNames.join(' ')}`]),
  ].join('; ')
}

function pageWords({ largestPage, askedFor, refusedLimits, hasMore }: ListSurvey): string {
  const refused = refusedLimits.length === 0 ? '' : `, ${refusedLimits.join(' and ')} refused`
  if (!hasMore)
    return `${largestPage === 1 ? 'its only record' : `all of its ${largestPage} records`} in one page${refused}`
  const cap =
    largestPage < askedFor ? `limit ${askedFor} cut to ${largestPage}` : `limit ${askedFor} given`
  return `${cap}${refused}`
}

function statusWords(status: number | null): string {
  if (status === null) return 'not tried: no terminal is known'
  return status === 200 ? 'answered' : `refused with ${status}`
}

function clockWords(ahead_s: number | null): string {
  if (ahead_s === null) return 'not sent'
  const way = ahead_s < 0 ? 'behind' : 'ahead of'
  return `${Math.abs(ahead_s).toLocaleString('en')} seconds ${way} this machine's`
}

function flagWords({ turnsWhen, seenTurning, provenSettlements }: SettledFlag): string {
  const seen = `${countedNoun(seenTurning, 'transaction')} became settled between two observations`
  if (turnsWhen === 'unknown') return `not known yet; ${seen}`
  const event = turnsWhen === 'created' ? 'is created' : 'becomes COMPLETE'
  return `turns true when the settlement ${event}; ${seen}, and ${countedNoun(provenSettlements, 'settlement')} ${provenSettlements === 1 ? 'ties' : 'tie'} out by it`
}
