/** The Parquet files that a transaction made, found without listing the whole lake. */
import { readdirSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** File systems date coarsely, and a little apart from the process. */
const SLACK_MS = 2000

interface Listed {
  changed_ms: number
  folders: readonly string[]
}

/** A folder that hasn't changed has the same folders in it. */
const listed = new Map<string, Listed>()

/**
 * Files below a folder that were made since an instant. Whoever makes a file changes its folder: one that has not
 * changed since holds none, and is listed only once, for the folders in it.
 */
export function* newFiles(folder: string, since_ms: number): Generator<string> {
  // A folder or a file may vanish meanwhile: another writer rolled back and removed its own.
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) return
  const isQuiet = stat.mtimeMs < since_ms - SLACK_MS
  const before = listed.get(folder)
  if (isQuiet && before?.changed_ms === stat.mtimeMs) {
    for (const inner of before.folders) yield* newFiles(inner, since_ms)
    return
  }
  const entries = readdirSync(folder, { withFileTypes: true })
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
  // Only what has rested for a while is remembered: two changes in one tick of the file system look like one.
  if (isQuiet) listed.set(folder, { changed_ms: stat.mtimeMs, folders })
  else yield* entries.flatMap((entry) => fileOf(folder, entry, since_ms))
  for (const inner of folders) yield* newFiles(inner, since_ms)
}

function fileOf(folder: string, entry: Dirent, since_ms: number): string[] {
  if (!entry.isFile() || !entry.name.endsWith('.parquet')) return []
  const file = join(folder, entry.name)
  const made_ms = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return made_ms < since_ms - SLACK_MS ? [] : [file]
}
