/** The object store that Amazon's own variables name: for the data of the lake, and for packs. */
import { Failure } from '../../domain/failure.ts'
import { Secret, type ObjectStore, type StoreKeys } from '../../domain/settings.ts'
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
  const keys = givenKeys(env)
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    keys: () => Promise.resolve(keys),
  }
}

function givenKeys(env: Environment): StoreKeys {
  const token = secretFrom(env, 'AWS_SESSION_TOKEN')
  return {
    keyId: new Secret(required(env, 'AWS_ACCESS_KEY_ID')),
    secretKey: new Secret(required(env, 'AWS_SECRET_ACCESS_KEY')),
    ...(token === '' ? {} : { sessionToken: new Secret(token) }),
  }
}
