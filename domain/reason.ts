/** Why the system or the network refused something, in words, by its code: messages differ from machine to machine. */

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'the disk may only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large for the disk',
  EIO: 'the disk failed',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ENOMEM: 'this machine has no memory left',
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it is there already',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
}

/** The code that the system gave an error, such as `EACCES`; undefined where it gave none. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Others have codes, too, such as our failures and Node's streams.
  return /^E[A-Z0-9]+$/.test(code) ? code : undefined
}

/** Such as `the disk is full (ENOSPC)`. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error)
  if (code === undefined) return 'no reason was given'
  const words = REASONS[code]
  return words === undefined ? code : `${words} (${code})`
}
