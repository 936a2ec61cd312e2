/**
 * The reasons of the system and the network by code, in words, because messages differ between
 * machines.
 */

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user lacks the permission',
  EPERM: 'this user lacks the permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large for the disk',
  EIO: 'the disk failed',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ENOMEM: 'this machine has no memory left',
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it exists already',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links form a loop',
}

/** The system's code of an error, such as `EACCES`; undefined if it has none. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Other errors have codes as well, such as our failures and Node's streams.
  return /^E[A-Z0-9]+$/.test(code) ? code : undefined
}

/** Formats such as `the disk is full (ENOSPC)`. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error)
  if (code === undefined) return 'the system gave no reason'
  const words = REASONS[code]
  return words === undefined ? code : `${words} (${code})`
}
