/** Folders in which something is made before it gets its name, and what killed processes have left. */
import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DAY_MS } from './business-day.ts'

/** The path at which an attempt works. Each attempt has its own, so that two attempts never share files. */
export const attemptAt = (start: string): string =>
  `${start}.${randomBytes(4).toString('hex')}.partial`

const ATTEMPT = /^\.[0-9a-f]{8}\.partial$/

/** Deletes what other attempts have left. An attempt that still writes deletes its own files. */
export async function deleteAttempts(start: string): Promise<void> {
  const name = basename(start)
  await deleteIn(
    dirname(start),
    // Another name may begin with this one.
    (entry) => entry.startsWith(name) && ATTEMPT.test(entry.slice(name.length)),
  )
}

/** Deletes entries with such a name that are old. */
export const deleteOld = (folder: string, name: RegExp): Promise<void> =>
  deleteIn(folder, (entry) => name.test(entry) && isOld(join(folder, entry)))

/** True if an entry is older than a day. No process can still write to it. */
export const isOld = (path: string): boolean =>
  Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > DAY_MS

async function deleteIn(folder: string, isLeft: (entry: string) => boolean): Promise<void> {
  for (const entry of (await readdir(folder).catch(() => [])).filter(isLeft)) {
    // A user can not delete what belongs to another.
    await rm(join(folder, entry), { recursive: true, force: true }).catch(() => {})
  }
}
