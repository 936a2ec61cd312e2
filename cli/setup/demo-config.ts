/** The config file that a demo leaves in its lake's folder, with which later commands find lake, packs and account. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { Settings } from '../../domain/settings.ts'

export const DEMO_CONFIG = 'tieout.yaml'

/** Writes the file and returns its path; `folders` are as the person named them. */
export function writeDemoConfig(
  { account, accounting, timezone }: Settings,
  folders: { lake: string; out: string },
): string {
  const file = join(folders.lake, DEMO_CONFIG)
  const keys = {
    account,
    timezone,
    lake: resolve(folders.lake),
    out: resolve(folders.out),
    accounting: { programs: accounting.programs },
  }
  writeFileSync(file, `# The settings of tieout demo, which writes them again.\n${stringify(keys)}`)
  return file
}
