/** Returns each row as a line with cells of equal width; the columns in `numbers` are aligned right. */
export function alignedTable(
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, at) =>
        numbers.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
