/** Describes a written file for the manifest. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ManifestFile } from './manifest.ts'

/** Reads the file `name` inside the pack's folder. `rows` is 0 for a file without rows of its own. */
export async function listedFile(folder: string, name: string, rows = 0): Promise<ManifestFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(join(folder, name))) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { name, rows, bytes, sha256: hash.digest('hex') }
}
