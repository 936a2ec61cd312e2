/** Finds the restatements between two packs from their files: settlements, exceptions and journal lines. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, assert } from '../domain/failure.ts'
import { checkCsv } from './pack/check-csv.ts'
import { PACK_FILES, TABLES } from './pack/pack-files.ts'
import type { Row } from './pack/pack-source.ts'
import { altered, readManifest, type PackManifest } from './pack/read-manifest.ts'

export interface Changed {
  id: string
  /** The changed columns, each with the value in the first pack and the value in the second. */
  columns: Record<string, readonly [string | null, string | null]>
}

export interface TableDiff {
  added: readonly Row[]
  removed: readonly Row[]
  changed: readonly Changed[]
  unchanged: number
}

export type PackId = Pick<PackManifest, 'runId' | 'from' | 'to' | 'asOf' | 'knownAt'>

export interface PackDiff {
  account: string
  packs: readonly [PackId, PackId]
  /** Business dates that both packs cover; other dates are not compared. */
  from: string
  to: string
  settlements: TableDiff
  exceptions: TableDiff
  journal: TableDiff
}

interface Compared {
  table: string
  /** Returns the key of a row, in a form that a person understands. */
  idOf: (row: Row) => string
  /** The column whose business date decides whether a row is in the range. Absent: every row is in it. */
  date?: string
  /** Columns that change with the time of the run and are no restatement. */
  silent?: readonly string[]
}

interface Opened {
  folder: string
  manifest: PackManifest
}

const SETTLEMENTS: Compared = {
  table: TABLES.settlements,
  idOf: (row) => row['settlementId'] ?? '',
  date: 'businessDate',
}
const EXCEPTIONS: Compared = {
  table: TABLES.exceptions,
  idOf: (row) => `${row['exceptionId']} ${row['code']} ${row['subjectType']} ${row['subjectId']}`,
  silent: ['lastSeen', 'ageDays'],
}
const JOURNAL: Compared = {
  table: TABLES.journal,
  idOf: (row) => `${row['entryId']} ${row['account']}`,
  date: 'date',
}

/**
 * Compares two packs of one account over the business dates that both cover. Exceptions are
 * compared completely, because all open ones are listed whatever their date. Throws usage, and
 * pack_altered for a file that was changed after it was published.
 */
export async function diffPacks(first: string, second: string): Promise<PackDiff> {
  const before = await open(first)
  const after = await open(second)
  const { account } = before.manifest
  if (account !== after.manifest.account) {
    throw new Failure(
      'usage',
      `the packs are of two accounts, ${account} and ${after.manifest.account}`,
    )
  }
  const range = commonRange(before.manifest, after.manifest)
  const compare = async (compared: Compared) =>
    diffOf(
      await rowsOf(before, compared, range),
      await rowsOf(after, compared, range),
      compared.silent ?? [],
    )
  return {
    account,
    packs: [idOf(before.manifest), idOf(after.manifest)],
    ...range,
    settlements: await compare(SETTLEMENTS),
    exceptions: await compare(EXCEPTIONS),
    journal: await compare(JOURNAL),
  }
}

async function open(path: string): Promise<Opened> {
  const folder = await realpath(path).catch(() => path)
  return { folder, manifest: (await readManifest(folder)).manifest }
}

const idOf = ({ runId, from, to, asOf, knownAt }: PackManifest): PackId => ({
  ...{ runId, from, to, asOf, knownAt },
})

function commonRange(one: PackManifest, other: PackManifest): { from: string; to: string } {
  const from = one.from > other.from ? one.from : other.from
  const to = one.to < other.to ? one.to : other.to
  if (from < to) return { from, to }
  throw new Failure(
    'usage',
    `the packs share no day: ${one.from} to ${one.to}, and ${other.from} to ${other.to}`,
    { remedy: 'compare two packs whose ranges overlap' },
  )
}

/** Returns the rows of the range by their ids. A further row with the same id gets a number. */
async function rowsOf(
  { folder, manifest }: Opened,
  { table, idOf: name, date }: Compared,
  range: { from: string; to: string },
): Promise<Map<string, Row>> {
  const packFile = PACK_FILES.find((file) => file.table === table)
  assert(packFile !== undefined, `${table} is a table of the pack`)
  const rows = new Map<string, Row>()
  const checked = await checkCsv(join(folder, packFile.name), packFile, (csvRow) => {
    const row = csvRow.all()
    const day = date === undefined ? range.from : (row[date] ?? '')
    if (day < range.from || day >= range.to) return
    const id = name(row)
    let key = id
    for (let copy = 2; rows.has(key); copy += 1) key = `${id} (${copy})`
    rows.set(key, row)
  }).catch((cause: unknown) => {
    throw altered(packFile.name, 'was changed after it was published', cause)
  })
  const listed = manifest.files.find((file) => file.name === packFile.name)
  if (listed?.sha256 === checked.sha256) return rows
  throw altered(packFile.name, 'was changed after it was published')
}

function diffOf(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
  silent: readonly string[],
): TableDiff {
  const changed: Changed[] = []
  let unchanged = 0
  for (const [id, row] of after) {
    const earlier = before.get(id)
    if (earlier === undefined) continue
    const columns = columnsThatDiffer(earlier, row, silent)
    if (Object.keys(columns).length > 0) changed.push({ id, columns })
    else unchanged += 1
  }
  const missingIn = (others: ReadonlyMap<string, Row>, rows: ReadonlyMap<string, Row>) =>
    [...rows].filter(([id]) => !others.has(id)).map(([, row]) => row)
  return { added: missingIn(before, after), removed: missingIn(after, before), changed, unchanged }
}

function columnsThatDiffer(before: Row, after: Row, silent: readonly string[]): Changed['columns'] {
  const names = Object.keys(after).filter(
    (name) => !silent.includes(name) && before[name] !== after[name],
  )
  return Object.fromEntries(
    names.map((name) => [name, [before[name] ?? null, after[name] ?? null] as const]),
  )
}
