// Price files of SAP: condition records as a table, and as IDoc COND_A04 in XML. The price is KBETR per KPEIN of KMEIN, valid
// from DATAB to DATBI; KBETR has the decimals of its currency, and more digits are made to fit by a larger KPEIN.
import { minorUnits } from '../../core/numbers/money.ts'
import { formatFixed, isWhole } from '../../core/numbers/ratio.ts'
import type { ExactRow } from '../../core/prices/price-rows.ts'
import { escapeXml } from '../xml-text.ts'
import {
  columnText,
  type FileProblem,
  type FileRow,
  type FileWriter,
  type FittedRow,
  figure,
  fileRows,
  fitRows,
  formatTable,
  itemProblems,
  openEnd,
  type PriceFileOptions,
  refuseComputed,
  whyUnfit,
} from './price-file.ts'
import { fitTogether, formatQuantity, type PriceBounds } from './price-unit.ts'
import { controlFields, controlOrder, formatFields, isKeyField } from './sap-fields.ts'

const defaults = { KAPPL: 'M', KSCHL: 'PB00', KOTABNR: '018' } as const
const named = Object.keys(defaults) as (keyof typeof defaults)[]
const computed = ['DATAB', 'DATBI', 'KSTBM', 'KBETR', 'KONWA', 'KPEIN']
const settable: readonly string[] = [...named, 'KMEIN']
const own: readonly string[] = [...settable, ...computed]

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

/** Keys of other systems are written otherwise. */
const looksLikeSap = (name: string) => /^[A-Z][A-Z0-9_]*$/.test(name)

/** The fields by which SAP finds a record, by name; where none is named, the item is the material. */
function keysOf(rows: readonly ExactRow[], { set }: PriceFileOptions): Keys {
  const all = new Set([...rows.flatMap(({ erp }) => Object.keys(erp)), ...set.keys()])
  const names = [...all].filter(isKeyField).sort()
  if (names.length === 0) return { names: ['MATNR'], of: ({ row }) => [row.item] }
  return { names, of: row => names.map(name => columnText(name, row, set)) }
}

const isKnown = (name: string) => isKeyField(name) || own.includes(name)

/** Why a text cannot be set; null where it can. */
function whyNotSet(name: string, value: string, hasControl: boolean): string | null {
  const most = controlFields.get(name)
  if (most === undefined)
    return isKnown(name) ? null : `${name} is no field that can be set; those are ${formatFields(settable, hasControl)}`
  if (!hasControl) return `${name} is of the control record, which only an IDoc has`
  return value.length > most ? `${name} has at most ${most} characters, got "${value}"` : null
}

/** Refuses unknown fields: nobody would notice that a misspelled one has no effect. */
function refuseUnknown(rows: readonly ExactRow[], { set }: PriceFileOptions, hasControl: boolean): FileProblem[] {
  const ofSet = [...set].map(([name, value]) => whyNotSet(name, value, hasControl)).filter(message => message !== null)
  const ofItems = itemProblems(rows, ({ erp }) => {
    const name = Object.keys(erp).find(each => looksLikeSap(each) && !isKnown(each))
    return name === undefined ? null : `erp_${name} cannot be used here: ${name} is no field of a condition record`
  })
  return [...ofSet.map(message => ({ agreement: null, item: null, message })), ...ofItems]
}

function tableOf(row: ExactRow, { set }: PriceFileOptions): readonly string[] {
  return named.map(name => columnText(name, row, set, defaults[name]))
}

/** Lacking keys: records of one condition table have the same keys; those of another table may have others. */
function lackingKeys(rows: readonly ExactRow[], keys: Keys, options: PriceFileOptions): FileProblem[] {
  const tables = Map.groupBy(rows, row => tableOf(row, options).join(' '))
  return [...tables.values()].flatMap(own => {
    const used = keys.names.filter((_, i) => own.some(row => keys.of(row)[i] !== ''))
    const needed = used.length === 0 ? keys.names : used
    return itemProblems(own, row => {
      const missing = needed.filter(name => keys.of(row)[keys.names.indexOf(name)] === '')
      return missing.length === 0 ? null : `${missing.join(', ')} is missing: write erp_${missing[0]}, or set it`
    })
  })
}

/** Keys that every record must have, and that no two items may share. */
function judge(rows: readonly ExactRow[], keys: Keys, options: PriceFileOptions, hasControl: boolean): FileProblem[] {
  const lacking = lackingKeys(rows, keys, options)
  const coarse = itemProblems(rows, ({ from, row }) =>
    isWhole({ n: from.n * stepScale, d: from.d })
      ? null
      : `the step from ${row.fromQuantity} has more than three decimals`,
  )
  const owners = new Map<string, string>()
  const shared = itemProblems(rows, row => {
    const key = [...tableOf(row, options), ...keys.of(row)].join('\n')
    const item = `${row.row.agreement} ${row.row.item}`
    const owner = owners.get(key) ?? item
    owners.set(key, owner)
    return owner === item ? null : `has the same key as ${owner}: ${keys.of(row).join(', ')}`
  })
  return [
    ...refuseUnknown(rows, options, hasControl),
    ...refuseComputed(computed, rows, options),
    ...lacking,
    ...(lacking.length > 0 ? [] : shared),
    ...coarse,
  ]
}

export const writeSapCsv: FileWriter = (all, options) => {
  const rows = fileRows(all, options)
  const keys = keysOf(rows, options)
  const { fitted, problems } = fitRows(rows, row => boundsOf(row, options))
  const refused = [...judge(rows, keys, options, false), ...problems]
  if (refused.length > 0) return { problems: refused }
  const cells = ({ exact, price, per }: FittedRow) => [
    ...tableOf(exact, options),
    ...keys.of(exact),
    day(exact.row.validFrom),
    day(exact.lastDay ?? openEnd),
    figure(formatQuantity(exact.from)),
    figure(formatFixed(price, boundsOf(exact, options).decimals)),
    exact.row.currency,
    figure(formatQuantity(per)),
    columnText('KMEIN', exact, options.set, exact.row.unit),
  ]
  const head = [...named, ...keys.names, ...computed, 'KMEIN']
  return { text: formatTable(head, fitted, cells, options) }
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
  const rows = fileRows(all, options)
  const keys = keysOf(rows, options)
  const problems: FileProblem[] = [...judge(rows, keys, options, true), ...refuseHalfSides(options)]
  // Records by key and validity, in the order of the rows.
  const records = Map.groupBy(rows, row => JSON.stringify([tableOf(row, options), keys.of(row)]))
  const segments = [...records.values()].map(ofKey => {
    const validities = Map.groupBy(ofKey, ({ row, lastDay }) => `${row.validFrom} ${lastDay}`)
    const scales = [...validities.values()].flatMap(steps => fitSteps(steps, options, problems))
    return formatRecord(ofKey[0]!, keys, scales, options)
  })
  return problems.length > 0 ? { problems } : { text: formatDocument(segments, options) }
}

function fitSteps(steps: readonly FileRow[], options: PriceFileOptions, problems: FileProblem[]): Scale[] {
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

function formatRecord(first: ExactRow, keys: Keys, scales: readonly Scale[], options: PriceFileOptions): string {
  const texts = tableOf(first, options)
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
    scales.map(scale => formatValidity(scale, type, options)),
  )
}

/** A validity from its first step on; further steps are a scale of quantities. */
function formatValidity({ steps }: Scale, type: string, options: PriceFileOptions): string {
  const [first, ...further] = steps as [FittedRow, ...FittedRow[]]
  const { exact, per } = first
  const unit = columnText('KMEIN', exact, options.set, exact.row.unit)
  const amount = ({ price, exact: row }: FittedRow) =>
    field('KBETR', formatFixed(price, boundsOf(row, options).decimals))
  const isScaled = further.length > 0 || exact.from.n !== 0n
  const scale = isScaled
    ? [field('STFKZ', 'A'), field('KZBZG', 'C'), field('KSTBM', formatQuantity(exact.from)), field('KONMS', unit)]
    : []
  const item = [
    field('KSCHL', type),
    ...scale,
    amount(first),
    field('KONWA', exact.row.currency),
    field('KPEIN', formatQuantity(per)),
    field('KMEIN', unit),
  ]
  const levels = further.map(step => segment('E1KONM', [field('KSTBM', formatQuantity(step.exact.from)), amount(step)]))
  const dates = [field('DATAB', day(exact.row.validFrom)), field('DATBI', day(exact.lastDay ?? openEnd))]
  return segment('E1KONH', dates, [segment('E1KONP', item, levels)])
}

const sides = ['SND', 'RCV'] as const

/** A partner is found by its number: port and function alone say nothing. */
function refuseHalfSides({ set }: PriceFileOptions): FileProblem[] {
  return sides.flatMap(side => {
    const lone = [...set.keys()].find(name => controlFields.has(name) && name.startsWith(side))
    if (lone === undefined || set.has(`${side}PRN`)) return []
    return [{ agreement: null, item: null, message: `${lone} says nothing without ${side}PRN: set it, too` }]
  })
}

/** A partner is a logical system unless said otherwise. */
function controlRecord({ set }: PriceFileOptions): string {
  const texts: Readonly<Record<string, string>> = {
    ...Object.fromEntries(sides.filter(side => set.has(`${side}PRN`)).map(side => [`${side}PRT`, 'LS'])),
    ...Object.fromEntries([...set].filter(([name]) => controlFields.has(name))),
    TABNAM: 'EDI_DC40',
    DIRECT: '2',
    IDOCTYP: 'COND_A04',
    MESTYP: 'COND_A',
  }
  return segment(
    'EDI_DC40',
    controlOrder.map(name => field(name, texts[name] ?? '')),
  )
}

function formatDocument(records: readonly string[], options: PriceFileOptions): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<COND_A04>\n<IDOC BEGIN="1">\n${controlRecord(options)}${records.join('')}</IDOC>\n</COND_A04>\n`
}
