import { expect, test } from 'vitest'
import { WorkPlaces } from './places.ts'

const open = () => new WorkPlaces({ atOnce: 5, each: 2, waitMs: 1_000 })

test('gives few places to one name and a fixed number to all, and passes a freed place on', () => {
  const places = open()
  const [first, second] = [places.take('a', 0), places.take('a', 0)]
  expect([first, second, places.take('a', 0)]).toEqual([expect.anything(), expect.anything(), null])
  for (const name of ['b', 'b', 'c']) expect(places.take(name, 0)).not.toBeNull()
  expect(places.take('d', 0)).toBeNull()
  first!.leave()
  first!.leave()
  expect(places.taken).toBe(4)
  expect(places.take('a', 0)).not.toBeNull()
  expect(places.take('d', 0)).toBeNull()
})

test('takes the place of a request that keeps us waiting, the oldest first, under the same name; not at once, and not a kept one', () => {
  const places = open()
  const gone: string[] = []
  const kept = places.take('a', 0, () => gone.push('kept'))
  kept!.keep()
  places.take('a', 100, () => gone.push('a'))
  places.take('b', 50, () => gone.push('b'))
  expect(places.take('a', 1_099)).toBeNull()
  expect(places.take('a', 1_100)).not.toBeNull()
  expect(gone).toEqual(['a'])
  expect(places.take('a', 9_000)).toBeNull()
})

test('takes the place of any request that keeps us waiting if all places are in use', () => {
  const places = open()
  const gone: number[] = []
  for (let i = 0; i < 5; i++) places.take(`n${i}`, i, () => gone.push(i))
  expect(places.take('new', 900)).toBeNull()
  for (let i = 0; i < 3; i++) expect(places.take(`new ${i}`, 2_000)).not.toBeNull()
  expect(gone).toEqual([0, 1, 2])
  expect(places.taken).toBe(5)
})
