// First publications of the figures of a series, from its vintages: the basis of learned dates. A history that arrived at once
// says nothing about the day of each figure, and is left out.
import type { SeriesHistory, Vintage } from '../series/series.ts'
import { type Cuts, vintagesInside } from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import { dayOfInstant } from '../time/instant.ts'
import type { Frequency } from '../time/period.ts'

/** The first publication of a period. */
export interface FirstPrint {
  /** The period's running number. */
  readonly ordinal: number
  readonly day: Day
  /** The day of its first vintage tagged FINAL; null while there is none. */
  readonly finalDay: Day | null
}

export interface FirstPrints {
  /** Sorted by period, ascending. */
  readonly published: readonly FirstPrint[]
  /** The newest period with a value, however it came; null where there is none. */
  readonly newest: FirstPrint | null
}

/** The most periods in one publication; more of them are a history. */
const mostTogether: Readonly<Record<Frequency, number>> = {
  DAILY: 31,
  WEEKLY: 5,
  MONTHLY: 1,
  QUARTERLY: 1,
  SEMIANNUAL: 1,
  ANNUAL: 1,
}

export function publicationsOf({ frequency, ordinals, periods }: SeriesHistory, cuts: Cuts): FirstPrints {
  const firsts: { readonly publication: FirstPrint; readonly at: string; readonly isThere: boolean }[] = []
  const together = new Map<string, number>()
  for (const ordinal of ordinals) {
    const vintages = vintagesInside(periods.get(ordinal)!, cuts)
    const first = vintages.find(({ value }) => value !== null)
    if (first === undefined) continue
    const at = first.publishedAt
    together.set(at, (together.get(at) ?? 0) + 1)
    const publication = { ordinal, day: dayOfInstant(at), finalDay: finalDayOf(vintages) }
    firsts.push({ publication, at, isThere: vintages.at(-1)!.value !== null })
  }
  return {
    published: firsts
      .filter(({ at }) => together.get(at)! <= mostTogether[frequency])
      .map(({ publication }) => publication),
    newest: firsts.findLast(({ isThere }) => isThere)?.publication ?? null,
  }
}

function finalDayOf(vintages: readonly Vintage[]): Day | null {
  const final = vintages.find(({ value, tag }) => value !== null && tag === 'FINAL')
  return final === undefined ? null : dayOfInstant(final.publishedAt)
}
