/** Folders for packs on their way to or from an object store. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oldEntries } from '../pack/old-entries.ts'

const SCRATCH = /^tieout-(copy|pack)-\w{6}$/

/** Makes a folder for its owner alone. Deletes those that killed processes left more than a day ago. */
export async function makeScratch(kind: 'copy' | 'pack'): Promise<string> {
  for await (const path of oldEntries(tmpdir(), SCRATCH)) {
    // Another user's folder can't be deleted.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
  return mkdtemp(join(tmpdir(), `tieout-${kind}-`))
}
