// When a contract adjusts: its dates, their labels, and which formula version governs each of them.
import { addMonths, type Day, wholeMonthsBetween } from './day.ts'
import type { Contract, Formula, Span } from './formula/formula.ts'
import { parsePeriod, periodAt, writePeriod } from './period.ts'

export interface FormulaVersion {
  readonly number: number
  readonly formula: Formula
}

export interface ScheduledDate {
  readonly date: Day
  /** `2024-Q2`: the calendar period that holds the date. */
  readonly label: string
  readonly version: FormulaVersion
}

/** More dates than this are not computed: two centuries of months. */
export const maxDates = 2400

export function labelOf({ frequency }: Contract, date: Day): string {
  return writePeriod(periodAt(frequency.label, date))
}

/** Whether a text has the notation of the contract's labels. */
export function isLabelOf({ frequency }: Contract, text: string): boolean {
  return parsePeriod(text)?.frequency === frequency.label
}

/** The adjustment dates up to and including `until` and the contract's end, ascending. */
export function adjustmentDates(contract: Contract, until: Day): Day[] {
  const last = contract.end === null ? until : Math.min(contract.end, until)
  const { months } = contract.frequency
  if (months === null) return contract.firstAdjustment <= last ? [contract.firstAdjustment] : []
  const dates: Day[] = []
  for (let i = 0; i < maxDates; i++) {
    const date = addMonths(contract.firstAdjustment, i * months, contract.keepDay)
    if (date > last) break
    dates.push(date)
  }
  return dates
}

/** For each date the highest version whose `effectiveFrom` is not later governs, on its own calendar. */
export function schedule(versions: readonly FormulaVersion[], until: Day): ScheduledDate[] {
  const governs = (date: Day) =>
    versions.reduce<FormulaVersion | null>(
      (found, version) =>
        version.formula.effectiveFrom <= date && (found === null || version.number > found.number) ? version : found,
      null,
    )
  return versions
    .flatMap(version =>
      adjustmentDates(version.formula.contract, until)
        .filter(date => governs(date) === version)
        .map(date => ({ date, label: labelOf(version.formula.contract, date), version })),
    )
    .sort((a, b) => a.date - b.date)
}

/** Goes back from a day, clipped to the month's length. */
export function goBack(day: Day, { count, unit }: Span): Day {
  if (unit === 'day') return day - count
  if (unit === 'week') return day - 7 * count
  return addMonths(day, -count * monthsPerUnit[unit])
}

export const monthsPerUnit = { month: 1, quarter: 3, year: 12 } as const

/** Whole periods from the contract's start to a date: 1 at the default first adjustment. */
export function periodsSinceStart({ start, frequency }: Contract, date: Day): number {
  return frequency.months === null ? 1 : Math.floor(wholeMonthsBetween(start, date) / frequency.months)
}

export function yearsSinceStart({ start }: Contract, date: Day): number {
  return Math.floor(wholeMonthsBetween(start, date) / 12)
}
