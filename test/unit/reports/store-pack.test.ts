/**
 * Goal: a pack in an object store is whole or absent, like one in a folder. Method: moto as the store, and a relay before
 * it that fails one request at a time.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenStore } from '../../../domain/settings.ts'
import {
  diffPacksAt,
  openPackFile,
  verifyPackAt,
  writeApprovalAt,
} from '../../../reports/open-pack.ts'
import { type Bucket, openBucket } from '../../../reports/store/bucket.ts'
import { withLocalPack } from '../../../reports/store/local-copy.ts'
import { storeTarget } from '../../../reports/store/store-target.ts'
import { tryStore } from '../../../reports/store/try-store.ts'
import { objectStore } from '../../../workers/config/object-store.ts'
import { needs } from '../../support/outside-program.ts'
import { relayTo, type Fault, type Relay } from '../../support/object-store-relay.ts'
import { startBucket } from '../../support/services.ts'
import { aboutOf, packFrom, settlement, sourceOf, worldOf } from './fake-source.ts'

const isThere = needs('moto')
let open: OpenStore
let bucket: Bucket
let fault: Fault = () => undefined
let relay: Relay | undefined
let stopStore: (() => Promise<void>) | undefined
let out = ''

beforeAll(async () => {
  if (!isThere) return
  const { env, stop } = await startBucket('packs')
  stopStore = stop
  const { url, ...rest } = await relayTo(env.AWS_ENDPOINT_URL, (asked) => fault(asked))
  relay = { url, ...rest }
  open = () => objectStore({ ...env, AWS_ENDPOINT_URL: url })
  bucket = await openBucket(open())
})

afterAll(async () => {
  relay?.stop()
  await stopStore?.()
})

beforeEach((context) => {
  if (!isThere) context.skip('moto is not installed')
  fault = () => undefined
  relay?.seen.splice(0)
  out = `s3://packs/${context.task.id}`
})

const putsSeen = () => relay?.seen.filter((line) => line.startsWith('PUT')) ?? []
const about = (more = {}) => aboutOf(out, { packStore: open, ...more })
const publish = (more = {}, world = worldOf()) => packFrom(sourceOf(world), about(more))

async function namesAt(address: string): Promise<string[]> {
  const names: string[] = []
  for await (const name of bucket.list(address)) names.push(name)
  return names.sort()
}

const isPut =
  (name: string): Fault =>
  ({ method, path }) =>
    method === 'PUT' && path.includes(`/${name}?`) ? { status: 503 } : undefined

test('a pack has the bytes of one in a folder, manifest.json is written last, and only if there is none', async () => {
  const pack = await publish()
  expect(pack).toBe(`${out}/demo/2026-02-01_2026-03-01/run-1`)
  const puts = putsSeen()
  expect(puts.at(-1)).toMatch(/manifest\.json$/)

  const folder = mkdtempSync(join(tmpdir(), 'tieout-same-'))
  const same = await packFrom(sourceOf(worldOf()), aboutOf(folder))
  const names = (await namesAt(pack)).filter((name) => name !== '')
  const inFolder = readdirSync(same, { recursive: true, encoding: 'utf8' })
  expect(names).toEqual(inFolder.filter((name) => statSync(join(same, name)).isFile()).sort())
  for (const name of names) {
    expect(await bucket.text(`${pack}/${name}`), name).toBe(readFileSync(join(same, name), 'utf8'))
  }
  rmSync(folder, { recursive: true })
  expect(await bucket.putText(`${pack}/manifest.json`, 'another', { isNew: true })).toBe(false)
  expect((await verifyPackAt(pack, open)).folder).toBe(pack)
})

test('a second attempt at a published run changes nothing, and another pack is not replaced', async () => {
  const pack = await publish()
  relay?.seen.splice(0)
  expect(await publish()).toBe(pack)
  expect(putsSeen()).toEqual([])
  await expect(publish({ knownAt: '43' })).rejects.toMatchObject({ code: 'would_overwrite' })
  await verifyPackAt(pack, open)
})

test('a file that fails leaves no manifest, and the next attempt publishes the whole pack', async () => {
  fault = isPut('summary.html')
  await expect(publish()).rejects.toMatchObject({ code: 'store_unreachable', retry: true })
  const pack = `${out}/demo/2026-02-01_2026-03-01/run-1`
  expect(await namesAt(pack)).toContain('settlements.csv')
  expect(await storeTarget(open).firstPack([pack])).toBeUndefined()
  await expect(verifyPackAt(pack, open)).rejects.toMatchObject({ code: 'pack_altered' })

  fault = () => undefined
  await bucket.putText(`${pack}/accounting/left-over.csv`, 'of an earlier version')
  const changed = worldOf({ settlements: [settlement()] })
  await publish({}, changed)
  expect(await namesAt(pack)).not.toContain('accounting/left-over.csv')
  const verified = await verifyPackAt(pack, open)
  expect(verified.manifest.files[0]).toMatchObject({ name: 'settlements.csv', rows: 1 })
})

test('a manifest that is refused leaves no pack; one whose answer is lost counts as published', async () => {
  const pack = `${out}/demo/2026-02-01_2026-03-01/run-1`
  fault = isPut('manifest.json')
  await expect(publish()).rejects.toMatchObject({ code: 'store_unreachable' })
  expect(await storeTarget(open).firstPack([pack])).toBeUndefined()
  fault = ({ method, path }) =>
    method === 'PUT' && path.includes('manifest.json') ? 'lost' : undefined
  await expect(publish()).resolves.toBe(pack)
  fault = () => undefined
  await verifyPackAt(pack, open)
})

/** At the first request that `isMoment` names, another attempt publishes a pack of run-1 with a file of its own. */
function anotherPublishes(isMoment: (line: string) => boolean): void {
  const pack = `${out}/demo/2026-02-01_2026-03-01/run-1`
  let isWritten = false
  fault = async ({ method, path }) => {
    if (isWritten || !isMoment(`${method} ${path}`)) return undefined
    isWritten = true
    await bucket.putText(`${pack}/of-its-own.csv`, 'x')
    await bucket.putText(`${pack}/manifest.json`, 'of another attempt')
    return undefined
  }
}

test('another pack of the run that is published before the first file is not touched', async () => {
  const pack = `${out}/demo/2026-02-01_2026-03-01/run-1`
  anotherPublishes((line) => line.startsWith('GET ') && line.includes('/demo/latest?'))
  await expect(publish()).rejects.toMatchObject({ code: 'would_overwrite' })
  expect(await namesAt(pack)).toEqual(['manifest.json', 'of-its-own.csv'])
})

test('another pack of the run that is published before the manifest is not replaced', async () => {
  const pack = `${out}/demo/2026-02-01_2026-03-01/run-1`
  anotherPublishes((line) => line.startsWith('PUT ') && line.includes('/summary.xlsx?'))
  await expect(publish()).rejects.toMatchObject({ code: 'would_overwrite' })
  expect(await bucket.text(`${pack}/manifest.json`)).toBe('of another attempt')
})

test('two attempts at one run publish one pack', async () => {
  const packs = await Promise.all([publish(), publish()])
  expect(new Set(packs).size).toBe(1)
  await verifyPackAt(packs[0] ?? '', open)
})

test('after Ctrl-C nothing is published', async () => {
  const stopped = new AbortController()
  fault = ({ method, path }) => {
    if (method === 'PUT' && path.includes('/summary.xlsx')) stopped.abort(new Error('stop'))
    return undefined
  }
  const publishing = packFrom(sourceOf(worldOf()), about(), stopped.signal)
  await expect(publishing).rejects.toThrow('stop')
  expect(await namesAt(out)).not.toContain('demo/2026-02-01_2026-03-01/run-1/manifest.json')
})

test('latest is an object with the name of the pack, and commands follow it', async () => {
  const target = storeTarget(open)
  const [first, second] = [await publish(), await publish({ runId: 'run-2' })]
  await target.pointLatestAt(first)
  await target.pointLatestAt(second)
  const latest = `${out}/demo/latest`
  expect(await bucket.text(latest)).toBe('2026-02-01_2026-03-01/run-2')
  expect((await verifyPackAt(`${latest}/`, open)).manifest.runId).toBe('run-2')
  expect((await diffPacksAt([first, latest], open)).exceptions.unchanged).toBe(1)
  expect(await target.firstPack([`${out}/demo/gone`, first])).toBe(first)

  await bucket.putText(latest, 'a note')
  await expect(publish({ runId: 'run-3' })).rejects.toMatchObject({ code: 'would_overwrite' })
  await expect(verifyPackAt(latest, open)).rejects.toMatchObject({ code: 'usage' })
})

test('a withdrawn pack loses its manifest first, and then everything', async () => {
  const pack = await publish()
  const stay = ['attributions.csv', 'summary.html']
  fault = ({ method, path }) =>
    method === 'DELETE' && stay.some((name) => path.includes(`/${name}`))
      ? { status: 403 }
      : undefined
  const words = 'the store answered with status 403'
  await expect(storeTarget(open).withdraw(pack)).rejects.toMatchObject({
    code: 'store_unreachable',
    message: expect.stringMatching(
      new RegExp(`^${pack}/attributions.csv: ${words}[^;]*; ${pack}/summary.html: ${words}[^;]*$`),
    ),
  })
  expect(relay?.seen.find((line) => line.startsWith('DELETE'))).toMatch(/manifest\.json$/)
  expect(await namesAt(pack)).toEqual(stay)
  expect(await storeTarget(open).firstPack([pack])).toBeUndefined()
  fault = () => undefined
  await storeTarget(open).withdraw(pack)
  expect(await namesAt(pack)).toEqual([])
})

test('the local copy is for its owner alone, and is removed', async () => {
  const pack = await publish()
  const folder = await withLocalPack(pack, open, (copy) => {
    expect(copy.address).toBe(pack)
    expect(statSync(copy.folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(copy.folder, 'accounting')).mode & 0o777).toBe(0o700)
    expect(statSync(join(copy.folder, 'settlements.csv')).mode & 0o777).toBe(0o600)
    return Promise.resolve(copy.folder)
  })
  expect(() => statSync(folder)).toThrow('ENOENT')
})

test('an object that was added or changed is found, and a name that leads out is not followed', async () => {
  const pack = await publish()
  await bucket.putText(`${pack}/note.txt`, 'x')
  await expect(verifyPackAt(pack, open)).rejects.toThrow('note.txt was added')
  await bucket.remove(`${pack}/note.txt`)
  await bucket.putText(`${pack}/settlements.csv`, 'x')
  await expect(verifyPackAt(pack, open)).rejects.toThrow('settlements.csv was changed')
  const key = `${pack.slice('s3://packs/'.length)}/a/../../escaped`
  const body = `<ListBucketResult><Contents><Key>${key}</Key></Contents></ListBucketResult>`
  fault = ({ path }) => (path.includes('list-type=2') ? { status: 200, body } : undefined)
  await expect(verifyPackAt(pack, open)).rejects.toThrow('an object with an empty part or ..')
  fault = () => undefined
  await expect(verifyPackAt(`${out}/nothing`, open)).rejects.toMatchObject({ code: 'usage' })
})

test('the approval is an object of the pack, also through latest', async () => {
  const pack = await publish()
  await storeTarget(open).pointLatestAt(pack)
  const { sha256 } = await verifyPackAt(pack, open)
  const act = {
    ...{ kind: 'approve' as const, account: 'demo', actor: 'Ben', runId: 'run-1' },
    ...{ manifestSha256: sha256, preparedBy: 'Ada', reason: 'reviewed' },
  }
  const acted = { seq: '1', sha256: 'f00d', actor: 'Ben', actedAt: '2026-03-03', wasSo: false }
  expect(await writeApprovalAt({ pack: `${out}/demo/latest`, open }, act, acted)).toBe(true)
  expect((await verifyPackAt(pack, open)).approval).toMatchObject({ approvedBy: 'Ben' })
})

test('only a file of the manifest is opened', async () => {
  const pack = await publish()
  const chunks: Buffer[] = []
  for await (const chunk of (await openPackFile(pack, 'settlements.csv', open)) ?? [])
    chunks.push(chunk)
  expect(Buffer.concat(chunks).toString()).toContain('reportedNet')
  expect(await openPackFile(pack, 'manifest.json', open)).toBeUndefined()
})

test('a missing bucket and a silent store are reported by address and code, without the keys', async () => {
  const { keys, ...store } = open()
  const { secretKey } = await keys()
  const missing = tryStore('s3://no-such-bucket/out', open)
  await expect(missing).rejects.toMatchObject({
    ...{ code: 'store_unreachable', retry: false },
    message: expect.stringMatching(/^s3:\/\/no-such-bucket\/.*\(NoSuchBucket\)$/),
  })
  const silent = () => ({ ...store, keys, endpoint: 'http://127.0.0.1:9' })
  const failed: unknown = await tryStore(out, silent).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'store_unreachable', retry: true })
  expect(JSON.stringify([failed, String(failed)])).not.toContain(secretKey.reveal())
  await tryStore(out, open)
  expect(await namesAt(out)).toEqual([])
})
