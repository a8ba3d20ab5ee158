// Names as SDMX allows them in codes and keys: letters, digits, `_` and `-`. A dot, which separates the parts of a key,
// becomes `@`; every other byte becomes `$` and two hex digits. It can be undone, so that no two names become one.

const plain = /^[A-Za-z0-9_-]+$/

export function codeId(name: string): string {
  if (plain.test(name)) return name
  let id = ''
  for (const byte of new TextEncoder().encode(name)) {
    const character = String.fromCharCode(byte)
    if (plain.test(character)) id += character
    else id += character === '.' ? '@' : `$${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return id
}

/** The code for "not applicable", in a dimension that some observations do not need. */
export const notApplicable = '_Z'

/** The name behind a code of `codeId`; null for a text that it cannot have made. */
export function nameOfCode(id: string): string | null {
  if (plain.test(id)) return id
  const bytes: number[] = []
  for (let i = 0; i < id.length; i++) {
    const character = id[i]!
    if (character === '@') bytes.push(46)
    else if (character !== '$') bytes.push(id.charCodeAt(i))
    else {
      bytes.push(Number.parseInt(id.slice(i + 1, i + 3), 16) || 0)
      i += 2
    }
  }
  const name = new TextDecoder().decode(Uint8Array.from(bytes))
  return codeId(name) === id ? name : null
}
