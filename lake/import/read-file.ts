/** Reads a file into typed rows and rejects, and decides whether the file counts as read. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { assert, Failure } from '../../domain/failure.ts'
import { nameOf, type ImportOrder } from '../../domain/import.ts'
import { withKeys } from '../landing/hmac-sql.ts'
import { absentFieldsIn } from './absent-fields.ts'
import { unread } from './file-kind.ts'
import { planCsv } from './plan-csv.ts'
import { planNdjson } from './plan-ndjson.ts'
import { planParquet } from './plan-parquet.ts'
import type { Plan } from './plan.ts'
import { proposeReading } from './propose.ts'
import { readableFile } from './readable-file.ts'
import { isTooMany, stageImport, type Staged } from './stage.ts'
import { mostlyUnknown, unknownWordsIn } from './unknown-words.ts'
import { type Judging, type ScratchFiles } from './judging.ts'
import { hasRows } from '../connection/has-rows.ts'

export interface ReadFile {
  staged: Staged
  unknownWords: Readonly<Record<string, number>> | undefined
  /** A field for which most records have a word that the interface does not have, and the number of these records. */
  mostly: { field: string; records: number } | undefined
  emptyFields: Readonly<Record<string, number>> | undefined
  /** Fields that no record has, although verdicts or findings rest on them. */
  absentFields: readonly string[]
  /** The columns or paths of the file in which fields stand. */
  places: Readonly<Record<string, string>>
  /** Those in which no field stands. */
  unused: readonly string[]
  /** The packing and encoding of the file, for display. Empty for plain UTF-8. */
  form: string
}

/** Plan the reading of a file. Throw import_unreadable, which names the file and the column. */
const PLANS = { csv: planCsv, ndjson: planNdjson, parquet: planParquet }

/**
 * Reads a file into the temporary tables that `stageImport` makes. Returns the import_unreadable failure of a file
 * that can't be read, and throws any other error.
 */
export async function readFile(
  connections: { main: DuckDBConnection; aside: DuckDBConnection },
  { order, scratch }: { order: ImportOrder; scratch: ScratchFiles },
  judging: Judging,
): Promise<Failure | ReadFile> {
  const { main } = connections
  const { reading, spellings, knownWords, hashKeys } = judging
  try {
    const file = await readableFile(order, reading, scratch.copy)
    const plan = await PLANS[order.format]({ order, reading, file, spellings }, main)
    const about = { order, plan, file, scratch: scratch.rows }
    const staged = await withKeys(main, [hashKeys.first], () =>
      stageImport(connections, about, judging.judgeFor(plan, reading)),
    )
    const unknownWords = await unknownWordsIn(main, order.list, knownWords)
    return {
      staged,
      unknownWords,
      mostly: mostlyUnknown(unknownWords, staged.rows - staged.rejects),
      emptyFields: await emptyFieldsIn(main, plan, scratch.rows),
      absentFields: await absentFieldsIn(main, order.list),
      ...{ places: plan.places, unused: plan.unused, form: file.form },
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'import_unreadable') return error
    throw error
  }
}

async function emptyFieldsIn(
  connection: DuckDBConnection,
  { empty, source }: Plan,
  rows: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  if (empty.size === 0) return undefined
  const withEmpty = 'from read_parquet($1, hive_partitioning = false) where has_empty'
  if (!(await hasRows(connection, withEmpty, [rows]))) return undefined
  const counts = [...empty.values()].map((isEmpty) => `count(*) filter (where ${isEmpty})`)
  const reader = await connection.runAndReadAll(`select ${counts.join(', ')} from ${source}`)
  const found = [...empty.keys()].map(
    (field, at) => [field, Number(reader.getRows()[0]?.[at])] as const,
  )
  return Object.fromEntries(found.filter(([, records]) => records > 0))
}

/** Returns the reason why the file as a whole is not the expected one, or undefined if it is. */
export function refusalOf(order: ImportOrder, read: Failure | ReadFile): Failure | undefined {
  if (read instanceof Failure) return read
  const { staged, mostly } = read
  const { rows, rejects } = staged
  if (rows === 0) {
    return new Failure('import_unreadable', `${nameOf(order)} has no records`, {
      remedy: 'export the file again',
    })
  }
  if (rejects > 0 && isTooMany(rejects, rows)) return rejected(order, staged)
  if (mostly === undefined) return undefined
  return unread(
    order,
    `${mostly.records} of ${rows - rejects} records say a word under ${mostly.field} that the interface doesn't have; say what each means under import.${order.list}.words`,
    { remedy: checkCommand(order) },
  )
}

function rejected(order: ImportOrder, { rows, rejects, first: [first] }: Staged): Failure {
  const many =
    rejects === rows ? `none of its ${rows} records can` : `${rejects} of ${rows} records can't`
  const { line, field, reason } = first ?? { line: 1, field: '', reason: "can't be read" }
  const such = `such as line ${line}: ${`${field} ${reason}`.trim()}`
  return unread(order, `${many} be read, ${such}`, { remedy: checkCommand(order) })
}

/**
 * Returns the result of reading if the file can be imported. Otherwise throws import_unreadable, and nothing lands.
 * The message lists the differences from the confirmed reading if there are any.
 */
export async function refuseUnlessRead(
  order: ImportOrder,
  read: Failure | ReadFile,
  tools: { scratch: ScratchFiles; connection: DuckDBConnection; judging: Judging },
): Promise<ReadFile> {
  const refusal = refusalOf(order, read)
  if (!(read instanceof Failure) && read.staged.rejects === 0 && refusal === undefined) return read
  const { said, questions } = await proposeReading(order, tools)
  const seems = [...questions, ...said]
  const wrong = refusal ?? (read instanceof Failure ? read : rejected(order, read.staged))
  if (seems.length > 0) {
    throw new Failure(
      'import_unreadable',
      `${wrong.message}. The file seems to be written otherwise than was confirmed: ${few(seems)}`,
      { remedy: checkCommand(order) },
    )
  }
  if (refusal !== undefined) throw refusal
  assert(!(read instanceof Failure), 'a file that was refused without a reason')
  return read
}

const MOST_SAID = 4

const few = (said: readonly string[]) =>
  [
    ...said.slice(0, MOST_SAID),
    ...(said.length > MOST_SAID ? [`and ${said.length - MOST_SAID} more`] : []),
  ].join('; ')

/** Returns the command that shows a person how a file is understood. */
export function checkCommand({ list, file, name, format }: ImportOrder): string {
  const flags = [
    list === 'settlements' ? '--list settlements' : '',
    name === undefined ? '' : `--format ${format}`,
  ]
  const shown = name === undefined ? shellWord(file) : '-'
  return ['tieout import --check', ...flags, shown].filter(Boolean).join(' ')
}

const shellWord = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
