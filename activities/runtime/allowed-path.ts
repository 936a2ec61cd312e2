/** The folders of this machine that an order from Temporal may name. */
import { Failure } from '../../domain/failure.ts'
import { isObjectAddress, packAddressFault, withoutSlash } from '../../domain/object-address.ts'
import { isWithin, realPath } from '../../domain/real-path.ts'
import type { Settings } from '../../domain/settings.ts'

/** Returns the path if an order may name it. Throws config_invalid. */
export type AllowPath = (path: string, settings: Listed) => string

type Listed = Pick<Settings, 'allowedPaths' | 'out'>

/** An order reaches the embedded server only from a user who can read the lake, so it may name any path. */
export const anyPath: AllowPath = (path) => path

/** A shared Temporal takes orders from other machines. They may name a path under `out` or `allowed_paths`. */
export const listedPath: AllowPath = (path, settings) => {
  const real = realPath(path)
  const folders = listed(settings).filter((place) => !isObjectAddress(place))
  // Backups and imports are files of this machine, and an address is none.
  const isAllowed =
    !isObjectAddress(path) && folders.some((folder) => isWithin(realPath(folder), real))
  return isAllowed ? path : refuse(path, settings)
}

/** The same for packs, which may lie at an address of an object store, too. */
export const listedOut: AllowPath = (out, settings) => {
  if (!isObjectAddress(out)) return listedPath(out, settings)
  const below = listed(settings).filter(isObjectAddress).map(withoutSlash)
  const isAllowed =
    packAddressFault(out) === undefined &&
    below.some((address) => `${withoutSlash(out)}/`.startsWith(`${address}/`))
  return isAllowed ? out : refuse(out, settings)
}

const listed = ({ allowedPaths = [], out }: Listed) => [out, ...allowedPaths]

function refuse(path: string, { out }: Listed): never {
  throw new Failure(
    'config_invalid',
    `${path} is outside the folder ${out} and the allowed_paths of the worker`,
    { remedy: "name another path, or add its folder to allowed_paths in the worker's config file" },
  )
}
