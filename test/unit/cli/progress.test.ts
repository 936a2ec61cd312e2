/**
 * Goal: a person always sees that a command goes on, how far a sweep is, and how long it still takes. Method: heartbeats
 * with given times, and a terminal whose streams and clock are the test's own.
 */
import type { Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstBeat, progressLine } from '../../../cli/run/progress-line.ts'
import { watchRun } from '../../../cli/run/watch.ts'
import { openTerminal, type Screen } from '../../../cli/shell/terminal.ts'
import { loadedConverter } from '../../support/encrypting-client.ts'

type Handle = Parameters<typeof watchRun>[1]

const beat = (records: number, more: { expectedRecords?: number } = {}) => ({
  doing: 'sweeping transactions',
  pages: Math.ceil(records / 100),
  records,
  ...more,
})

test('a sweep tells pages, records of the last total, rate and the time left', () => {
  const expectedRecords = 24_000
  const first = firstBeat(beat(1000, { expectedRecords }), undefined, 0)
  expect(progressLine(beat(6000, { expectedRecords }), first, 10_000)).toBe(
    'sweeping transactions, 60 pages, 6,000 of about 24,000 records, 500 a second, about 36 s left',
  )
})

test('without an earlier sweep, or beyond its total, the counts and the rate remain', () => {
  const first = firstBeat(beat(0), undefined, 0)
  const line = 'sweeping transactions, 60 pages, 6,000 records, 600 a second'
  expect(progressLine(beat(6000), first, 10_000)).toBe(line)
  expect(progressLine(beat(6000, { expectedRecords: 5999 }), first, 10_000)).toBe(line)
})

test('a sweep by terminal counts the terminals, and the time left is that of the remaining ones', () => {
  const at = (records: number, terminal: number) => ({ ...beat(records), terminal, terminals: 20 })
  const first = firstBeat(at(100, 2), undefined, 0)
  expect(progressLine(at(100, 2), first, 10_000)).toBe(
    'sweeping transactions, terminal 2 of 20, 1 page, 100 records',
  )
  expect(progressLine(at(900, 6), first, 20_000)).toBe(
    'sweeping transactions, terminal 6 of 20, 9 pages, 900 records, 40 a second, about 75 s left',
  )
})

test('a rate needs some seconds, and begins anew with each step', () => {
  const first = firstBeat(beat(0), undefined, 0)
  expect(progressLine(beat(900), first, 3000)).toBe('sweeping transactions, 9 pages, 900 records')
  expect(firstBeat(beat(900), first, 3000)).toBe(first)
  expect(firstBeat(beat(100), { ...first, records: 900 }, 3000)).toMatchObject({ records: 100 })
  const next = firstBeat({ doing: 'reconciling verdict' }, first, 9000)
  expect(next).toEqual({ doing: 'reconciling verdict', records: 0, terminal: 0, at_ms: 9000 })
  expect(progressLine({ doing: 'reconciling verdict' }, next, 20_000)).toBe('reconciling verdict')
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A terminal on streams of the test; `written` gives and forgets what stderr received. */
function screen(isTTY: boolean) {
  const begun_ms = Date.now()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const streams: object = {
    ...{ stdout, stderr: Object.assign(stderr, { isTTY, columns: 80 }) },
    elapsed_ms: () => Date.now() - begun_ms,
  }
  const terminal = openTerminal(streams as Screen)
  const written = () => String(stderr.read() ?? '').replaceAll('\r\u001B[K', '|')
  return { terminal, written, printed: () => String(stdout.read() ?? '') }
}

test('a command that is silent shows within half a second that it works, and goes on to do so', () => {
  const { written, printed } = screen(true)
  vi.advanceTimersByTime(500)
  expect(written()).toBe('working (0 s)')
  vi.advanceTimersByTime(2000)
  expect(written()).toBe('|working (1 s)')
  expect(printed()).toBe('')
})

test('a slow machine shows the sign before the libraries of a command are loaded, a fast one does not', () => {
  const fast = screen(true)
  vi.advanceTimersByTime(60)
  fast.terminal.wait('working')
  expect(fast.written()).toBe('')
  const slow = screen(true)
  vi.advanceTimersByTime(150)
  slow.terminal.wait('working')
  expect(slow.written()).toBe('working (0 s)')
  slow.terminal.print('result')
  expect(slow.written()).toBe('|')
})

test('a line of a result ends the sign, and a live line that stays the same is drawn with the time', () => {
  const { terminal, written } = screen(true)
  vi.advanceTimersByTime(500)
  terminal.print('result')
  expect(written()).toBe('working (0 s)|')
  vi.advanceTimersByTime(5000)
  expect(written()).toBe('')
  terminal.live('sweeping')
  vi.advanceTimersByTime(2000)
  expect(written()).toMatch(/^sweeping\|sweeping \(7 s\)$/)
  terminal.live('')
  written()
  vi.advanceTimersByTime(5000)
  expect(written()).toBe('')
})

test('work that was named shows only where nothing else is written', () => {
  const { terminal, written } = screen(true)
  vi.advanceTimersByTime(100)
  terminal.say('sweeping ...')
  terminal.wait('  sweeping')
  expect(written()).toBe('sweeping ...\n')
  vi.advanceTimersByTime(2000)
  expect(written()).toBe('  sweeping (1 s)')
  terminal.live('  12 pages')
  terminal.wait('  sweeping')
  vi.advanceTimersByTime(2000)
  expect(written()).toBe('|  12 pages|  12 pages (3 s)')
})

test('a pipe gets no sign, and the text of a live line at most every five seconds', () => {
  const { terminal, written } = screen(false)
  vi.advanceTimersByTime(10_000)
  expect(written()).toBe('')
  terminal.live('one')
  terminal.live('two')
  expect(written()).toBe('one\n')
  vi.advanceTimersByTime(5100)
  terminal.live('three')
  expect(written()).toBe('three\n')
})

test('a step that waits for its next attempt tells why the last one failed', async () => {
  vi.useRealTimers()
  const about = { namespace: 'default', loadedDataConverter: loadedConverter('k'.repeat(32)) }
  const { failureConverter, payloadConverter, payloadCodecs } = about.loadedDataConverter
  const failed = ApplicationFailure.retryable('the lake does not answer', 'lake_lost')
  const { encodedAttributes, ...failure } = failureConverter.errorToFailure(
    failed,
    payloadConverter,
  )
  const of = { type: 'workflow', namespace: 'default', workflowId: 'child' } as const
  const encoded = await payloadCodecs[0]?.encode([encodedAttributes ?? {}], of)
  const lastFailure = { ...failure, encodedAttributes: encoded?.[0] }
  // Temporal still has the last heartbeat of the attempt before.
  const beat = payloadConverter.toPayload({ wait: 'the service asks for a break' })
  const heartbeatDetails = { payloads: await payloadCodecs[0]?.encode([beat], of) }
  const pendingActivities = [{ state: 1, attempt: 3, lastFailure, heartbeatDetails }]
  const describe = vi.fn(() => Promise.resolve({ raw: { pendingActivities } }))
  const getHandle = () => ({ describe })
  const client: object = { options: about, workflow: { getHandle } }
  const said: string[] = []
  let end = () => {}
  const handle: object = {
    query: () => Promise.resolve({ stage: 'reconciling', childId: 'child' }),
    result: () => new Promise<void>((resolve) => (end = resolve)),
  }
  const terminal = { ...screen(false).terminal, say: (line: string) => said.push(line) }
  const watching = watchRun(client as Client, handle as Handle, {
    terminal,
    isLasting: false,
    runs: 1,
  })
  const told = '  the step is tried again, because it failed: the lake does not answer'
  await vi.waitFor(() => expect(describe.mock.calls.length).toBeGreaterThan(3), {
    timeout: 60_000,
  })
  expect(said).toEqual(['reconciling ...', told])
  end()
  await watching
})
