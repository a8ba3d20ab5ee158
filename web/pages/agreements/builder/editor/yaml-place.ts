// Place of the cursor in a document, found from the text alone, so that it works while the text is incomplete: the keys above it
// by indentation, and the braces around it.

interface YamlPlace {
  /** The path of the mapping that the cursor is in; entries of lists are `*`. */
  readonly path: readonly string[]
  /** The key whose value is being typed; null while a key is being typed. */
  readonly key: string | null
  /** The part of the word typed so far, and where it starts. */
  readonly word: string
  readonly from: number
}

interface Level {
  readonly indent: number
  readonly key: string
}

const keyPattern = /^("[^"]*"|'[^']*'|[^\s#&*!|>'"%@`{}[\],:-][^:#{}[\],]*?)\s*:(?=\s|$)/
const quoted = /"[^"]*"|'[^']*'/g
const comment = /(?:^|\s)#.*$/

/** Place at an offset; null inside a comment, and after a value that is closed. */
export function placeAt(text: string, offset: number): YamlPlace | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const line = text.slice(start, offset)
  if (comment.test(line.replace(quoted, ''))) return null
  const { levels, openedAt } = levelsAbove(text.slice(0, start))
  const blockPath = () => levels.map(({ key }) => key)
  if (openedAt !== null) return placeInBraces(blockPath(), text.slice(openedAt, offset), offset)
  const rest = takeLine(levels, line, true)
  if (/^[{[]/.test(rest)) return placeInBraces(blockPath(), rest, offset)
  return placeOf(blockPath(), rest, offset)
}

function placeOf(path: readonly string[], rest: string, offset: number): YamlPlace {
  const written = rest.trimStart()
  const match = keyPattern.exec(written)
  const word = match === null ? written : written.slice(match[0].length).trimStart()
  return { path, key: match === null ? null : bare(match[1]!), word, from: offset - word.length }
}

const bare = (text: string) => text.replace(/^["']|["']$/g, '')

/** The keys that enclose the text after these lines, and where a brace that is still open starts. */
function levelsAbove(above: string): { levels: Level[]; openedAt: number | null } {
  const levels: Level[] = []
  let at = 0
  let depth = 0
  let openedAt: number | null = null
  for (const line of above.split('\n').slice(0, -1)) {
    const isContent = line.trim() !== '' && !line.trimStart().startsWith('#')
    if (depth === 0 && isContent) {
      takeLine(levels, line, false)
      openedAt = at + Math.max(line.search(/[{[]/), 0)
    }
    depth = Math.max(0, depth + braceBalance(line))
    at += line.length + 1
  }
  return { levels, openedAt: depth > 0 ? openedAt : null }
}

/** Updates the levels for a line. On the cursor's own line the last key is not consumed: it is being typed. */
function takeLine(levels: Level[], line: string, isOwn: boolean): string {
  let indent = line.length - line.trimStart().length
  let rest = line.trimStart()
  const close = (isOver: (level: Level) => boolean) => {
    while (levels.length > 0 && isOver(levels.at(-1)!)) levels.pop()
  }
  for (let dash = /^-(?:\s+|$)/.exec(rest); dash !== null; dash = /^-(?:\s+|$)/.exec(rest)) {
    // A list may have the same indentation as its key; a dash closes the previous entry, not the key.
    const own = indent
    close(level => level.indent > own || (level.indent === own && level.key === '*'))
    levels.push({ indent, key: '*' })
    indent += dash[0].length
    rest = rest.slice(dash[0].length)
  }
  const own = indent
  close(level => level.indent >= own)
  const match = keyPattern.exec(rest)
  if (match === null) return rest
  const value = rest.slice(match[0].length).trimStart()
  if (isOwn && !/^[{[]/.test(value)) return rest
  levels.push({ indent, key: bare(match[1]!) })
  return value
}

function braceBalance(line: string): number {
  let depth = 0
  for (const character of line.replace(quoted, '').replace(comment, ''))
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
  return depth
}

interface Brace {
  readonly isList: boolean
  /** Key that it adds to the path. */
  readonly key: string | null
}

function placeInBraces(path: readonly string[], source: string, offset: number): YamlPlace | null {
  const open: Brace[] = []
  let rest = ''
  let quote = ''
  for (const character of source) {
    if (quote !== '') {
      if (character === quote) quote = ''
      rest += character
    } else if (character === '{' || character === '[') {
      const key = keyPattern.exec(rest.trimStart())?.[1]
      const isEntry = open.at(-1)?.isList === true
      open.push({ isList: character === '[', key: isEntry ? '*' : key === undefined ? null : bare(key) })
      rest = ''
    } else if (character === '}' || character === ']') {
      open.pop()
      rest = ''
    } else if (character === ',') rest = ''
    else {
      if (character === '"' || character === "'") quote = character
      rest += character
    }
  }
  if (open.length === 0) return null
  const inside = open.flatMap(({ key }) => (key === null ? [] : [key]))
  return placeOf([...path, ...inside, ...(open.at(-1)!.isList ? ['*'] : [])], rest, offset)
}
