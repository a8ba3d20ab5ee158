// Description of a public series: by its provider, else by the built-in list of well-known series, else by its code (C18). Also
// the notice for a series that has had no new value for a long time.

import type { DataType, ProviderName } from '../core/series/series.ts'
import type { Day } from '../core/time/day.ts'
import { type Frequency, formatPeriod, lastDayOf, periodOf } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import { providers } from '../providers/catalogue/catalogue.ts'
import { findWellKnown } from '../providers/catalogue/well-known.ts'
import type { ParsedSeries } from '../providers/provider.ts'
import type { SeriesDescription } from '../storage/series/own-series.ts'
import { oneLine } from './redact.ts'

/** A unit in the form in which units are stored, so that the two can be compared. */
export function tidyUnit(unit: string | null): string | null {
  return unit === null ? null : oneLine(unit).slice(0, limits.namesLength)
}

export function describeSeries(
  provider: ProviderName,
  parsed: ParsedSeries,
  stored: SeriesDescription | null,
): SeriesDescription {
  const known = findWellKnown(provider, parsed.code)
  const name = parsed.name ?? stored?.name ?? known?.name ?? parsed.code
  const unit = parsed.unit ?? stored?.unit ?? known?.unit ?? ''
  return {
    provider,
    code: stored?.code ?? parsed.code,
    name: oneLine(name).slice(0, limits.namesLength) || parsed.code,
    unit: tidyUnit(unit) ?? '',
    dataType: stored?.dataType ?? known?.dataType ?? dataTypeOf(provider, parsed.code, unit),
    frequency: parsed.frequency,
    description: stored?.description ?? '',
  }
}

export function isSameDescription(a: SeriesDescription, b: SeriesDescription): boolean {
  return a.name === b.name && a.unit === b.unit && a.dataType === b.dataType && a.frequency === b.frequency
}

/** Data type, only where code or unit make it obvious; otherwise an index. */
function dataTypeOf(provider: ProviderName, code: string, unit: string): DataType {
  const said = providers[provider].dataTypeOf?.(code)
  if (said != null) return said
  if (/index|= ?100/i.test(unit)) return 'INDEX'
  if (/^(?:per ?cent|%)/i.test(unit)) return 'RATE'
  return /\$\/|\b(?:dollars?|euros?|USD|EUR|GBP|cents?) per\b/i.test(unit) ? 'PRICE' : 'INDEX'
}

/** Days after the end of the newest period from which the next one is overdue; generous. */
const overdueDays: Readonly<Record<Frequency, number>> = {
  DAILY: 14,
  WEEKLY: 35,
  MONTHLY: 125,
  QUARTERLY: 280,
  SEMIANNUAL: 460,
  ANNUAL: 900,
}

/** Data sets stop without an error, so we compare the newest period with the date. */
export function stallNotice(frequency: Frequency, newestPeriod: number | null, today: Day): string | null {
  if (newestPeriod === null) return null
  const newest = periodOf(frequency, newestPeriod)
  if (today - lastDayOf(newest) <= overdueDays[frequency]) return null
  return `nothing newer than ${formatPeriod(newest)}: the provider may have stopped publishing it`
}
