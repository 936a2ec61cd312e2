/** The lakes that restores have moved aside, each beside the folder that it was in. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { systemCode } from '../../domain/reason.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { lakeUnreadable } from './lake-errors.ts'

/** The folder for the earlier lake of a restore at this instant. Later ones come later in the order of names. */
export const asideAt = (folder: string, now: Date): string =>
  `${folder}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

const INSTANT = /^\d{8}T\d{6}Z$/

/** The lake that was moved aside last from this folder; undefined if there is none. */
export function lastAside({ catalog, folder }: LakeSettings): string | undefined {
  const place = resolve(folder)
  const start = `${basename(place)}.before-`
  return namesIn(dirname(place))
    .filter((name) => name.startsWith(start) && INSTANT.test(name.slice(start.length)))
    .map((name) => join(dirname(place), name))
    .filter((aside) => existsSync(join(aside, basename(catalog))))
    .toSorted()
    .at(-1)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // A folder that can't be listed shows no lake either.
    return []
  }
}

/** Returns false only if a local catalog does not exist. Throws lake_unreachable for one that this user can't read. */
export function hasCatalog({ catalog, folder }: LakeSettings): boolean {
  const file = catalog.replace(/^sqlite:/, '')
  if (file === catalog) return true
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return false
    throw lakeUnreadable(folder, cause)
  }
}

/**
 * Refuses a place without a lake from which a restore has moved one aside, and then ended before its exchange. A new,
 * empty lake there would hide the earlier one. Throws lake_unreachable.
 */
export function refuseSetAside(settings: LakeSettings): void {
  if (hasCatalog(settings)) return
  const aside = lastAside(settings)
  if (aside === undefined) return
  const { folder } = settings
  throw new Failure(
    'lake_unreachable',
    `there is no lake in ${folder}; tieout maintain --restore has moved the earlier one to ${aside}`,
    {
      remedy: `give the same tieout maintain --restore again, or rename that folder to ${folder}, in place of what is there; to begin a new lake, move that folder elsewhere`,
    },
  )
}
