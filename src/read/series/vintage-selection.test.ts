import { expect, test } from 'vitest'
import { instantOfMicros } from '../../core/time/instant.ts'
import type { VintageRow } from '../../storage/series/series.ts'
import { SeriesSnapshot } from './series-snapshot.ts'
import { toldVintages, type VintageRequest } from './vintage-selection.ts'

const day = 86_400_000_000
const row = (period: number, value: string | null, published: number, recorded: number): VintageRow => ({
  period,
  value,
  tag: value === null ? null : 'FINAL',
  flag: null,
  published: published * day,
  recorded: recorded * day,
})
/** The value of the second period was withdrawn and published again; that of the third was withdrawn. */
const snapshot = new SeriesSnapshot('x', 'MONTHLY', [
  row(1, 'a', 1, 1),
  row(1, 'b', 5, 5),
  row(2, 'c', 2, 2),
  row(2, null, 4, 4),
  row(2, 'd', 6, 9),
  row(3, 'e', 3, 3),
  row(3, null, 7, 7),
])
const nothing: VintageRequest = {
  asOf: null,
  knownAt: null,
  version: null,
  updatedAfter: null,
  hasHistory: false,
  first: null,
  last: null,
}
const told = (request: Partial<VintageRequest>, isWanted: (ordinal: number) => boolean = () => true) => {
  const { places, replacedBy } = toldVintages(snapshot, { ...nothing, ...request }, isWanted)
  const name = (place: number) => `${snapshot.ordinalAt(place)}${snapshot.valueAt(place) ?? '-'}`
  return places.map((place, i) => {
    const next = replacedBy[i] ?? -1
    return next < 0 ? name(place) : `${name(place)}>${name(next)}`
  })
}
const at = (days: number) => instantOfMicros(days * day)

test('one vintage of each period counts, inside both cuts', () => {
  expect(told({})).toEqual(['1b', '2d'])
  expect(told({ asOf: at(3) })).toEqual(['1a', '2c', '3e'])
  expect(told({ knownAt: at(8) })).toEqual(['1b'])
  expect(told({ asOf: at(6), knownAt: at(6) })).toEqual(['1b', '3e'])
})

test('what was recorded since is told once for each period, a withdrawal as such', () => {
  expect(told({ updatedAfter: at(4) })).toEqual(['1b', '2d', '3-'])
  expect(told({ updatedAfter: at(4), knownAt: at(8) })).toEqual(['1b', '3-'])
  expect(told({ updatedAfter: at(3), knownAt: at(8) })).toEqual(['1b', '2-', '3-'])
  expect(told({ updatedAfter: at(9) })).toEqual([])
})

test('a history has every vintage inside the cuts with the one that replaced it', () => {
  expect(told({ hasHistory: true })).toEqual(['1a>1b', '1b', '2c>2-', '2->2d', '2d', '3e>3-', '3-'])
  expect(told({ hasHistory: true, knownAt: at(8) })).toEqual(['1a>1b', '1b', '2c>2-', '2-', '3e>3-', '3-'])
  expect(told({ hasHistory: true, updatedAfter: at(5) })).toEqual(['2d', '3-'])
})

test('periods are counted from both ends, and each is told once', () => {
  expect(told({ first: 1 })).toEqual(['1b'])
  expect(told({ last: 1 })).toEqual(['2d'])
  expect(told({ first: 2, last: 2 })).toEqual(['1b', '2d'])
  expect(told({ hasHistory: true, first: 1, last: 1 })).toEqual(['1a>1b', '1b', '3e>3-', '3-'])
  expect(told({}, ordinal => ordinal > 1)).toEqual(['2d'])
})
