/** Bytes that are searched for often, prepared so that four of them are compared at once. */

export interface BytePattern {
  readonly length: number
  /** The bytes in whole groups of four. */
  readonly fours: readonly number[]
  /** The last four bytes, or all bytes of a shorter pattern. */
  readonly last: number
}

/** The pattern of the bytes from `from` to before `to`. */
export function patternAt(bytes: DataView, from: number, to: number): BytePattern {
  const length = to - from
  const fours = Array.from({ length: length >> 2 }, (_, n) => bytes.getUint32(from + 4 * n))
  return { length, fours, last: length < 4 ? fewAt(bytes, from, to) : bytes.getUint32(to - 4) }
}

/** True if the bytes from `at` on are those of the pattern. */
export function matchesAt(
  bytes: DataView,
  at: number,
  { length, fours, last }: BytePattern,
): boolean {
  const end = at + length
  if (end > bytes.byteLength) return false
  if (length < 4) return fewAt(bytes, at, end) === last
  for (let n = 0; n < fours.length; n += 1) {
    if (bytes.getUint32(at + 4 * n) !== fours[n]) return false
  }
  return bytes.getUint32(end - 4) === last
}

function fewAt(bytes: DataView, from: number, to: number): number {
  let few = 0
  for (let at = from; at < to; at += 1) few = few * 256 + bytes.getUint8(at)
  return few
}
