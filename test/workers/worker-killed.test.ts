import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RunResult } from '../../domain/run.ts'
import {
  newPlace,
  processesIn,
  simulate,
  startTieout,
  tieout,
  type Ended,
} from '../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const RUN = ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW, '--json']
/** Some 25 pages of transactions, of which the worker sees less than half. */
const WORLD = [
  ...['--terminals', '3', '--transactions', '5000', '--from', '2026-09-10', '--days', '55'],
  ...['--now', NOW, '--limit-cap', '200'],
]
const SLOWLY = ['--latency-ms', '400']
const KILLED_AT = 8

/** How often the list of transactions was asked for. */
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
  const place = newPlace(service)
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
}, 300_000)
