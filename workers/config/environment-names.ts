/** The variables of tieout, and a check for names that resemble them. */
import type { ConfigFile } from './config-file.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { OPTIONS } from './options.ts'
import type { Environment } from './secret-from.ts'

/** Settings that only the environment, or a file that it names, may hold. */
export const SECRETS = {
  user: 'TIEOUT_API_USER',
  password: 'TIEOUT_API_PASSWORD',
  application_key: 'TIEOUT_APPLICATION_KEY',
  hash_key: 'TIEOUT_HASH_KEY',
  payload_key: 'TIEOUT_PAYLOAD_KEY',
  webhook_url: 'TIEOUT_WEBHOOK_URL',
  webhook_key: 'TIEOUT_WEBHOOK_KEY',
  lake_password: 'TIEOUT_LAKE_PASSWORD',
} as const

/** Variables that have no key in the config file, and no flag that all commands know. */
export const FREE_VARIABLES = [
  'TIEOUT_ACTOR',
  'TIEOUT_LOG_LEVEL',
  'TIEOUT_CACHE',
  'TIEOUT_TEMPORAL_CLI',
  'DUCKDB_EXT_DIR',
] as const

/** docker-compose.yml reads it, so it may be set for tieout as well. */
const COMPOSE_VARIABLE = 'TIEOUT_SECRETS'
/** Variables of the tests. */
const IS_OF_TESTS = /^TIEOUT_(TEST|ORACLE|SECOND_ENGINE)_/

function knownVariables(file: ConfigFile | undefined): string[] {
  const named = (file?.accounts ?? []).flatMap(({ credentials, hash_key }) => [
    ...Object.values(credentials),
    hash_key,
  ])
  const secrets = [...Object.values(SECRETS), ...named].flatMap((name) => {
    const plain = name?.replace(/_FILE$/, '') ?? ''
    return [plain, `${plain}_FILE`]
  })
  const options = Object.values(OPTIONS).map((option) =>
    'variable' in option ? option.variable : '',
  )
  return [...options, ...secrets, ...FREE_VARIABLES, COMPOSE_VARIABLE]
}

/**
 * Finds variables with our prefix that tieout doesn't read, most likely mistyped. Returns one line
 * each, without the value. `file` is called only if there is one, because it names more variables.
 */
export function unknownVariables(
  env: Environment,
  file: () => ConfigFile | undefined,
): { name: string; line: string }[] {
  const ours = Object.keys(env).filter((name) => /^TIEOUT_/i.test(name) && !IS_OF_TESTS.test(name))
  const strange = ours.filter((name) => !knownVariables(undefined).includes(name))
  if (strange.length === 0) return []
  const known = knownVariables(file())
  return strange
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(bare(name), known.map(bare))
      const hint = nearest === undefined ? '' : `; did you mean TIEOUT_${nearest.toUpperCase()}?`
      return { name, line: `warning: the variable ${name} is unknown and has no effect${hint}` }
    })
}

/** Removes the common prefix before names are compared. */
const bare = (name: string) => name.toLowerCase().replace(/^tieout_/, '')
