// Marks on the time axis of a series: events of the index from a day on, and days from which agreements read another series in
// its place, or this one in the place of another.
import { stopped } from '../../../../../src/core/text/sentence-end.ts'
import { parseDay } from '../../../../../src/core/time/day.ts'
import { lastDayOf, parsePeriod } from '../../../../../src/core/time/period.ts'
import type { JoinView, SeriesIndexChanges } from '../../../../../src/views/shapes/index-changes.ts'
import { formatFact } from '../../../../components/index-changes/words.ts'
import { countOf } from '../../../../components/words/words.ts'

export interface Mark {
  readonly day: number
  /** Events that begin with it, each in a few words. */
  readonly words: readonly string[]
}

/** Marks by day: events of the same day are one mark. */
export function marksOf(
  { facts, joins }: Pick<SeriesIndexChanges, 'facts' | 'joins'>,
  seriesId: string,
): readonly Mark[] {
  const found = [
    ...facts.flatMap(fact => {
      const day = fact.ground === 'EVENT' && fact.day !== null ? parseDay(fact.day) : null
      return day === null ? [] : [{ day, words: `${formatFact(fact).words}: ${fact.sentence}` }]
    }),
    ...joinMarks(joins, seriesId),
  ]
  return [...Map.groupBy(found, ({ day }) => day)]
    .sort(([a], [b]) => a - b)
    .map(([day, own]) => ({ day, words: own.map(({ words }) => words) }))
}

/** Many agreements may change from one series to another with the same period: they are one line. */
function joinMarks(joins: readonly JoinView[], seriesId: string) {
  const same = Map.groupBy(joins, ({ old, new: successor, join }) => `${join} ${old.reference} ${successor.reference}`)
  return [...same.values()].flatMap(own => {
    const { old, new: successor, join } = own[0]!
    const last = parsePeriod(join)
    if (last === null) return []
    const agreements = new Set(own.map(({ slug }) => slug)).size
    const who = `${countOf(agreements, 'agreement')} ${agreements === 1 ? 'reads' : 'read'}`
    const words =
      old.id === seriesId
        ? `After ${join}: ${who} ${successor.name} instead.`
        : stopped(`After ${join}: ${who} this in place of ${old.name}`)
    return [{ day: lastDayOf(last) + 1, words }]
  })
}
