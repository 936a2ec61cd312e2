/** The object store that Amazon's own variables name: for the data of the lake, and for packs. */
import { Failure } from '../../domain/failure.ts'
import { Secret, type ObjectStore, type StoreKeys } from '../../domain/settings.ts'
import { credentialChain } from './credential-chain.ts'
import { required, secretFrom, type Environment } from './secret-from.ts'

/** Throws config_missing or config_invalid with the name of the variable. Sends no request. */
export function objectStore(env: Environment = process.env): ObjectStore {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || ''
  if (endpoint !== '' && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    throw new Failure(
      'config_invalid',
      'AWS_ENDPOINT_URL is not an address such as https://storage.example.com',
    )
  }
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    region,
    keys: givenKeys(env) ?? chainOf(region),
  }
}

const chains = new Map<string, () => Promise<StoreKeys>>()

/** All users of this process share the keys, until they expire. */
function chainOf(region: string): () => Promise<StoreKeys> {
  const chain = chains.get(region) ?? credentialChain(region)
  chains.set(region, chain)
  return chain
}

/** The keys of the environment; undefined if it has none. Throws config_missing for half of them. */
function givenKeys(env: Environment): (() => Promise<StoreKeys>) | undefined {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
  if (names.every((name) => secretFrom(env, name) === '')) return undefined
  const token = secretFrom(env, 'AWS_SESSION_TOKEN')
  const keys = {
    keyId: new Secret(required(env, 'AWS_ACCESS_KEY_ID')),
    secretKey: new Secret(required(env, 'AWS_SECRET_ACCESS_KEY')),
    ...(token === '' ? {} : { sessionToken: new Secret(token) }),
  }
  return () => Promise.resolve(keys)
}
