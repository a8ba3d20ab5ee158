// Misbehaviour in the content: figures, periods and histories are changed before a provider's format is applied, so that
// every provider sends the same wrong content in its own notation.
import type { Instant } from '../../src/core/time/instant.ts'
import { periodAt, shift } from '../../src/core/time/period.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import type { Row, ServedSeries } from './model.ts'
import { utcDay } from './notation.ts'

type RowChange = (rows: readonly Row[], now: Instant) => readonly Row[]

/** The series as a misbehaving provider would send it; `null` if the kind does not concern the content. */
export function changeSeries(kind: Misbehaviour, series: ServedSeries, now: Instant): ServedSeries | null {
  if (kind === 'changed-unit') return withOtherUnit(series)
  const change = rowChanges[kind]
  if (change === undefined) return null
  return { ...series, rows: change(series.rows, now), vintages: change(series.vintages, now) }
}

function withOtherUnit(series: ServedSeries): ServedSeries {
  return { ...series, unit: 'Furlongs, 1872 = 1', details: { ...series.details, base: '1872', multiplier: '3' } }
}

const impossiblePeriods = ['2024-13', '0000-00', '99999-01', 'yesterday', '2024-02-30'] as const

const rowChanges: Partial<Record<Misbehaviour, RowChange>> = {
  'huge-number': rows => changeSome(rows, () => `${'9'.repeat(400)}.5`),
  'not-a-number': rows => changeSome(rows, () => 'NaN'),
  infinity: rows => changeSome(rows, () => 'Infinity'),
  'negative-zero': rows => changeSome(rows, () => '-0.0'),
  'exponent-forms': rows => changeSome(rows, writeExponent),
  'decimal-comma': rows => changeSome(rows, value => (value.includes('.') ? value.replace('.', ',') : `${value},0`)),
  'grouped-digits': rows => changeSome(rows, value => `1,${value.padStart(3, '0')}`),
  'words-for-figures': rows => changeSome(rows, () => 'niet beschikbaar'),
  'duplicate-periods': rows =>
    rows.flatMap((row, at) =>
      isChosen(rows, at) && row.value !== null ? [row, { ...row, value: otherDigits(row.value) }] : [row],
    ),
  'impossible-periods': rows =>
    rows.map((row, at) =>
      isChosen(rows, at) ? { ...row, writtenPeriod: impossiblePeriods[at % impossiblePeriods.length]! } : row,
    ),
  'future-periods': (rows, now) => [...rows, ...futureRows(rows, now)],
  'forecast-flags': rows =>
    rows.map((row, at) => (at >= rows.length - 3 && row.value !== null ? { ...row, stage: 'FORECAST' } : row)),
  rebased: rows => rows.map(row => ({ ...row, value: row.value === null ? null : timesNineTenths(row.value) })),
  'dropped-history': rows => {
    const periods = [...new Set(rows.map(({ period }) => period.ordinal))].slice(-6)
    return rows.filter(({ period }) => periods.includes(period.ordinal))
  },
  'empty-data': () => [],
  unordered: rows => [2, 0, 1].flatMap(rest => rows.filter((_, at) => at % 3 === rest).reverse()),
}

/** Every fifth row, and the last. */
function isChosen(rows: readonly Row[], at: number): boolean {
  return at % 5 === 2 || at === rows.length - 1
}

function changeSome(rows: readonly Row[], change: (value: string) => string): readonly Row[] {
  return rows.map((row, at) => (isChosen(rows, at) && row.value !== null ? { ...row, value: change(row.value) } : row))
}

function futureRows(rows: readonly Row[], now: Instant): readonly Row[] {
  const last = rows.findLast(row => row.value !== null)
  if (last === undefined) return []
  const inTenYears = periodAt(last.period.frequency, utcDay(now) + 3653)
  return [0, 1, 2].map(by => ({ ...last, period: shift(inTenYears, by) }))
}

/** `123.45` as `1.2345E2`. */
export function writeExponent(value: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (match === null) return value
  const [, sign = '', whole = '', part = ''] = match
  const digits = `${whole}${part}`
  return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${whole.length - 1}`
}

/** The same number of digits, with a different last one. */
function otherDigits(value: string): string {
  const last = Number.parseInt(value.at(-1)!, 10)
  return `${value.slice(0, -1)}${last >= 5 ? last - 4 : last + 4}`
}

/** Exact: the digits times nine, with one more decimal. */
export function timesNineTenths(value: string): string {
  const [whole = '', part = ''] = value.replace('-', '').split('.')
  const digits = (BigInt(`${whole}${part}`) * 9n).toString().padStart(part.length + 2, '0')
  const decimals = part.length + 1
  return `${value.startsWith('-') ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
