// From YAML or JSON text to a plain tree in which every scalar is still its own text, so that no digit is lost to a float. It
// knows nothing about formulas, and refuses all that JSON lacks: aliases, tags, several documents.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseAllDocuments } from 'yaml'
import type { Problem } from '../refusal.ts'
import { isStorable, storableRule } from '../text/storable-text.ts'

export type Raw = string | null | readonly Raw[] | RawMap
export type RawMap = ReadonlyMap<string, Raw>

interface RawDocument {
  readonly root: Raw
  readonly problems: readonly Problem[]
  /** The line of the value at a path. */
  readonly lines: ReadonlyMap<string, number>
}

export const maxDocumentLength = 262_144
const maxDepth = 16
const mostBrackets = 100
const mostProblems = 50
/** Lines and items: a formula of a hundred inputs has a few thousand. */
const mostEntries = 20_000

/** Checked on the text itself, because the parser would run out of stack first. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && depth > 0) depth--
    if (depth > mostBrackets) return true
  }
  return /(?:[-?] ){40}/.test(text)
}

/** Also checked on the text, because building the tree takes most of the time. A quoted text is one value. */
function countEntries(text: string): number {
  let count = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' || (character === ',' && !isQuoted)) count++
  }
  return count
}

/** Control characters written out, so that a message stays on its line. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters, to write them out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, found => JSON.stringify(found).slice(1, -1))
}

export function isRawMap(raw: Raw | undefined): raw is RawMap {
  return raw instanceof Map
}

export function isRawList(raw: Raw | undefined): raw is readonly Raw[] {
  return Array.isArray(raw)
}

/** `inputs.steel.lag`, `steps[2].expr`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return path === '' ? printable(key) : `${path}.${printable(key)}`
}

/** A missing key has no line of its own: the line of the mapping it is missing from is used. */
export function nearestLine(path: string, lines: RawDocument['lines']): number | undefined {
  for (let at = path; at !== ''; at = at.replace(/(?:\.[^.[\]]+|\[\d+\])$|^[^.[\]]+$/, '')) {
    const line = lines.get(at)
    if (line !== undefined) return line
  }
  return undefined
}

export function readRaw(text: string): RawDocument {
  if (text.length > maxDocumentLength)
    return refused(`the document has ${text.length} characters; at most ${maxDocumentLength} are read`)
  if (isTooDeep(text)) return refused(`the document is nested more than ${mostBrackets} levels deep`)
  if (countEntries(text) > mostEntries)
    return refused(`the document has more than ${mostEntries} lines and list items; a formula needs far fewer`)
  const lineCounter = new LineCounter()
  // Repeated keys are found below: the parser would compare each key with all others.
  const documents = parseAllDocuments(text, { schema: 'failsafe', lineCounter, uniqueKeys: false, strict: true })
  const document = 'empty' in documents ? undefined : documents[0]
  if (document === undefined || document.contents === null) return refused('the document is empty')
  if (documents.length > 1) return refused('the file has more than one document; write one formula per file')
  const problems: Problem[] = document.errors
    .slice(0, mostProblems)
    .map(error => unreadable(error.linePos?.[0].line ?? 1, firstSentence(error.message)))
  const tree = new TreeReader(lineCounter, problems)
  const root = problems.length > 0 ? null : tree.read(document.contents as ParsedNode, '', 0)
  return { root, problems, lines: tree.lines }
}

function refused(message: string): RawDocument {
  return { root: null, problems: [{ path: '', message }], lines: new Map() }
}

function unreadable(line: number, why: string): Problem {
  return { path: '', message: printable(`line ${line} cannot be read: ${why}`), line }
}

function firstSentence(message: string): string {
  return message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')
}

class TreeReader {
  readonly lines = new Map<string, number>()
  readonly #lineCounter: LineCounter
  readonly #problems: Problem[]

  constructor(lineCounter: LineCounter, problems: Problem[]) {
    this.#lineCounter = lineCounter
    this.#problems = problems
  }

  read(node: ParsedNode | null, path: string, depth: number): Raw {
    if (node === null) return null
    this.lines.set(path, this.#lineCounter.linePos(node.range[0]).line)
    if (depth > maxDepth) return this.#refuse(path, `nested more than ${maxDepth} levels deep`)
    if (isAlias(node)) return this.#refuse(path, 'anchors and aliases (* and &) are not read; write the value out')
    if (node.tag?.startsWith('!') === true) return this.#refuse(path, `the tag ${node.tag} is not read`)
    if (isScalar(node)) return this.#readScalar(String(node.value), node.type, path)
    if (isSeq(node)) return node.items.map((item, i) => this.read(item as ParsedNode, joinPath(path, i), depth + 1))
    if (!isMap(node)) return this.#refuse(path, 'neither a value, a list nor a mapping')
    const map = new Map<string, Raw>()
    for (const { key, value } of node.items) {
      if (!isScalar(key)) this.#refuse(path, 'a key must be a plain word')
      else if (!isStorable(String(key.value))) this.#refuse(path, `a key ${storableRule}`)
      else if (map.has(String(key.value))) {
        const { line } = this.#lineCounter.linePos((key as ParsedNode).range[0])
        this.#problems.push(unreadable(line, 'Map keys must be unique'))
      } else
        map.set(String(key.value), this.read(value as ParsedNode | null, joinPath(path, String(key.value)), depth + 1))
    }
    return map
  }

  #readScalar(text: string, type: string | null | undefined, path: string): Raw {
    return isStorable(text) ? readScalar(text, type) : this.#refuse(path, storableRule)
  }

  #refuse(path: string, message: string): null {
    this.#problems.push({ path, message })
    return null
  }
}

function readScalar(text: string, type: string | null | undefined): Raw {
  const plain = type === 'PLAIN' || type === undefined || type === null
  return plain && (text === '' || text === '~' || text === 'null') ? null : text
}
