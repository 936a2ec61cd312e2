const NO_TAPE = new Int32Array()
/** Pages come one after the other and are much alike: memory that is used again needs nobody to clear and to collect it. */
const spares: Int32Array[] = []
const MOST_SPARES = 4

/**
 * Where the members of the objects of a JSON text stand: a tape of numbers, four for each member, in the order of the
 * text. The members of a member's value follow it, up to the member that comes next in its own object. A member is
 * named by its place on the tape.
 */
export class Members {
  /** How much of the tape is written; also the place of the next member. */
  size = 0
  tape: Int32Array

  /** `characters` is the length of the text. */
  constructor(characters: number) {
    const length = 64 + (characters >> 2)
    const spare = spares.pop()
    this.tape = spare !== undefined && spare.length >= length ? spare : new Int32Array(length)
  }

  /** Gives the tape to another text: of this one no member is known any more. */
  giveBack(): void {
    if (this.tape !== NO_TAPE && spares.length < MOST_SPARES) spares.push(this.tape)
    this.tape = NO_TAPE
    this.size = 0
  }

  /** Notes the key of a member: its number, or the complement of where it begins. */
  begin(key: number): number {
    const member = this.size
    this.size = member + 4
    if (this.size > this.tape.length) this.#grow()
    this.tape[member] = key
    return member
  }

  /** Notes where its value begins and ends, once all that is in it was noted. */
  end(member: number, value: number, valueEnd: number): void {
    const { tape } = this
    tape[member + 1] = value
    tape[member + 2] = valueEnd
    tape[member + 3] = this.size
  }

  #grow(): void {
    const larger = new Int32Array(this.tape.length * 2)
    larger.set(this.tape)
    this.tape = larger
  }
}

/** The number of a member's key; where it has none, the complement of where the key begins. */
export const keyOf = (tape: Int32Array, member: number): number => tape[member] ?? 0

/** Where its value begins. */
export const valueOf = (tape: Int32Array, member: number): number => tape[member + 1] ?? 0

/** Where its value ends. */
export const valueEndOf = (tape: Int32Array, member: number): number => tape[member + 2] ?? 0

/** The member after it in the same object, or the first that is not in that object. */
export const nextOf = (tape: Int32Array, member: number): number => tape[member + 3] ?? Infinity
