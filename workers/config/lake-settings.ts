/** The address of the lake: one folder, or a PostgreSQL catalog with Parquet in an object store. */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { Secret, type LakeSettings, type ObjectStore } from '../../domain/settings.ts'
import { checkedFolder } from './checked-folder.ts'
import type { Chosen } from './options.ts'
import { required, secretFrom, type Environment } from './secret-from.ts'

/** The values of the flag, the variable or the config file; empty if not set. */
export interface LakePlace extends Pick<LakeSettings, 'memoryLimit' | 'threads'> {
  place: GivenText
  data: GivenText
}

type GivenText = Pick<Chosen, 'name' | 'value'>

/** A shared lake stores only scratch files and the embedded Temporal server here. */
const FOLDER_OF_SHARED = './data'

/** Other characters have a meaning in an address, such as a query or a pattern. */
const S3_NAMES = /^s3:\/\/[\w.~+=@/-]+$/

const INVALID_LAKE = 'TIEOUT_LAKE is not a PostgreSQL address'

/** Throws config_missing or config_invalid with the name of the variable; opens nothing. */
export function lakeSettings(
  { place: givenPlace, data: givenData, memoryLimit, threads }: LakePlace,
  env: Environment,
): LakeSettings {
  const [place, data] = [givenPlace.value, givenData.value]
  checkPlaces(givenPlace, givenData)
  const folder = folderOf(place, data)
  const file = resolve(sqliteFile(place) ?? join(folder, 'catalog.sqlite'))
  return {
    ...(isPostgres(place) ? postgres(place, env) : { catalog: `sqlite:${file}` }),
    data: dataOf(place, data),
    ...(data.startsWith('s3://') ? { store: objectStore(env) } : {}),
    folder,
    memoryLimit,
    threads,
  }
}

/** Throws config_invalid for an address that is no folder, PostgreSQL catalog or object store. */
function checkPlaces(place: GivenText, data: GivenText): void {
  if (!isPostgres(place.value)) {
    checkedFolder({ ...place, value: sqliteFile(place.value) ?? place.value }, 'TIEOUT_LAKE')
  }
  if (data.value !== '' && !data.value.includes('://')) checkedFolder(data, 'TIEOUT_LAKE_DATA')
}

/** Returns the folder or address of the Parquet files. Throws config_invalid. */
export const dataOf = (place: string, data: string): string => dataPath(data, folderOf(place, data))

function folderOf(place: string, data: string): string {
  const file = sqliteFile(place)
  if (file !== undefined) return dirname(resolve(file))
  if (!isPostgres(place)) return resolve(place)
  return resolve(data === '' || data.includes('://') ? FOLDER_OF_SHARED : data)
}

const isPostgres = (place: string) => /^postgres(ql)?:/.test(place)

const sqliteFile = (place: string) =>
  place.startsWith('sqlite:') ? place.slice('sqlite:'.length) : undefined

function dataPath(data: string, folder: string): string {
  if (data === '') return join(folder, 'parquet')
  if (data.startsWith('s3://')) {
    if (!/^s3:\/\/[^/]+\/[^/]/.test(data)) {
      throw invalid('TIEOUT_LAKE_DATA', 'is not an address such as s3://bucket/prefix')
    }
    if (!S3_NAMES.test(data)) {
      throw invalid('TIEOUT_LAKE_DATA', 'may hold only letters, digits and - _ . ~ + = @ /')
    }
    return data
  }
  if (data.includes('://')) throw invalid('TIEOUT_LAKE_DATA', 'is neither a folder nor s3://…')
  return isAbsolute(data) ? data : resolve(data)
}

/** The address is shown and stored, so it may not hold the password. */
function postgres(place: string, env: Environment): Pick<LakeSettings, 'catalog' | 'password'> {
  const words = /^postgres(ql)?:\/\//.test(place) ? wordsOf(place) : place.replace(/^\w+:/, '')
  if (/(^|\s)password\s*=/i.test(words)) {
    throw invalid('TIEOUT_LAKE', 'holds a password, which belongs in TIEOUT_LAKE_PASSWORD')
  }
  const password = secretFrom(env, 'TIEOUT_LAKE_PASSWORD')
  return {
    catalog: `postgres:${words}`,
    ...(password === '' ? {} : { password: new Secret(password) }),
  }
}

/**
 * Converts `postgres://user@host:port/database?key=value` to libpq's keywords, the only form to
 * which DuckDB adds a password.
 */
function wordsOf(address: string): string {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    // The original error would quote the address.
    throw new Failure('config_invalid', INVALID_LAKE)
  }
  const parts = {
    host: url.hostname,
    port: url.port,
    user: decodeURIComponent(url.username),
    password: url.password,
    dbname: decodeURIComponent(url.pathname.slice(1)),
    ...Object.fromEntries(url.searchParams),
  }
  return Object.entries(parts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${/[\s'\\]/.test(value) ? quoted(value) : value}`)
    .join(' ')
}

const quoted = (value: string) => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`

/** The variables are those of Amazon's own programs. */
function objectStore(env: Environment): ObjectStore {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || ''
  if (endpoint !== '' && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    throw invalid('AWS_ENDPOINT_URL', 'is not an address such as https://storage.example.com')
  }
  const token = secretFrom(env, 'AWS_SESSION_TOKEN')
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    keyId: new Secret(required(env, 'AWS_ACCESS_KEY_ID')),
    secretKey: new Secret(required(env, 'AWS_SECRET_ACCESS_KEY')),
    ...(token === '' ? {} : { sessionToken: new Secret(token) }),
  }
}

const invalid = (name: string, what: string) => new Failure('config_invalid', `${name} ${what}`)
