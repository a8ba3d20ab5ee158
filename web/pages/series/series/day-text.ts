// Days as people type them: `1 Apr 2024`, `1 April 2024`, `2024-04-01`. Anything ambiguous is refused.
import { type Day, pad, parseDay } from '../../../../src/core/time/day.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const fullNames = 'january february march april may june july august september october november december'.split(' ')

export function readDayText(text: string): Day | null {
  const plain = text.trim().toLowerCase()
  const written = /^(\d{1,2})\.? +([a-z]+)\.?,? +(\d{4})$/.exec(plain)
  if (written === null) return parseDay(plain)
  const [, day, name, year] = written
  const short = months.indexOf(name === 'sept' ? 'sep' : name!)
  const month = short >= 0 ? short : fullNames.indexOf(name!)
  return month < 0 ? null : parseDay(`${year}-${pad(month + 1, 2)}-${day!.padStart(2, '0')}`)
}
