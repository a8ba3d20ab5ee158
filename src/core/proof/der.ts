// DER, as far as time stamps and certificates need it: elements that follow each other, and what is inside one. Strict: a length has
// one spelling.

export interface Element {
  readonly tag: number
  readonly body: Uint8Array<ArrayBuffer>
  /** With tag and length. */
  readonly raw: Uint8Array<ArrayBuffer>
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  object: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  ia5: 0x16,
  shortTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Context-specific, constructed. */
  first: 0xa0,
  fourth: 0xa3,
} as const

/** Null for bytes that are none. */
export function elementsIn(bytes: Uint8Array<ArrayBuffer>): Element[] | null {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at + 1)
    if (length === null || length.end + length.value > bytes.length) return null
    const end = length.end + length.value
    found.push({ tag: bytes[at]!, body: bytes.subarray(length.end, end), raw: bytes.subarray(at, end) })
    at = end
  }
  return found
}

function lengthAt(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { value: first, end: at + 1 }
  const count = first - 0x80
  const digits = bytes.subarray(at + 1, at + 1 + count)
  if (count === 0 || count > 4 || digits.length < count || digits[0] === 0) return null
  const value = digits.reduce((total, byte) => total * 256 + byte, 0)
  return value < 0x80 ? null : { value, end: at + 1 + count }
}

/** What is in an element of that tag; null for any other. */
export function inside(element: Element | undefined, tag: number): Element[] | null {
  return element?.tag === tag ? elementsIn(element.body) : null
}

/** Of an element of that tag; null for any other. */
export function bodyOf(element: Element | undefined, tag: number): Uint8Array<ArrayBuffer> | null {
  return element?.tag === tag ? element.body : null
}

/** The one element that bytes are; null for none or several. */
export function onlyElement(bytes: Uint8Array<ArrayBuffer>): Element | null {
  const found = elementsIn(bytes)
  return found?.length === 1 ? found[0]! : null
}

export function isObject(element: Element | undefined, dotted: string): boolean {
  const body = bodyOf(element, tags.object)
  return body !== null && hexOf(body) === hexOfObject(dotted)
}

/** The algorithm of a table by which something is made; null for any other. */
export function algorithmIn<T>(element: Element | undefined, known: Readonly<Record<string, T>>): T | null {
  const [object] = inside(element, tags.sequence) ?? []
  return Object.entries(known).find(([dotted]) => isObject(object, dotted))?.[1] ?? null
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function hexOfObject(dotted: string): string {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  const inSevens = (value: number): number[] =>
    value < 128 ? [value] : [...inSevens(Math.floor(value / 128)).map(byte => byte | 0x80), value % 128]
  return hexOf(Uint8Array.from([first! * 40 + second!, ...rest.flatMap(inSevens)]))
}
