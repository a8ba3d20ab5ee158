// The kinds of tables that can be imported besides figures: price lists, invoice lines, quantities, factors between units,
// agreements. Each has its columns, other systems' names for them, and the form of their cells. A kind is recognised by its
// columns.

import { agreementColumns } from '../formula/many/agreement-table.ts'
import { listColumns, requiredColumns as requiredOfList } from '../prices/list-table.ts'
import { quantityColumns } from '../prices/quantity-table.ts'
import { lineColumns, requiredFields } from './invoice-line.ts'
import { unitColumns } from './unit-table.ts'

export const tableKinds = ['prices', 'invoices', 'quantities', 'units', 'agreements'] as const
export type TableKind = (typeof tableKinds)[number]
/** Figures have tables of their own, see table-layout.ts. */
export const importKinds = ['observations', ...tableKinds] as const
export type ImportKind = (typeof importKinds)[number]

/** The form of a column's cells: decimals and days differ from country to country. */
type CellForm = 'text' | 'number' | 'day'

interface KindColumns {
  readonly columns: readonly string[]
  readonly required: readonly string[]
  /** A column name that begins like this stays as it is. */
  readonly prefix: string | null
  /** Columns that can be said once for the whole file. */
  readonly givable: readonly string[]
}

export const kindColumns: Readonly<Record<TableKind, KindColumns>> = {
  prices: { columns: listColumns, required: requiredOfList, prefix: 'erp_', givable: ['currency', 'unit'] },
  invoices: {
    columns: lineColumns,
    required: requiredFields,
    prefix: null,
    givable: ['agreement', 'supplier', 'currency'],
  },
  quantities: { columns: quantityColumns, required: quantityColumns, prefix: null, givable: ['agreement', 'period'] },
  units: { columns: unitColumns, required: unitColumns, prefix: null, givable: [] },
  agreements: {
    columns: agreementColumns,
    required: ['name', 'price', 'start'],
    // A column may also be called by the field it fills.
    prefix: 'inputs.',
    givable: ['supplier', 'currency', 'unit'],
  },
}

const forms: Readonly<Record<string, CellForm>> = {
  price: 'number',
  per: 'number',
  share: 'number',
  from_quantity: 'number',
  round: 'number',
  factor: 'number',
  quantity: 'number',
  unit_price: 'number',
  amount: 'number',
  start: 'day',
  end: 'day',
  first_adjustment: 'day',
  valid_from: 'day',
  valid_to: 'day',
  date: 'day',
  service_from: 'day',
  service_to: 'day',
  order_date: 'day',
}

export function formOf(column: string): CellForm {
  return forms[column] ?? 'text'
}

/** Headings of other systems, in lower case; where one fits several columns, the kind's first one counts. */
const words: readonly (readonly [column: string, pattern: RegExp])[] = [
  [
    'invoice',
    /^(?:invoice(?: ?(?:no|number|id))?\.?|rechnung(?:s?(?:-?nr|nummer))?\.?|beleg(?:nr|nummer)?\.?|bill ?no)$/,
  ],
  [
    'line',
    /^(?:line(?: ?(?:no|number|item))?\.?|pos(?:ition)?\.?|(?:rechnungs)?pos(?:itions)?(?:-?nr|nummer)\.?|zeile)$/,
  ],
  ['supplier', /^(?:supplier|vendor|lieferant|kreditor)(?: ?(?:no|number|name|nr)\.?)?$/],
  ['agreement', /^(?:agreement|contract|vertrag|vereinbarung)$/],
  [
    'contract_ref',
    /^(?:contract ?(?:ref(?:erence)?|no|number)|vertrags?(?:-?nr|nummer)|order ?(?:no|number)|bestell(?:-?nr|nummer))\.?$/,
  ],
  ['item', /^(?:item|article|material|part|product|sku|artikel|teil)(?: ?-?(?:no|number|code|id|nr|nummer))?\.?$/],
  ['quantity', /^(?:quantity|qty|menge|anzahl|(?:invoiced|billed|delivered) ?quantity|liefermenge)\.?$/],
  ['unit', /^(?:unit(?: of measure)?|uom|einheit|me|mengeneinheit)$/],
  ['unit_price', /^(?:unit ?price|price|net ?price|einzelpreis|preis|stückpreis|(?:netto|ep)(?: ?preis)?)$/],
  ['price', /^(?:(?:unit|base|list|net) ?price|(?:grund|basis|einzel|listen)?preis)$/],
  ['per', /^(?:per|price ?unit|preiseinheit|pe)$/],
  ['amount', /^(?:amount|net ?amount|total|line ?total|betrag|nettobetrag|summe|gesamt(?:preis|betrag)?)$/],
  ['currency', /^(?:currency|curr\.?|währung|whg|waehrung)$/],
  ['date', /^(?:date|invoice ?date|datum|rechnungsdatum|belegdatum)$/],
  [
    'service_from',
    /^(?:service ?(?:from|start|date)|delivery ?date|leistung(?:s?(?:beginn|datum| von|von))|lieferdatum)$/,
  ],
  ['service_to', /^(?:service ?(?:to|end)|leistung(?:s?(?:ende| bis|bis)))$/],
  ['order_date', /^(?:order ?date|bestelldatum)$/],
  ['period', /^(?:period|periode|zeitraum|quartal|quarter|month|monat)$/],
  ['from_quantity', /^(?:from ?quantity|min(?:imum)? ?quantity|scale|ab ?menge|staffel(?:menge)?|mindestmenge)$/],
  ['valid_from', /^(?:valid ?from|gültig ?(?:ab|von)|starting ?date)$/],
  ['valid_to', /^(?:valid ?(?:to|until)|gültig ?bis|ending ?date)$/],
  ['replaces', /^(?:replaces|ersetzt|old ?item)$/],
  ['share', /^(?:share|anteil)$/],
  ['other', /^(?:other(?: unit)?|to ?unit|zieleinheit)$/],
  ['name', /^(?:name|bezeichnung|agreement ?name|contract ?name|vertragsname|description|title)$/],
  ['start', /^(?:start(?: ?date)?|contract ?start|begin|vertragsbeginn|beginn|laufzeitbeginn)$/],
  ['end', /^(?:end(?: ?date)?|contract ?end|expiry|vertragsende|ende|laufzeitende)$/],
  ['first_adjustment', /^(?:first ?adjustment|erste ?anpassung)$/],
  ['frequency', /^(?:frequency|adjusted|turnus|rhythmus)$/],
  ['references', /^(?:references?|contract ?(?:ref(?:erence)?|no|number)|vertrags?(?:-?nr|nummer))\.?$/],
  ['factor', /^(?:factor|faktor|conversion|umrechnung(?:sfaktor)?)$/],
]

/** The meaning of a heading in a table of a kind; null if it has none. `isExact`: it is our own name. */
function targetOf(kind: TableKind, heading: string): { readonly target: string; readonly isExact: boolean } | null {
  const { columns, prefix } = kindColumns[kind]
  const name = heading.trim()
  if (columns.includes(name) || (prefix !== null && name.length > prefix.length && name.startsWith(prefix)))
    return { target: name, isExact: true }
  const lower = name.toLowerCase().replaceAll('_', ' ')
  const found = words.find(([column, pattern]) => columns.includes(column) && pattern.test(lower))
  return found === undefined ? null : { target: found[0], isExact: false }
}

/** The meaning of each column of a header, or `ignore`; the first of two columns with one meaning counts. */
export function targetsOf(kind: TableKind, header: readonly string[]): string[] {
  const exact = new Set(header.flatMap(name => whenExact(targetOf(kind, name))))
  const taken = new Set<string>()
  return header.map(heading => {
    const found = targetOf(kind, heading)
    if (found === null || taken.has(found.target) || (!found.isExact && exact.has(found.target))) return 'ignore'
    taken.add(found.target)
    return found.target
  })
}

function whenExact(found: ReturnType<typeof targetOf>): string[] {
  return found?.isExact === true ? [found.target] : []
}

/** Rows before a header that are looked at: titles, addresses, blank lines. */
const mostBefore = 20

interface Recognised {
  readonly kind: TableKind
  /** The place of its header among the rows. */
  readonly at: number
}

/** The kind whose required columns a header has, with most of its others; null where none fits. */
export function recogniseTable(rows: readonly { readonly cells: readonly string[] }[]): Recognised | null {
  const found = rows.slice(0, mostBefore).flatMap(({ cells }, at) =>
    tableKinds.flatMap(kind => {
      const score = scoreOf(kind, cells)
      return score === 0 ? [] : [{ kind, at, score }]
    }),
  )
  return found.reduce<(Recognised & { score: number }) | null>(
    (best, each) => (best === null || each.score > best.score ? each : best),
    null,
  )
}

/** The number of a header's columns that are the kind's; 0 if a column is missing that cannot be given for the whole file. */
function scoreOf(kind: TableKind, header: readonly string[]): number {
  const { required, givable } = kindColumns[kind]
  const targets = new Set(targetsOf(kind, header))
  if (!required.every(column => targets.has(column) || givable.includes(column))) return 0
  targets.delete('ignore')
  if (kind === 'prices' && header.some(isDated)) return 0
  const exact = header.filter(name => targetOf(kind, name)?.isExact === true).length
  return targets.size + exact
}

/** Prices by period are figures, and prices of invoices are billed: a price list has neither. */
function isDated(heading: string): boolean {
  const billed = targetOf('invoices', heading)?.target
  return billed === 'invoice' || billed === 'date' || targetOf('quantities', heading)?.target === 'period'
}

/** The place of the header in a table of a kind: the row that has most of its columns. */
export function headerPlace(kind: TableKind, rows: readonly { readonly cells: readonly string[] }[]): number {
  const counts = rows
    .slice(0, mostBefore)
    .map(({ cells }) => targetsOf(kind, cells).filter(each => each !== 'ignore').length)
  return Math.max(0, counts.indexOf(Math.max(0, ...counts)))
}
