/** The secrets from the environment, or from files that it names. */
import { readFileSync, statSync } from 'node:fs'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns a required secret. Throws config_missing and config_invalid with the name of the
 * variable.
 */
export function required(env: Environment, name: string): string {
  const value = secretFrom(env, name)
  if (value === '') {
    const orFile = name.endsWith('_FILE') ? '' : ` (nor ${name}_FILE)`
    throw new Failure('config_missing', `${name} is not set${orFile}`)
  }
  return value
}

/** Returns a secret from the variable, or from the file that the variable with `_FILE` names. */
export function secretFrom(env: Environment, called: string): string {
  const name = called.replace(/_FILE$/, '')
  const file = env[`${name}_FILE`] ?? ''
  const given = called === name ? (env[name] ?? '') : ''
  if (given !== '' || file === '') return given
  refuseOpenToOthers(file, `${name}_FILE`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new Failure(
      'config_invalid',
      `${name}_FILE names a file that can't be read: ${reasonOf(cause)}`,
      {
        cause,
      },
    )
  }
}

/** The rights of every user, and of the file's group, to read or write a file. */
const OTHERS = 0o006
const GROUP = 0o060

/** Containers get their secrets in this folder. Their host chooses who may read them. */
const OF_CONTAINER = '/run/secrets/'

/**
 * Refuses a secret file that other users of this machine can read or write. A group may use a file that belongs to
 * another user. Throws config_invalid with `named`, which names the file.
 */
export function refuseOpenToOthers(file: string, named: string): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined || process.platform === 'win32' || file.startsWith(OF_CONTAINER)) return
  const isOwn = stat.uid === process.getuid?.()
  const refused = isOwn ? OTHERS | GROUP : OTHERS
  if ((stat.mode & refused) === 0) return
  const may = (stat.mode & 0o044 & refused) === 0 ? 'written' : 'read'
  throw new Failure('config_invalid', `${named} can be ${may} by other users of this machine`, {
    remedy: `run chmod 600 ${file}, and replace the secret if another user may have ${may} it`,
  })
}
