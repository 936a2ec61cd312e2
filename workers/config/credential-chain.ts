/**
 * The credentials that this machine has for an object store, by Amazon's usual chain. Its sources are profiles, web
 * identities, and the services for containers and for machines.
 */
import { Failure } from '../../domain/failure.ts'
import { Secret, type StoreKeys } from '../../domain/settings.ts'
import { SILENT_LOGGER } from '../../domain/silent-logger.ts'

const ANSWER_MS = 10_000
/** The time for an answer of this machine's own service, and the wait before the next try. */
const MACHINE_MS = 2000
const MOST_MS = 30_000

/** Each of them names a source of credentials, so that a failure of the source may pass. */
const NAMED = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
]

/**
 * Makes a chain that fetches keys at its first use. During their last five minutes the chain fetches new ones while it
 * answers with the old ones. Throws config_missing if there are no credentials. Throws store_unreachable if a named
 * source fails, or one that has answered before.
 */
export function credentialChain(region: string): () => Promise<StoreKeys> {
  let chain: Promise<() => Promise<ChainKeys>> | undefined
  let hasAnswered = false
  return async () => {
    try {
      chain ??= openChain(region)
      const keys = keysOf(await withinTime((await chain)()))
      hasAnswered = true
      return keys
    } catch (error) {
      throw refused(error, hasAnswered)
    }
  }
}

interface ChainKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  expiration?: Date
}

async function openChain(region: string): Promise<() => Promise<ChainKeys>> {
  const { fromNodeProviderChain } = await import('#libraries/aws')
  const requestHandler = { connectionTimeout: ANSWER_MS, socketTimeout: ANSWER_MS }
  return fromNodeProviderChain({
    ...{ timeout: MACHINE_MS, maxRetries: 2, logger: SILENT_LOGGER },
    clientConfig: { region, requestHandler, logger: SILENT_LOGGER },
  })
}

const keysOf = (found: ChainKeys): StoreKeys => ({
  keyId: new Secret(found.accessKeyId),
  secretKey: new Secret(found.secretAccessKey),
  ...(found.sessionToken === undefined ? {} : { sessionToken: new Secret(found.sessionToken) }),
  ...(found.expiration === undefined ? {} : { expiresAt_ms: found.expiration.getTime() }),
})

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), MOST_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Leaves out the library's own text, which may name accounts and files of this machine. */
function refused(error: unknown, hasAnswered: boolean): Failure {
  const named = NAMED.find((name) => (process.env[name] ?? '') !== '')
  if (named === undefined && !hasAnswered) {
    const what =
      'AWS_ACCESS_KEY_ID is not set (nor AWS_ACCESS_KEY_ID_FILE), and this machine has no other credentials for the object store'
    return new Failure('config_missing', what)
  }
  const source = named === undefined ? '' : `, see ${named}`
  const name = error instanceof Error && /^\w+$/.test(error.name) ? ` (${error.name})` : ''
  return new Failure(
    'store_unreachable',
    `no credentials for the object store could be fetched${source}${name}`,
    { remedy: 'check the source of the credentials, then run the same command again' },
  )
}
