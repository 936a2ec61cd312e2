/** Goal: a sweep knows how many records to expect. Method: the same list is swept twice, and then by terminal. */
import { expect, onTestFinished, test } from 'vitest'
import { createSource } from '../../../api/http/source.ts'
import { createSweepList } from '../../../activities/sweep/sweep-list.ts'
import type { SweepProgress } from '../../../activities/sweep/sweep-segment.ts'
import { Secret } from '../../../domain/settings.ts'
import { startPipeline } from '../../support/pipeline.ts'

test('a sweep expects as many records as the last one of the whole list found; by terminal it counts terminals', async () => {
  const { settings, shared } = await startPipeline(
    { terminals: 2, transactions: 300, days: 20, seed: 11 },
    '2026-11-20T04:15:00Z',
  )
  if (settings.source === undefined) throw new Error('a pipeline has a source')
  const source = createSource(settings.source, { hashKey: new Secret('test-hash-key') })
  onTestFinished(() => source.close())
  const progressOf = async (runId: string, terminals: string[] = []) => {
    const beats: SweepProgress[] = []
    const request = { runId, account: 'acme', list: 'settlements' as const, pass: 1 }
    const sweepList = createSweepList(shared, () => source, { terminals })
    const { records } = await sweepList(request, undefined, (progress) => beats.push(progress))
    const expected = new Set(beats.map(({ expectedRecords }) => expectedRecords))
    return { records, expected, last: beats.at(-1) }
  }
  const first = await progressOf('r1')
  expect(first.records).toBeGreaterThan(10)
  expect(first.expected).toEqual(new Set([undefined]))
  expect((await progressOf('r2')).expected).toEqual(new Set([first.records]))
  const ids = await shared.connected(async (_lake, connection) => {
    const reader = await connection.runAndReadAll(
      'select distinct terminal_id::varchar from lake.seen.settlement_version',
    )
    return reader.getRows().map(([id]) => String(id))
  })
  const { expected, last } = await progressOf('r3', ids)
  expect(expected).toEqual(new Set([undefined]))
  expect(last).toMatchObject({ terminal: 2, terminals: 2, records: first.records })
})

test('the first sweep of a long list finds out how long the list is', async () => {
  const { settings, shared } = await startPipeline(
    { terminals: 2, transactions: 8000, days: 20, seed: 11, latency_ms: 5 },
    '2026-11-20T04:15:00Z',
  )
  if (settings.source === undefined) throw new Error('a pipeline has a source')
  const source = createSource(
    { ...settings.source, pageSize: 100 },
    { hashKey: new Secret('test-hash-key') },
  )
  onTestFinished(() => source.close())
  const request = { runId: 'r1', account: 'acme', list: 'transactions' as const, pass: 1 }
  const beats: SweepProgress[] = []
  const sweepList = createSweepList(shared, () => source)
  const { records } = await sweepList(request, undefined, (progress) => beats.push(progress))
  const found = beats.find(({ expectedRecords }) => expectedRecords !== undefined)
  expect(found?.pages).toBeLessThan(70)
  expect(Math.abs((found?.expectedRecords ?? 0) / records - 1)).toBeLessThan(0.1)
})
