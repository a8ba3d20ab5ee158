// The likely layout of a table: its header, the column of the period, the columns of numbers. Questions that the cells do not
// answer are left for a person: whether a date stands for a month, which number of a date is the month.
import { isOpenDate, readDate, readLoosePeriod, smallestGap } from '../time/loose-period.ts'
import { optionalColumns, requiredColumns } from './observation-table.ts'
import { parseReference } from './series.ts'
import { codeOf, type DecimalMark, isMissing, type LaidRow, readLooseNumber, type TableLayout } from './table-layout.ts'

const openQuestions = ['dates', 'dateOrder', 'decimal', 'codes'] as const
export type OpenQuestion = (typeof openQuestions)[number]

interface GuessedLayout {
  /** Open questions have no value in it yet. */
  readonly layout: TableLayout
  readonly open: readonly OpenQuestion[]
}

export interface GuessedFrom extends Pick<TableLayout, 'separator' | 'encoding'> {
  /** The first rows of the file, unchanged. */
  readonly rows: readonly LaidRow[]
  readonly isWorkbook: boolean
  /** Whether the series was named outside the file. */
  readonly hasSeries: boolean
}

/** Words of headers, by what they mean. */
const words: Readonly<Record<string, RegExp>> = {
  period:
    /^(?:period[eo]?|zeit(?:raum|punkt)?|dat[eu]m?|date|fecha|data|mois|monat|month|jahr|year|quart(?:er|al)|time(?:_period)?|ref_date|stichtag|stand)$/,
  value:
    /^(?:values?|wert|obs_value|observation|index(?:wert|stand)?|preis|price|valeur|valor|betrag|amount|figure|messwert)$/,
  series: /^(?:series|serie|reihe|code|id|index ?(?:name|code)|series_?id|artikel|item|variable|indicator)$/,
  name: /^(?:name|bezeichnung|label|titel|title|beschreibung|description|libell[eé])$/,
  unit: /^(?:units?|einheit|unité|unidad|mengeneinheit)$/,
  published: /^(?:published|publication(?: date)?|ver(?:ö|oe)ffentlicht(?: am)?|released?|release[ _]date|erschienen)$/,
  flag: /^(?:flags?|status|obs_status|anmerkung|note|remark|footnote)$/,
}

const known: readonly string[] = [...requiredColumns, ...optionalColumns]

function targetOf(header: string): string | null {
  const text = header.trim()
  if (known.includes(text)) return text
  const lower = text.toLowerCase()
  return Object.keys(words).find(target => words[target]!.test(lower)) ?? null
}

const anyReading = { dateOrder: 'DMY', dates: 'DAILY' } as const

function isPeriod(cell: string): boolean {
  return readLoosePeriod(cell, anyReading) !== null || readDate(cell.trim(), 'MDY') !== null
}

function isNumber(cell: string, isWorkbook: boolean): boolean {
  return readLooseNumber(cell, 'POINT', isWorkbook) !== null || readLooseNumber(cell, 'COMMA', isWorkbook) !== null
}

export function guessLayout(from: GuessedFrom): GuessedLayout {
  const { rows, separator, encoding, isWorkbook, hasSeries } = from
  const periodAt = findPeriod(rows)
  const place = headerPlace(rows, periodAt)
  const header = rows[place]?.cells ?? []
  const body = rows.slice(place + 1)
  const named = header.map(targetOf)
  const numeric = header.map((_, i) => i !== periodAt && isNumeric(body, i, isWorkbook))
  const valueAt = findValue(named, numeric)
  const isByRow = valueAt >= 0 && (named.includes('series') || hasSeries)
  const columns = header.map((name, i) => {
    if (i === periodAt) return 'period'
    if (isByRow) return i === valueAt ? 'value' : rowTarget(named, i, periodAt)
    if (numeric[i]) return `=${seriesCode(name)}`
    return named[i] === 'published' ? 'published' : 'ignore'
  })
  const values = body.flatMap(({ cells }) => cells.filter((_, i) => i === valueAt || (!isByRow && numeric[i])))
  const decimal = guessDecimal(values, isWorkbook)
  const periods = body.map(({ cells }) => cells[periodAt]?.trim() ?? '')
  const order = guessOrder(periods)
  const isDated = asksForDates(periods)
  const lacksCode = columns.some(target => target === '=')
  const open: OpenQuestion[] = [
    ...(isDated ? ['dates' as const] : []),
    ...(order === null ? ['dateOrder' as const] : []),
    ...(decimal === null ? ['decimal' as const] : []),
    ...(lacksCode ? ['codes' as const] : []),
  ]
  const layout: TableLayout = {
    separator,
    encoding,
    columns,
    headerLine: rows[place]?.line ?? 1,
    shape: isByRow ? 'ROWS' : 'COLUMNS',
    decimal: decimal ?? 'POINT',
    dateOrder: order ?? 'DMY',
    dates: isDated ? 'MONTHLY' : 'DAILY',
  }
  return { layout, open }
}

/** The column in which most cells are periods; on a tie the one whose header says so, then the first. */
function findPeriod(rows: readonly LaidRow[]): number {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  let best = { at: -1, score: 0 }
  for (let at = 0; at < width; at++) {
    const count = rows.filter(({ cells }) => isPeriod(cells[at] ?? '')).length
    const isNamed = rows.some(({ cells }) => targetOf(cells[at] ?? '') === 'period')
    const score = count === 0 ? 0 : count * 2 + (isNamed ? rows.length : 0)
    if (score > best.score) best = { at, score }
  }
  return best.at
}

/** The row before the first with a period; the first row where no row has one. */
function headerPlace(rows: readonly LaidRow[], periodAt: number): number {
  const first = rows.findIndex(
    ({ cells }) => isPeriod(cells[periodAt] ?? '') && cells.filter(cell => cell.trim() !== '').length > 1,
  )
  return Math.max(0, first - 1)
}

function isNumeric(body: readonly LaidRow[], at: number, isWorkbook: boolean): boolean {
  const filled = body.map(({ cells }) => cells[at] ?? '').filter(cell => !isMissing(cell))
  return filled.length > 0 && filled.filter(cell => isNumber(cell, isWorkbook)).length * 2 > filled.length
}

function findValue(named: readonly (string | null)[], numeric: readonly boolean[]): number {
  const byName = named.findIndex((target, i) => target === 'value' && numeric[i])
  if (byName >= 0) return byName
  const all = numeric.flatMap((is, i) => (is && named[i] !== 'series' ? [i] : []))
  return all.length === 1 ? all[0]! : -1
}

/** The meaning of a column in a table with one value per row, unless another column already has it. */
function rowTarget(named: readonly (string | null)[], at: number, periodAt: number): string {
  const target = named[at] ?? null
  if (target === null || target === 'value' || (target === 'period' && at !== periodAt)) return 'ignore'
  return named.indexOf(target) === at ? target : 'ignore'
}

/** A header that only says `value` names no series. */
function seriesCode(header: string): string {
  const name = header.trim()
  if (parseReference(name) !== null) return name
  const code = targetOf(name) === 'value' ? '' : codeOf(name)
  return code === '' ? '' : `CUSTOM/${code}`
}

/** The decimal mark; null where every number could be read both ways: 1.234 may be one, or more than a thousand. */
export function guessDecimal(values: readonly string[], isWorkbook: boolean): DecimalMark | null {
  const marked = values.filter(value => /[.,]/.test(value) && !isMissing(value))
  if (marked.length === 0) return 'POINT'
  const fits = (mark: DecimalMark) => marked.filter(value => readLooseNumber(value, mark, isWorkbook) !== null).length
  const [point, comma] = [fits('POINT'), fits('COMMA')]
  if (point !== comma) return point > comma ? 'POINT' : 'COMMA'
  const isOpen = marked.some(
    value => readLooseNumber(value, 'POINT', isWorkbook) !== readLooseNumber(value, 'COMMA', isWorkbook),
  )
  return isOpen ? null : 'POINT'
}

/** The order; null if the cells do not show which number is the month. */
export function guessOrder(periods: readonly string[]): 'DMY' | 'MDY' | null {
  const open = periods.filter(isOpenDate)
  if (open.length === 0)
    return periods.some(each => readDate(each, 'DMY') === null && readDate(each, 'MDY') !== null) ? 'MDY' : 'DMY'
  const slashed = periods.filter(each => /^\d{1,2}[/-]\d{1,2}[/-]\d{4}$/.test(each))
  if (slashed.some(each => readDate(each, 'MDY') === null)) return 'DMY'
  if (slashed.some(each => readDate(each, 'DMY') === null)) return 'MDY'
  return null
}

const week = 7

/** Whole dates that lie a week or more apart may stand for more than their day. */
function asksForDates(periods: readonly string[]): boolean {
  const dates = periods.flatMap(each => readDate(each, 'DMY') ?? readDate(each, 'MDY') ?? [])
  const gap = smallestGap(dates)
  return gap !== null && gap >= week
}

/** Whether import accepts the table as it is. */
export function isPlainTable(from: GuessedFrom): boolean {
  const { rows, separator, encoding, isWorkbook, hasSeries } = from
  const header = rows[0]?.cells.map(cell => cell.trim()) ?? []
  const needed = requiredColumns.filter(column => column !== 'series' || !hasSeries)
  if (separator !== ',' || encoding !== 'utf-8' || !needed.every(column => header.includes(column))) return false
  if (header.some(name => !known.includes(name))) return false
  const of = (column: string) => rows.slice(1).map(({ cells }) => cells[header.indexOf(column)]?.trim() ?? '')
  const values = of('value')
  const isOtherDecimal = values.some(
    value => readLooseNumber(value, 'POINT', true) === null && isNumber(value, isWorkbook),
  )
  return !isOtherDecimal && (header.includes('frequency') || !asksForDates(of('period')))
}
