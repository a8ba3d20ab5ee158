// Price files of SAP: condition records as a table, and as IDoc COND_A04 in XML. The price is KBETR per KPEIN of KMEIN, valid
// from DATAB to DATBI; KBETR has the decimals of its currency, and more digits are made to fit by a larger KPEIN.
import { minorUnits } from '../../core/numbers/money.ts'
import { isWhole, writeFixed } from '../../core/numbers/ratio.ts'
import type { ExactRow } from '../../core/prices/price-rows.ts'
import { escapeXml } from '../xml-text.ts'
import {
  chosenRows,
  columnText,
  type FileProblem,
  type FileWriter,
  type FittedRow,
  figure,
  fitRows,
  itemProblems,
  openEnd,
  type PriceFileOptions,
  refuseComputed,
  whyUnfit,
  writeTable,
} from './price-file.ts'
import { fitTogether, type PriceBounds, writeQuantity } from './price-unit.ts'

const defaults = { KAPPL: 'M', KSCHL: 'PB00', KOTABNR: '018' } as const
const named = Object.keys(defaults) as (keyof typeof defaults)[]
const computed = ['DATAB', 'DATBI', 'KSTBM', 'KBETR', 'KONWA', 'KPEIN']
const own: readonly string[] = [...named, ...computed, 'KMEIN']

/** KPEIN has five digits; it is a power of ten times what the list says. */
const mostPer = 10_000n
/** Scale quantities have three decimals. */
const stepScale = 1000n

function boundsOf({ row: { currency } }: ExactRow, { decimals }: PriceFileOptions): PriceBounds {
  return { decimals: decimals ?? minorUnits(currency), mostPer }
}

const day = (text: string) => text.replaceAll('-', '')

interface Keys {
  readonly names: readonly string[]
  readonly of: (row: ExactRow) => readonly string[]
}

/** The fields by which SAP finds a record: keys in capitals, by name; where none is named, the item is the material. */
function keysOf(rows: readonly ExactRow[], { set }: PriceFileOptions): Keys {
  const all = new Set([...rows.flatMap(({ erp }) => Object.keys(erp)), ...set.keys()])
  const names = [...all].filter(name => /^[A-Z][A-Z0-9_]*$/.test(name) && !own.includes(name)).sort()
  if (names.length === 0) return { names: ['MATNR'], of: ({ row }) => [row.item] }
  return { names, of: row => names.map(name => columnText(name, row, set)) }
}

/** Keys that every record must have, and that no two items may share. */
function judge(rows: readonly ExactRow[], keys: Keys, options: PriceFileOptions): FileProblem[] {
  const lacking = itemProblems(rows, row => {
    const missing = keys.names.filter((_, i) => keys.of(row)[i] === '')
    return missing.length === 0 ? null : `${missing.join(', ')} is missing: write erp_${missing[0]}, or set it`
  })
  const coarse = itemProblems(rows, ({ from, row }) =>
    isWhole({ n: from.n * stepScale, d: from.d })
      ? null
      : `the step from ${row.fromQuantity} has more than three decimals`,
  )
  const owners = new Map<string, string>()
  const shared = itemProblems(rows, row => {
    const key = keys.of(row).join('\n')
    const item = `${row.row.agreement} ${row.row.item}`
    const owner = owners.get(key) ?? item
    owners.set(key, owner)
    return owner === item ? null : `has the same key as ${owner}: ${keys.of(row).join(', ')}`
  })
  return [...refuseComputed(computed, rows, options), ...lacking, ...(lacking.length > 0 ? [] : shared), ...coarse]
}

export const writeSapCsv: FileWriter = (all, options) => {
  const rows = chosenRows(all, options.only)
  const keys = keysOf(rows, options)
  const { fitted, problems } = fitRows(rows, row => boundsOf(row, options))
  const refused = [...judge(rows, keys, options), ...problems]
  if (refused.length > 0) return { problems: refused }
  const cells = ({ exact, price, per }: FittedRow) => [
    ...named.map(name => columnText(name, exact, options.set, defaults[name])),
    ...keys.of(exact),
    day(exact.row.validFrom),
    day(exact.row.validTo ?? openEnd),
    figure(writeQuantity(exact.from)),
    figure(writeFixed(price, boundsOf(exact, options).decimals)),
    exact.row.currency,
    figure(writeQuantity(per)),
    columnText('KMEIN', exact, options.set, exact.row.unit),
  ]
  const head = [...named, ...keys.names, ...computed, 'KMEIN']
  return { text: writeTable(head, fitted, cells, options) }
}

/** The steps of one item in one validity, for one price unit. */
interface Scale {
  readonly steps: readonly FittedRow[]
}

export const writeSapIdoc: FileWriter = (all, options) => {
  if (options.only !== 'agreed') {
    const message = 'an IDoc has no place for a status: it takes agreed prices alone'
    return { problems: [{ agreement: null, item: null, message }] }
  }
  const rows = chosenRows(all, options.only)
  const keys = keysOf(rows, options)
  const problems: FileProblem[] = judge(rows, keys, options)
  // By key and by validity, in the order of the rows.
  const records = Map.groupBy(rows, row =>
    JSON.stringify([named.map(name => columnText(name, row, options.set, defaults[name])), keys.of(row)]),
  )
  const segments = [...records.values()].map(ofKey => {
    const validities = Map.groupBy(ofKey, ({ row }) => `${row.validFrom} ${row.validTo}`)
    const scales = [...validities.values()].flatMap(steps => fitSteps(steps, options, problems))
    return writeRecord(ofKey[0]!, keys, scales, options)
  })
  return problems.length > 0 ? { problems } : { text: writeDocument(segments) }
}

function fitSteps(steps: readonly ExactRow[], options: PriceFileOptions, problems: FileProblem[]): Scale[] {
  const bounds = boundsOf(steps[0]!, options)
  const fitted = fitTogether(steps, bounds)
  if (fitted !== null) return [{ steps: steps.map((exact, i) => ({ exact, ...fitted[i]! })) }]
  const together =
    steps.length === 1 ? '' : ` (with the other steps of ${steps[0]!.row.item}, which share one price unit)`
  problems.push(...itemProblems(steps.slice(0, 1), row => `${whyUnfit(row, bounds)}${together}`))
  return []
}

function field(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`
}

function segment(name: string, fields: readonly string[], inner: readonly string[] = []): string {
  return `<${name} SEGMENT="1">${fields.join('')}${inner.join('')}</${name}>\n`
}

function writeRecord(first: ExactRow, keys: Keys, scales: readonly Scale[], options: PriceFileOptions): string {
  const texts = named.map(name => columnText(name, first, options.set, defaults[name]))
  const head = [
    field('KVEWE', 'A'),
    field('KOTABNR', texts[named.indexOf('KOTABNR')]!),
    field('KAPPL', texts[named.indexOf('KAPPL')]!),
    field('KSCHL', texts[named.indexOf('KSCHL')]!),
    ...keys.names.map((name, i) => field(name, keys.of(first)[i]!)),
  ]
  const type = texts[named.indexOf('KSCHL')]!
  return segment(
    'E1KOMG',
    head,
    scales.map(scale => writeValidity(scale, type, options)),
  )
}

/** From the first step on; further ones as a scale of quantities. */
function writeValidity({ steps }: Scale, type: string, options: PriceFileOptions): string {
  const [first, ...further] = steps as [FittedRow, ...FittedRow[]]
  const { exact, per } = first
  const unit = columnText('KMEIN', exact, options.set, exact.row.unit)
  const amount = ({ price, exact: row }: FittedRow) =>
    field('KBETR', writeFixed(price, boundsOf(row, options).decimals))
  const isScaled = further.length > 0 || exact.from.n !== 0n
  const scale = isScaled
    ? [field('STFKZ', 'A'), field('KZBZG', 'C'), field('KSTBM', writeQuantity(exact.from)), field('KONMS', unit)]
    : []
  const item = [
    field('KSCHL', type),
    ...scale,
    amount(first),
    field('KONWA', exact.row.currency),
    field('KPEIN', writeQuantity(per)),
    field('KMEIN', unit),
  ]
  const levels = further.map(step => segment('E1KONM', [field('KSTBM', writeQuantity(step.exact.from)), amount(step)]))
  const dates = [field('DATAB', day(exact.row.validFrom)), field('DATBI', day(exact.row.validTo ?? openEnd))]
  return segment('E1KONH', dates, [segment('E1KONP', item, levels)])
}

function writeDocument(records: readonly string[]): string {
  const control = segment('EDI_DC40', [
    field('TABNAM', 'EDI_DC40'),
    field('DIRECT', '2'),
    field('IDOCTYP', 'COND_A04'),
    field('MESTYP', 'COND_A'),
  ])
  return `<?xml version="1.0" encoding="UTF-8"?>\n<COND_A04>\n<IDOC BEGIN="1">\n${control}${records.join('')}</IDOC>\n</COND_A04>\n`
}
