/** A disk of its own for a test, to fill it or to take its write access away. */
import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { requireProgram } from './outside-program.ts'
import { tempFolder } from './temp-lake.ts'

export const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })

/** Mounts a disk of a size such as `3m`. Only root may do so, and not in every container. */
export function smallDisk(context: { skip: (note: string) => never }, size: string): string {
  requireProgram(context, 'mount')
  const folder = tempFolder()
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'none', folder)
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}
