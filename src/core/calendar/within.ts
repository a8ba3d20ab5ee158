// The span that somebody looks ahead: `30d`, `6w`, `3m`, between one day and four hundred.
import { addMonths, type Day } from '../time/day.ts'

const mostDaysAhead = 400

export const withinWords = `a number of days, weeks or months, 1 to ${mostDaysAhead} days, such as 30d, 6w or 3m`

const pattern = /^([1-9]\d{0,2})([dwm])$/

/** The last day of the span; null for another form, and for more than four hundred days. */
export function lastDayWithin(text: string, today: Day): Day | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const count = Number.parseInt(match[1]!, 10)
  const last = match[2] === 'm' ? addMonths(today, count) : today + count * (match[2] === 'w' ? 7 : 1)
  return last - today > mostDaysAhead ? null : last
}
