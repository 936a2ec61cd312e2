/** The folders of this machine that an order from Temporal may name. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'

/** Returns the path if an order may name it. Throws config_invalid. */
export type AllowPath = (path: string, settings: Pick<Settings, 'allowedPaths' | 'out'>) => string

/** An order reaches the embedded server only from a user who can read the lake, so it may name any path. */
export const anyPath: AllowPath = (path) => path

/** A shared Temporal takes orders from other machines. They may name a path under `out` or `allowed_paths`. */
export const listedPath: AllowPath = (path, { allowedPaths = [], out }) => {
  const real = realPath(path)
  if ([out, ...allowedPaths].some((folder) => isWithin(realPath(folder), real))) return path
  throw new Failure(
    'config_invalid',
    `${path} is outside the folder ${out} and the allowed_paths of the worker`,
    { remedy: "name another path, or add its folder to allowed_paths in the worker's config file" },
  )
}

const isWithin = (folder: string, path: string) => {
  const [first] = relative(folder, path).split(sep)
  return first !== '..' && !isAbsolute(first ?? '')
}

/** The path with its links followed, as far as it exists. */
function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(realPath(above), basename(whole))
  }
}
