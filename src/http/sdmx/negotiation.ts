// Choice of a format for a client: preferred by `Accept`, or named by `format`; by default JSON, as in the standard. A plain
// `application/xml` names no edition: it is 2.1, which every reader of SDMX-ML knows (decision 0753).

import { Refusal } from '../../core/refusal.ts'

export type SdmxFormat = 'json' | 'csv' | 'xml' | 'xml-2.1'

interface Chosen {
  readonly format: SdmxFormat
  /** Media type of the answer. */
  readonly type: string
}

interface Offer extends Chosen {
  /** Beginning of the type's `version`, where one is given; null for types that have none. */
  readonly edition: string | null
}

function offer(format: SdmxFormat, type: string, edition: string | null = null): Offer {
  return { format, type, edition }
}

const plainCsv = 'text/csv; charset=utf-8'

/** Offers; of equally preferred ones, the first. */
export const dataOffers: readonly Offer[] = [
  offer('json', 'application/vnd.sdmx.data+json;version=2.0.0', '2'),
  offer('csv', 'application/vnd.sdmx.data+csv;version=2.0.0', '2'),
  offer('xml', 'application/vnd.sdmx.data+xml;version=3.0.0', '3'),
  offer('xml-2.1', 'application/vnd.sdmx.structurespecificdata+xml;version=2.1', '2.1'),
  offer('json', 'application/json'),
  offer('csv', plainCsv),
  offer('xml-2.1', 'application/xml'),
  offer('xml-2.1', 'text/xml'),
]

export const structureOffers: readonly Offer[] = [
  offer('json', 'application/vnd.sdmx.structure+json;version=2.0.0', '2'),
  offer('xml', 'application/vnd.sdmx.structure+xml;version=3.0.0', '3'),
  offer('xml-2.1', 'application/vnd.sdmx.structure+xml;version=2.1', '2.1'),
  offer('json', 'application/json'),
  offer('xml-2.1', 'application/xml'),
  offer('xml-2.1', 'text/xml'),
]

/** Without 2.1, whose constraint is another one and is not served. */
export const availabilityOffers: readonly Offer[] = [
  ...structureOffers.filter(({ format }) => format !== 'xml-2.1'),
  offer('xml', 'application/xml'),
]

interface Range {
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  /** Quality in thousandths. */
  readonly quality: number
}

export function choose(accept: string, offers: readonly Offer[]): Chosen {
  const found = preferred(accept, offers)
  if (found !== null) return found
  const types = offers.map(({ type }) => type).join(', ')
  throw new Refusal('not-acceptable', `nothing that Accept names is offered here; there are ${types}`)
}

/** Offer by its name in `format`. */
export function named(format: SdmxFormat, offers: readonly Offer[]): Chosen {
  const found = offers.findLast(each => each.format === format && !each.type.startsWith('text/xml'))
  if (found === undefined) throw new Refusal('not-acceptable', `${format} is not a format of this address`)
  return found
}

/** Whether a refusal is written in XML. */
export function prefersXml(accept: string): boolean {
  return preferred(accept, [...dataOffers, ...structureOffers])?.format.startsWith('xml') ?? false
}

function preferred(accept: string, offers: readonly Offer[]): Chosen | null {
  if (accept.trim() === '') return offers[0]!
  const ranges = accept.split(',').map(readRange)
  let best: { readonly offer: Offer; readonly quality: number; readonly precision: number } | null = null
  for (const range of ranges)
    for (const each of offers) {
      const precision = precisionOf(range, each)
      if (precision < 0 || range.quality === 0) continue
      if (
        best === null ||
        range.quality > best.quality ||
        (range.quality === best.quality && precision > best.precision)
      )
        best = { offer: each, quality: range.quality, precision }
    }
  return best?.offer ?? null
}

function readRange(text: string): Range {
  const [name = '', ...rest] = text.split(';').map(part => part.trim().toLowerCase())
  const parameters = new Map(rest.map(part => part.split('=', 2).map(each => each.trim()) as [string, string]))
  const quality = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(parameters.get('q') ?? '') ? parameters.get('q')! : '1'
  const [whole = '0', decimals = ''] = quality.split('.')
  return { name, parameters, quality: Number.parseInt(`${whole}${decimals.padEnd(3, '0')}`, 10) }
}

/** 3 for the type itself, 1 for its group, 0 for anything; -1 where it does not fit. */
function precisionOf({ name, parameters }: Range, { type, edition }: Offer): number {
  const own = type.split(';', 1)[0]!
  if (name === '*/*') return 0
  if (name === `${own.split('/', 1)[0]}/*`) return 1
  if (name !== own) return -1
  const asked = parameters.get('version')
  if (asked !== undefined && (edition === null || !asked.startsWith(edition))) return -1
  return hasUsualOptions(parameters) ? 3 : -1
}

/** Whether the options are the usual ones: a reader that wants additions to SDMX-CSV would misread the columns. */
function hasUsualOptions(parameters: Range['parameters']): boolean {
  const usual = { labels: 'id', timeformat: 'original', keys: 'none' }
  return Object.entries(usual).every(([option, value]) => (parameters.get(option) ?? value) === value)
}
