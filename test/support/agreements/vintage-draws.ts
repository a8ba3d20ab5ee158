// Histories whose instants lie a microsecond apart, so that cuts fall exactly on publications and recordings, just before
// and just after them; with withdrawals, equal publications, and values that are equal as numbers but not as text.
import fc from 'fast-check'
import { type VersionTag, versionTags } from '../../../src/core/series/series.ts'
import { type Instant, instantOfMicros, microsOf } from '../../../src/core/time/instant.ts'
import type { VintageRow } from '../../../src/storage/series/series.ts'

/** The last microsecond of a day and the first of the next are among them. */
const firstMicro = microsOf('2024-03-31T23:59:59.999996Z')
const micros = 8

export function instantAt(place: number): Instant {
  return instantOfMicros(firstMicro + place)
}

/** Equal as numbers in pairs and more: `1`, `1.0` and `1.00`; `0` and `-0.0`. */
export const drawnValue = fc.constantFrom('1', '1.0', '1.00', '01', '2', '2.50', '2.5', '0', '-0.0', '-1', null)
export const drawnTag = fc.constantFrom<VersionTag>(...versionTags)

/** One of the instants of a history, or one next to them. */
export const drawnCut = fc.option(fc.integer({ min: -1, max: micros }), { freq: 3 }).map(cutAt)

function cutAt(place: number | null): Instant | null {
  return place === null ? null : instantAt(place)
}

const firstPeriod = 2024 * 12

const drawnRow = fc.record({
  period: fc.integer({ min: firstPeriod, max: firstPeriod + 2 }),
  value: drawnValue,
  tag: drawnTag,
  published: fc.integer({ min: 0, max: micros - 1 }),
  recorded: fc.integer({ min: 0, max: micros - 1 }),
})

/** Rows as the database returns them: by period, then by publication, then in the order they were recorded in. */
export const drawnRows: fc.Arbitrary<readonly VintageRow[]> = fc.array(drawnRow, { maxLength: 12 }).map(rows =>
  rows
    .toSorted((a, b) => a.recorded - b.recorded)
    .toSorted((a, b) => a.period - b.period || a.published - b.published)
    .map(({ period, value, tag, published, recorded }) => ({
      period,
      value,
      tag: value === null ? null : tag,
      flag: null,
      published: firstMicro + published,
      recorded: firstMicro + recorded,
    })),
)
