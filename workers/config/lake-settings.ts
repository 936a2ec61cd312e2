/** The address of the lake: one folder, or a PostgreSQL catalog with Parquet in an object store. */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { isObjectAddress, objectAddressFault } from '../../domain/object-address.ts'
import { Secret, type LakeSettings } from '../../domain/settings.ts'
import { checkedFolder } from './checked-folder.ts'
import { objectStore } from './object-store.ts'
import { nameOf, type Chosen } from './options.ts'
import { secretFrom, type Environment } from './secret-from.ts'

/** The values of the flag, the variable or the config file; empty if not set. */
export interface LakePlace extends Pick<LakeSettings, 'memoryLimit' | 'threads'> {
  place: GivenText
  data: GivenText
}

type GivenText = Pick<Chosen, 'name' | 'value'>

/** A shared lake stores only scratch files and the embedded Temporal server here. */
const FOLDER_OF_SHARED = './data'

/** Throws config_missing or config_invalid with the name of the variable; opens nothing. */
export function lakeSettings(
  { place: givenPlace, data: givenData, memoryLimit, threads }: LakePlace,
  env: Environment,
): LakeSettings {
  const [place, data] = [givenPlace.value, givenData.value]
  checkPlaces(givenPlace, givenData)
  const folder = folderOf(place, data)
  const file = resolve(sqliteFile(place) ?? join(folder, 'catalog.sqlite'))
  if (!isPostgres(place)) checkLength(givenPlace, [file, join(folder, 'temporal', 'temporal.db')])
  return {
    ...(isPostgres(place) ? postgres(givenPlace, env) : { catalog: `sqlite:${file}` }),
    data: dataPath(givenData, folder),
    ...(isObjectAddress(data) ? { store: objectStore(env) } : {}),
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

/** SQLite opens no longer path, since the names of the files beside a database add 8 bytes to its limit of 512. */
const LONGEST_PATH = 504

/** Throws config_invalid if SQLite can't open one of the lake's databases. */
function checkLength(place: GivenText, databases: readonly string[]): void {
  const bytes = Math.max(...databases.map((path) => Buffer.byteLength(path)))
  if (bytes <= LONGEST_PATH) return
  const origin = nameOf(place, 'TIEOUT_LAKE')
  const what = `${origin} gives a database a path of ${bytes} bytes, and SQLite opens none above ${LONGEST_PATH}`
  throw new Failure('config_invalid', what, {
    remedy: 'name a folder with a shorter path and run the command again',
  })
}

/** Returns the folder of the Parquet files of a lake that names none. */
export const dataOf = (place: string): string =>
  dataPath({ value: '', name: '' }, folderOf(place, ''))

function folderOf(place: string, data: string): string {
  const file = sqliteFile(place)
  if (file !== undefined) return dirname(resolve(file))
  if (!isPostgres(place)) return resolve(place)
  return resolve(data === '' || data.includes('://') ? FOLDER_OF_SHARED : data)
}

const isPostgres = (place: string) => /^postgres(ql)?:/.test(place)

const sqliteFile = (place: string) =>
  place.startsWith('sqlite:') ? place.slice('sqlite:'.length) : undefined

/** Returns the folder or address of the Parquet files. Throws config_invalid. */
function dataPath(given: GivenText, folder: string): string {
  const data = given.value
  const invalid = (fault: string) => wrong(given, 'TIEOUT_LAKE_DATA', fault)
  if (data === '') return join(folder, 'parquet')
  if (isObjectAddress(data)) {
    const fault = objectAddressFault(data)
    if (fault !== undefined) throw invalid(fault)
    return data
  }
  if (data.includes('://')) throw invalid('is neither a folder nor s3://…')
  return isAbsolute(data) ? data : resolve(data)
}

/** The address is shown and stored, so it may not hold the password. */
function postgres(given: GivenText, env: Environment): Pick<LakeSettings, 'catalog' | 'password'> {
  const place = given.value
  const words = /^postgres(ql)?:\/\//.test(place) ? wordsOf(given) : place.replace(/^\w+:/, '')
  if (/(^|\s)password\s*=/i.test(words)) {
    throw wrong(given, 'TIEOUT_LAKE', 'holds a password, which belongs in TIEOUT_LAKE_PASSWORD')
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
function wordsOf(given: GivenText): string {
  let url: URL
  try {
    url = new URL(given.value)
  } catch {
    // The original error would quote the address.
    throw wrong(given, 'TIEOUT_LAKE', 'is not a PostgreSQL address')
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

const wrong = (given: GivenText, variable: string, fault: string) =>
  new Failure('config_invalid', `${nameOf(given, variable)} ${fault}`)
