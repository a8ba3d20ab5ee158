// Reads JSON and keeps numbers as written: a number never becomes a float. It accepts exactly what the standard accepts,
// except that a name repeated with a different value is refused, and is built for answers of many megabytes.
import { limits } from '../../limits.ts'

/** A number as written in the text. */
export class JsonNumber {
  readonly literal: string

  constructor(literal: string) {
    this.literal = literal
  }
}

const code = {
  space: 32,
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  upperE: 69,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  lowerE: 101,
  lowerU: 117,
  openBrace: 123,
  closeBrace: 125,
} as const

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Throws a SyntaxError if it is not JSON, and a RangeError if it is nested too deeply. */
export function readJson(text: string): unknown {
  return new JsonReader(text).readWhole()
}

class JsonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readWhole(): unknown {
    const value = this.#readValue(0)
    if (this.#skipBlanks() < this.#text.length) this.#fail('nothing may follow the value')
    return value
  }

  #fail(what: string): never {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text[this.#at]) : 'the end'
    throw new SyntaxError(`${what}, but character ${this.#at} is ${found}`)
  }

  /** The position of the next token. */
  #skipBlanks(): number {
    const text = this.#text
    let at = this.#at
    for (;;) {
      const char = text.charCodeAt(at)
      if (char > code.space || (char !== code.space && char !== 10 && char !== 13 && char !== 9)) break
      at++
    }
    this.#at = at
    return at
  }

  #readValue(depth: number): unknown {
    const at = this.#skipBlanks()
    switch (this.#text.charCodeAt(at)) {
      case code.quote:
        return this.#readString()
      case code.openBrace:
        return this.#readObject(depth + 1)
      case code.openBracket:
        return this.#readArray(depth + 1)
      case 116:
        return this.#readWord('true', true)
      case 102:
        return this.#readWord('false', false)
      case 110:
        return this.#readWord('null', null)
      default:
        return this.#readNumber()
    }
  }

  #readWord<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail(`${word} must be written out`)
    this.#at += word.length
    return value
  }

  #descend(depth: number): void {
    if (depth > limits.jsonDepth) throw new RangeError(`JSON is nested more than ${limits.jsonDepth} deep`)
    this.#at++
  }

  #readArray(depth: number): unknown[] {
    this.#descend(depth)
    const items: unknown[] = []
    if (this.#text.charCodeAt(this.#skipBlanks()) === code.closeBracket) {
      this.#at++
      return items
    }
    for (;;) {
      items.push(this.#readValue(depth))
      const char = this.#text.charCodeAt(this.#skipBlanks())
      if (char !== code.comma && char !== code.closeBracket) this.#fail('a comma or ] must follow an item')
      this.#at++
      if (char === code.closeBracket) return items
    }
  }

  #readObject(depth: number): Record<string, unknown> {
    this.#descend(depth)
    const object: Record<string, unknown> = {}
    if (this.#text.charCodeAt(this.#skipBlanks()) === code.closeBrace) {
      this.#at++
      return object
    }
    for (;;) {
      if (this.#text.charCodeAt(this.#skipBlanks()) !== code.quote) this.#fail('a name in quotes must come next')
      const name = this.#readString()
      if (this.#text.charCodeAt(this.#skipBlanks()) !== code.colon) this.#fail('a colon must follow a name')
      this.#at++
      setMember(object, name, this.#readValue(depth))
      const char = this.#text.charCodeAt(this.#skipBlanks())
      if (char !== code.comma && char !== code.closeBrace) this.#fail('a comma or } must follow a member')
      this.#at++
      if (char === code.closeBrace) return object
    }
  }

  #readString(): string {
    const text = this.#text
    const start = this.#at + 1
    let at = start
    for (;;) {
      const char = text.charCodeAt(at)
      if (char === code.quote) {
        this.#at = at + 1
        return text.slice(start, at)
      }
      if (char === code.backslash) return this.#readEscaped(start, at)
      // NaN at the end of the text.
      if (!(char >= code.space)) {
        this.#at = at
        this.#fail('a text must end with a quote and hold no control characters')
      }
      at++
    }
  }

  #readEscaped(start: number, firstEscape: number): string {
    const text = this.#text
    let result = text.slice(start, firstEscape)
    let at = firstEscape
    for (;;) {
      const char = text.charCodeAt(at)
      if (char === code.quote) {
        this.#at = at + 1
        return result
      }
      this.#at = at
      if (!(char >= code.space)) this.#fail('a text must end with a quote and hold no control characters')
      if (char !== code.backslash) {
        result += text[at]
        at++
      } else if (text.charCodeAt(at + 1) === code.lowerU) {
        const digits = text.slice(at + 2, at + 6)
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail('four hexadecimal digits must follow \\u')
        result += String.fromCharCode(Number.parseInt(digits, 16))
        at += 6
      } else {
        const meant = escapes[text[at + 1] ?? '']
        if (meant === undefined) this.#fail('a backslash must be followed by a valid escape')
        result += meant
        at += 2
      }
    }
  }

  #readNumber(): JsonNumber {
    const text = this.#text
    const start = this.#at
    if (text.charCodeAt(start) === code.minus) this.#at++
    if (text.charCodeAt(this.#at) === code.zero) this.#at++
    else this.#readDigits('a value must come next')
    if (text.charCodeAt(this.#at) === code.dot) {
      this.#at++
      this.#readDigits('a digit must follow the point')
    }
    const mark = text.charCodeAt(this.#at)
    if (mark === code.lowerE || mark === code.upperE) {
      this.#at++
      const sign = text.charCodeAt(this.#at)
      if (sign === code.plus || sign === code.minus) this.#at++
      this.#readDigits('an exponent must have digits')
    }
    return new JsonNumber(text.slice(start, this.#at))
  }

  /** Reads one digit or more. */
  #readDigits(rule: string): void {
    const text = this.#text
    const start = this.#at
    let at = start
    for (;;) {
      const char = text.charCodeAt(at)
      if (!(char >= code.zero && char <= code.nine)) break
      at++
    }
    this.#at = at
    if (at === start) this.#fail(rule)
  }
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    // Plain assignment would change the object's prototype.
    if (Object.hasOwn(object, name)) refuseTwice(name, Object.getOwnPropertyDescriptor(object, name)!.value, value)
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
    return
  }
  if (object[name] !== undefined && Object.hasOwn(object, name)) refuseTwice(name, object[name], value)
  object[name] = value
}

/** Choosing one of two values would be a guess. */
function refuseTwice(name: string, before: unknown, value: unknown): void {
  if (!isSame(before, value))
    throw new SyntaxError(`${JSON.stringify(name.slice(0, 100))} occurs twice with different values`)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof JsonNumber || b instanceof JsonNumber)
    return a instanceof JsonNumber && b instanceof JsonNumber && a.literal === b.literal
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every(name => isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
}
