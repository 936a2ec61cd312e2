/** Folders for packs on their way to or from an object store. */
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { temporaryFolder } from '../../domain/temporary-folder.ts'
import { oldEntries } from '../pack/old-entries.ts'

const SCRATCH = /^tieout-(copy|pack)-\w{6}$/

/** Makes a folder for its owner alone. Deletes those that killed processes left more than a day ago. */
export async function makeScratch(kind: 'copy' | 'pack'): Promise<string> {
  const folder = temporaryFolder(kind)
  for await (const path of oldEntries(dirname(folder), SCRATCH)) {
    // Another user's folder can't be deleted.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
  return folder
}
