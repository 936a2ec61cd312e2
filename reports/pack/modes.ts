/** The rights of a pack's files and folders, whatever the process's umask is. */
import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** For the owner alone. */
export const OWN_FILES = 0o600

/** The mode of folders for files of a mode. Everybody who reads the files may enter. */
export const folderMode = (fileMode: number): number => fileMode | ((fileMode & 0o444) >> 2)

/** Gives a folder and all below it their modes; the folder itself comes last. */
export async function setModes(folder: string, fileMode: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await setModes(path, fileMode)
    else await chmod(path, fileMode)
  }
  await chmod(folder, folderMode(fileMode))
}
