/** Folders that only their owner may enter. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Node's own function never ends for a path without room for
 * folders, such as /proc. Throws the system's error.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process made it at the same time.
    if (!existsSync(folder)) throw error
  }
}
