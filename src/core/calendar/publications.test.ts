import { expect, test } from 'vitest'
import type { VersionTag, Vintage } from '../series/series.ts'
import { buildHistory, noCuts } from '../series/vintage.ts'
import { parseDay } from '../time/day.ts'
import { type Frequency, parsePeriod } from '../time/period.ts'
import { publicationsOf } from './publications.ts'

const vintage = (line: string): Vintage => {
  const [at, tag, value] = line.split(' ')
  const publishedAt = at!.includes('T') ? `${at}:00.000000Z` : `${at}T00:00:00.000000Z`
  return { value: value ?? '100', tag: tag as VersionTag, flag: null, publishedAt, recordedAt: publishedAt }
}

function history(frequency: Frequency, periods: Readonly<Record<string, readonly string[]>>) {
  const header = { reference: 'BLS/WPU101', name: 'Steel', unit: '', frequency }
  const vintages = Object.entries(periods).map(
    ([label, lines]) => [parsePeriod(label)!.ordinal, lines.map(vintage)] as const,
  )
  return buildHistory(header, new Map(vintages))
}

const day = (text: string) => parseDay(text)!
const ordinal = (label: string) => parsePeriod(label)!.ordinal

test('the first publication of a period and its first final figure count, revisions do not', () => {
  const steel = history('MONTHLY', {
    '2026-01': ['2026-02-13T13:30 PRELIMINARY', '2026-03-12T12:30 PRELIMINARY', '2026-06-11 FINAL', '2026-09-01 FINAL'],
    '2026-02': ['2026-03-12T12:29 PRELIMINARY'],
  })
  expect(publicationsOf(steel, noCuts).published).toEqual([
    { ordinal: ordinal('2026-01'), day: day('2026-02-13'), finalDay: day('2026-06-11') },
    { ordinal: ordinal('2026-02'), day: day('2026-03-12'), finalDay: null },
  ])
})

test('a history that arrived together is left out, but its newest period is known', () => {
  const steel = history('MONTHLY', {
    '2025-11': ['2026-02-01 FINAL'],
    '2025-12': ['2026-02-01 FINAL'],
    '2026-01': ['2026-02-13 FINAL'],
    '2026-02': ['2026-03-20 FINAL'],
  })
  const { published, newest } = publicationsOf(steel, noCuts)
  expect(published.map(each => each.ordinal)).toEqual([ordinal('2026-01'), ordinal('2026-02')])
  expect(newest?.day).toBe(day('2026-03-20'))
  const early = publicationsOf(steel, { asOf: '2026-02-02T00:00:00.000000Z', knownAt: null })
  expect(early).toEqual({
    published: [],
    newest: { ordinal: ordinal('2025-12'), day: day('2026-02-01'), finalDay: day('2026-02-01') },
  })
})

test('a value that was withdrawn was published, but is not the newest that is there', () => {
  const at = (instant: string, value: string | null): Vintage => ({ ...vintage(`${instant} FINAL`), value })
  const header = { reference: 'BLS/WPU101', name: 'Steel', unit: '', frequency: 'MONTHLY' } as const
  const steel = buildHistory(
    header,
    new Map([
      [ordinal('2026-01'), [at('2026-02-13', '100')]],
      [ordinal('2026-02'), [at('2026-03-12', '101'), at('2026-03-20', null)]],
    ]),
  )
  const { published, newest } = publicationsOf(steel, noCuts)
  expect(published).toHaveLength(2)
  expect(newest?.ordinal).toBe(ordinal('2026-01'))
})

test('days of one bundle are publications; a year of them is a history', () => {
  const first = day('2026-01-01')
  const daysTogether = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        new Date((first + i) * 86_400_000).toISOString().slice(0, 10),
        ['2026-12-31 FINAL'],
      ]),
    )
  expect(publicationsOf(history('DAILY', daysTogether(7)), noCuts).published).toHaveLength(7)
  expect(publicationsOf(history('DAILY', daysTogether(200)), noCuts).published).toHaveLength(0)
})
