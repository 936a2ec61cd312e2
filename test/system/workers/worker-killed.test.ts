import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  newPlaceWithLake,
  processesIn,
  simulate,
  startTieout,
  tieout,
  type Ended,
  type Place,
  type Started,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const NOW = '2026-10-30T04:15:00Z'
const RUN = ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW, '--json']
/** About 25 pages of transactions; the worker reads less than half of them. */
const WORLD = [
  ...['--terminals', '3', '--transactions', '2500', '--from', '2026-09-10', '--days', '55'],
  ...['--now', NOW, '--limit-cap', '100'],
]
const SLOWLY = ['--latency-ms', '400']
const KILLED_AT = 8

/** The number of requests for the list of transactions. */
async function transactionPages(baseUrl: string): Promise<number> {
  const answer = await fetch(new URL('/_simulator/stats', baseUrl))
  const stats = (await answer.json()) as { byList: { transactions: number } }
  return stats.byList.transactions
}

const packOf = ({ stdout }: Ended) => (JSON.parse(stdout) as RunResult).pack
const tableOf = (end: Ended, name: string) => readFileSync(join(packOf(end), name), 'utf8')

test('a worker that is killed in mid-sweep and started again finishes the run with the same numbers', async () => {
  const service = await simulate([...WORLD, ...SLOWLY], newPlace())
  const baseUrl = service['TIEOUT_BASE_URL'] ?? ''
  const place = newPlaceWithLake(service)
  const killed = startTieout(['worker'], place)
  await killed.says('worker ready')
  const waiting = startTieout(RUN, place)
  while ((await transactionPages(baseUrl)) < KILLED_AT) await sleep(50)
  killed.kill('SIGKILL')
  expect((await killed.ended).code).toBe(null)
  const pagesBefore = await transactionPages(baseUrl)

  const again = startTieout(['worker'], place)
  await again.says('worker ready')
  const finished = await waiting.ended
  expect({ code: finished.code, stderr: finished.stderr }).toMatchObject({ code: 0 })
  expect(await transactionPages(baseUrl)).toBeGreaterThan(pagesBefore + KILLED_AT)
  again.kill('SIGTERM')
  expect((await again.ended).code).toBe(143)
  expect(processesIn(place.cwd)).toEqual([])

  const undisturbed = await tieout(RUN, newPlace(await simulate(WORLD, newPlace())))
  expect(undisturbed.code).toBe(0)
  // The lists that had landed before the kill were not swept again.
  const sweptLists = (end: Ended) => tableOf(end, 'sweeps.csv').match(/^default,\w+/gm)
  expect(sweptLists(finished)).toEqual(sweptLists(undisturbed))
  for (const name of ['settlements.csv', 'attributions.csv', 'exceptions.csv', 'pending.csv']) {
    expect(tableOf(finished, name), name).toBe(tableOf(undisturbed, name))
  }
})

test('a server that is killed while its worker lives is started again on the same port, and the run goes on', async () => {
  const place = newPlace(await simulate([...SMALL, ...SLOWLY], newPlace()))
  const worker = await startWorker(place)
  const waiting = startTieout(RUN, place)
  await waiting.says('sweeping')
  const file = join(place.cwd, 'data', 'temporal', 'server.json')
  const server = (): { serverPid: number; port: number } => JSON.parse(readFileSync(file, 'utf8'))
  const { serverPid, port } = server()
  process.kill(serverPid, 'SIGKILL')
  await worker.says('the embedded Temporal server ended; tieout starts it again')
  const finished = await waiting.ended
  expect(finished.code, finished.stderr).toBe(0)
  expect(server().port).toBe(port)
  expect(server().serverPid).not.toBe(serverPid)
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(143)
  expect(processesIn(place.cwd)).toEqual([])
})

const SMALL = [
  ...['--terminals', '2', '--transactions', '300', '--from', '2026-09-10', '--days', '55'],
  ...['--now', NOW],
]
const RECONCILE = ['reconcile', ...RUN.slice(1)]

/** Packs of the range, and what is being written beside them. */
function packsIn(cwd: string): { whole: string[]; partial: string[] } {
  const folder = join(cwd, 'out', 'default', '2026-10-01_2026-10-30')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const isPartial = (name: string) => name.endsWith('.partial')
  return { whole: names.filter((name) => !isPartial(name)), partial: names.filter(isPartial) }
}

interface Manifest {
  files: { name: string; sha256: string }[]
}

/** Name and hash of each file but the summaries, which name the run. */
function filesOf(end: Ended): string[] {
  const { files }: Manifest = JSON.parse(tableOf(end, 'manifest.json'))
  return files
    .filter(({ name }) => !name.startsWith('summary.'))
    .map(({ name, sha256 }) => `${name} ${sha256}`)
}

async function startWorker(place: Place): Promise<Started> {
  const worker = startTieout(['worker'], place)
  await worker.says('worker ready')
  return worker
}

test('workers that are killed in reconciliation and while writing the pack leave one whole pack with the same bytes', async () => {
  const place = newPlaceWithLake(await simulate(SMALL, newPlace()))
  const undisturbed = await tieout(RUN, place)
  expect(undisturbed.code, undisturbed.stderr).toBe(0)
  const first = basename(packOf(undisturbed))

  const one = await startWorker(place)
  const waiting = startTieout(RECONCILE, place)
  await waiting.says('reconciling ...')
  one.kill('SIGKILL')
  await one.ended
  expect(packsIn(place.cwd)).toEqual({ whole: [first], partial: [] })

  const two = await startWorker(place)
  while (packsIn(place.cwd).partial.length === 0) await sleep(2)
  two.kill('SIGKILL')
  await two.ended
  // Half a pack lies there hidden, and nothing that anybody would take for one.
  expect(packsIn(place.cwd).whole).toEqual([first])
  expect(packsIn(place.cwd).partial).toHaveLength(1)
  const latest = () => readlinkSync(join(place.cwd, 'out', 'default', 'latest'))
  expect(basename(latest())).toBe(first)

  const three = await startWorker(place)
  const finished = await waiting.ended
  expect(finished.code, finished.stderr).toBe(0)
  const second = basename(packOf(finished))
  expect(packsIn(place.cwd)).toEqual({ whole: [first, second], partial: [] })
  expect(basename(latest())).toBe(second)
  expect(filesOf(finished)).toEqual(filesOf(undisturbed))
  three.kill('SIGTERM')
  expect((await three.ended).code).toBe(143)
  expect((await tieoutHere(['prove', packOf(finished)], place)).code).toBe(0)
})
