/** Finds the name that a mistyped one most likely stands for; undefined if none is close. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, edits: editsBetween(typed.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best !== undefined && best.edits <= Math.max(2, typed.length / 3) ? best.name : undefined
}

/** Counts the letters to insert, delete or replace. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Returns `did you mean X?` for a mistyped name, or the other hint if no name is close. */
export function nearestHint(typed: string, names: readonly string[], other: string): string {
  const nearest = nearestName(typed, names)
  return nearest === undefined ? other : `did you mean ${nearest}?`
}
