/**
 * Goal: only extensions with DuckDB's signature are loaded, and the check is not repeated for a file that has not
 * changed. Method: copies whose signature is broken, with and without a line that says that they passed.
 */
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { extensionFolder } from '../../../lake/connection/extensions.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

/** Another user of the machine. */
const OTHER = 65534

/** Returns the path of ducklake in a folder of copies, which DUCKDB_EXT_DIR then names. */
async function copies(): Promise<string> {
  const from = join((await extensionFolder()) ?? '', 'v1.5.5')
  const [platform = ''] = readdirSync(from)
  const to = tempFolder()
  const folder = join(to, 'v1.5.5', platform)
  mkdirSync(folder, { recursive: true })
  for (const name of ['ducklake', 'sqlite_scanner']) {
    const file = `${name}.duckdb_extension`
    copyFileSync(join(from, platform, file), join(folder, file))
  }
  vi.stubEnv('DUCKDB_EXT_DIR', to)
  return join(folder, 'ducklake.duckdb_extension')
}

/** The last 256 bytes of an extension are its signature. The process still runs the code of the file before. */
function breakSignature(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1
  writeFileSync(`${file}.new`, bytes)
  renameSync(`${file}.new`, file)
}

const opened = async () => {
  const lake = await openLake(lakeSettingsIn(tempFolder()))
  const connection = await lake.connect()
  const reader = await connection.runAndReadAll(
    `select current_setting('allow_unsigned_extensions')`,
  )
  lake.close()
  return reader.getRows()[0]?.[0]
}

/** Writes the line that a check of the file as it is now would have left. */
function claimCheck(file: string): void {
  const check = readFileSync(`${file}.checked`, 'utf8').split(' ').slice(0, -3).join(' ')
  const { size, ino, ctimeNs } = statSync(file, { bigint: true })
  writeFileSync(`${file}.checked`, `${check} ${size} ${ino} ${ctimeNs}\n`)
}

test('a file that passed is not checked again until it changes, and no unsigned one can be loaded afterwards', async () => {
  const file = await copies()
  expect(await opened()).toBe(false)
  expect(existsSync(`${file}.checked`)).toBe(true)
  expect(await opened()).toBe(false)

  breakSignature(file)
  await expect(opened()).rejects.toMatchObject({ code: 'extension_missing' })
  // The claim is enough, so the check itself was left out before.
  claimCheck(file)
  expect(await opened()).toBe(false)
})

test('a file without a signature is refused, and is not remembered', async () => {
  const file = await copies()
  breakSignature(file)
  await expect(opened()).rejects.toMatchObject({ code: 'extension_missing' })
  expect(existsSync(`${file}.checked`)).toBe(false)
})

test('no line is written into the folder of another user, who may lead it to any file', async (context) => {
  requireProgram(context, 'another user')
  const file = await copies()
  const precious = join(tempFolder(), 'precious')
  writeFileSync(precious, 'precious')
  symlinkSync(precious, `${file}.checked`)
  chownSync(join(file, '..'), OTHER, OTHER)
  expect(await opened()).toBe(false)
  expect(readFileSync(precious, 'utf8')).toBe('precious')
})

test('a line of another user beside an extension is not believed', async (context) => {
  requireProgram(context, 'another user')
  const file = await copies()
  await opened()
  breakSignature(file)
  claimCheck(file)
  const line = `${file}.checked`
  const folder = join(file, '..')
  chownSync(line, OTHER, OTHER)
  await expect(opened()).rejects.toMatchObject({ code: 'extension_missing' })
  chownSync(line, 0, 0)
  chownSync(folder, OTHER, OTHER)
  await expect(opened()).rejects.toMatchObject({ code: 'extension_missing' })
})
