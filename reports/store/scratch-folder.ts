/** Folders for packs on their way to or from an object store. */
import { dirname } from 'node:path'
import { deleteOld } from '../../domain/leftovers.ts'
import { temporaryFolder } from '../../domain/temporary-folder.ts'

const SCRATCH = /^tieout-(copy|pack)-\w{6}$/

/** Makes a folder for its owner alone. Deletes those that killed processes left more than a day ago. */
export async function makeScratch(kind: 'copy' | 'pack'): Promise<string> {
  const folder = temporaryFolder(kind)
  await deleteOld(dirname(folder), SCRATCH)
  return folder
}
