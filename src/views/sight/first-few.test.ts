import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FirstFew } from './first-few.ts'

test('are what sorting all of them would put first, equal ones in the order they came', () => {
  const things = fc.array(fc.record({ rank: fc.nat(20), name: fc.string() }), { maxLength: 200 })
  fc.assert(
    fc.property(things, fc.nat(30), (all, most) => {
      const few = new FirstFew<{ rank: number; name: string }>(most, (a, b) => a.rank < b.rank)
      for (const thing of all) few.add(thing)
      expect(few.first).toEqual(all.toSorted((a, b) => a.rank - b.rank).slice(0, most))
      expect(few.count).toBe(all.length)
    }),
  )
})
