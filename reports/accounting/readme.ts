/** Writes `accounting/README.txt`: the control totals of each file, and a checklist for each program. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AccountingGroup, gatheringOf, programsOf } from '../../domain/accounting.ts'
import { alignedTable } from '../../domain/aligned-table.ts'
import { formatCents } from '../../domain/cents.ts'
import { listedFile } from '../pack/listed-file.ts'
import type { ManifestFile } from '../pack/manifest.ts'
import { CHECKLISTS } from './checklists.ts'
import type { Tally } from './entry.ts'
import type { TalliedFile } from './numbered-parts.ts'
import type { AccountingOptions } from './options.ts'

const GROUPS: Readonly<Record<AccountingGroup, string>> = {
  entry: 'Each entry of the journal is an entry of its own.',
  day: 'Each business day is one entry over all terminals.',
  settlement: 'Each settlement is one entry, and the sales of each business day are another.',
  month: 'Each month has one entry for charges, one for refunds, one for settlements, and so on.',
}

const NUMBERED =
  'Later additions to an approved entry form a new entry, whose number ends with -2, then -3.'
const ADJUSTED =
  'Later changes of an approved entry form an entry such as ADJ-S-900-1, then ADJ-S-900-2.'

/** The ids of what is added after an approval. */
const LATER: Readonly<Record<AccountingGroup, readonly string[]>> = {
  entry: [ADJUSTED],
  day: [NUMBERED],
  settlement: [
    ADJUSTED,
    'Later sales of an approved business day form a new entry, such as DS-20261118-2.',
  ],
  month: [NUMBERED],
}

const NAME = 'accounting/README.txt'

/** Writes the page into the pack's folder, and returns its description. */
export async function writeReadme(
  folder: string,
  options: AccountingOptions,
  made: { files: readonly TalliedFile[]; journal: Tally },
): Promise<ManifestFile> {
  const lines = [...head(options), ...table(made), '', ...steps(options)]
  await writeFile(join(folder, NAME), `${lines.join('\r\n')}\r\n`, { mode: 0o600, flag: 'wx' })
  return listedFile(folder, NAME)
}

function head({ about, currency, accounting }: AccountingOptions): string[] {
  const { group, byTerminal } = gatheringOf(accounting)
  return [
    `Accounting files of ${about.account}, ${about.window.from} until before ${about.window.to}, in ${currency}`,
    '',
    'Import the file of one program only, from a pack that was approved, with all its numbered parts.',
    'The journal and the tieout.* books contain every entry of the range. The files for programs leave',
    'out the entries of packs that were approved before this pack was made.',
    '',
    `The setting accounting.group is ${group}. ${GROUPS[group]}`,
    ...(byTerminal
      ? ['The setting accounting.by_terminal is true. Each line names its terminal.']
      : []),
    ...LATER[group],
    '',
  ]
}

function table({ files, journal }: { files: readonly TalliedFile[]; journal: Tally }): string[] {
  const tallies = [
    ...files.map(({ file, tally }): [string, Tally] => [file.name, tally]),
    ['accounting/journal.csv', journal] as const,
  ]
  const rows = tallies.map(([name, tally]) => [
    name.replace('accounting/', ''),
    ...[String(tally.entries), String(tally.lines)],
    ...[formatCents(tally.debit_cents), formatCents(tally.credit_cents)],
  ])
  return alignedTable([['file', 'entries', 'lines', 'debits', 'credits'], ...rows], [1, 2, 3, 4])
}

function steps({ accounting }: AccountingOptions): string[] {
  const programs = programsOf(accounting)
  if (programs.length === 0) {
    return ['No program is configured. Name yours under accounting.programs, such as [xero].']
  }
  return programs.flatMap((program) => {
    const { name, steps: list } = CHECKLISTS[program]
    return [name, ...list.map((step) => `[ ] ${step}`), `[ ] ${LAST}`, '']
  })
}

const LAST =
  'Afterwards compare entries, debits and credits in the program with the totals of the file above.'
