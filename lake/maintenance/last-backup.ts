/** The newest backup of a local lake, in a file beside its catalog. */
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { LakeSettings } from '../../domain/settings.ts'

const LastBackup = z.object({
  /** Instant at which the copy was complete. */
  at: z.iso.datetime(),
  /** Absolute path of the copy. */
  folder: z.string(),
})
export type LastBackup = z.infer<typeof LastBackup>

const fileOf = ({ folder }: LakeSettings) => join(folder, 'last-backup.json')

/** Writes the record whole or not at all. */
export async function recordBackup(settings: LakeSettings, backup: LastBackup): Promise<void> {
  const file = fileOf(settings)
  await writeFile(`${file}.new`, `${JSON.stringify(backup)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Undefined for a lake that was never copied by `tieout maintain --backup`, or whose record can't be read. */
export function lastBackup(settings: LakeSettings): LastBackup | undefined {
  try {
    return LastBackup.parse(JSON.parse(readFileSync(fileOf(settings), 'utf8')))
  } catch {
    return undefined
  }
}
