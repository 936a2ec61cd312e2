/** Paths without links, so that two names of one place are compared. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Returns true if the path is the folder, or lies below it. Both are paths without links. */
export function isWithin(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep)
  return first !== '..' && !isAbsolute(first ?? '')
}

/** Returns the path with its links followed, as far as it exists. */
export function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(realPath(above), basename(whole))
  }
}
