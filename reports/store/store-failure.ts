/** The failures of an object store, without its own texts, which may quote a request. */
import { Failure } from '../../domain/failure.ts'
import { reasonOf, systemCode } from '../../domain/reason.ts'

const KEYS = 'check the credentials of the bucket, such as AWS_ACCESS_KEY_ID'

/** The reason and the remedy by the code of the store, or of the library that asks it. */
const CAUSES: Readonly<Record<string, readonly [string, string]>> = {
  NoSuchBucket: ['the store has no such bucket', 'create the bucket, or correct the address'],
  InvalidAccessKeyId: ['the store does not know the key', KEYS],
  SignatureDoesNotMatch: ['the store refused the secret key', KEYS],
  CredentialsProviderError: ['no credentials were found', KEYS],
  TokenProviderError: ['no credentials were found', KEYS],
  PermanentRedirect: ['the bucket is in another region', 'correct AWS_REGION'],
  AuthorizationHeaderMalformed: ['the bucket is in another region', 'correct AWS_REGION'],
  RequestTimeTooSkewed: ["this machine's clock is wrong", 'set the clock'],
  AccessDenied: [
    'the store refuses access',
    'ask the owner of the bucket for the right to read and write there',
  ],
  EntityTooLarge: [
    'the store takes no file of this size',
    'name a folder with --out, and upload the pack',
  ],
  NotImplemented: [
    'the store has no If-None-Match, without which a pack could replace another',
    'use another store, or name a folder with --out',
  ],
}

/** The store answers these with a status of the 400s, though another try may succeed. */
const PASSING = ['RequestTimeout', 'IncompleteBody', 'BadDigest', 'ExpiredToken']

interface StoreError {
  name: string
  status: number
}

/** The code and the HTTP status of an error of the store; the status is 0 without an answer. */
export function storeErrorOf(error: unknown): StoreError {
  if (!(error instanceof Error)) return { name: '', status: 0 }
  const about: unknown = '$metadata' in error ? error.$metadata : undefined
  const status =
    typeof about === 'object' && about !== null && 'httpStatusCode' in about
      ? Number(about.httpStatusCode)
      : 0
  return { name: error.name === 'Forbidden' ? 'AccessDenied' : error.name, status }
}

/** Reports that the store did not do something with the address. Its own text is left out. */
export function storeFailure(error: unknown, address: string): Failure {
  if (error instanceof Failure) return error
  const { name, status } = storeErrorOf(error)
  const known = CAUSES[name]
  if (known !== undefined) {
    const [words, remedy] = known
    return new Failure('store_unreachable', `${address}: ${words} (${name})`, {
      remedy,
      retry: false,
    })
  }
  const isRefused =
    status >= 400 && status < 500 && ![408, 409, 429].includes(status) && !PASSING.includes(name)
  const code = /^\w+$/.test(name) && name !== 'Error' ? `, ${name}` : ''
  const words =
    status > 0
      ? `the store answered with status ${status}${code}`
      : `the store does not answer: ${systemCode(error) === undefined ? name : reasonOf(error)}`
  return new Failure('store_unreachable', `${address}: ${words}`, isRefused ? { retry: false } : {})
}
