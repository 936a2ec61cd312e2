/** Describes a written file for the manifest. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256OfFile } from '../../domain/file-hash.ts'
import type { ManifestFile } from './manifest.ts'

/** Reads the file `name` inside the pack's folder. `rows` is 0 for a file without rows of its own. */
export async function listedFile(folder: string, name: string, rows = 0): Promise<ManifestFile> {
  const path = join(folder, name)
  return { name, rows, bytes: (await stat(path)).size, sha256: await sha256OfFile(path) }
}
