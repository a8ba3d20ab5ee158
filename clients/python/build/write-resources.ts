// Writes resources.py: a method for every route, by the names that the clients of all languages share.
import type { DescribedParameter, JsonSchema } from '../../../src/http/api/description.ts'
import { limits } from '../../../src/limits.ts'
import { changeKinds } from '../../../src/read/change-kinds.ts'
import { type DescribedWire, type Fields, fieldsOf, type PlacedOperation } from './described-wire.ts'
import { capitalised, paragraph, pythonName, quoted, wrapped } from './python-text.ts'

/** The resource and the method of each operation, and its `view`; null where client.py has it. */
type MethodPlace = readonly [resource: string, method: string, view?: string]
const places: Readonly<Record<string, MethodPlace | null>> = {
  listSeries: ['series', 'list'],
  findSeries: ['series', 'find'],
  listValues: ['series', 'values'],
  listVintages: ['series', 'vintages'],
  listNextDates: ['series', 'next'],
  listNewestValues: ['series', 'newest'],
  listNewVintages: ['vintages', 'list'],
  listAgreements: ['agreements', 'list'],
  getAgreement: ['agreements', 'get'],
  listAgreementValues: ['agreements', 'values'],
  getAdjustment: ['agreements', 'adjustment'],
  getCalculation: ['agreements', 'calculation'],
  compareReadings: ['agreements', 'readings'],
  listPricesOfAgreement: ['agreements', 'prices'],
  listCorrections: ['agreements', 'corrections'],
  showSettled: ['agreements', 'settled'],
  readTrueUpLedger: ['agreements', 'ledger'],
  listAdjustments: ['adjustments', 'list'],
  listPrices: ['prices', 'list'],
  listLeftOut: ['prices', 'left_out'],
  listInvoiceLines: ['invoices', 'list'],
  listLinesOfInvoice: ['invoices', 'get'],
  checkInvoiceLines: null,
  showCorrection: ['corrections', 'get'],
  getReceipt: ['receipts', 'get'],
  showCorrectionReceipt: ['receipts', 'of_correction'],
  listDue: ['due', 'list'],
  listReleases: ['releases', 'list'],
  listIndexEvents: ['index-events', 'list'],
  listRadar: ['radar', 'list'],
  listSplices: ['splices', 'list'],
  showSplice: ['splices', 'get'],
  listChanges: ['changes', 'list'],
  getHealth: null,
}

/** The same route in another form. */
const furtherViews: Readonly<Record<string, MethodPlace>> = { listValues: ['series', 'summary', 'summary'] }

/** Parameters that take several names, and how many. */
const listBounds: Readonly<Record<string, number>> = {
  ids: limits.ext.ids,
  kinds: changeKinds.length,
  series: limits.ext.seriesAtOnce,
}

/** What the client chooses by itself: the form of an answer, and what only files for other systems have. */
const own = new Set(['format', 'view', 'latest', 'set', 'decimals'])

/** Resources that can do more than ask, by a class that is written by hand. */
const bases: Readonly<Record<string, string>> = {
  changes: 'FollowedChanges',
  receipts: 'VerifiedReceipts',
  vintages: 'FollowedVintages',
}

const head = `"""A method for every route. Written from the descriptions of the API: do not edit it."""

from typing import Literal, Optional

from . import types
from .feeds import FollowedChanges, FollowedVintages
from .receipts import VerifiedReceipts
from .resource import Day, Moment, Names, Resource, Walk
from .transport import Transport
`

export function writeResources({ operations, schemas }: DescribedWire): string {
  const byResource = new Map<string, string[]>()
  for (const operation of operations) {
    const place = places[operation.name]
    if (place === undefined)
      throw new Error(`${operation.name} has no place in the client: add it to write-resources.ts`)
    for (const each of [place, furtherViews[operation.name] ?? null]) {
      if (each === null) continue
      byResource.set(each[0], [...(byResource.get(each[0]) ?? []), writeMethod(new Method(each, operation, schemas))])
    }
  }
  const names = [...byResource.keys()].sort()
  const classes = names.map(name => {
    return `class ${className(name)}(${bases[name] ?? 'Resource'}):\n${byResource.get(name)!.join('\n\n')}\n`
  })
  const all = [
    'class Resources:',
    '    """All of them, as properties."""',
    '',
    '    def __init__(self, transport: Transport) -> None:',
    ...names.map(name => `        self.${pythonName(name)} = ${className(name)}(transport)`),
    '',
  ].join('\n')
  return `${head}\n\n${[...classes, all].join('\n\n')}`
}

const className = (resource: string) => `${capitalised(resource)}Resource`

/** One route as a method. */
class Method {
  readonly name: string
  readonly operation: PlacedOperation
  readonly ids: readonly DescribedParameter[]
  /** What has to be said by name, without what is needed in any case. */
  readonly query: readonly DescribedParameter[]
  /** The names that are asked for where there is no list of everything. */
  readonly asked: DescribedParameter | null
  readonly view: string | null
  readonly #schemas: DescribedWire['schemas']

  constructor([resource, name, view]: MethodPlace, operation: PlacedOperation, schemas: DescribedWire['schemas']) {
    this.name = name
    this.operation = operation
    this.view = view ?? null
    this.#schemas = schemas
    this.isText = resource === 'receipts'
    const { parameters } = operation
    this.ids = parameters.filter(each => each.in === 'path')
    this.asked = name === 'newest' ? parameters.find(each => each.name === 'series')! : null
    const left = parameters.filter(each => each.in === 'query' && !own.has(each.name) && each !== this.asked)
    // Where a walk continues is the walk's own.
    this.query = left.filter(each => each.name !== 'cursor' || this.isFeed)
  }

  /** A receipt is text, because its hash is over its exact bytes. */
  readonly isText: boolean

  get shape(): string {
    const { answer, views } = this.operation
    return String((this.view === null ? answer : views[1])!.$ref)
  }

  get fields(): Fields {
    return fieldsOf(this.#schemas.get(this.shape)!)
  }

  /** A page of a feed always has a cursor, so that there is no last one. */
  get isFeed(): boolean {
    return this.fields.pagination?.$ref === 'FeedPagination'
  }

  /** What a list is a list of; null for what is no list. */
  get item(): string | null {
    const isPaged = this.fields.pagination !== undefined || this.operation.isLinked
    const isList = isPaged || Object.keys(this.fields).join() === 'data'
    const item = (this.fields.data?.items as JsonSchema | undefined)?.$ref
    return isList && !this.isFeed && typeof item === 'string' ? item : null
  }

  typeOf({ name, schema }: DescribedParameter): string {
    if (schema.type === 'integer') return 'int'
    if (Object.hasOwn(listBounds, name)) return 'Names'
    if (Array.isArray(schema.enum)) return this.#choiceOf(schema.enum)
    if (schema.format === 'date') return 'Day'
    return String(schema.pattern).startsWith('^\\d{4}-\\d{2}-\\d{2}') ? 'Moment' : 'str'
  }

  /** By its name, where the answers have the same choice. */
  #choiceOf(values: readonly unknown[]): string {
    const same = [...this.#schemas].find(
      ([, schema]) => Array.isArray(schema.enum) && schema.enum.join() === values.join(),
    )
    return same === undefined ? `Literal[${values.map(quoted).join(', ')}]` : `types.${same[0]}`
  }

  /** Where an answer is nothing but a frame around one thing. */
  get inside(): string | null {
    const { data, ...others } = this.fields
    return Object.keys(others).length === 0 && typeof data?.$ref === 'string' ? data.$ref : null
  }
}

function writeMethod(method: Method): string {
  const { name, operation, ids, query, asked } = method
  const { type, lines } = writeCall(method)
  const taken = [
    ...ids.map(each => `${idName(each.name)}: str`),
    ...(asked === null ? [] : [`${pythonName(asked.name)}: Names`]),
    ...(query.length === 0 ? [] : ['*']),
    ...query.map(each => `${pythonName(each.name)}: Optional[${method.typeOf(each)}] = None`),
  ]
  const named = [...ids, ...(asked === null ? [] : [asked]), ...query]
  const about = named.flatMap(each => {
    const known = each.in === 'path' ? idName(each.name) : pythonName(each.name)
    return paragraph(`:param ${known}: ${parameterWords(each, method)}`, 8)
  })
  const short = `    def ${name}(${['self', ...taken].join(', ')}) -> ${type}:`
  const written = [`    def ${name}(`, ...['self', ...taken].map(each => `        ${each},`), `    ) -> ${type}:`]
  return [
    ...(short.length <= 120 ? [short] : written),
    ...writeWords(operation, about),
    ...lines.map(line => `        ${line}`),
  ].join('\n')
}

function writeWords({ summary, description }: PlacedOperation, about: readonly string[]): string[] {
  const paragraphs = description.split('\n\n').flatMap(text => ['', ...paragraph(text, 8)])
  const parameters = about.length === 0 ? [] : ['', ...about]
  return [...wrapped(`"""${summary}.`, 8), ...paragraphs, ...parameters, '        """']
}

function writeCall(method: Method): { readonly type: string; readonly lines: readonly string[] } {
  const { operation, ids, query, asked, view, shape, item, inside } = method
  const every = [...(asked === null ? [] : [asked]), ...query]
  const pairs = [
    ...every.map(({ name }) => `${quoted(name)}: ${name === 'limit' ? pageSize(method) : pythonName(name)}`),
    ...(view === null ? [] : [`"view": ${quoted(view)}`]),
  ]
  const named = `[${ids.map(({ name }) => idName(name)).join(', ')}]`
  const place = [quoted(operation.path), named, dictionary(pairs)]
  if (method.isText) return { type: 'str', lines: [call('return self._text', place)] }
  if (item !== null) {
    const inParts = query.find(({ name }) => name === 'ids') ?? asked
    const parts = inParts === null ? [] : [`(${quoted(inParts.name)}, ${listBounds[inParts.name]})`]
    return { type: `Walk[types.${item}]`, lines: [call('return self._walk', [...place, quoted(shape), ...parts])] }
  }
  const type = `types.${inside ?? shape}`
  const held = query.some(({ name }) => name === 'wait') ? ['wait or 0'] : []
  const found = call(`found: ${type} = self._one`, [...place, quoted(shape), ...held])
  return { type, lines: [`${found}${inside === null ? '' : '["data"]'}`, 'return found'] }
}

function dictionary(pairs: readonly string[]): string {
  return pairs.length < 5
    ? `{${pairs.join(', ')}}`
    : `{\n${pairs.map(each => `                ${each},\n`).join('')}            }`
}

/** On one line if there is room, otherwise an argument to a line. */
function call(name: string, values: readonly string[]): string {
  const short = `${name}(${values.join(', ')})`
  if (short.length <= 104 && !short.includes('\n')) return short
  return `${name}(\n${values.map(each => `            ${each},\n`).join('')}        )`
}

/** An agreement is named by its slug or id, wherever it is in an address. */
const idName = (name: string) => pythonName(name.replace(/^pam/, 'agreement').replace(/Id$/, ''))

/** The API of v1 has small pages unless it is asked for large ones. Of the newest values all are on one page. */
function pageSize({ operation: { path }, query }: Method): string {
  const { schema } = query.find(({ name }) => name === 'limit')!
  if (!path.startsWith('/v1/')) return 'limit'
  const most = query.some(({ name }) => name === 'last') ? `(None if last else ${schema.maximum})` : schema.maximum
  return `limit or ${most}`
}

function parameterWords({ name, description }: DescribedParameter, { isFeed }: Method): string {
  if (name === 'limit' && !isFeed) return 'Rows of a page; a walk goes over all of them'
  if (!Object.hasOwn(listBounds, name)) return description
  return description.replace(/,? with commas between them/, '').replace(/at most \d+ /i, '')
}
