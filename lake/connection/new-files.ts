/** The Parquet files of a transaction, found without listing the whole lake. */
import { readdirSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** File systems round their times, and their clock differs a little from the process's. */
const SLACK_MS = 2000

interface Listed {
  changed_ms: number
  folders: readonly string[]
}

/** A folder that hasn't changed has the same folders in it. */
const listed = new Map<string, Listed>()

/**
 * Finds files below a folder that were made since an instant. A new file changes its folder, so an
 * unchanged folder holds none and is listed once, for its folders.
 */
export function* newFiles(folder: string, since_ms: number): Generator<string> {
  // A folder or a file may vanish: another writer rolled back and removed its own.
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) return
  const isSettled = stat.mtimeMs < since_ms - SLACK_MS
  const before = listed.get(folder)
  if (isSettled && before?.changed_ms === stat.mtimeMs) {
    for (const inner of before.folders) yield* newFiles(inner, since_ms)
    return
  }
  const entries = readdirSync(folder, { withFileTypes: true })
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
  // Only a folder unchanged for a while is remembered, since two changes in one tick of the file
  // system look like one.
  if (isSettled) listed.set(folder, { changed_ms: stat.mtimeMs, folders })
  else yield* entries.flatMap((entry) => fileOf(folder, entry, since_ms))
  for (const inner of folders) yield* newFiles(inner, since_ms)
}

function fileOf(folder: string, entry: Dirent, since_ms: number): string[] {
  if (!entry.isFile() || !entry.name.endsWith('.parquet')) return []
  const file = join(folder, entry.name)
  const made_ms = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return made_ms < since_ms - SLACK_MS ? [] : [file]
}
