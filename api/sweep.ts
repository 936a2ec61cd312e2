/** Reads one list from end to end, page by page, and proves how completely. */
import type { List } from '../domain/run.ts'
import { readRecord, type Reject, type Row } from './record.ts'
import type { Source } from './source.ts'
import {
  nextOffset,
  recordId,
  startState,
  step,
  type Start,
  type SweepState,
} from './sweep-state.ts'

export type { SweepState } from './sweep-state.ts'

export interface SweptPage {
  offset: number
  asked: number
  count: number
  firstId: string | null
  lastId: string | null
  bodySha256: string
}

/** Records of some pages and the state to go on from after them. */
export interface SweepBatch {
  rows: Row[]
  rejects: Reject[]
  pages: SweptPage[]
  state: SweepState
  /** When the last of the pages was read, by the service's clock where it tells. */
  observedAt: string
}

export interface SweepOptions {
  /** State of the batch to go on after; undefined begins anew. */
  from?: SweepState | undefined
  /** Where to begin anew; undefined is the head of the list. */
  start?: Start | undefined
  /** A batch ends with the page that reaches so many records. */
  batchRecords: number
  signal?: AbortSignal
  onPage?: (progress: { pages: number; records: number; requests: number }) => void
}

/**
 * Sweeps a list from the state of an earlier batch, or from its beginning. Every batch can be landed by itself; the last
 * one has `state.done` and the certificate. Throws the Failures of a source, next_loop and schema_change.
 */
export async function* sweep(
  source: Source,
  list: List,
  options: SweepOptions,
): AsyncGenerator<SweepBatch> {
  let state = options.from
  let batch = emptyBatch()
  while (state?.done !== true) {
    const before = { ...source.counters }
    const offset = nextOffset(state ?? startState('', options.start))
    const page = await source.page(list, { offset, limit: source.pageSize(list) }, options.signal)
    const records = page.records.map((raw) => readRecord(list, raw, source.hashKey))
    const observedAt = page.servedAt ?? new Date().toISOString()
    const taken = step(list, state ?? startState(observedAt, options.start), { page, records })
    state = {
      ...taken.state,
      requests: taken.state.requests + source.counters.requests - before.requests,
      throttled: taken.state.throttled + source.counters.throttled - before.throttled,
      endedAt: observedAt,
    }
    batch.rows.push(...taken.rows)
    batch.rejects.push(...taken.rejects)
    batch.pages.push(sweptPage(page, records.map(recordId)))
    options.onPage?.(state)
    if (state.done || batch.rows.length + batch.rejects.length >= options.batchRecords) {
      yield { ...batch, state, observedAt }
      batch = emptyBatch()
    }
  }
}

const emptyBatch = (): Pick<SweepBatch, 'rows' | 'rejects' | 'pages'> => ({
  rows: [],
  rejects: [],
  pages: [],
})

function sweptPage(
  page: { offset: number; asked: number; bodySha256: string },
  ids: readonly string[],
): SweptPage {
  return {
    offset: page.offset,
    asked: page.asked,
    count: ids.length,
    firstId: ids[0] ?? null,
    lastId: ids.at(-1) ?? null,
    bodySha256: page.bodySha256,
  }
}
