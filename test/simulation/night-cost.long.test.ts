/** Goal: a night over a long history needs few requests. Method: the real sweep over a list that is made on request. */
import { expect, test } from 'vitest'
import { parseJson } from '../../api/json/json.ts'
import type { Page } from '../../api/http/page.ts'
import { sweep, type SweepState, type SweptSource } from '../../api/sweep/sweep.ts'
import type { Part } from '../../api/sweep/sweep-state.ts'
import { HASH_KEY } from '../unit/api/records.ts'
import { SweptRows } from '../support/swept-rows.ts'

const newRows = () => new SweptRows()

const HISTORY = 2_000_000
const NEW = 20_000
const FIRST_MS = Date.UTC(2024, 0, 1)
/** The list has a transaction every half minute: two million are almost two years. */
const EVERY_MS = 30_000

const instantOf = (n: number) => new Date(FIRST_MS + n * EVERY_MS).toISOString()
const columnOf = (n: number) => `${instantOf(n).replace('T', ' ').replace('Z', '')}000`

/** A transaction as it was made, or as it was changed last when its batch was settled a day later. */
function recordOf(n: number, isSettled = false): unknown {
  const modified = isSettled ? `"lastModified":"${instantOf(n + 2_880)}",` : ''
  return parseJson(
    `{"transactionId":${n + 1},"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"${instantOf(n)}",${modified}"amountTotal":"12.30"}`,
  )
}

interface Growing {
  order: 'rising' | 'falling'
  pageSize: number
  requestsPerNew: number
  isSettled?: boolean
}

/** Requests under way overtake one another by so many places. */
const OVERTAKING = [0, 2, -1, 1]

/** A list that grows while it is read: by one record with every so many requests. */
function growing({ order, pageSize, requestsPerNew, isSettled }: Growing) {
  const counters = { requests: 0, throttled: 0 }
  const source: SweptSource = {
    hashKey: HASH_KEY,
    counters,
    pageSize: () => pageSize,
    async page(_list, { offset, limit }): Promise<Page> {
      counters.requests += 1
      const turn = counters.requests + (OVERTAKING[counters.requests % 4] ?? 0)
      const size = HISTORY + NEW + Math.floor(turn / requestsPerNew)
      const count = Math.max(0, Math.min(limit, size - offset))
      const places = Array.from({ length: count }, (_, at) => offset + at)
      const records = places.map((place) =>
        recordOf(order === 'rising' ? place : size - 1 - place, isSettled),
      )
      return {
        ...{ offset, asked: limit, records, hasNext: offset + count < size, bytes: count * 150 },
        bodySha256: `${offset}/${size}`,
        servedAt: instantOf(size),
      }
    },
  }
  return source
}

async function swept(source: SweptSource, part: Part) {
  const seen = new Set<string>()
  let state: SweepState | undefined
  for await (const batch of sweep(source, 'transactions', {
    part,
    newRows,
    isEnough: (records) => records >= 5_000,
  })) {
    for (const row of batch.rows) seen.add(String(row['transaction_id']))
    ;({ state } = batch)
  }
  return { seen, state }
}

/** The new ones, and a week that is read again. */
const FIRST_NEEDED = HISTORY - (7 * 86_400_000) / EVERY_MS

/** 20,000 a day are one in 170 requests, at 40 requests a second; at night there are fewer. */
const BY_DAY = 170

test.each([
  ['rising', 50, BY_DAY],
  ['rising', 500, BY_DAY],
  ['falling', 50, Infinity],
  ['falling', 50, BY_DAY],
  ['falling', 500, BY_DAY],
] as const)(
  'a night reads little beyond 20,000 new records of two million, %s in created: pages of %i, a new one every %d requests',
  async (order, pageSize, requestsPerNew) => {
    // A page of the night before, the last one that begins before what is needed.
    const offset = Math.floor((FIRST_NEEDED - 1) / pageSize) * pageSize
    const start = { offset, firstId: String(offset + 1), coversFrom: columnOf(offset) }
    const part = order === 'rising' ? { start } : { until: columnOf(FIRST_NEEDED) }
    const source = growing({ order, pageSize, requestsPerNew })
    const { seen, state } = await swept(source, part)

    const { requests } = source.counters
    expect(state).toMatchObject({ certificate: 'CONTIGUOUS', requests })
    const needed = HISTORY + NEW - FIRST_NEEDED
    const missing = Array.from({ length: needed }, (_, at) => String(FIRST_NEEDED + at + 1)).filter(
      (id) => !seen.has(id),
    )
    expect(missing).toEqual([])
    const pages = Math.ceil(needed / pageSize)
    expect(requests).toBeGreaterThanOrEqual(pages)
    expect(requests).toBeLessThanOrEqual(1.1 * pages + 60)
  },
  60_000,
)

const ASKED_FOR = 60_000

test.each([
  ['rising', 50, BY_DAY, false],
  ['rising', 500, BY_DAY, true],
  ['falling', 50, BY_DAY, false],
  ['falling', 500, BY_DAY, true],
] as const)(
  'a first run finds the beginning of its range among two million, %s in created, and reads no more: pages of %i, a new one every %d requests, settled later: %s',
  async (order, pageSize, requestsPerNew, isSettled) => {
    const first = HISTORY + NEW - ASKED_FOR
    const source = growing({ order, pageSize, requestsPerNew, isSettled })
    const { seen, state } = await swept(source, { since: columnOf(first) })

    expect(state).toMatchObject({ certificate: 'CONTIGUOUS' })
    expect(state?.coversFrom?.localeCompare(columnOf(first))).toBeLessThanOrEqual(0)
    const needed = Array.from({ length: ASKED_FOR }, (_, at) => String(first + at + 1))
    expect(needed.filter((id) => !seen.has(id))).toEqual([])
    const pages = Math.ceil(ASKED_FOR / pageSize)
    expect(source.counters.requests).toBeLessThanOrEqual(1.1 * pages + 60)
  },
  60_000,
)

test.each(['rising', 'falling'] as const)(
  'a list that grows by one record with every request is read once and still proved: %s',
  async (order) => {
    const first = HISTORY + NEW - ASKED_FOR
    const source = growing({ order, pageSize: 50, requestsPerNew: 1 })
    const { seen, state } = await swept(source, { since: columnOf(first) })

    expect(state).toMatchObject({ certificate: 'CONTIGUOUS', collect: { number: 1 } })
    const needed = Array.from({ length: ASKED_FOR }, (_, at) => String(first + at + 1))
    expect(needed.filter((id) => !seen.has(id))).toEqual([])
    // Each page brings one record less than its overlap leaves, and the head has grown by the number of requests.
    expect(source.counters.requests).toBeLessThanOrEqual(1.2 * Math.ceil(ASKED_FOR / 50) + 60)
  },
  60_000,
)
