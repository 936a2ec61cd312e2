/**
 * Runs the way of a list from the bytes of its pages to rows in the lake, as a worker does it, without the network.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import { createSweepList } from '../activities/sweep/sweep-list.ts'
import { readPage } from '../api/http/page.ts'
import { Rate } from '../api/rate/rate.ts'
import type { Source } from '../api/http/source.ts'
import { Secret } from '../domain/settings.ts'
import { bodyAt, LIST_URL, type ListOptions } from './ingest-bodies.ts'
import { lakeIn } from './lake.ts'
import { timed, type Took } from './timed.ts'

/** A list in memory. Each page is made on its first request, and stays the same afterwards. */
export class ListInMemory {
  readonly pageSize: number
  readonly #list: ListOptions
  readonly #bodies = new Map<string, Buffer>()
  /** The bodies that were given since the last `forget`, one for each request. */
  given: Buffer[] = []

  constructor(list: ListOptions, pageSize: number) {
    this.#list = list
    this.pageSize = pageSize
  }

  body(offset: number, limit: number): Buffer {
    const key = `${offset}/${limit}`
    const body = this.#bodies.get(key) ?? bodyAt(this.#list, { offset, limit })
    this.#bodies.set(key, body)
    this.given.push(body)
    return body
  }

  forget(): void {
    this.given = []
  }
}

const HEADERS = { 'content-type': 'application/json', date: 'Fri, 20 Nov 2026 04:00:00 GMT' }

/** A source that reads the pages of such a list as if they were answers. */
function sourceOf(list: ListInMemory): Source {
  const counters = { requests: 0, throttled: 0 }
  const never = () => Promise.reject(new Error('not asked for by a sweep of transactions'))
  return {
    hashKey: new Secret('bench'),
    counters,
    rate: new Rate(),
    pageSize: () => list.pageSize,
    async page(_list, { offset, limit }) {
      counters.requests += 1
      const url = new URL(`${LIST_URL}?offset=${offset}&limit=${limit}`)
      return readPage({ status: 200, headers: HEADERS, body: list.body(offset, limit) }, url)
    },
    terminal: never,
    probe: never,
    pardon() {},
    close: async () => {},
  }
}

export interface Ingested extends Took {
  /** The number of rows in the lake. */
  rows: number
  certificate: string
}

/**
 * Sweeps the list into a fresh lake with the activity that a worker runs. The time for opening the lake is not
 * counted.
 */
export async function ingest(list: ListInMemory): Promise<Ingested> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const shared = new SharedLake(lakeIn(folder), () => {})
  try {
    await shared.lake()
    const sweepList = createSweepList(shared, () => sourceOf(list))
    const request = { runId: 'bench', account: 'bench', list: 'transactions', pass: 1 } as const
    list.forget()
    const { result, ...took } = await timed(async () => {
      for (;;) {
        const read = await sweepList(request)
        if (read.done) return read
      }
    })
    return { ...took, rows: result.newVersions, certificate: result.certificate ?? '' }
  } finally {
    await shared.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
