/** A sweep of a list in memory, page by page, without a service and without a clock. */
import type { ReadRecord, Reject } from '../../../api/record/record.ts'
import type { Row } from '../../../api/record/rows.ts'
import {
  nextOffset,
  startState,
  type Part,
  type SweepState,
} from '../../../api/sweep/sweep-state.ts'
import { step } from '../../../api/sweep/sweep-step.ts'
import { sha256 } from '../../../api/sweep/record-marks.ts'

export interface Settlement {
  id: number
  /** Minutes after the beginning of November. */
  created: number
  status?: string
}

export const instant = (minutes: number): string =>
  new Date(Date.UTC(2026, 10, 1) + minutes * 60_000)
    .toISOString()
    .replace('T', ' ')
    .replace('Z', '000')

const rowOf = ({ id, created, status = 'PENDING' }: Settlement): Row => ({
  settlement_id: String(id),
  terminal_id: '7',
  created: instant(created),
  status,
  net_cents: '100',
  net_noise: false,
})

/** A settlement as a sweep receives it. */
export const record = (settlement: Settlement): ReadRecord => ({ row: rowOf(settlement) })

/** A transaction as a sweep receives it, with the minutes of its creation and of its last change. */
export const transaction = (id: number, created: number, modified: number | null): ReadRecord => ({
  row: {
    ...{ transaction_id: String(id), terminal_id: '7', created: instant(created) },
    last_modified: modified === null ? null : instant(modified),
  },
})

/** A settlement that can't be read. */
export const unreadable = (id: number): ReadRecord => ({
  reject: { subject_id: String(id), record_sha256: sha256(String(id)) } as Reject,
})

export interface Driven {
  state: SweepState
  /** Ids in the order in which they were handed over. */
  ids: string[]
  /** The offsets that were requested. */
  offsets: number[]
}

export interface Drive {
  limit?: number
  part?: Part
  /** Changes a page before the sweep takes it. */
  answer?: (page: Parameters<typeof step>[2], request: number) => Parameters<typeof step>[2]
  /** The state to go on from. */
  from?: SweepState
}

/** Reads `list` to the end of the sweep; `list` is the content at the time of each request, counted from 0. */
export function drive(
  list: (request: number) => readonly ReadRecord[],
  { limit = 12, part, answer = (page) => page, from }: Drive = {},
): Driven {
  let state = from ?? startState('2026-11-30T00:00:00.000Z', part)
  const [ids, offsets]: [string[], number[]] = [[], []]
  for (let request = 0; !state.done; request += 1) {
    if (request > 5000) throw new Error('the sweep does not end')
    const offset = nextOffset(state)
    offsets.push(offset)
    const taken = step('settlements', state, answer(pageOf(list(request), offset, limit), request))
    state = taken.state
    ids.push(...taken.rows.map((row) => row.settlement_id ?? row.transaction_id ?? ''))
  }
  return { state, ids, offsets }
}

function pageOf(list: readonly ReadRecord[], offset: number, limit: number) {
  const records = list.slice(offset, offset + limit)
  const hasNext = offset + limit < list.length
  return {
    page: {
      ...{ offset, asked: limit, hasNext, bytes: 100, servedAt: null },
      next: hasNext ? { offset: offset + limit } : undefined,
      bodySha256: sha256(
        JSON.stringify(records.map((one) => ('row' in one ? one.row : one.reject))),
      ),
    },
    records: records.map((one) => ({ ...one })),
    isAhead: false,
  }
}

/** Ids from 1 to `count` as text, in order. */
export const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => String(at + 1))

/** Each id once, in order. */
export const sorted = (ids: Iterable<string>): string[] =>
  [...new Set(ids)].toSorted((a, b) => Number(a) - Number(b))
