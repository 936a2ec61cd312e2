/** Where the project lies, whether it runs from its sources or from dist/. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'sql'))) return from
  const parent = dirname(from)
  return parent === from ? process.cwd() : findRoot(parent)
}

export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Binaries that were fetched once; ignored by git. */
export const cacheFolder = process.env['TIEOUT_CACHE'] ?? join(packageRoot, '.cache')
