// The formula document as the builder keeps it: as text. The text is read the way the engine reads it, every scalar digit for
// digit, and a change in the form changes that text and leaves the comments, order and layout around it alone.
import { type Document, isMap, isScalar, isSeq, type Node, Pair, parseDocument, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { rawToJson } from '../../../../../src/core/formula/canonical.ts'
import { isRawList, isRawMap, type Raw, type RawMap, readRaw } from '../../../../../src/core/formula/raw.ts'
import { carryOver } from '../../../../components/words/line-diff.ts'
import { nameOf, specsIn } from '../editor/vocabulary.ts'

export type Path = readonly (string | number)[]

/** A value to put into a document: text, or lists and mappings of text. */
export type Plain = string | readonly Plain[] | { readonly [key: string]: Plain }

export interface OpenDocument {
  readonly text: string
  /** Empty if the text cannot be parsed. */
  readonly root: RawMap
  /** Why it cannot be shown as a form, in words; null if it can. */
  readonly unreadable: string | null
}

export function openDocument(text: string): OpenDocument {
  const { root, problems } = readRaw(text)
  if (problems.length > 0) return { text, root: new Map(), unreadable: problems[0]!.message }
  if (!isRawMap(root)) return { text, root: new Map(), unreadable: 'the document is not a mapping with a slug' }
  return { text, root, unreadable: null }
}

export function rawAt(root: Raw | undefined, path: Path): Raw | undefined {
  let here: Raw | undefined = root
  for (const key of path) {
    if (isRawMap(here)) here = here.get(key.toString())
    else if (isRawList(here) && typeof key === 'number') here = here[key]
    else return undefined
  }
  return here
}

/** The scalar at a path; empty if there is none. */
export function textAt(root: Raw | undefined, path: Path): string {
  const raw = rawAt(root, path)
  return typeof raw === 'string' ? raw : ''
}

export function hasAt(root: Raw | undefined, path: Path): boolean {
  return rawAt(root, path) != null
}

/** The keys of the mapping at a path, in the document's order. */
export function keysAt(root: Raw | undefined, path: Path): readonly string[] {
  const raw = rawAt(root, path)
  return isRawMap(raw) ? [...raw.keys()] : []
}

export function listAt(root: Raw | undefined, path: Path): readonly Raw[] {
  const raw = rawAt(root, path)
  return isRawList(raw) ? raw : []
}

/** Path as problems write it: `inputs.steel.links[0].series`. */
export function formatPath(path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )
}

const layout = { lineWidth: 120, flowCollectionPadding: true } as const

type Editable = Document<Node, true> | Document<Node, false>

function parse(source: string): Editable | null {
  const document = parseDocument<Node>(source, { schema: 'failsafe', uniqueKeys: true, strict: true })
  return document.errors.length > 0 ? null : document
}

/** Words and numbers that need no quotes anywhere in YAML. */
const safePlain = /^(?:-?[0-9][0-9.]*|[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]| (?! ))*[\p{L}\p{N}_])$/u

/** By far the most common change: one plain word for another, touching only that word. Null for any other change. */
function replaceWord(source: string, path: Path, value: string): string | null {
  if (!safePlain.test(value) || readsAsNothing(value)) return null
  const node = parse(source)?.getIn(path, true)
  if (!isScalar(node) || node.type !== Scalar.PLAIN || node.range == null) return null
  const [start, end] = node.range
  return source.slice(start, end) === node.value ? source.slice(0, start) + value + source.slice(end) : null
}

/** Changes the text in all other ways. Unchanged parts keep their layout; text that cannot be parsed stays as it is. */
function changeText(text: string, change: (document: Editable) => void): string {
  const source = text.replaceAll('\r\n', '\n')
  const document = parse(source)
  if (document === null) return text
  const before = document.toString(layout)
  change(document)
  const after = document.toString(layout)
  if (before === after) return text
  // Reformat as little as possible: single lines, or else blocks of lines, or else everything.
  for (const finely of [true, false]) {
    const carried = carryOver(before, source, after, finely)
    if (saysTheSame(carried, after)) return carried
  }
  return after
}

function saysTheSame(one: string, other: string): boolean {
  const [a, b] = [readRaw(one), readRaw(other)]
  return (
    a.problems.length === b.problems.length && JSON.stringify(rawToJson(a.root)) === JSON.stringify(rawToJson(b.root))
  )
}

/** Sets the value at a path and creates missing mappings on the way; null removes the value. */
export function setAt(text: string, path: Path, value: Plain | null): string {
  const replaced = typeof value === 'string' ? replaceWord(text, path, value) : null
  if (replaced !== null) return replaced
  return changeText(text, document => {
    if (value === null) removeFrom(document, path)
    else putInto(document, path, value)
  })
}

export function setAll(text: string, changes: readonly (readonly [Path, Plain | null])[]): string {
  return changes.reduce((changed, [path, value]) => setAt(changed, path, value), text)
}

/** Renames a key of a mapping and keeps its position. */
export function renameAt(text: string, path: Path, name: string): string {
  return changeText(text, document => {
    const pair = pairOf(nodeAt(document, path.slice(0, -1)), path.at(-1)!.toString())
    if (pair !== undefined && isScalar(pair.key)) pair.key.value = name
  })
}

export function moveAt(text: string, path: Path, from: number, to: number): string {
  return changeText(text, document => {
    const list = nodeAt(document, path)
    if (!isSeq(list) || to < 0 || to >= list.items.length) return
    const [item] = list.items.splice(from, 1)
    if (item !== undefined) list.items.splice(to, 0, item)
  })
}

export function addTo(text: string, path: Path, value: Plain): string {
  return changeText(text, document => {
    const list = nodeAt(document, path)
    if (isSeq(list)) list.items.push(nodeOf(value, [...path, list.items.length], list.flow === true))
    else putInto(document, path, [value])
  })
}

function nodeAt(document: Editable, path: Path): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true)
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}

function pairOf(node: unknown, key: string): Pair | undefined {
  return isMap(node) ? (node.items as Pair[]).find(pair => keyText(pair.key) === key) : undefined
}

function removeFrom(document: Editable, path: Path): void {
  document.deleteIn(path)
  const parentPath = path.slice(0, -1)
  const parent = nodeAt(document, parentPath)
  const isEmpty = (isMap(parent) || isSeq(parent)) && parent.items.length === 0
  if (!isEmpty || parentPath.length === 0) return
  // These keys are required, even if empty; any other parent that becomes empty is removed.
  if (parentPath.length === 1 && ['contract', 'inputs', 'clause'].includes(keyText(parentPath[0]))) return
  removeFrom(document, parentPath)
}

function putInto(document: Editable, path: Path, value: Plain): void {
  if (!isMap(document.contents)) document.contents = new YAMLMap() as never
  let here: unknown = document.contents
  path.forEach((key, depth) => {
    const isLast = depth === path.length - 1
    const below = path.slice(0, depth + 1)
    const current = childOf(here, key)
    if (isLast) {
      if (!reconcile(current, value, below)) place(here, key, nodeOf(value, below, isFlow(here)), below)
      return
    }
    if (isMap(current) || isSeq(current)) here = current
    else {
      const made = typeof path[depth + 1] === 'number' ? new YAMLSeq() : new YAMLMap()
      made.flow = isFlow(here) || !isBlock(below)
      place(here, key, made, below)
      here = made
    }
  })
}

function isFlow(node: unknown): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true
}

function childOf(parent: unknown, key: string | number): unknown {
  if (isSeq(parent) && typeof key === 'number') return parent.items[key]
  return pairOf(parent, key.toString())?.value
}

/** Whether a new value is spread over several lines; smaller ones go in braces on one line. */
function isBlock(path: Path): boolean {
  if (path.length === 1) return true
  if (path[0] === 'inputs') return path.length === 2
  if (path[0] === 'tables') return path.length === 2
  return path[0] === 'steps' && path.length === 2
}

/** Updates an existing node to the value; false if the node is of another kind. */
function reconcile(node: unknown, value: Plain, path: Path): boolean {
  if (typeof value === 'string') {
    if (!isScalar(node)) return false
    node.value = value
    if (node.type === Scalar.PLAIN && readsAsNothing(value)) node.type = Scalar.QUOTE_DOUBLE
    return true
  }
  if (isList(value)) {
    if (!isSeq(node)) return false
    node.items.length = Math.min(node.items.length, value.length)
    value.forEach((item, i) => {
      const below = [...path, i]
      if (i >= node.items.length || !reconcile(node.items[i], item, below))
        node.items[i] = nodeOf(item, below, node.flow === true)
    })
    return true
  }
  if (!isMap(node)) return false
  node.items = (node.items as Pair[]).filter(pair => Object.hasOwn(value, keyText(pair.key)))
  for (const [key, item] of Object.entries(value)) {
    const below = [...path, key]
    if (!reconcile(pairOf(node, key)?.value, item, below))
      place(node, key, nodeOf(item, below, node.flow === true), below)
  }
  return true
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value)
}

function readsAsNothing(text: string): boolean {
  return text === '' || text === '~' || text === 'null'
}

function nodeOf(value: Plain, path: Path, inFlow: boolean): Node {
  if (typeof value === 'string') {
    const scalar = new Scalar(value)
    if (readsAsNothing(value)) scalar.type = Scalar.QUOTE_DOUBLE
    return scalar
  }
  const flow = inFlow || !isBlock(path)
  if (isList(value)) {
    const list = new YAMLSeq()
    list.flow = flow
    list.items = value.map((item, i) => nodeOf(item, [...path, i], flow))
    return list
  }
  const map = new YAMLMap()
  map.flow = flow
  map.items = Object.entries(value).map(([key, item]) => new Pair(new Scalar(key), nodeOf(item, [...path, key], flow)))
  return map
}

/** The keys that the mapping at a path may have, in the order in which people expect them. */
export function knownKeys(path: Path): readonly string[] {
  return specsIn(path.map(String)).map(nameOf)
}

/** Puts a node under a key: in the position of the old one, or where people expect it. */
function place(parent: unknown, key: string | number, node: Node, path: Path): void {
  if (isSeq(parent) && typeof key === 'number') {
    parent.items[key] = node
    return
  }
  if (!isMap(parent)) return
  const items = parent.items as Pair[]
  const existing = pairOf(parent, key.toString())
  if (existing !== undefined) {
    existing.value = node
    return
  }
  const name = new Scalar(key.toString())
  if (path.length === 1 && !isScalar(node)) name.spaceBefore = true
  const order = knownKeys(path.slice(0, -1))
  const rank = order.indexOf(name.value)
  const before = rank < 0 ? [] : order.slice(0, rank)
  const last = items.findLastIndex(pair => before.includes(keyText(pair.key)))
  const at = rank < 0 ? items.length : last + 1
  items.splice(at, 0, new Pair(name, node))
}
