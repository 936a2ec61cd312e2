import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReadiness } from '../../../activities/runtime/readiness.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import type { RunResult } from '../../../domain/run.ts'
import { sha256OfFile } from '../../../domain/file-hash.ts'
import { withBucket } from '../../../reports/store/store-target.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { newPlace, simulate, startTieout, tieout, type Place } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { openConsole } from '../../support/console.ts'
import { needs } from '../../support/outside-program.ts'
import { objectStore } from '../../../workers/config/object-store.ts'
import { serveMetrics } from '../../../workers/telemetry/metrics-server.ts'
import { startServices, type Services } from '../../support/services.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '3', '--transactions', '600', '--from', '2026-09-10', '--days', '55']
const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]

const isThere = needs('postgresql') && needs('moto')
let services: Services | undefined
let place: Place

beforeAll(async () => {
  if (!isThere) return
  services = await startServices()
  const service = await simulate([...WORLD, '--now', NOW], newPlace())
  place = newPlace({ ...service, ...(await services.lake('commands')) })
})

afterAll(() => services?.stop())

const resultOf = (text: string): RunResult => JSON.parse(text)

test('every command works on a lake in PostgreSQL and an object store, and leaves nothing of it in its folder', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const swept = await tieout(['run', ...RANGE, '--json'], place)
  expect(swept, swept.stderr).toMatchObject({ code: 0 })
  const first = resultOf(swept.stdout)
  expect(first.headline.settlements).toBeGreaterThan(50)

  // Another machine: the same lake and nothing else.
  const elsewhere = newPlace(place.env)
  const again = await tieout(['reconcile', ...RANGE, '--json'], elsewhere)
  expect(again, again.stderr).toMatchObject({ code: 0 })
  const second = resultOf(again.stdout)
  expect(second.headline).toEqual(first.headline)
  for (const name of ['settlements.csv', 'attributions.csv', 'accounting/journal.csv']) {
    const [one, other] = [first, second].map(({ pack }) => readFileSync(join(pack, name), 'utf8'))
    expect(other, name).toBe(one)
  }

  for (const command of [
    ['verify', first.pack],
    ['prove', first.pack],
    ['query', 'select count(*) from transactions', '--format', 'csv'],
    ['exceptions', 'list'],
    ['periods', 'list'],
    ['doctor'],
  ]) {
    const { code, stdout, stderr } = await tieoutHere(command, elsewhere)
    expect({ command, code, stderr }).toMatchObject({ code: 0 })
    if (command[0] === 'doctor')
      expect(stdout).toMatch(/^ok +lake files +s3:.* accepts new files$/m)
    expect(stdout + stderr).not.toContain(place.env['TIEOUT_LAKE_PASSWORD'])
    expect(stdout + stderr).not.toContain(place.env['AWS_SECRET_ACCESS_KEY'])
  }
  const files = readdirSync(elsewhere.cwd, { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => /\.parquet$|catalog|hash\.key/.test(name))).toEqual([])
})

test('packs lie in the store, and the commands take their addresses', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const out = `${place.env['TIEOUT_LAKE_DATA']?.replace('/lake', '')}/packs`
  const elsewhere = newPlace({ ...place.env, TIEOUT_OUT: out, TMPDIR: newPlace().cwd })
  const { code, stdout, stderr } = await tieout(['report', ...RANGE, '--json'], elsewhere)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const { pack } = resultOf(stdout)
  expect(pack).toMatch(/^s3:\/\/commands\/packs\/default\/2026-10-01_2026-10-30\/[\w-]+$/)
  const latest = `${out}/default/latest`
  for (const command of [
    ['verify', latest, '--json'],
    ['prove', latest, '--json'],
    ['diff', pack, latest],
    ['approve', latest, '--by', 'Ben Ode', '--prepared-by', 'Ada'],
    ['verify', pack],
    ['doctor'],
  ]) {
    const told = await tieoutHere(command, elsewhere)
    expect({ command, ...told }).toMatchObject({ code: 0 })
    expect(told.stdout + told.stderr).not.toContain(place.env['AWS_SECRET_ACCESS_KEY'])
    if (command.includes('--json')) expect(JSON.parse(told.stdout)).toMatchObject({ pack })
    if (command.length === 2) expect(told.stdout).toMatch(/approved by Ben Ode/)
  }
  const shown = await openConsole(elsewhere)
  const page = `/packs/${basename(pack)}`
  expect((await shown.get(page)).text).toContain('Verified now')
  const file = await shown.get(`${page}/files/settlements.csv`)
  expect([file.status, file.text.slice(0, 20)]).toEqual([200, 'account,settlementId'])
  expect((await shown.get(`${page}/files/approval.json`)).status).toBe(404)
  shown.started.kill('SIGINT')
  await shown.started.ended

  const local = [elsewhere.cwd, elsewhere.env['TMPDIR'] ?? ''].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  )
  expect(local.filter((name) => name.endsWith('.csv'))).toEqual([])
})

test('a wrong password, an absent key, a wrong address and a store that refuses are each reported in one line', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const cases: [Record<string, string>, RegExp][] = [
    [{ TIEOUT_LAKE_PASSWORD: 'swordfish' }, /^error lake_unreachable: the lake at postgres:/],
    [{ AWS_SECRET_ACCESS_KEY: '' }, /^error config_missing: AWS_SECRET_ACCESS_KEY is not set/],
    [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }, /^error lake_lost: /],
    [
      { TIEOUT_LAKE_DATA: 's3://commands/elsewhere' },
      /^error lake_unreachable: the files of the lake are not in s3:\/\/commands\/elsewhere; next: set TIEOUT_LAKE_DATA/,
    ],
    [{ TIEOUT_LAKE_DATA: 's3://no-such-bucket/lake' }, /^error lake_unreachable: .*NoSuchBucket/],
    [
      { TIEOUT_LAKE_DATA: 's3://commands/elsewhere', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      /^error lake_lost: .*ECONNREFUSED/,
    ],
  ]
  for (const [change, line] of cases) {
    const told = await tieoutHere(['query', 'select count(*) from transactions'], {
      ...place,
      env: { ...place.env, ...change },
    })
    expect(told.stderr).toMatch(line)
    expect(told.stderr).not.toContain('swordfish')
  }
})

test('a database without a lake is named, and doctor leaves it so', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const empty = { ...place, env: { ...place.env, ...(await services?.lake('empty')) } }
  const none = /^error lake_unreachable: there is no lake in postgres:.* dbname=empty; next: name /
  for (const command of [
    ['query', 'select 1'],
    ['explain', '1'],
  ]) {
    const { code, stderr } = await tieoutHere(command, empty)
    expect([code, stderr]).toEqual([6, expect.stringMatching(none)])
  }
  for (const [command, line] of [
    ['status', /^lake +nothing has landed yet$/m],
    ['doctor', /^ok +lake +no lake yet in postgres:/m],
    ['doctor --deep', /^ok +lake content +no lake yet in postgres:/m],
  ] as const) {
    const { code, stdout } = await tieoutHere(command.split(' '), empty)
    expect([code, stdout]).toEqual([0, expect.stringMatching(line)])
  }
  await expect(services?.commits('empty')).rejects.toThrow('"ducklake_snapshot" does not exist')
})

test('a worker names the catalog that it serves', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const worker = startTieout(['worker'], { ...place, cwd: newPlace().cwd })
  expect(await worker.says('worker ready')).toMatch(/, lake postgres:host=.* dbname=commands$/m)
  worker.kill('SIGKILL')
})

test('doctor names a user who may only read the catalog', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const reader = { ...place, env: { ...place.env, ...(await services?.reader('commands')) } }
  const { stdout } = await tieoutHere(['doctor'], reader)
  expect(stdout).toMatch(
    /^\? +lake +not checked: this user may only read postgres:.* user=reader /m,
  )
})

test('an object that is gone or cut is damage, and is named', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const data = place.env['TIEOUT_LAKE_DATA'] ?? ''
  const copy = join(newPlace().cwd, 'copy')
  const damaged = await withBucket(
    () => objectStore(place.env),
    async (bucket) => {
      const keys = bucket.list(`${data}/seen/transaction_version`)
      const { value: key = '' } = await keys.next()
      const object = `${data}/seen/transaction_version/${key}`
      await bucket.getFile(object, copy)
      await bucket.remove(object)
      const ended: [number | null, string | undefined][] = []
      for (const command of [
        ['query', 'select sum("amountTotal") from transaction_versions'],
        ['reconcile', ...RANGE],
      ]) {
        const { code, stderr } = await tieout(command, place)
        ended.push([code, stderr.trimEnd().split('\n').at(-1)])
      }
      const cut = `${copy}-cut`
      writeFileSync(cut, readFileSync(copy).subarray(0, -100))
      await bucket.putFile(object, { path: cut, sha256: await sha256OfFile(cut) })
      const cutEnd = await tieout(
        ['query', 'select sum("amountTotal") from transaction_versions'],
        place,
      )
      await bucket.putFile(object, { path: copy, sha256: await sha256OfFile(copy) })
      return { ended, cutEnd, name: basename(key) }
    },
  )
  const line = new RegExp(`^error lake_damaged: .*${damaged.name} is missing; next: restore`)
  expect(damaged.ended).toEqual([
    [6, expect.stringMatching(line)],
    [6, expect.stringMatching(line)],
  ])
  const { code, stderr } = damaged.cutEnd
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    6,
    expect.stringMatching(/^error lake_damaged: .*one of its files can't be read; next: restore/),
  ])
  const deep = await tieoutHere(['doctor', '--deep'], place)
  expect(deep.stdout).toMatch(/^ok +lake content /m)
})

/** The answer of a worker to its readiness probe. */
async function probed(readiness: () => Promise<string | undefined>): Promise<[number, string]> {
  const pages = { ours: () => Promise.resolve(''), readiness, temporal: undefined }
  const server = await serveMetrics({ host: '127.0.0.1', port: 0, isAsked: true }, pages)
  const answer = await fetch(`http://${server.address}/ready`)
  const text = await answer.text()
  await server.close()
  return [answer.status, text]
}

test('a worker is not ready while the store, the bucket of the packs or the database is gone', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const { lake } = readSettings({}, 'lake', { ...place.env, TIEOUT_OUT: place.cwd })
  const shared = new SharedLake({ ...lake, folder: newPlace().cwd }, () => {})
  const readiness = createReadiness(shared, lake)
  const absent = { ...lake, catalog: `sqlite:${join(place.cwd, 'no-lake.sqlite')}` }
  const packsAt = (out: string) =>
    createReadiness(shared, absent, [{ out, packStore: () => objectStore(place.env) }])
  expect(await probed(readiness)).toEqual([200, 'ready\n'])
  expect(await probed(packsAt(`${lake.data}/packs`))).toEqual([200, 'ready\n'])
  expect(await probed(packsAt('s3://no-such-bucket/packs'))).toEqual([503, 'store_unreachable\n'])
  await services?.stopStore()
  expect(await probed(packsAt(`${lake.data}/packs`))).toEqual([503, 'store_unreachable\n'])
  expect(await readiness()).toMatch(/^lake_/)
  await services?.stop()
  expect(await readiness()).toMatch(/^lake_/)
  services = undefined
  await shared.close()
})
