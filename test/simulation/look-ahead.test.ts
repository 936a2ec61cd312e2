import { expect, test } from 'vitest'
import { LookAhead } from '../../api/sweep/prefetch.ts'
import { randomFrom } from '../../simulator/world/random.ts'
import { VirtualClock } from './virtual-clock.ts'

interface Scene {
  clock: VirtualClock
  ahead: LookAhead<{ offset: number; bytes: number; hasNext: boolean }>
  asked: number[]
  aborted: number[]
}

/** A list of so many pages of ten records; the later a page, the sooner its answer. */
function scene(pages: number, more: { failing?: number; bytes?: number } = {}): Scene {
  const clock = new VirtualClock(randomFrom(1, 1))
  const asked: number[] = []
  const aborted: number[] = []
  const ahead = new LookAhead({
    read: async (offset: number, signal: AbortSignal) => {
      asked.push(offset)
      signal.addEventListener('abort', () => aborted.push(offset))
      await clock.sleep(1000 - offset, signal)
      if (offset === more.failing) throw new Error(`no page at ${offset}`)
      return { offset, bytes: more.bytes ?? 1000, hasNext: offset < (pages - 1) * 10 }
    },
  })
  return { clock, ahead, asked, aborted }
}

async function take(from: Scene, offsets: readonly number[], stride = 10): Promise<number[]> {
  const taken: number[] = []
  for (const offset of offsets) taken.push((await from.ahead.take(offset, stride)).page.offset)
  return taken
}

const tens = (count: number) => Array.from({ length: count }, (_, place) => place * 10)

test('pages come in order, each requested once, even if a later answer arrives first', async () => {
  const one = scene(40)
  await one.clock.run(
    take(one, tens(40)).then((taken) => {
      expect(taken).toEqual(tens(40))
      return undefined
    }),
  )
  expect(one.asked.filter((offset) => offset < 400).toSorted((a, b) => a - b)).toEqual(tens(40))
})

test('no page is asked for after one that is known to be the last', async () => {
  const one = scene(3)
  await one.clock.run(take(one, tens(3)))
  expect(one.asked).toEqual(tens(3))
})

test('a failed page read ahead fails when the sweep takes it, and not before', async () => {
  const one = scene(40, { failing: 50 })
  await one.clock.run(
    take(one, tens(5)).then((taken) => {
      expect(taken).toEqual(tens(5))
      expect(one.asked).toContain(50)
      return undefined
    }),
  )
  await one.clock.run(expect(one.ahead.take(50, 10)).rejects.toThrow('no page at 50'))
})

test('a sweep that moves elsewhere cancels the pages read ahead and uses none of them', async () => {
  const one = scene(40)
  await one.clock.run(take(one, tens(6)))
  const before = one.asked.length
  await one.clock.run(
    one.ahead.take(15, undefined).then(({ page, isAhead }) => {
      expect([page.offset, isAhead]).toEqual([15, false])
      return undefined
    }),
  )
  expect(one.aborted.length).toBeGreaterThan(0)
  expect(one.asked.length).toBe(before + 1)
})

test('only a few large pages are read ahead', async () => {
  const one = scene(40, { bytes: 8 * 1024 * 1024 })
  await one.clock.run(take(one, tens(20)))
  expect(Math.max(...one.asked)).toBeLessThanOrEqual(220)
})

test('a sweep that is aborted aborts the pages read ahead', async () => {
  const aborting = new AbortController()
  const seen: AbortSignal[] = []
  const ahead = new LookAhead({
    read: async (offset: number, signal: AbortSignal) => {
      seen.push(signal)
      return { offset, bytes: 1, hasNext: true }
    },
    signal: aborting.signal,
  })
  for (const offset of tens(4)) await ahead.take(offset, 10)
  aborting.abort()
  expect(seen.length).toBeGreaterThan(4)
  expect(seen.every(({ aborted }) => aborted)).toBe(true)
})
