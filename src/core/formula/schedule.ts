// The calendar of a contract: its dates, their labels, and the formula version that governs each of them.
import { addMonths, civilOf, type Day, monthsAfter, wholeMonthsBetween } from '../time/day.ts'
import { formatPeriod, lastDayOf, parsePeriod, periodAt } from '../time/period.ts'
import type { Contract, ContractFrequency, Formula } from './formula.ts'
import type { Span } from './terms.ts'

export interface ScheduledVersion {
  readonly number: number
  readonly formula: Pick<Formula, 'contract' | 'effectiveFrom'>
}

interface ScheduledDate<V extends ScheduledVersion = ScheduledVersion> {
  readonly date: Day
  /** `2024-Q2`: the calendar period that holds the date; `2024-Q2.2` for the second date in it. */
  readonly label: string
  readonly version: V
}

/** A period that keeps its label however the calendar changes: one that was signed. */
export interface LabelledDate {
  readonly date: Day
  readonly label: string
}

/** The most dates that are computed: two centuries of months, four decades of days. */
const maxDates = { month: 2400, week: 2400, day: 14_610 } as const

/** The label of a date that shares it with no other date of the agreement. */
export function labelOf({ frequency }: Contract, date: Day): string {
  return formatPeriod(periodAt(frequency.label, date))
}

const numberedLabel = /^(.+)\.([1-9]\d{0,3})$/

/** `2024-Q3.2` without its number. */
export function plainLabel(label: string): string {
  const match = numberedLabel.exec(label)
  return match !== null && match[2] !== '1' ? match[1]! : label
}

/** Whether a text has the form of the contract's labels, with or without a number. */
export function isLabelOf({ frequency }: Contract, text: string): boolean {
  return parsePeriod(plainLabel(text))?.frequency === frequency.label
}

/** The last day a date with this label can fall on; null for a text that is not a label. */
export function lastDayOfLabel(label: string): Day | null {
  const period = parsePeriod(plainLabel(label))
  return period === null ? null : lastDayOf(period)
}

/** The first adjustment where none is written: one period after the start. */
export function defaultFirst(start: Day, { every }: ContractFrequency): Day {
  return every === null ? start : forward(start, every, 1, keepDayOf(start))
}

export function keepDayOf(day: Day): number {
  return civilOf(day).day
}

function forward(day: Day, { count, unit }: NonNullable<ContractFrequency['every']>, by: number, keepDay: number): Day {
  if (unit === 'day') return day + by * count
  return unit === 'week' ? day + 7 * by * count : addMonths(day, by * count, keepDay)
}

/** The adjustment dates from `from` up to and including `until` and the contract's end, ascending. */
export function adjustmentDates(contract: Contract, until: Day, from: Day = contract.start): Day[] {
  const last = contract.end === null ? until : Math.min(contract.end, until)
  const { frequency, firstAdjustment, keepDay } = contract
  if (contract.dates !== null) return contract.dates.filter(date => date >= from && date <= last)
  const { every } = frequency
  if (every === null) return firstAdjustment >= from && firstAdjustment <= last ? [firstAdjustment] : []
  const dates: Day[] = []
  const first = civilOf(firstAdjustment)
  for (let i = stepsBefore(firstAdjustment, every, from); i < maxDates[every.unit]; i++) {
    const isMonths = every.unit === 'month'
    const date = isMonths ? monthsAfter(first, i * every.count, keepDay) : forward(firstAdjustment, every, i, keepDay)
    if (date > last) break
    if (date >= from) dates.push(date)
  }
  return dates
}

/** The number of dates that can be skipped because they lie before a day: never too many, perhaps a few too few. */
function stepsBefore(first: Day, { count, unit }: NonNullable<ContractFrequency['every']>, day: Day): number {
  if (day <= first) return 0
  if (unit === 'month') return Math.max(0, Math.floor(wholeMonthsBetween(first, day) / count) - 1)
  return Math.floor((day - first) / (unit === 'week' ? 7 * count : count))
}

/** The last date that is ever computed for an open contract. */
export function furthestDate({ frequency: { every }, firstAdjustment, dates }: Contract): Day {
  if (dates !== null) return dates.at(-1)!
  return every === null ? firstAdjustment : forward(firstAdjustment, every, maxDates[every.unit] - 1, 1)
}

/** The adjustment date after this one, by the calendar alone; null where there is none. */
export function dateAfter({ frequency: { every }, firstAdjustment, keepDay, dates }: Contract, date: Day): Day | null {
  if (dates !== null) return dates.find(each => each > date) ?? null
  if (every === null) return null
  if (every.unit !== 'month') return forward(date, every, 1, keepDay)
  const passed = Math.floor(wholeMonthsBetween(firstAdjustment, date) / every.count)
  for (let i = Math.max(passed, 0); ; i++) {
    const next = forward(firstAdjustment, every, i, keepDay)
    if (next > date) return next
  }
}

/** A version and the days it governs; no days if a higher version governs from the same day. */
interface Reign<V extends ScheduledVersion> {
  readonly version: V
  readonly from: Day
  readonly to: Day
}

/** Each day is governed by the highest version whose `effectiveFrom` is not later. */
function reigns<V extends ScheduledVersion>(versions: readonly V[], until: Day): Reign<V>[] {
  let to = until
  return versions
    .toSorted((a, b) => b.number - a.number)
    .flatMap(version => {
      const from = version.formula.effectiveFrom
      const reign = { version, from, to }
      to = Math.min(to, from - 1)
      return from <= reign.to ? [reign] : []
    })
}

/** The dates of every version on its own calendar, while it governs. */
export function schedule<V extends ScheduledVersion>(
  versions: readonly V[],
  until: Day,
  keptLabels: readonly LabelledDate[] = [],
): ScheduledDate<V>[] {
  const dates = reigns(versions, until)
    .flatMap(({ version, from, to }) =>
      adjustmentDates(version.formula.contract, to, from).map(date => ({
        date,
        label: labelOf(version.formula.contract, date),
        version,
      })),
    )
    .sort((a, b) => a.date - b.date)
  return numbered(dates, keptLabels)
}

/** A label that an earlier date of the agreement already has gets a number: `2024-Q3.2`. */
function numbered<V extends ScheduledVersion>(
  dates: readonly ScheduledDate<V>[],
  keptLabels: readonly LabelledDate[],
): ScheduledDate<V>[] {
  const labels = new Map(keptLabels.map(({ date, label }) => [date, label]))
  const counts = new Map<string, number>()
  const scheduledDays = new Set(dates.map(({ date }) => date))
  const others = keptLabels.filter(({ date }) => !scheduledDays.has(date))
  const passed = others.map(({ date, label }) => ({ date, plain: plainLabel(label) })).sort((a, b) => a.date - b.date)
  let next = 0
  return dates.map(scheduled => {
    for (; next < passed.length && passed[next]!.date < scheduled.date; next++) {
      const { plain } = passed[next]!
      counts.set(plain, (counts.get(plain) ?? 0) + 1)
    }
    const count = (counts.get(scheduled.label) ?? 0) + 1
    counts.set(scheduled.label, count)
    const label = labels.get(scheduled.date) ?? (count === 1 ? scheduled.label : `${scheduled.label}.${count}`)
    return label === scheduled.label ? scheduled : { ...scheduled, label }
  })
}

/** The first adjustment date after a day, by the version that governs it; `null` where there is none. */
export function nextDateAfter(versions: readonly ScheduledVersion[], after: Day): Day | null {
  const horizon = Math.max(...versions.map(({ formula }) => soonestHorizon(formula, after)))
  const dates = reigns(versions, horizon).flatMap(({ version, from, to }) =>
    adjustmentDates(version.formula.contract, to, Math.max(from, after + 1)).slice(0, 1),
  )
  return dates.length === 0 ? null : Math.min(...dates)
}

/** A day by which the next date of a calendar has come, if there is one. */
function soonestHorizon({ contract, effectiveFrom }: ScheduledVersion['formula'], after: Day): Day {
  const from = Math.max(after, effectiveFrom, contract.firstAdjustment)
  const next = dateAfter(contract, from)
  return next === null ? from : addMonths(next, 1)
}

/** Goes back from a day, clipped to the month's length; forward where the span is negative. */
export function goBack(day: Day, { count, unit }: Span): Day {
  if (unit === 'day') return day - count
  if (unit === 'week') return day - 7 * count
  return addMonths(day, -count * monthsPerUnit[unit])
}

export const monthsPerUnit = { month: 1, quarter: 3, year: 12 } as const

/** Whole periods from the contract's start to a date: 1 at the default first adjustment. */
export function periodsSinceStart({ start, frequency: { every }, dates }: Contract, date: Day): number {
  if (dates !== null) return dates.filter(each => each <= date).length
  if (every === null) return 1
  if (every.unit === 'month') return Math.floor(wholeMonthsBetween(start, date) / every.count)
  return Math.floor((date - start) / (every.unit === 'week' ? 7 * every.count : every.count))
}

export function yearsSinceStart({ start }: Contract, date: Day): number {
  return Math.floor(wholeMonthsBetween(start, date) / 12)
}

/** The last anniversary of a day that is not after another. */
export function lastAnniversary(of: Day, date: Day): Day {
  return addMonths(of, 12 * Math.floor(wholeMonthsBetween(of, date) / 12))
}
