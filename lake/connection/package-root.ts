/** The root of the project, for sources and for dist/. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'sql'))) return from
  const parent = dirname(from)
  return parent === from ? process.cwd() : findRoot(parent)
}

export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The folder of downloaded binaries; git ignores it. */
export const cacheFolder = process.env['TIEOUT_CACHE'] ?? join(packageRoot, '.cache')
