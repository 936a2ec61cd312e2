/** Reads and writes the table of docs/scoreboard.md: one row for each proof, found by the name in its first cell. */

/** Puts a row into the page's table: in place of the row with the same name, else at its end. */
export function withRow(page: string, cells: readonly string[]): string {
  const row = `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  const lines = page.split('\n')
  const isRow = (line: string) => line.startsWith('|')
  const last = lines.findLastIndex(isRow)
  if (last < 0) throw new Error('the page has no table')
  const at = lines.findIndex((line) => line.startsWith(`| ${cells[0]} |`))
  if (at < 0) return lines.toSpliced(last + 1, 0, row).join('\n')
  return lines.with(at, row).join('\n')
}
