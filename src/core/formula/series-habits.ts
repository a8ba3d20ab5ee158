// What is generally known of providers' series from their codes alone: which are seasonally adjusted, and how long after
// a period's end its value usually comes. Only for warnings, but for the day that stands for a week, which the provider's own
// description says.
import type { Frequency } from '../period.ts'
import { parseReference, type SeriesHeader, type SeriesProvider } from '../series.ts'
import { type Weekday, weekdays } from './formula.ts'

const adjustedCodes: Readonly<Partial<Record<SeriesProvider, RegExp>>> = {
  // The letter behind the survey says S for adjusted, U for unadjusted.
  BLS: /^(?:CUS|CWS|WPS|CES|LNS|CIS|JTS|SMS|IPS)/,
  FRED: /^(?:CPIAUCSL|CPILFESL|CPI[A-Z]{2}SL|PPIFIS|PPIFES|WPSFD|PCEPI|PCEPILFE|CES\d)/,
  EUROSTAT: /(?:^|[./])(?:SA|SCA|SWDA)(?:[./]|$)/,
  ECB: /^[A-Z]+\/[A-Z]\.[A-Z0-9]+\.(?:Y|S)\./,
  ABS: /^[^/]+\/[^/]*\.20\.[^/]*$/,
}

export function isSeasonallyAdjusted(reference: string, name: string): boolean {
  if (/\b(?:not|non|un)[ -]?(?:seasonally|adjusted)/i.test(name)) return false
  if (/seasonally(?: and calendar)? adjusted/i.test(name)) return true
  const parsed = parseReference(reference)
  return parsed !== null && adjustedCodes[parsed.provider]?.test(parsed.code) === true
}

type Delays = Readonly<Partial<Record<Frequency, number>>>

/** Days, rounded to what one can rely on. */
const delays: Readonly<Partial<Record<SeriesProvider, Delays>>> = {
  BLS: { MONTHLY: 15, QUARTERLY: 31 },
  FRED: { MONTHLY: 16, QUARTERLY: 30 },
  EIA: { DAILY: 3, WEEKLY: 2, MONTHLY: 10 },
  ECB: { DAILY: 1, MONTHLY: 18, QUARTERLY: 75 },
  EUROSTAT: { MONTHLY: 30, QUARTERLY: 78, ANNUAL: 120 },
  ONS: { MONTHLY: 20, QUARTERLY: 45 },
  STATCAN: { MONTHLY: 20, QUARTERLY: 60 },
  ABS: { MONTHLY: 28, QUARTERLY: 30, SEMIANNUAL: 56 },
  BIS: { DAILY: 7, MONTHLY: 20, QUARTERLY: 100 },
  BOJ: { MONTHLY: 12, QUARTERLY: 30 },
  OECD: { MONTHLY: 35, QUARTERLY: 60 },
  IMF: { MONTHLY: 20 },
  WORLD_BANK: { MONTHLY: 5, ANNUAL: 180 },
}

export function usualDelayDays(reference: string, frequency: Frequency): number | null {
  const parsed = parseReference(reference)
  return parsed === null ? null : (delays[parsed.provider]?.[frequency] ?? null)
}

const weekEnding = /\bweek(?:ly)?,? ending(?: on)?,? (mon|tues|wednes|thurs|fri|satur|sun)day\b/i

/** The day that stands for a week, by the description of the series; 0 for Monday, which counts where it says nothing. */
export function usualWeekday({ name, unit }: Pick<SeriesHeader, 'name' | 'unit'>): number {
  const day = weekEnding.exec(`${name} ${unit}`)?.[1]?.toUpperCase()
  return day === undefined ? 0 : weekdays.indexOf(`${day}DAY` as Weekday)
}
