/** The project's own files as the house rules read them: every file that git would track, found without git. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The same folders as .gitignore. */
const IGNORED = new Set(['.git', 'node_modules', 'dist', '.cache', 'data', 'out'])

export interface ProjectFile {
  /** From the project's root, with `/`. */
  path: string
  bytes: number
  text: string
}

/** Every file under a folder of the project, in order of path. */
export function projectFiles(folder = ''): ProjectFile[] {
  return walk(join(ROOT, folder))
    .map((path) => ({
      path: relative(ROOT, path).split(sep).join('/'),
      bytes: statSync(path).size,
      text: readFileSync(path, 'utf8'),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export const readProject = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !IGNORED.has(name) && !name.endsWith('.log'))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return walk(path)
      return entry.isFile() ? [path] : []
    })
}
