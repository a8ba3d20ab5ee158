// How a public series is described: by what its provider said, else by the built-in list of well-known series, else by its
// code (C18). And what to say of one that has not moved for long.
import type { Day } from '../core/day.ts'
import { type Frequency, lastDayOf, periodOf, writePeriod } from '../core/period.ts'
import type { DataType, ProviderName } from '../core/series.ts'
import { limits } from '../limits.ts'
import { providers } from '../providers/catalogue.ts'
import type { SeriesReading } from '../providers/provider.ts'
import { findWellKnown } from '../providers/well-known.ts'
import type { SeriesDescription } from '../storage/series-writing.ts'
import { oneLine } from './redact.ts'

/** As it is stored, so that it can be compared with what is. */
export function tidyUnit(unit: string | null): string | null {
  return unit === null ? null : oneLine(unit).slice(0, limits.namesLength)
}

export function describeSeries(
  provider: ProviderName,
  reading: SeriesReading,
  held: SeriesDescription | null,
): SeriesDescription {
  const known = findWellKnown(provider, reading.code)
  const name = reading.name ?? held?.name ?? known?.name ?? reading.code
  const unit = reading.unit ?? held?.unit ?? known?.unit ?? ''
  return {
    provider,
    code: held?.code ?? reading.code,
    name: oneLine(name).slice(0, limits.namesLength) || reading.code,
    unit: tidyUnit(unit) ?? '',
    dataType: held?.dataType ?? known?.dataType ?? dataTypeOf(provider, reading.code, unit),
    frequency: reading.frequency,
    description: held?.description ?? '',
  }
}

export function isSameDescription(a: SeriesDescription, b: SeriesDescription): boolean {
  return a.name === b.name && a.unit === b.unit && a.dataType === b.dataType && a.frequency === b.frequency
}

/** Only what is plain to see; an index otherwise. */
function dataTypeOf(provider: ProviderName, code: string, unit: string): DataType {
  const said = providers[provider].dataTypeOf?.(code)
  if (said != null) return said
  if (/index|= ?100/i.test(unit)) return 'INDEX'
  if (/^(?:per ?cent|%)/i.test(unit)) return 'RATE'
  return /\$\/|\b(?:dollars?|euros?|USD|EUR|GBP|cents?) per\b/i.test(unit) ? 'PRICE' : 'INDEX'
}

/** How long after the end of the newest period the next one is overdue, generously. */
const overdueDays: Readonly<Record<Frequency, number>> = {
  DAILY: 14,
  WEEKLY: 35,
  MONTHLY: 125,
  QUARTERLY: 280,
  SEMIANNUAL: 460,
  ANNUAL: 900,
}

/** Sets stop without an error: what is due is compared with what came. */
export function stallNotice(frequency: Frequency, newestPeriod: number | null, today: Day): string | null {
  if (newestPeriod === null) return null
  const newest = periodOf(frequency, newestPeriod)
  if (today - lastDayOf(newest) <= overdueDays[frequency]) return null
  return `nothing newer than ${writePeriod(newest)}: the provider may have stopped publishing it`
}
