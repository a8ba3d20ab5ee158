// What is billed under notes against an independent book: 500 random histories; `npm run faults -- billing` runs many more.
import { describe, expect, test } from 'vitest'
import { suiteSeed } from '../faults/chance.ts'
import { compareBillingSeed } from '../true-up/billing-compare.ts'

describe('notes and what is billed under their numbers', () => {
  test('come to the same in an independent book, day by day, with every difference named, on 500 random histories', () => {
    const failures = Array.from({ length: 500 }, (_, i) => compareBillingSeed(suiteSeed + i)).filter(
      each => each !== null,
    )
    expect(failures.slice(0, 3)).toEqual([])
  })
})
