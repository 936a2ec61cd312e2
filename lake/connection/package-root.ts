/** The root of the project, for sources and for dist/. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'sql'))) return from
  const parent = dirname(from)
  return parent === from ? process.cwd() : findRoot(parent)
}

export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** True where the sources lie beside the program. The package that users install has none. */
export const isCheckout = existsSync(join(packageRoot, 'cli'))

/** The version in package.json, such as `0.1.0`. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isManifest ? String(manifest.version) : '0'
}
