/** The findings that need no arithmetic over time, one record or one pair at a time. */
import { breaches } from './ceiling.ts'
import { type Attribution, placeOf, verdictsOf } from './standings.ts'
import { newest, type Records, signed, type Terminal, type Transaction } from './records.ts'

/** `CODE subject`, with the amount or the certainty where the rules say it. */
export type Finding = string

export interface Judged {
  records: Records
  attribution: Attribution
  asOf: bigint
  pendingStaleDays: number
  unsettledDays: number
}

interface Timed extends Judged {
  lastSettlements: ReadonlyMap<string, bigint>
}

const BUCKETS = [
  [1, '0-1'],
  [5, '2-5'],
  [10, '6-10'],
  [30, '11-30'],
  [Number.POSITIVE_INFINITY, '>30'],
] as const

/** `id age bucket` of everything that is open. */
export function agesOf({ records, attribution, asOf }: Judged): string[] {
  return newest(records.transactions).flatMap((one) => {
    const settlement = records.settlements.get(attribution.get(one.id) ?? '')?.at(-1)
    if (
      placeOf(records.transactions.get(one.id) ?? [], settlement, {
        asOf,
        readFrom: records.readFrom,
      }) !== 'OPEN'
    )
      return []
    const age = ageDays(one.created, asOf)
    return [`${one.id} ${age} ${BUCKETS.find(([most]) => age <= most)?.[1] ?? ''}`]
  })
}

const DAY_US = 86_400_000_000n

/** Midnights in UTC from one instant to another. */
export const ageDays = (from: bigint, to: bigint) => Number(to / DAY_US - from / DAY_US)

/** Everything that is found, as a set. */
export function findingsOf(about: Judged): Set<Finding> {
  const judged = { ...about, lastSettlements: lastOf(about.records) }
  return new Set([
    ...onSettlements(judged),
    // A report leaves out what was created after it.
    ...newest(judged.records.transactions)
      .filter(({ created }) => created <= judged.asOf)
      .flatMap((one) => onTransaction(one, judged)),
    ...[...judged.records.transactions.values()].flatMap(events),
    ...duplicates(newest(judged.records.transactions)),
    ...breaches(judged.records),
    ...unknownTerminals(judged.records),
    ...inFuture(
      [...newest(judged.records.transactions), ...newest(judged.records.settlements)],
      judged.asOf,
    ),
    ...unread(judged.records),
  ])
}

const inFuture = (
  records: readonly { id: string; created: bigint; read: bigint }[],
  asOf: bigint,
): Finding[] =>
  records
    .filter(({ created, read }) => created > read + DAY_US && created > asOf)
    .map(({ id }) => `CREATED_IN_FUTURE ${id}`)

function onSettlements({ records, attribution, asOf, pendingStaleDays }: Judged): Finding[] {
  const verdicts = verdictsOf(records, attribution)
  return [...records.settlements].flatMap(([id, versions]) => {
    const found: Finding[] = []
    const now = versions.at(-1)
    const verdict = verdicts.get(id)
    if (now === undefined || now.created > asOf) return found
    if (verdict?.verdict === 'OFF') found.push(`AMOUNT_MISMATCH ${id} ${verdict.difference}`)
    if (now.status === 'PENDING' && ageDays(now.created, asOf) > pendingStaleDays) {
      found.push(`PENDING_STALE ${id}`)
    }
    versions.slice(1).forEach((later, i) => {
      const earlier = versions[i] ?? later
      if (earlier.net !== later.net) {
        if (earlier.status === 'PENDING') found.push(`PENDING_DRIFT ${id}`)
        const wasComplete = versions.slice(0, i + 1).some(({ status }) => status === 'COMPLETE')
        if (wasComplete) found.push(`COMPLETE_CHANGED ${id}`)
      }
      if (earlier.terminal !== later.terminal) found.push(`SETTLEMENT_MOVED ${id}`)
      if (earlier.status === 'COMPLETE' && later.status === 'PENDING') {
        found.push(`STATUS_REGRESSION ${id}`)
      }
    })
    return found
  })
}

function onTransaction(one: Transaction, judged: Timed): Finding[] {
  const terminal = inForce(one, judged.records)
  return [...onItself(one), ...onTerminal(one, terminal), ...inTime(one, judged)]
}

/** The version of its terminal that was known when the transaction first landed, or else the terminal's first one. */
function inForce({ id, terminal }: Transaction, records: Records): Terminal | undefined {
  const versions = records.terminals.get(terminal) ?? []
  const first = records.transactions.get(id)?.[0]
  return versions.findLast(({ landed }) => first && landed <= first.landed) ?? versions[0]
}

const LIMIT = 100_000_000n

function onItself(one: Transaction): Finding[] {
  const found: Finding[] = []
  const parts = [one.base, one.tax, one.shipping, one.tip, one.surcharge].map((part) => part ?? 0n)
  const sum = parts.reduce((all, part) => all + part, 0n)
  if (sum !== one.total) found.push(`TOTAL_MISMATCH ${one.id}`)
  if ([...parts, one.total].some((amount) => amount > LIMIT)) {
    found.push(`AMOUNT_OVER_LIMIT ${one.id}`)
  }
  if (one.action === 'VERIFY' && [...parts, one.total].some((amount) => amount !== 0n)) {
    found.push(`VERIFY_NONZERO ${one.id}`)
  }
  if (one.settled && ['HOLD', 'VOID'].includes(one.status)) {
    found.push(`SETTLED_NOT_CAPTURED ${one.id}`)
  }
  if (one.settled && !one.approved) found.push(`SETTLED_NOT_APPROVED ${one.id}`)
  return found
}

function onTerminal(one: Transaction, terminal: Terminal | undefined): Finding[] {
  const found: Finding[] = []
  const isTaken =
    one.action === 'CHARGE' && (one.settled || (one.approved && one.status !== 'VOID'))
  const surcharge = isTaken ? (one.surcharge ?? 0n) : 0n
  if (surcharge > 0n && terminal?.hasSurcharge === false) {
    found.push(`SURCHARGE_NOT_ENABLED ${one.id}`)
  }
  const percentage = one.percentage ?? terminal?.percentage ?? null
  if (
    surcharge > 0n &&
    percentage !== null &&
    surcharge > most(one.total - surcharge, percentage)
  ) {
    found.push(`SURCHARGE_OVER_RATE ${one.id}`)
  }
  return terminal === undefined ? found : [...found, ...onType(one, terminal)]
}

function onType(one: Transaction, { type, acceptance }: Terminal): Finding[] {
  const isAch = one.vault === 'ACH'
  if ((one.vault === 'CARD' && type === 'ACH') || (isAch && type === 'CARD')) {
    return [`TERMINAL_TYPE_MISMATCH ${one.id}`]
  }
  if (!isAch || one.achType === null || acceptance === null) return []
  const accepted = acceptance.split(',').map((code) => code.trim())
  return accepted.includes(one.achType) ? [] : [`ACH_CODE_NOT_ACCEPTED ${one.id}`]
}

/** The percentage of an amount, rounded up to a cent, and one cent more. */
function most(amount: bigint, percentage: string): bigint {
  const [whole = '0', part = ''] = percentage.split('.')
  const tenThousandths = BigInt(whole + part.padEnd(4, '0').slice(0, 4))
  const scaled = amount * tenThousandths
  return (scaled + 999_999n) / 1_000_000n + 1n
}

/** The instant of each terminal's last settlement. */
function lastOf(records: Records): Map<string, bigint> {
  const last = new Map<string, bigint>()
  for (const { terminal, created } of newest(records.settlements)) {
    if (created > (last.get(terminal) ?? -1n)) last.set(terminal, created)
  }
  return last
}

function inTime(
  one: Transaction,
  { records, attribution, asOf, unsettledDays, lastSettlements }: Timed,
): Finding[] {
  const found: Finding[] = []
  const settlement = records.settlements.get(attribution.get(one.id) ?? '')?.at(-1)
  const place = placeOf(records.transactions.get(one.id) ?? [], settlement, {
    asOf,
    readFrom: records.readFrom,
  })
  const isAwaited = place === 'OPEN' && !one.settled && one.status !== 'VOID'
  if (isAwaited && ageDays(one.created, asOf) > unsettledDays) {
    found.push(`UNSETTLED_AGED ${one.id}`)
  }
  const last = lastSettlements.get(one.terminal) ?? -1n
  if (one.settled && last < one.created) found.push(`ORPHAN_SETTLED ${one.id}`)
  return found
}

const FACTS = [
  'terminal',
  'base',
  'tax',
  'shipping',
  'tip',
  'surcharge',
  'total',
  'action',
  'status',
] as const

function events(versions: readonly Transaction[]): Finding[] {
  return versions.slice(1).flatMap((later, i) => {
    const earlier = versions[i] ?? later
    if (!earlier.settled) return []
    const isChanged = FACTS.some((name) => (earlier[name] ?? 0n) !== (later[name] ?? 0n))
    return [
      ...(later.settled ? [] : [`SETTLEMENT_REVERSED ${later.id} ${signed(earlier)}`]),
      ...(isChanged ? [`CHANGED_AFTER_SETTLEMENT ${later.id}`] : []),
    ]
  })
}

const TEN_MINUTES_US = 600_000_000n

function duplicates(transactions: readonly Transaction[]): Finding[] {
  const alike = new Map<string, Transaction[]>()
  for (const one of transactions) {
    if (one.fine === null || one.action !== 'CHARGE' || !one.approved || one.status === 'VOID')
      continue
    const key = `${one.fine} ${one.total}`
    const group = alike.get(key)
    if (group === undefined) alike.set(key, [one])
    else group.push(one)
  }
  const isBefore = (a: Transaction, b: Transaction) =>
    a.created === b.created ? BigInt(a.id) < BigInt(b.id) : a.created < b.created
  return [...alike.values()].flatMap((group) =>
    group
      .filter((later) =>
        group.some(
          (earlier) =>
            earlier !== later &&
            isBefore(earlier, later) &&
            later.created - earlier.created <= TEN_MINUTES_US &&
            !(earlier.invoice && later.invoice && earlier.invoice !== later.invoice),
        ),
      )
      .map(({ id }) => `DUPLICATE_CHARGE ${id}`),
  )
}

const unknownTerminals = ({ transactions, terminals }: Records): Finding[] =>
  newest(transactions)
    .filter(({ terminal }) => !terminals.has(terminal))
    .map(({ terminal }) => `UNKNOWN_TERMINAL ${terminal}`)

const unread = ({ unread, transactions, settlements }: Records): Finding[] =>
  unread
    .filter(
      ({ list, subject }) => !(list === 'transactions' ? transactions : settlements).has(subject),
    )
    .map(({ subject }) => `QUARANTINED ${subject}`)
