/** Folders for packs on their way to or from an object store. */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SCRATCH = /^tieout-(copy|pack)-\w{6}$/
const DAY_MS = 86_400_000

/** Makes a folder for its owner alone. Deletes those that killed processes left more than a day ago. */
export async function makeScratch(kind: 'copy' | 'pack'): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    if (!SCRATCH.test(name)) continue
    const path = join(tmpdir(), name)
    const stat = await lstat(path).catch(() => undefined)
    if (stat === undefined || stat.mtimeMs > Date.now() - DAY_MS) continue
    // Another user's folder can't be deleted.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
  return mkdtemp(join(tmpdir(), `tieout-${kind}-`))
}
