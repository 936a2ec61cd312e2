/** Files and folders that killed processes have left. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../domain/business-day.ts'

/** Yields the entries with such a name that are older than a day. No process can still write to them. */
export async function* oldEntries(folder: string, name: RegExp): AsyncGenerator<string> {
  for (const entry of await readdir(folder)) {
    if (!name.test(entry)) continue
    const path = join(folder, entry)
    const stat = await lstat(path).catch(() => undefined)
    if (stat !== undefined && stat.mtimeMs < Date.now() - DAY_MS) yield path
  }
}
