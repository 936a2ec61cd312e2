/** The result of an import, as lines and as JSON. */
import { countedNoun } from '../../domain/headline.ts'
import {
  ABSENCES,
  type CheckedFile,
  type CheckedReading,
  type ImportedFile,
  type ImportOrder,
  type RejectedLine,
} from '../../domain/import.ts'
import { checkCommand } from '../../lake/import/read-file.ts'
import { readingYaml } from '../../workers/config/import-config.ts'
import type { Flags } from '../../workers/config/settings.ts'
import { globalFlags } from '../shell/global-flags.ts'
import { shellWord } from '../shell/shell-word.ts'
import { typed } from '../shell/typed-command.ts'

const COUNTS = ['rows', 'newVersions', 'quarantined', 'differing', 'older'] as const

/** The results of all files with their sums. */
export function resultOf(files: readonly ImportedFile[]) {
  const total = (count: (typeof COUNTS)[number]) =>
    files.reduce((sum, file) => sum + file[count], 0)
  return { files, ...Object.fromEntries(COUNTS.map((count) => [count, total(count)])) }
}

/**
 * Makes a line for each file, one for each of its first rejects, and one for its unknown fields.
 */
export function linesOf(files: readonly ImportedFile[]): string[] {
  return files.flatMap((file) => [
    lineOf(file),
    ...rejectLines(file.rejects ?? [], file.quarantined),
    ...countedLines(file),
  ])
}

const n = (count: number) => count.toLocaleString('en')

function lineOf(imported: ImportedFile): string {
  const { file, landed, rows, newVersions, quarantined, differing, older } = imported
  if (!landed) return `${file}: ${countedNoun(rows, 'record')}, imported before; nothing changed`
  const differ = `${n(differing)} differed from the known version or from another line of the file`
  return [
    `${file}: ${countedNoun(rows, 'record')}, ${n(newVersions)} new or changed`,
    ...(quarantined === 0 ? [] : [`${n(quarantined)} quarantined`]),
    ...(differing === 0 ? [] : [differ]),
    ...(older === 0 ? [] : [`${n(older)} not updated, because a later reading of them is stored`]),
  ].join(', ')
}

function rejectLines(rejects: readonly RejectedLine[], all: number): string[] {
  const more = all - rejects.length
  return [
    ...rejects.map(({ line, field, reason, excerpt }) => {
      const wrong = field === '' ? reason : `${field} ${reason}`
      return `  line ${line}: ${wrong}${excerpt === '' ? '' : `: ${excerpt}`}`
    }),
    ...(rejects.length > 0 && more > 0 ? [`  and ${n(more)} more`] : []),
  ]
}

const countsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, records]) => `${name} (${n(records)})`)
    .join(', ')

/** Says what the absence of a field leads to. */
const absentLines = (fields: readonly string[]) =>
  fields.map((field) => `no record has ${field}: ${ABSENCES[field]}`)

function countedLines({
  file,
  unknownWords,
  leftOut,
  emptyFields,
  absentFields = [],
}: ImportedFile): string[] {
  return [
    ...(unknownWords
      ? [
          `${file} holds fields or values that the known interface doesn't have: ${countsOf(unknownWords)}`,
        ]
      : []),
    ...(leftOut
      ? [`${file} holds values that are not ids and were left out: ${countsOf(leftOut)}`]
      : []),
    ...(emptyFields ? [`${file} holds fields without a value: ${countsOf(emptyFields)}`] : []),
    ...absentLines(absentFields).map((line) => `${file}: ${line}`),
  ]
}

const FORMATS = { csv: 'CSV', ndjson: 'NDJSON', parquet: 'Parquet' } as const

/** The detected reading of a file, its rejects, and the next command with the same global flags. */
export function checkedLines(
  order: ImportOrder,
  checked: CheckedFile,
  flags: Flags = {},
): string[] {
  const { file, format, form, confirmed, understood, questions, proposed, reading } = checked
  const read = proposed ?? confirmed
  return [
    `${file}: ${[FORMATS[format], form].filter(Boolean).join(', ')}, ${countedNoun(read.rows, 'record')}`,
    ...columnLines(read),
    ...(proposed === undefined ? [] : ['Set in the config file:', ...readingLines(confirmed)]),
    ...(understood.length === 0
      ? []
      : ['Detected in the file:', ...understood.map((one) => `  ${one}`)]),
    ...readingLines(read),
    ...questions.map((one) => `Needs your decision: ${one}`),
    ...(understood.length === 0 ? [] : ['The config for it:', readingYaml(order.list, reading)]),
    nextLine(order, checked, flags),
  ]
}

function columnLines({ columns, unusedColumns }: CheckedReading): string[] {
  const width = Math.max(0, ...Object.keys(columns).map(({ length }) => length))
  return [
    ...Object.entries(columns).map(([field, column]) => `  ${field.padEnd(width)}  ${column}`),
    ...(unusedColumns.length === 0 ? [] : [`  not used: ${unusedColumns.join(', ')}`]),
  ]
}

function readingLines({
  rows,
  quarantined,
  differing,
  rejects,
  refusal,
  unknownWords,
  absentFields,
}: CheckedReading): string[] {
  return [
    ...(refusal === undefined ? [] : [`  refused: ${refusal}`]),
    ...(rows === 0
      ? []
      : [`  ${n(rows - quarantined)} of ${countedNoun(rows, 'record')} can be read`]),
    ...rejectLines(rejects, quarantined),
    ...(differing === 0
      ? []
      : [`  ${countedNoun(differing, 'id')} with lines that differ; the last line of each counts`]),
    ...(Object.keys(unknownWords).length === 0
      ? []
      : [`  unknown values: ${countsOf(unknownWords)}`]),
    ...absentLines(absentFields).map((line) => `  ${line}`),
  ]
}

function nextLine(
  order: ImportOrder,
  { confirmed, understood, questions, proposed }: CheckedFile,
  flags: Flags,
): string {
  const tieout = ['tieout', ...globalFlags(flags).map(shellWord)].join(' ')
  const here = (command: string) => typed(command.replace('tieout', () => tieout))
  const check = checkCommand(order)
  const plain = here(check.replace(' --check', ''))
  if (questions.length > 0)
    return `next: set it under import.${order.list} in the config file, then ${here(check)}`
  if ((proposed ?? confirmed).refusal !== undefined)
    return `next: correct the file or the config file, then ${here(check)}`
  if (understood.length === 0) return `next: ${plain}`
  return `next: put these lines into the config file and ${plain}; or, this time only, ${here(check.replace('--check', '--yes'))}`
}

/** The same result as JSON. */
export function checkedJson(
  orders: readonly ImportOrder[],
  files: readonly CheckedFile[],
  flags: Flags,
) {
  return {
    files: files.map(({ reading, ...file }, at) => {
      const order = orders[at]
      const config =
        order === undefined || file.understood.length === 0
          ? null
          : readingYaml(order.list, reading)
      return {
        ...file,
        config,
        next: order === undefined ? '' : nextLine(order, { ...file, reading }, flags),
      }
    }),
  }
}
