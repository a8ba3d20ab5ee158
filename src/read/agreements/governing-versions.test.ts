import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everGoverning, type VersionTimes } from './governing-versions.ts'

const instant = fc.integer({ min: 0, max: 12 }).map(n => `2024-01-01T00:00:${String(n).padStart(2, '0')}.000000Z`)
const versions = fc
  .array(fc.record({ recordedAt: instant, effectiveFrom: fc.integer({ min: 0, max: 8 }) }), { maxLength: 8 })
  .map(all => all.map((each, i) => ({ number: i + 1, ...each })))
const states = fc
  .array(fc.record({ recordedAt: instant, status: fc.constantFrom('DRAFT', 'ACTIVE', 'EXPIRED') }), { maxLength: 6 })
  .map(all => all.toSorted((a, b) => (a.recordedAt < b.recordedAt ? -1 : a.recordedAt > b.recordedAt ? 1 : 0)))

/** The rule itself, evaluated at every instant at which something was saved. */
function governedAtAll(
  all: readonly VersionTimes<number>[],
  stood: readonly { recordedAt: string; status: string }[],
): number[] {
  const found = new Set<number>()
  for (const { recordedAt: at } of [...all, ...stood]) {
    const state = stood.findLast(({ recordedAt }) => recordedAt <= at)
    if (state === undefined || state.status === 'DRAFT') continue
    const known = all.filter(({ recordedAt }) => recordedAt <= at)
    for (const { number, effectiveFrom } of known)
      if (!known.some(other => other.number > number && other.effectiveFrom <= effectiveFrom)) found.add(number)
  }
  return [...found].sort((a, b) => a - b)
}

test('finds the versions that governed at some instant at which something was saved', () => {
  fc.assert(
    fc.property(versions, states, (all, stood) => {
      const found = [...everGoverning(all, stood as Parameters<typeof everGoverning>[1])].sort((a, b) => a - b)
      expect(found).toEqual(governedAtAll(all, stood))
    }),
  )
})

test('looks at each of many versions a few times, not at all of them for every other', () => {
  let looks = 0
  const many = Array.from({ length: 500 }, (_, i) => ({
    number: i + 1,
    recordedAt: `2024-01-01T00:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}.000000Z`,
    get effectiveFrom() {
      looks++
      return i
    },
  }))
  const states = many.map(({ recordedAt }) => ({ recordedAt, status: 'ACTIVE' as const }))
  expect(everGoverning(many, states).size).toBe(500)
  // Comparing every version with every other at every instant would take 125 million.
  expect(looks).toBeLessThan(500_000)
})
