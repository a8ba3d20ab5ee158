// Validity of results computed for an agreement if nothing is recorded: until its next date, unless the clock alone may change
// them.
import type { Day } from '../../core/time/day.ts'
import { lastDayOf, ordinalAt } from '../../core/time/period.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'

export interface RestsOn {
  /** Ids of the series it reads; null where one of them is missing. */
  readonly series: readonly string[] | null
  /** Whether the clock alone changes nothing before the next date. */
  readonly isSettled: boolean
}

/** Whether a version begins to govern on a later day: its price may be another. */
export function isToChange({ versions }: AgreementSnapshot, today: Day): boolean {
  return versions.some(({ formula: { effectiveFrom } }) => effectiveFrom > today)
}

/** A window over days or weeks may end by the clock alone; a missing series may come without an entry about it. */
export function restsOn(series: readonly (VisibleSeries | undefined)[]): RestsOn {
  const found = series.filter(each => each !== undefined)
  const isByPeriods = found.every(({ metadata }) => !['DAILY', 'WEEKLY'].includes(metadata.at(-1)!.frequency))
  const isAllThere = found.length === series.length
  return { series: isAllThere ? [...new Set(found.map(({ id }) => id))] : null, isSettled: isAllThere && isByPeriods }
}

/** The last day before the next date, within the quarter: effects are counted by quarters and years. */
export function lastDayBefore(next: Day | null, today: Day): Day {
  const endOfQuarter = lastDayOf({ frequency: 'QUARTERLY', ordinal: ordinalAt('QUARTERLY', today) })
  return next === null ? endOfQuarter : Math.min(next - 1, endOfQuarter)
}
