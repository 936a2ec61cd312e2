/** The variables that mean something to tieout, and those that look as if they were meant to. */
import type { ConfigFile } from './config-file.ts'
import { nearestName } from './nearest-name.ts'
import { OPTIONS } from './options.ts'
import type { Environment } from './secret-from.ts'

/** What only the environment, or a file that it names, may hold. */
export const SECRETS = {
  user: 'TIEOUT_API_USER',
  password: 'TIEOUT_API_PASSWORD',
  application_key: 'TIEOUT_APPLICATION_KEY',
  hash_key: 'TIEOUT_HASH_KEY',
  webhook_url: 'TIEOUT_WEBHOOK_URL',
  lake_password: 'TIEOUT_LAKE_PASSWORD',
} as const

/** What has no key and no flag for all commands. */
export const FREE_VARIABLES = [
  'TIEOUT_ACTOR',
  'TIEOUT_LOG_LEVEL',
  'TIEOUT_CACHE',
  'TIEOUT_TEMPORAL_CLI',
  'DUCKDB_EXT_DIR',
] as const

/** docker-compose.yml reads it, and so it may be set where tieout runs, too. */
const COMPOSE_VARIABLE = 'TIEOUT_SECRETS'
/** The tests' own. */
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
 * Variables that begin like ours and that nobody reads: mistyped ones, most likely. One line each, without the value.
 * `file` is asked for only where there is one, and names variables of its own.
 */
export function strangeVariables(
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
      const near = nearestName(bare(name), known.map(bare))
      const hint = near === undefined ? '' : `; did you mean TIEOUT_${near.toUpperCase()}?`
      return { name, line: `warning: nobody reads the variable ${name}${hint}` }
    })
}

/** What is left to compare: all of them begin alike. */
const bare = (name: string) => name.toLowerCase().replace(/^tieout_/, '')
