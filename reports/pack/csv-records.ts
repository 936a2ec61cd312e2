/** Cuts the text of a pack's CSV file into records, and a record into cells. */

/** Cuts a stream of text into CSV records, at each CRLF outside quotes. */
export class RecordReader {
  #rest = ''

  rest(): string {
    return this.#rest
  }

  *feed(text: string): Generator<string> {
    const buffer = this.#rest + text
    let start = 0
    let end = buffer.indexOf('\r\n')
    while (end !== -1) {
      const record = buffer.slice(start, end)
      // An odd number of quotes: this line end is inside a cell.
      if (record.includes('"') && (record.split('"').length - 1) % 2 === 1) {
        end = buffer.indexOf('\r\n', end + 2)
        continue
      }
      yield record
      start = end + 2
      end = buffer.indexOf('\r\n', start)
    }
    this.#rest = buffer.slice(start)
  }
}

/** Returns the cells of a record, without their quotes. */
export function cellsOf(record: string): string[] {
  if (!record.includes('"')) return record.split(',')
  const cells: string[] = []
  const cell = /,(?:"((?:[^"]|"")*)"|([^",]*))/gy
  // With a comma before it, the first cell is like all others. No match is empty, even if the cell is.
  const text = `,${record}`
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (cell.lastIndex === text.length) return cells
  }
  // The rest is no CSV: one cell too many makes the row fail.
  return [...cells, '', '']
}
