/** Finds how long a list is, or the needed part of it. A few small requests double and then halve the offset. */
import type { List } from '../../domain/run.ts'
import { readRecord } from '../record/record.ts'
import { Refusal } from '../http/refusal.ts'
import type { Source } from '../http/source.ts'
import { agesOf, directionOf } from './sweep-order.ts'

export interface ListLength {
  /** The number of pages, at the page size that the service gives. */
  pages: number
  /** About the number of records: the last page counts as full. */
  records: number
}

export interface LengthOptions {
  /** An instant in the form of records. Records created before it are not needed. Absent: all records are needed. */
  since?: string | undefined
  /** True: the requests go before the pages that a sweep reads ahead. */
  goesFirst?: boolean | undefined
  signal?: AbortSignal | undefined
}

type Pages = Pick<Source, 'hashKey' | 'page' | 'pageSize'>

/** The service is wrong if a list seems longer than this. */
const MOST_PAGES = 2 ** 24

/** Returns undefined if the service refuses the list for all terminals. Throws the Failures of a source. */
export async function listLength(
  source: Pages,
  list: List,
  options: LengthOptions = {},
): Promise<ListLength | undefined> {
  try {
    return await neededLength(source, list, options)
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return undefined
    throw error
  }
}

async function neededLength(
  source: Pages,
  list: List,
  { since, goesFirst, signal }: LengthOptions,
): Promise<ListLength> {
  const head = { offset: 0, limit: source.pageSize(list), goesFirst }
  const read = (sent: readonly unknown[]) =>
    sent.map((record) => readRecord(list, record, source.hashKey))
  const first = await source.page(list, head, signal)
  const records = read(first.records)
  const size = records.length
  const lengthOf = (pages: number) => ({ pages, records: pages * size })
  if (size === 0 || !first.hasNext) return lengthOf(1)
  const createdAt = async (page: number) => {
    const found = await source.page(list, { offset: page * size, limit: 1, goesFirst }, signal)
    return agesOf(read(found.records))[0]?.created
  }
  const pages = await lengthWhere(async (page) => (await createdAt(page)) !== undefined)
  const direction = directionOf(records)
  if (since === undefined || (direction !== 'rises' && direction !== 'falls')) {
    return lengthOf(pages)
  }
  const isNeeded = (created: string | null | undefined) => (created ?? '') >= since
  const isHeadNeeded = isNeeded(agesOf(records)[0]?.created)
  if (direction === 'falls' && !isHeadNeeded) return lengthOf(1)
  if (direction === 'rises' && isHeadNeeded) return lengthOf(pages)
  const like = await lengthWhere(
    async (page) => page < pages && isNeeded(await createdAt(page)) === isHeadNeeded,
  )
  return lengthOf(direction === 'falls' ? like : pages - like + 1)
}

/** Counts the pages from the first one on for which `isSo` is true. The first page must be one of them. */
async function lengthWhere(isSo: (page: number) => Promise<boolean>): Promise<number> {
  let [so, not] = [0, 1]
  while (not < MOST_PAGES && (await isSo(not))) [so, not] = [not, not * 2]
  while (not - so > 1) {
    const middle = Math.floor((so + not) / 2)
    if (await isSo(middle)) so = middle
    else not = middle
  }
  return not
}
