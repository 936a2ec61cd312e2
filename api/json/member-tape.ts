const NO_CELLS = new Int32Array()
/** Memory of finished pages. Pages follow one another and are much alike, so that the next page uses it again. */
const spares: Int32Array[] = []
const MAX_SPARES = 4

/**
 * The places of all members of the objects in a JSON text: four cells for each member, in the order of the text. The
 * members inside a member's value follow it, up to the next member of its own object. A member is identified by the
 * index of its first cell.
 */
export class MemberTape {
  /** Cells in use; also the index of the next member. */
  size = 0
  cells: Int32Array

  /** `characters` is the length of the text. */
  constructor(characters: number) {
    const length = 64 + (characters >> 2)
    const spare = spares.pop()
    this.cells = spare !== undefined && spare.length >= length ? spare : new Int32Array(length)
  }

  /** Gives the memory to another text. After this no member of this text is known. */
  release(): void {
    if (this.cells !== NO_CELLS && spares.length < MAX_SPARES) spares.push(this.cells)
    this.cells = NO_CELLS
    this.size = 0
  }

  /** Adds a member with its key: the number of a known key, or the complement of the key's position. */
  begin(key: number): number {
    const member = this.size
    this.size = member + 4
    if (this.size > this.cells.length) this.#grow()
    this.cells[member] = key
    return member
  }

  /** Sets where the member's value begins and ends. All members inside the value have been added before. */
  end(member: number, value: number, valueEnd: number): void {
    const { cells } = this
    cells[member + 1] = value
    cells[member + 2] = valueEnd
    cells[member + 3] = this.size
  }

  #grow(): void {
    const larger = new Int32Array(this.cells.length * 2)
    larger.set(this.cells)
    this.cells = larger
  }
}

/** The number of a member's key, or the complement of the key's position. */
export const keyOf = (cells: Int32Array, member: number): number => cells[member] ?? 0

/** The position of its value. */
export const valueOf = (cells: Int32Array, member: number): number => cells[member + 1] ?? 0

/** The position after its value. */
export const valueEndOf = (cells: Int32Array, member: number): number => cells[member + 2] ?? 0

/** The next member of the same object, or the first member after that object. */
export const nextOf = (cells: Int32Array, member: number): number => cells[member + 3] ?? Infinity
