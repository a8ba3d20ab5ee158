// Days and periods as people type them, and as the pages write them: `1 Jan 2024`, `Q4 2023`, `December 2023`. An ambiguous day
// such as 01/02/2024 stays as it was typed, and the document's check names the fault.
import { isOpenDate, readDate, readLoosePeriod } from '../../../src/core/time/loose-period.ts'

export function readTypedDay(text: string): string {
  const typed = text.trim()
  return isOpenDate(typed) ? typed : (readDate(typed, 'DMY') ?? typed)
}

/** A period, or a range `from..to`. */
export function readTypedPeriod(text: string): string {
  return text
    .trim()
    .split('..')
    .map(part => (isOpenDate(part) ? part : (readLoosePeriod(part, { dateOrder: 'DMY', dates: 'DAILY' }) ?? part)))
    .join('..')
}
