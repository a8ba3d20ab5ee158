// Changes good answers as providers do, in ways that keep them readable. Each kind of change returns the changed answer, or
// `null` where an answer has nothing of its kind.
import { formOf } from '../../src/ingest/drift/form.ts'
import { CsvSplitter } from '../../src/providers/formats/csv.ts'
import { plainDecimal } from '../../src/providers/formats/figure.ts'
import { JsonNumber, readJson } from '../../src/providers/formats/json-text.ts'
import type { Answer, Provider } from '../../src/providers/provider.ts'
import type { Chance } from '../faults/chance.ts'

type Mutator = (answer: Answer, provider: Provider, chance: Chance) => Answer | null

/** A place in a document: the container and the key in it. */
interface Slot {
  readonly path: string
  readonly holder: Record<string | number, unknown>
  readonly key: string | number
  /** The list that has the row of this slot, and where. */
  readonly rows: unknown[] | null
  readonly at: number
}

type Opened =
  | { readonly kind: 'json'; readonly document: unknown; readonly slots: readonly Slot[] }
  | { readonly kind: 'table'; readonly document: string[][]; readonly slots: readonly Slot[] }

function open({ body }: Answer): Opened | null {
  const text = body.replace(/^\uFEFF/, '')
  if (/^\s*[[{]/.test(text)) {
    const document = readJson(text)
    const slots: Slot[] = []
    collect(document, '$', null, 0, slots)
    return { kind: 'json', document, slots }
  }
  if (/^\s*</.test(text)) return null
  const document: string[][] = []
  const splitter = new CsvSplitter(cells => document.push(cells))
  splitter.push(text)
  splitter.end()
  const [header = [], ...data] = document
  const slots = data.flatMap((row, at) =>
    row.map((_, key): Slot => ({ path: header[key] ?? '', holder: row as never, key, rows: document, at: at + 1 })),
  )
  return { kind: 'table', document, slots }
}

function collect(value: unknown, path: string, rows: unknown[] | null, at: number, slots: Slot[]): void {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return
  const isList = Array.isArray(value)
  for (const [name, child] of Object.entries(value)) {
    const key = isList ? Number.parseInt(name, 10) : name
    const isRow = isList && /\[\]$/.test(path)
    const own = isRow ? `${path}[${key}]` : isList ? `${path}[]` : `${path}.${/^[A-Za-z_]/.test(name) ? name : '*'}`
    const isItem = isList && !isRow && typeof child === 'object'
    slots.push({
      path: own,
      holder: value as never,
      key,
      rows: isItem ? value : rows,
      at: isItem ? (key as number) : at,
    })
    collect(child, own, isItem ? value : rows, isItem ? (key as number) : at, slots)
  }
}

function close(answer: Answer, { kind, document }: Opened): Answer {
  const body = kind === 'json' ? writeJson(document) : `${document.map(writeRow).join('\n')}\n`
  return { ...answer, body }
}

function writeRow(cells: readonly string[]): string {
  return cells.map(cell => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

function writeJson(value: unknown): string {
  if (value instanceof JsonNumber) return value.literal
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${writeJson(each)}`).join(',')}}`
}

function literalIn({ holder, key }: Slot): string | null {
  const value = holder[key]
  return value instanceof JsonNumber ? value.literal : typeof value === 'string' ? value : null
}

/** The slots with the figures: those of the path under which most of what is read stands. */
function figureSlots(opened: Opened, answer: Answer, provider: Provider): readonly Slot[] {
  const read = provider.read(answer).series.flatMap(({ observations }) => observations.map(({ value }) => value))
  const values = new Set(read)
  if (values.size === 0) return []
  const byPath = Map.groupBy(
    opened.slots.filter(slot => values.has(plainDecimal(literalIn(slot) ?? '') ?? '-')),
    ({ path }) => path,
  )
  const [best] = [...byPath.values()].sort((a, b) => b.length - a.length)
  return best !== undefined && best.length * 2 > read.length ? best : []
}

function write({ holder, key }: Slot, literal: string): void {
  holder[key] = holder[key] instanceof JsonNumber ? new JsonNumber(literal) : literal
}

const onFigures =
  (change: (slots: readonly Slot[], chance: Chance) => boolean): Mutator =>
  (answer, provider, chance) => {
    const opened = open(answer)
    if (opened === null) return null
    const slots = figureSlots(opened, answer, provider)
    return slots.length >= 4 && change(slots, chance) ? close(answer, opened) : null
  }

/** Moves the point; the digits stay. */
function moved(literal: string, power: number): string {
  const match = /^(-?)(\d*)\.?(\d*)$/.exec(literal)
  if (match === null) return literal
  const [, sign = '', whole = '', part = ''] = match
  const digits = `${whole.padStart(8, '0')}${part.padEnd(8, '0')}`
  const point = Math.max(whole.length, 8) + power
  const cut = `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/^0+(?=\d)/, '').replace(/\.?0+$/, '')
  return sign + (cut === '' ? '0' : cut)
}

function rowSlots(slots: readonly Slot[]): readonly Slot[] {
  const lists = new Set(slots.map(({ rows }) => rows))
  const isRows = lists.size === 1 && slots[0]?.rows !== null && new Set(slots.map(({ at }) => at)).size === slots.length
  return isRows ? slots : []
}

/** Describing texts: every place whose text is the title or unit that is read, or a label of the form. */
const describe =
  (which: 'title' | 'unit' | 'label'): Mutator =>
  (answer, provider, chance) => {
    const opened = open(answer)
    if (opened === null) return null
    const { series } = provider.read(answer)
    const { labels } = formOf(answer, provider)
    const slots = opened.slots.filter(slot => {
      const text = literalIn(slot)
      if (text === null || text.length < 2 || /^[\d.]+$/.test(text)) return false
      if (which === 'label') return series.length === 1 && labels[slot.path] !== undefined
      return series.some(({ name, unit }) => {
        const read = which === 'title' ? name : unit
        return read !== null && (read === text || (text.length > 4 && read.includes(text)))
      })
    })
    if (slots.length === 0) return null
    const chosen = chance.pick(slots)
    const text = literalIn(chosen)!
    const other = otherWords(text, chance)
    for (const slot of opened.slots) if (slot.path === chosen.path && literalIn(slot) === text) write(slot, other)
    return close(answer, opened)
  }

function otherWords(text: string, chance: Chance): string {
  const forms = [
    text.replace(/\b(?:19|20)\d\d(?:-\d\d)?\b/, year => (year.startsWith('2020') ? '2025' : '2020')),
    text.replace(/not seasonally adjusted|seasonally adjusted|unadjusted/i, words =>
      /^not|^un/i.test(words) ? 'Seasonally Adjusted' : 'Not Seasonally Adjusted',
    ),
    `${text}, seasonally adjusted`,
    `${text} (2025=100)`,
    'Thousands of dollars',
  ]
  const changed = forms.filter(form => form !== text)
  return chance.pick(changed)
}

function goneOrRenamed(rename: (name: string) => string | null): Mutator {
  return (answer, provider, chance) => {
    const opened = open(answer)
    if (opened === null) return null
    if (opened.kind === 'table') {
      const at = chance.int(0, opened.document[0]!.length - 1)
      const name = rename(opened.document[0]![at]!)
      if (name === null) for (const row of opened.document) row.splice(at, 1)
      else opened.document[0]![at] = name
      return close(answer, opened)
    }
    const { fields } = formOf(answer, provider).form
    const members = opened.slots.filter(
      ({ path, key }) => typeof key === 'string' && !path.endsWith('*') && fields[path]?.endsWith('?') === false,
    )
    if (members.length === 0) return null
    const { path } = chance.pick(chance.pick([...Map.groupBy(members, each => each.path).values()]))
    for (const { holder, key } of members.filter(each => each.path === path)) {
      const name = rename(key as string)
      if (name !== null) holder[name] = holder[key]
      delete holder[key]
    }
    return close(answer, opened)
  }
}

export const mutators: Readonly<Record<string, Mutator>> = {
  'a web page with status 200': answer => ({
    ...answer,
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: '<!doctype html><html><head><title>Data portal</title></head><body><p>We have a new address.</p></body></html>',
  }),
  'another content type': (answer, _provider, chance) =>
    answer.contentType === null
      ? null
      : { ...answer, contentType: chance.pick(['text/plain', 'application/xml', 'application/octet-stream']) },
  'a column or field gone': goneOrRenamed(() => null),
  'a column or field renamed': goneOrRenamed(name => `${name}_V2`),
  'a field of another kind': (answer, provider, chance) => {
    const opened = open(answer)
    if (opened?.kind !== 'json') return null
    const { fields } = formOf(answer, provider).form
    const members = opened.slots.filter(
      ({ path, key }) => typeof key === 'string' && /^(?:text|number)$/.test(fields[path] ?? ''),
    )
    if (members.length === 0) return null
    const { path } = chance.pick(chance.pick([...Map.groupBy(members, each => each.path).values()]))
    const isWrapped = chance.chance(50)
    for (const slot of members.filter(each => each.path === path)) {
      const value = slot.holder[slot.key]
      const turned = value instanceof JsonNumber ? value.literal : new JsonNumber('7')
      slot.holder[slot.key] = isWrapped ? [value] : turned
    }
    return close(answer, opened)
  },
  'another unit': describe('unit'),
  'another title': describe('title'),
  'another base, adjustment or label': describe('label'),
  'another scale': onFigures((slots, chance) => {
    const power = chance.pick([3, -2, 6, -3])
    for (const slot of slots) write(slot, moved(literalIn(slot)!, power))
    return true
  }),
  'decimals lost': onFigures((slots, chance) => {
    const most = Math.max(...slots.map(slot => (literalIn(slot)!.split('.')[1] ?? '').length))
    if (most === 0) return false
    const left = chance.int(0, most - 1)
    let changed = 0
    for (const slot of slots) {
      const literal = literalIn(slot)!
      const [whole = '', part = ''] = literal.split('.')
      const cut = left === 0 ? whole : part.length > left ? `${whole}.${part.slice(0, left)}` : literal
      if (cut !== literal) changed++
      write(slot, cut === '' || cut === '-' ? '0' : cut)
    }
    return changed * 2 > slots.length
  }),
  'fewer series than asked': (answer, provider, chance) => {
    const opened = open(answer)
    const { series } = provider.read(answer)
    if (opened === null || series.length < 2) return null
    const { code } = chance.pick(series)
    const last = code.split(/[/]/).at(-1)!
    const isOf = (value: unknown) => {
      const text = writeJson(value)
      return text.includes(`"${code}"`) || text.includes(`"${last}"`) || text.includes(`:${code.slice(1)},`)
    }
    const lists = new Set(opened.slots.flatMap(({ rows }) => (rows === null ? [] : [rows])))
    const list = [...lists].find(rows => rows.some(isOf) && !rows.every(isOf))
    if (list === undefined) return null
    list.splice(0, list.length, ...list.filter((each, at) => (opened.kind === 'table' && at === 0) || !isOf(each)))
    return close(answer, opened)
  },
  'history shortened': onFigures((slots, chance) => {
    const rows = rowSlots(slots)
    if (rows.length < 6) return false
    const order = rows.map(({ at }) => at).sort((a, b) => a - b)
    const gone = new Set(chance.chance(50) ? order.slice(0, order.length >> 1) : order.slice(order.length >> 1))
    const list = rows[0]!.rows!
    list.splice(0, list.length, ...list.filter((_, at) => !gone.has(at)))
    return true
  }),
  'periods shifted by one': onFigures(slots => {
    const literals = slots.map(slot => literalIn(slot)!)
    slots.forEach((slot, at) => {
      write(slot, literals[(at + 1) % literals.length]!)
    })
    return new Set(literals).size * 2 > literals.length
  }),
  'a row twice': onFigures((slots, chance) => {
    const rows = rowSlots(slots)
    if (rows.length === 0) return false
    const { rows: list, at } = chance.pick(rows)
    list!.splice(at, 0, structuredCloneOf(list![at]))
    return true
  }),
  'a broken encoding': (answer, _provider, chance) => {
    const found = [...answer.body.matchAll(/[A-Za-z]{4}(?= [A-Za-z])/g)]
    if (found.length === 0) return null
    const { index } = chance.pick(found)
    const sign = chance.pick(['\uFFFD', 'Ã©', 'â€™'])
    return { ...answer, body: `${answer.body.slice(0, index + 3)}${sign}${answer.body.slice(index + 4)}` }
  },
  'cells in other places': onFigures(slots => {
    let changed = 0
    for (const { holder, key } of slots) {
      if (!Array.isArray(holder) || typeof key !== 'number' || holder.length < 2) continue
      const other = key === 0 ? 1 : key - 1
      ;[holder[key], holder[other]] = [holder[other], holder[key]]
      changed++
    }
    return changed === slots.length && Array.isArray(slots[0]!.holder) && /\]\[\d+\]$|\*\[\]$/.test(slots[0]!.path)
  }),
}

function structuredCloneOf(value: unknown): unknown {
  return Array.isArray(value) && value.every(each => typeof each === 'string') ? [...value] : readJson(writeJson(value))
}
