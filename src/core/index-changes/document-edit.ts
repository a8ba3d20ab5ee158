// Changes single values of a YAML or JSON text and leaves every other byte as it is: comments, order, digits, spacing.
import { isCollection, isMap, isPair, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { isRawList, isRawMap, type Raw } from '../formula/raw.ts'

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

export class DocumentEdit {
  readonly #text: string
  readonly #root: YAMLMap
  readonly #eol: string
  readonly #edits: Edit[] = []

  /** The tree of a text that was checked before; several edits of one text begin with it. */
  static parse(text: string): YAMLMap {
    const { contents } = parseDocument(text, { schema: 'failsafe' })
    if (!isMap(contents)) throw new Error('not a mapping')
    return contents
  }

  constructor(text: string, root = DocumentEdit.parse(text)) {
    this.#text = text
    this.#root = root
    this.#eol = text.includes('\r\n') ? '\r\n' : '\n'
  }

  /** A key that is missing is added behind another of the same mapping. */
  set(path: readonly string[], value: Raw, behind: string): void {
    const { map, pair } = this.#find(path)
    const before = pairOf(map, behind)
    const isQuoted = isScalar(before?.key) && before.key.type === 'QUOTE_DOUBLE'
    const written = flowText(value, isQuoted)
    if (pair !== null) {
      const key = pair.key as Node
      this.#edits.push({ from: key.range![1], to: endOf(pair), text: `: ${written}` })
      return
    }
    if (before === null) throw new Error(`no key ${behind}`)
    const name = path.at(-1)!
    const entry = `${isQuoted ? JSON.stringify(name) : name}: ${written}`
    const end = endOf(before)
    if (map.flow === true) {
      this.#edits.push({ from: end, to: end, text: `, ${entry}` })
      return
    }
    const at = this.#lineEnd(end)
    this.#edits.push({ from: at, to: at, text: `${this.#eol}${this.#indentOf(before)}${entry}` })
  }

  remove(path: readonly string[]): void {
    const { map, pair } = this.#find(path)
    if (pair === null) return
    const place = map.items.indexOf(pair)
    const [before, after] = [map.items[place - 1], map.items[place + 1]]
    const start = (pair.key as Node).range![0]
    if (map.flow !== true) {
      const lineStart = this.#text.lastIndexOf('\n', start - 1) + 1
      this.#edits.push({
        from: lineStart,
        to: Math.min(this.#lineEnd(endOf(pair)) + this.#eol.length, this.#text.length),
        text: '',
      })
    } else if (before !== undefined) this.#edits.push({ from: endOf(before), to: endOf(pair), text: '' })
    else if (after !== undefined) this.#edits.push({ from: start, to: (after.key as Node).range![0], text: '' })
    else this.#edits.push({ from: start, to: endOf(pair), text: '' })
  }

  finish(): string {
    const edits = this.#edits.toSorted((a, b) => b.from - a.from)
    return edits.reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), this.#text)
  }

  #find(path: readonly string[]): { readonly map: YAMLMap; readonly pair: Pair | null } {
    let map = this.#root
    for (const key of path.slice(0, -1)) {
      const value = pairOf(map, key)?.value
      if (!isMap(value)) throw new Error(`no mapping at ${path.join('.')}`)
      map = value
    }
    return { map, pair: pairOf(map, path.at(-1)!) }
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at)
    if (end < 0) return this.#text.length
    return this.#text[end - 1] === '\r' ? end - 1 : end
  }

  #indentOf(pair: Pair): string {
    const start = (pair.key as Node).range![0]
    return ' '.repeat(start - this.#text.lastIndexOf('\n', start - 1) - 1)
  }
}

function pairOf(map: YAMLMap, key: string): Pair | null {
  return map.items.find(item => isScalar(item.key) && String(item.key.value) === key) ?? null
}

/** The end of a node, without a comment behind it. */
function endOf(node: unknown): number {
  if (isPair(node)) return node.value === null ? endOf(node.key) : endOf(node.value)
  const last = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined
  return last === undefined ? (node as Node).range![1] : endOf(last)
}

const plainWord = /^[A-Za-z][\w./+-]*$/
const plainFigure = /^\d[\d.Q-]*$/

function flowText(raw: Raw, isQuoted: boolean): string {
  if (raw === null) return 'null'
  if (isRawList(raw)) return `[${raw.map(each => flowText(each, isQuoted)).join(', ')}]`
  if (isRawMap(raw)) {
    const entries = [...raw].map(
      ([key, value]) => `${isQuoted ? JSON.stringify(key) : key}: ${flowText(value, isQuoted)}`,
    )
    return `{ ${entries.join(', ')} }`
  }
  if (isQuoted) return /^(0|[1-9]\d*)(\.\d+)?$/.test(raw) ? raw : JSON.stringify(raw)
  return plainWord.test(raw) || plainFigure.test(raw) ? raw : JSON.stringify(raw)
}
