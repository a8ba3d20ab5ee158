// A document as the template of many: a document of its own, or that of an agreement. A row of a table fills its fields and the
// places that it names, `<steel base>`; an empty cell leaves a named place out.
import { type Document, isMap, isScalar, isSeq, type ParsedNode, parseDocument, visit } from 'yaml'
import { Refusal } from '../../refusal.ts'
import type { Status } from '../formula.ts'
import { type AgreementRow, fieldOf, itemColumn } from './agreement-table.ts'

const place = /<([\p{L}\p{N}][\p{L}\p{N} _.-]{0,59})>/gu

export interface AgreementTemplate {
  readonly text: string
  /** Names of its places, in order. */
  readonly places: readonly string[]
}

export function readTemplate(text: string): AgreementTemplate {
  const document = parse(text)
  const places = new Set<string>()
  visit(document, {
    Scalar(_key, { value }) {
      for (const [, name] of String(value).matchAll(place)) places.add(name!)
    },
  })
  return { text, places: [...places] }
}

function parse(text: string): Document.Parsed<ParsedNode> {
  const document = parseDocument(text, { schema: 'failsafe' })
  const [error] = document.errors
  if (error !== undefined) throw new Refusal('invalid', `the template cannot be read: ${error.message.split('\n')[0]}`)
  if (!isMap(document.contents))
    throw new Refusal('invalid', 'the template is not a document with a contract and inputs')
  return document as Document.Parsed<ParsedNode>
}

/** Fields of the template's own agreement, which no other inherits. */
const notInherited = [['effectiveFrom'], ['contract', 'restart'], ['contract', 'references']] as const

/** The document of one row. `companyOf` gives the slug of a party from its slug or name, null if there is none. */
export function fillTemplate(
  { text, places }: AgreementTemplate,
  { cells, slug }: AgreementRow,
  { status, companyOf }: { readonly status: Status; readonly companyOf: (text: string) => string | null },
): string {
  const document = parse(text)
  for (const path of notInherited) document.deleteIn(path)
  fillPlaces(document, places, cells)
  for (const [column, cell] of cells) {
    if (places.includes(column) || column === itemColumn) continue
    const path = fieldOf(column).split('.')
    document.setIn(path, document.createNode(cellValue(column, cell, companyOf), { flow: path.length > 1 }))
  }
  document.setIn(['slug'], slug)
  document.setIn(['status'], status)
  if (!cells.has('name')) document.setIn(['name'], slug)
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

export function saysPrice(text: string): boolean {
  return parse(text).hasIn(['contract', 'price', 'amount'])
}

const emails = (cell: string) => cell.split(/[;,\s]+/u).filter(each => each !== '')

function cellValue(
  column: string,
  cell: string,
  companyOf: (text: string) => string | null,
): string | readonly string[] {
  if (column === 'supplier' || column === 'buyer') return cell.includes('@') ? emails(cell) : (companyOf(cell) ?? cell)
  if (column === 'references')
    return cell
      .split(';')
      .map(each => each.trim())
      .filter(each => each !== '')
  return cell
}

function fillPlaces(
  document: Document.Parsed<ParsedNode>,
  places: readonly string[],
  cells: AgreementRow['cells'],
): void {
  if (places.length === 0) return
  const filled = (value: unknown) => String(value).replace(place, (_, name: string) => cells.get(name) ?? '')
  visit(document, {
    Pair(_key, pair) {
      if (!isScalar(pair.value)) return undefined
      const text = filled(pair.value.value)
      if (text === '' && pair.value.value !== '') return visit.REMOVE
      pair.value.value = text
      return undefined
    },
    Seq(_key, list) {
      if (!isSeq(list)) return
      for (const item of list.items) if (isScalar(item)) item.value = filled(item.value)
    },
  })
}
