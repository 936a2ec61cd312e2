/** The rows of a query as aligned text. */
import type { Answer } from '../../lake/query/answer.ts'

/** The widths follow from this many rows; wider cells that come later stand out. */
const SAMPLE_ROWS = 1000
const WIDEST = 60

type Row = (string | null)[]

/** Yields the header, a rule and every row; numbers are aligned right. Cells are never cut. */
export async function* alignedRows({ columns, rows }: Answer): AsyncGenerator<Uint8Array> {
  const isNumber = columns.map(({ family }) => ['decimal', 'float', 'integer'].includes(family))
  const names = columns.map(({ name }) => name)
  const iterator = rows()
  const sample = await sampleOf(iterator)
  const widths = names.map((name, index) =>
    Math.max(name.length, ...sample.map((row) => Math.min(WIDEST, printed(row[index]).length))),
  )
  const lineOf = (row: Row) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0
        return isNumber[index] === true
          ? printed(cell).padStart(width)
          : printed(cell).padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const textOf = (all: readonly Row[]) => Buffer.from(all.map((row) => `${lineOf(row)}\n`).join(''))
  yield textOf([names, widths.map((width) => '-'.repeat(width)), ...sample])
  for await (const more of iterator) yield textOf(more)
}

async function sampleOf(iterator: AsyncGenerator<Row[]>): Promise<Row[]> {
  const sample: Row[] = []
  while (sample.length < SAMPLE_ROWS) {
    const { done, value } = await iterator.next()
    if (done === true) break
    sample.push(...value)
  }
  return sample
}

/** Puts a cell on one line; a null is shown as an empty cell. */
const printed = (cell: string | null | undefined) => (cell ?? '').replaceAll(/\p{Cc}+/gu, ' ')
