/** How long a list is, found by a few small requests: doubling and halving the offset. */
import type { List } from '../domain/run.ts'
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'

export interface ListLength {
  /** Pages, at the size that the service gives. */
  pages: number
}

/** Longer lists than this are not believed. */
const MOST_PAGES = 2 ** 24

/** Undefined where the service will not give the list of all terminals' records. Throws the Failures of a source. */
export async function listLength(
  source: Pick<Source, 'page' | 'pageSize'>,
  list: List,
  signal?: AbortSignal,
): Promise<ListLength | undefined> {
  try {
    const first = await source.page(list, { offset: 0, limit: source.pageSize(list) }, signal)
    const size = first.records.length
    if (size === 0 || !first.hasNext) return { pages: 1 }
    const isThere = async (page: number) => {
      const { records } = await source.page(list, { offset: page * size, limit: 1 }, signal)
      return records.length > 0
    }
    let [there, gone] = [0, 1]
    while (gone < MOST_PAGES && (await isThere(gone))) [there, gone] = [gone, gone * 2]
    while (gone - there > 1) {
      const middle = Math.floor((there + gone) / 2)
      if (await isThere(middle)) there = middle
      else gone = middle
    }
    return { pages: gone }
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return undefined
    throw error
  }
}
