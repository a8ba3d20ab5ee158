// The true-up ledger against an independent one: 500 random histories; `npm run faults -- ledger` runs many more.
import { describe, expect, it } from 'vitest'
import { suiteSeed } from '../faults/chance.ts'
import { compareSeed } from '../true-up/compare.ts'

describe('the true-up ledger', () => {
  it('agrees with the independent one on 500 random histories', () => {
    const failures = Array.from({ length: 500 }, (_, i) => compareSeed(suiteSeed + i)).filter(each => each !== null)
    expect(failures.slice(0, 3)).toEqual([])
  })
})
