/** Splits a JSON array, or objects that span several lines, into values of one line each. */

/** The text is no JSON from this line on, or it ends within a value. */
export class NotJson extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line} is not JSON`)
    this.line = line
  }
}

/** Takes a text in pieces. Returns the elements of its array, or its consecutive objects. */
export class JsonValues {
  /** The line on which each value begins, in order. */
  readonly lines: number[] = []
  #line = 1
  #depth = 0
  #quote: 'escaped' | 'none' | 'open' = 'none'
  #array: 'absent' | 'closed' | 'open' = 'absent'
  /** The part of the current value that earlier pieces contained. Undefined between two values. */
  #begun: string | undefined
  #from = 0
  #values: string[] = []

  /** Returns the values that end in this piece. */
  take(text: string): string[] {
    this.#values = []
    this.#from = 0
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at)
      if (this.#quote !== 'none') this.#inQuotes(character)
      else this.#outside(character, text, at)
    }
    if (this.#begun !== undefined) this.#begun += text.slice(this.#from)
    return this.#values
  }

  /** Throws NotJson if a value or the array is not closed. */
  end(): void {
    if (this.#begun !== undefined || this.#array === 'open') throw new NotJson(this.#line)
  }

  #inQuotes(character: string): void {
    if (this.#quote === 'escaped') this.#quote = 'open'
    else if (character === '\\') this.#quote = 'escaped'
    else if (character === '"') this.#quote = 'none'
    else if (character < ' ') throw new NotJson(this.#line)
  }

  #outside(character: string, text: string, at: number): void {
    if (character === '\n') this.#line += 1
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') return
    if (this.#depth === 0 && this.#isOfArray(character)) this.#arrayMark(character, text, at)
    else this.#inValue(character, text, at)
  }

  #isOfArray(character: string): boolean {
    const isFirst = this.#array === 'absent' && this.lines.length === 0
    return character === ',' || character === ']' || (character === '[' && isFirst)
  }

  #arrayMark(character: string, text: string, at: number): void {
    if (character === '[') {
      this.#array = 'open'
      return
    }
    const isEmptyArray = character === ']' && this.lines.length === 0
    if (this.#array !== 'open' || (this.#begun === undefined && !isEmptyArray)) {
      throw new NotJson(this.#line)
    }
    if (this.#begun !== undefined) this.#finish(text.slice(this.#from, at))
    if (character === ']') this.#array = 'closed'
  }

  #inValue(character: string, text: string, at: number): void {
    if (this.#begun === undefined) this.#begin(character, at)
    if (character === '"') this.#quote = 'open'
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') this.#depth -= 1
    if (this.#depth < 0) throw new NotJson(this.#line)
    if (this.#depth === 0 && this.#array === 'absent') this.#finish(text.slice(this.#from, at + 1))
  }

  #begin(character: string, at: number): void {
    if (this.#array === 'closed' || (this.#array === 'absent' && character !== '{')) {
      throw new NotJson(this.#line)
    }
    this.lines.push(this.#line)
    this.#begun = ''
    this.#from = at
  }

  #finish(rest: string): void {
    this.#values.push(`${this.#begun ?? ''}${rest}`.replaceAll(/[\r\n]+/g, ' '))
    this.#begun = undefined
  }
}
