import { expect, test } from 'vitest'
import { FairPlaces } from './fair-places.ts'

/** Number of places for a group that takes as many as it can, with a new person for each where `people` is given. */
function takeAll(places: FairPlaces, group: string, people = false): number {
  for (let count = 0; ; count++) if (typeof places.take(group, people ? `${count}` : 'ann') === 'string') return count
}

test('gives a person and a group no more than their bounds, and says which was reached', () => {
  const places = new FairPlaces({ atOnce: 100, perGroup: 5, perPerson: 3 })
  expect(takeAll(places, 'a')).toBe(3)
  expect(places.take('a', 'ann')).toBe('person')
  expect(takeAll(places, 'a', true)).toBe(2)
  expect(places.take('a', 'bob')).toBe('group')
  expect(places.take('a', 'bob', 6)).toBeInstanceOf(Function)
})

test('has a place for a newcomer however many groups take all they can', () => {
  const places = new FairPlaces({ atOnce: 32, perGroup: 8, perPerson: 8 })
  expect(['a', 'b', 'c', 'd', 'e'].map(group => takeAll(places, group))).toEqual([8, 8, 8, 4, 2])
  expect(places.take('newcomer', 'ann')).toBeInstanceOf(Function)
})

test('has a place again when one is left, once', () => {
  const places = new FairPlaces({ atOnce: 100, perGroup: 1, perPerson: 1 })
  const leave = places.take('a', 'ann') as () => void
  expect(places.take('a', 'ann')).toBe('person')
  leave()
  leave()
  expect(places.taken).toBe(0)
  expect(places.take('a', 'ann')).toBeInstanceOf(Function)
})
