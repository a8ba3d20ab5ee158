// How Python is written: names, strings, docstrings and comments.

const keywords = new Set([
  'from',
  'in',
  'is',
  'not',
  'or',
  'and',
  'class',
  'def',
  'for',
  'if',
  'import',
  'pass',
  'with',
  'as',
  'global',
  'lambda',
  'yield',
])
const width = 120

/** `knownAt` is `known_at`, and `from` is `from_`. */
export function pythonName(name: string): string {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`).replace(/-/g, '_')
  return keywords.has(snake) ? `${snake}_` : snake
}

export const isPlainName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

export const quoted = (text: unknown) => JSON.stringify(text)

export function capitalised(words: string): string {
  return words.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Lines of a comment or a docstring, as wide as a line may be. */
export function wrapped(text: string, indent: number, mark = ''): string[] {
  const room = width - indent - mark.length
  const lines: string[] = []
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map(line => `${' '.repeat(indent)}${mark}${line}`)
}

export function docstring(text: string, indent: number): string[] {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const lines = wrapped(`"""${safe}`, indent)
  const last = lines.at(-1)!
  return last.length + 3 <= width ? [...lines.slice(0, -1), `${last}"""`] : [...lines, `${' '.repeat(indent)}"""`]
}

export const paragraph = (text: string, indent: number) =>
  wrapped(text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"), indent)
