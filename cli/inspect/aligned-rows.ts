/** An answer as aligned text, for people. */
import type { Answer } from '../../lake/query/answer.ts'

/** So many rows are looked at before the widths are settled; later cells that are wider stand out. */
const SAMPLE_ROWS = 1000
const WIDEST = 60

type Row = (string | null)[]

/** The header, a rule, the rows; numbers to the right. Nothing is left out and nothing is cut off. */
export async function* alignedRows({ columns, rows }: Answer): AsyncGenerator<Uint8Array> {
  const isNumber = columns.map(({ family }) => ['decimal', 'float', 'integer'].includes(family))
  const names = columns.map(({ name }) => name)
  const iterator = rows()
  const sample = await sampleOf(iterator)
  const widths = names.map((name, place) =>
    Math.max(name.length, ...sample.map((row) => Math.min(WIDEST, printed(row[place]).length))),
  )
  const lineOf = (row: Row) =>
    row
      .map((cell, place) => {
        const width = widths[place] ?? 0
        return isNumber[place] === true
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

/** On one line, whatever it holds; nothing is shown as nothing. */
const printed = (cell: string | null | undefined) => (cell ?? '').replaceAll(/\p{Cc}+/gu, ' ')
