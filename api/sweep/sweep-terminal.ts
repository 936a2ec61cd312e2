/** Reads one terminal by its id, as a sweep of one page. */
import { Failure } from '../../domain/failure.ts'
import { countNames } from '../record/unknown-fields.ts'
import { readRecord } from '../record/record.ts'
import type { Row } from '../record/rows.ts'
import type { Source } from '../http/source.ts'
import type { SweepBatch } from './sweep.ts'
import { recordId, sha256 } from './record-marks.ts'
import { startState } from './sweep-state.ts'

/**
 * Requests the terminal and returns a certified batch. A single answer is read at one moment, so that nothing can be
 * missed. Throws the Failures of a source.
 */
export async function sweepTerminal(
  source: Pick<Source, 'counters' | 'hashKey' | 'terminal'>,
  terminalId: string,
  signal?: AbortSignal,
): Promise<SweepBatch<Row[]>> {
  const before = { ...source.counters }
  const { records: raw, ...page } = await source.terminal(terminalId, signal)
  const records = raw.map((record) => readRecord('terminals', record, source.hashKey))
  const rows = records.flatMap((record) => ('row' in record ? [record.row] : []))
  const rejects = records.flatMap((record) => ('reject' in record ? [record.reject] : []))
  if (rows.some((row) => row.terminal_id !== terminalId)) {
    throw new Failure('page_unreadable', `another terminal was answered than ${terminalId}`)
  }
  const observedAt = page.servedAt ?? new Date().toISOString()
  const [id = null] = records.map(recordId)
  return {
    rows,
    rejects,
    pages: [
      { offset: 0, asked: 1, count: 1, firstId: id, lastId: id, bodySha256: page.bodySha256 },
    ],
    state: {
      ...startState(observedAt, {}, true),
      ...{ done: true, pages: 1, records: 1, quarantined: rejects.length },
      requests: source.counters.requests - before.requests,
      throttled: source.counters.throttled - before.throttled,
      bodiesSha256: sha256(page.bodySha256),
      unknownNames: countNames({}, records),
      endedAt: observedAt,
      certificate: 'SNAPSHOT',
    },
    observedAt,
  }
}
