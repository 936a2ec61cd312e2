/** A published pack against the truth of the world: verdicts, nets, members, explanations, findings and entries. */
import { join } from 'node:path'
import type { Planted, Truth, TruthSettlement } from '../../../simulator/world/truth.ts'
import { centsOf, readCsv } from './rows.ts'

type CsvRow = Record<string, string>

export interface Shares {
  /** COMPLETE settlements that tie, and how many of them are TIED. */
  tying: number
  tied: number
}

interface Pack {
  settlements: Map<string, CsvRow>
  members: Map<string, CsvRow[]>
  exceptions: CsvRow[]
}

function readPack(folder: string): Pack {
  const members = new Map<string, CsvRow[]>()
  for (const row of readCsv(join(folder, 'attributions.csv'))) {
    const id = row['settlementId'] ?? ''
    members.set(id, [...(members.get(id) ?? []), row])
  }
  const settlements = readCsv(join(folder, 'settlements.csv'))
  return {
    settlements: new Map(settlements.map((row) => [row['settlementId'] ?? '', row])),
    members,
    exceptions: readCsv(join(folder, 'exceptions.csv')),
  }
}

/** Compares a pack with the truth of the same instant. `seen` are the earlier instants of a whole night. */
export function judgeVerdicts(
  folder: string,
  truth: Truth,
  { seen, to, shares }: { seen: readonly string[]; to: string; shares: Shares },
): string[] {
  const pack = readPack(folder)
  const wrong: string[] = []
  for (const settlement of truth.settlements) {
    const row = pack.settlements.get(settlement.settlementId)
    const isListed = settlement.reportedNetCents !== null && settlement.created < `${to}T00:00:00Z`
    if (isListed !== (row !== undefined)) {
      wrong.push(`settlement ${settlement.settlementId} is ${isListed ? 'not ' : ''}in the pack`)
    }
    if (row === undefined) continue
    const planted = truth.planted.filter(({ subjectId }) => subjectId === settlement.settlementId)
    const found = judgeSettlement(settlement, planted, {
      row,
      members: pack.members.get(settlement.settlementId) ?? [],
      shares,
    })
    wrong.push(...found.map((what) => `settlement ${settlement.settlementId} ${what}`))
  }
  const known = new Set(truth.settlements.map(({ settlementId }) => settlementId))
  for (const id of pack.settlements.keys()) {
    if (!known.has(id)) wrong.push(`settlement ${id} is invented`)
  }
  return [...wrong, ...judgeFindings(pack, truth, { seen, to }), ...judgeJournal(folder)]
}

function judgeSettlement(
  truth: TruthSettlement,
  planted: readonly Planted[],
  { row, members, shares }: { row: CsvRow; members: readonly CsvRow[]; shares: Shares },
): string[] {
  const { verdict, certificate, explanation, computedNet, reportedNet, status } = row
  const wrong: string[] = []
  const reported = centsOf(reportedNet)
  if (String(reported) !== truth.reportedNetCents) {
    wrong.push(`reports ${truth.reportedNetCents} cents, and the pack says ${reported}`)
  }
  if (status !== truth.status) wrong.push(`is ${truth.status}, and the pack says ${status}`)
  const computed = centsOf(computedNet)
  const sum = members.reduce((all, member) => all + (centsOf(member['signedAmount']) ?? 0n), 0n)
  if (computed !== undefined && computed !== sum) {
    wrong.push(`has members of ${sum} cents, and its computed net is ${computed}`)
  }
  const isClear = truth.touchedBy.length === 0
  if (truth.status === 'COMPLETE' && truth.ties) {
    shares.tying += 1
    if (verdict === 'TIED') shares.tied += 1
  }
  if (verdict === 'TIED' && explanation !== 'CUTOFF_SHIFT' && !truth.ties && isClear) {
    wrong.push('does not tie, and the pack says TIED')
  }
  if (isClear && truth.status === 'COMPLETE' && verdict === 'TIED' && certificate === 'UNIQUE') {
    const ids = members.map((member) => member['transactionId']).toSorted()
    if (String(ids) !== String(truth.members.toSorted())) {
      wrong.push(`has the members ${truth.members.join(' ')}, and the pack says ${ids.join(' ')}`)
    }
    if (String(computed) !== truth.trueNetCents) {
      wrong.push(`is of ${truth.trueNetCents} cents, and the pack says ${computed}`)
    }
  }
  const mismatch = planted.find(({ code }) => code === 'AMOUNT_MISMATCH')
  if (mismatch !== undefined && truth.status === 'COMPLETE' && certificate === 'UNIQUE') {
    if (explanation !== mismatch.cause) {
      wrong.push(`is off by ${mismatch.cause}, and the pack says ${explanation}`)
    }
  }
  return wrong
}

/** Every planted discrepancy that can be seen by then is found. */
function judgeFindings(
  { exceptions }: Pack,
  { planted, settlements }: Truth,
  { seen, to }: { seen: readonly string[]; to: string },
): string[] {
  const found = new Set(exceptions.map(({ code, subjectId }) => `${code} ${subjectId}`))
  const createdOf = new Map(settlements.map(({ settlementId, created }) => [settlementId, created]))
  return planted
    .filter(({ cause }) => cause !== 'CUTOFF_SHIFT')
    .filter(({ subjectId }) => (createdOf.get(subjectId) ?? '') < `${to}T00:00:00Z`)
    .filter(({ code, subjectId, from }) => {
      // A drift shows only to who looked before it.
      const created = createdOf.get(subjectId) ?? ''
      return code !== 'PENDING_DRIFT' || seen.some((look) => created <= look && look < from)
    })
    .filter(({ code, subjectId }) => !found.has(`${code} ${subjectId}`))
    .map(({ code, cause, subjectId }) => `${code} (${cause}) of ${subjectId} is not found`)
}

/** The journal balances in sum and by entry. */
export function judgeJournal(folder: string): string[] {
  const balance = new Map<string, bigint>()
  for (const { entryId = '', debit, credit } of readCsv(
    join(folder, 'accounting', 'journal.csv'),
  )) {
    const cents = (centsOf(debit) ?? 0n) - (centsOf(credit) ?? 0n)
    balance.set(entryId, (balance.get(entryId) ?? 0n) + cents)
  }
  return [...balance]
    .filter(([, cents]) => cents !== 0n)
    .map(([entry, cents]) => `entry ${entry} is out of balance by ${cents} cents`)
}
