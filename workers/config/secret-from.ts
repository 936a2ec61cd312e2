/** The secrets from the environment, or from files that it names. */
import { readFileSync } from 'node:fs'
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
