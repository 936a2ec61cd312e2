/** The command `diff`: lists the restatements between two packs. */
import type { PackDiff, PackId, TableDiff } from '../../reports/diff-packs.ts'
import { diffPacksAt } from '../../reports/open-pack.ts'
import { objectStore } from '../../workers/config/object-store.ts'
import type { Row } from '../../reports/pack/pack-source.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import type { Context } from '../shell/context.ts'

/** The cells that identify an added or removed row. */
const SHOWN = {
  settlements: ['settlementId', 'terminalId', 'businessDate', 'reportedNet', 'verdict'],
  exceptions: ['exceptionId', 'code', 'subjectType', 'subjectId', 'amount', 'state'],
  journal: ['entryId', 'date', 'account', 'accountName', 'debit', 'credit'],
} as const

export async function diffCommand(
  context: Context,
  packs: readonly [string, string],
  flags: object,
): Promise<void> {
  const { json } = context.flagsOf(flags)
  const diff = await Promise.race([diffPacksAt(packs, objectStore), aborted(context.signal)])
  if (json === true) context.terminal.print(JSON.stringify(diff))
  else for (const line of linesOf(diff)) context.terminal.print(line)
}

/**
 * Makes a line of counts for each file, and a line for each row that was added, removed or changed.
 */
export function linesOf(diff: PackDiff): string[] {
  const [before, after] = diff.packs
  return [
    `account ${diff.account}, ${diff.from} to ${diff.to}`,
    `- ${packLine(before)}`,
    `+ ${packLine(after)}`,
    ...(['settlements', 'exceptions', 'journal'] as const).flatMap((name) =>
      tableLines(name, diff[name], SHOWN[name]),
    ),
  ]
}

const packLine = ({ runId, from, to, asOf, knownAt }: PackId) =>
  `${runId}, ${from} to ${to}, as of ${asOf}, known at ${knownAt}`

function tableLines(name: string, diff: TableDiff, shown: readonly string[]): string[] {
  const { added, removed, changed, unchanged } = diff
  const cells = (row: Row) => shown.map((column) => row[column] || '-').join(' ')
  return [
    `${name}: ${added.length} added, ${removed.length} removed, ${changed.length} changed, ${unchanged} unchanged`,
    ...removed.map((row) => `  - ${cells(row)}`),
    ...added.map((row) => `  + ${cells(row)}`),
    ...changed.map(({ id, columns }) => {
      const changes = Object.entries(columns).map(
        ([column, [was, is]]) => `${column} ${was || '-'} -> ${is || '-'}`,
      )
      return `  ~ ${id}: ${changes.join(', ')}`
    }),
  ]
}
