// JSON read without any leniency, for text whose exact content was hashed or signed. One value has one meaning here: a
// repeated key, a number that is not whole, a lone surrogate, trailing text, too much nesting or too many values are refused with
// their place.

import { Refusal } from '../refusal.ts'
import type { Json } from './canonical-json.ts'

interface JsonBounds {
  /** Counted in UTF-16 code units. */
  readonly length: number
  readonly depth: number
  /** Values of all kinds, at all depths; keys do not count. */
  readonly values?: number
}

/** A text of two characters for each value takes ninety times its length in memory: its length alone bounds nothing. */
const mostValues = 1_000_000

/** `what` is the thing that is read, such as `the receipt`. */
export function readStrictJson(text: string, what: string, bounds: JsonBounds): Json {
  if (text.length > bounds.length)
    throw new Refusal('too-large', `${what} is too large: ${text.length} characters, at most ${bounds.length}`)
  return new StrictReader(text, what, bounds).read()
}

const [blank, tab, lineFeed, carriageReturn] = [32, 9, 10, 13]
const wholeNumber = /-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y
const word = /true|false|null/y

const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

class StrictReader {
  readonly #text: string
  readonly #what: string
  readonly #mostDepth: number
  readonly #mostValues: number
  #at = 0
  #values = 0

  constructor(text: string, what: string, { depth, values }: JsonBounds) {
    this.#text = text
    this.#what = what
    this.#mostDepth = depth
    this.#mostValues = values ?? mostValues
  }

  read(): Json {
    const value = this.#value(0)
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#refuse('there is text after its end')
    return value
  }

  #refuse(why: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length
    throw new Refusal('invalid', `${this.#what} cannot be read as strict JSON: ${why} (line ${line})`)
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at = pattern.lastIndex
    return found[0]
  }

  /** Written by hand, because it runs twice for each value and most have no space before them. */
  #skipSpace(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== blank && code !== lineFeed && code !== tab && code !== carriageReturn) return
    }
  }

  /** Consumes the next character if it is this one, and says whether it was. */
  #takes(character: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #value(depth: number): Json {
    if (depth > this.#mostDepth) this.#refuse(`it is nested deeper than ${this.#mostDepth}`)
    if (++this.#values > this.#mostValues) this.#refuse(`it holds more than ${this.#mostValues} values`)
    this.#skipSpace()
    const first = this.#text[this.#at]
    if (first === '{') return this.#mapping(depth)
    if (first === '[') return this.#list(depth)
    if (first === '"') return this.#string()
    return this.#wordOrNumber()
  }

  #wordOrNumber(): Json {
    const known = this.#match(word)
    if (known !== null) return words[known]!
    const digits = this.#match(wholeNumber)
    if (digits === null) this.#refuse('a value is missing, or a number is not whole')
    const number = Number.parseInt(digits, 10)
    if (!Number.isSafeInteger(number) || Object.is(number, -0)) this.#refuse(`${digits} is not a number it may hold`)
    return number
  }

  #string(): string {
    const from = this.#at
    const end = this.#endOfString()
    const written = this.#text.slice(from, end)
    const read = written.includes('\\') ? this.#unescape(written) : written.slice(1, -1)
    if (!read.isWellFormed()) this.#refuse('a text contains half of a character (a lone surrogate)')
    this.#at = end
    return read
  }

  /**
   * The position after the closing quotation mark. Scanned by hand: a regular expression over megabytes of text runs
   * out of stack.
   */
  #endOfString(): number {
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const character = this.#text[at]!
      if (character === '"') return at + 1
      if (character < ' ') this.#refuse('a text contains a control character')
      if (character === '\\') at++
    }
    return this.#refuse('a text is not closed')
  }

  #unescape(written: string): string {
    try {
      return JSON.parse(written) as string
    } catch {
      return this.#refuse('a text has an unknown escape')
    }
  }

  #list(depth: number): readonly Json[] {
    this.#at++
    const items: Json[] = []
    if (this.#takes(']')) return items
    do items.push(this.#value(depth + 1))
    while (this.#takes(','))
    if (!this.#takes(']')) this.#refuse('a list is not closed')
    return items
  }

  #mapping(depth: number): { readonly [key: string]: Json } {
    this.#at++
    if (this.#takes('}')) return {}
    const entries = new Map<string, Json>()
    do {
      this.#skipSpace()
      if (this.#text[this.#at] !== '"') this.#refuse('a key is missing')
      const key = this.#string()
      if (entries.has(key)) this.#refuse(`the key ${JSON.stringify(key)} is repeated`)
      if (!this.#takes(':')) this.#refuse(`a colon is missing behind the key ${JSON.stringify(key)}`)
      entries.set(key, this.#value(depth + 1))
    } while (this.#takes(','))
    if (!this.#takes('}')) this.#refuse('a mapping is not closed')
    // Plain assignment would not do: `__proto__` is a key like any other.
    return Object.fromEntries(entries)
  }
}
