/** Tells a process from a later one with the same number. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isOld } from '../../domain/leftovers.ts'

/**
 * The mark of a process: a hash of its start and its command line. Undefined for a process that ended, and on a system
 * that shows neither (Windows).
 */
export function markOf(pid: number): string | undefined {
  const facts = existsSync('/proc/self/stat') ? inProc(pid) : fromPs(pid)
  if (facts === undefined) return undefined
  return hash('sha256', facts).slice(0, 32)
}

/** True while the process with this number has this mark. A number without a mark counts only where there are none. */
export function isAlive(pid: number, mark: string | undefined): boolean {
  if (!signalled(pid, 0)) return false
  return process.platform === 'win32' || (mark !== undefined && markOf(pid) === mark)
}

/** Stands for a mark that its own process could not read. */
export const UNKNOWN_MARK = 'unknown'

/**
 * False only if the process with this mark is known to have ended. A mark that can't be read, for example without `ps`,
 * leaves that open.
 */
export function mayBeAlive(pid: number, mark: string | undefined): boolean {
  if (!exists(pid)) return false
  const found = markOf(pid)
  return mark === UNKNOWN_MARK || found === undefined || found === mark
}

/** Names this process in the name of a file or folder, so that a later process can see that it ended. */
export const ownName = (): string => `${process.pid}_${markOf(process.pid) ?? UNKNOWN_MARK}`

/** True for such a name of a process that is known to have ended. */
export function isOfEnded(name: string): boolean {
  const [, pid, mark] = /^(\d+)_([a-z0-9]+)$/.exec(name) ?? []
  return pid !== undefined && !mayBeAlive(Number(pid), mark)
}

/**
 * Deletes files such as `import-12_ab-1.txt` of processes that ended before they could. They may hold names of
 * cardholders. A file whose process is unknown stays. A container that shares the folder has process numbers of its own,
 * so the file of an import stays for a day. The large spill databases of runs, of which a lake has one worker, do not.
 */
export function deleteLeftovers(folder: string): void {
  for (const file of readdirSync(folder)) {
    const [, kind = '', owner = ''] = /^([a-z-]+)[-_](\d+_[a-z0-9]+)[-_]/.exec(file) ?? []
    if (!isOfEnded(owner)) continue
    const path = join(folder, file)
    if (kind === 'scratch' || isOld(path)) rmSync(path, { recursive: true, force: true })
  }
}

/** A process of another user exists, too, and takes no signal. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Sends a signal to the process, unless another one has its number now. Returns false if nothing was sent. */
export const signal = (pid: number, mark: string | undefined, name: NodeJS.Signals): boolean =>
  isAlive(pid, mark) && signalled(pid, name)

function signalled(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** A process that ended and was not waited for has the state Z, and no command line. */
function inProc(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name in brackets may hold blanks. The state is the first field behind it, the start the 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const command = textOf(`/proc/${pid}/cmdline`)
  if (stat === '' || command === '' || fields[0] === 'Z') return undefined
  const boot = textOf('/proc/sys/kernel/random/boot_id')
  return `${boot} ${fields[19] ?? ''} ${command}`
}

function fromPs(pid: number): string | undefined {
  const options = ['-ww', '-o', 'stat=,lstart=,command=', '-p', String(pid)]
  const { stdout } = spawnSync('ps', options, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  const [state, ...facts] = (stdout ?? '').trim().split(/\s+/)
  return facts.length === 0 || state?.startsWith('Z') === true ? undefined : facts.join(' ')
}

/** Returns the text of a file, and '' if it can't be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
