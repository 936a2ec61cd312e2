/** Folders for files that a process needs only while it works. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from './failure.ts'
import { reasonOf, systemCode } from './reason.ts'

/**
 * Makes a folder for its owner alone. Throws config_invalid if temporary files can't be made, and lake_unreachable if
 * their disk is full.
 */
export function temporaryFolder(kind: string): string {
  const above = tmpdir()
  try {
    return mkdtempSync(join(above, `tieout-${kind}-`))
  } catch (cause) {
    const code = systemCode(cause) === 'ENOSPC' ? 'lake_unreachable' : 'config_invalid'
    const what = `the folder ${above} can't take temporary files: ${reasonOf(cause)}`
    const remedy = 'set TMPDIR to a folder with free space that you may write'
    throw new Failure(code, what, { cause, remedy })
  }
}
