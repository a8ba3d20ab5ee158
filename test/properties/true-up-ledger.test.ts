// The true-up ledger against an independent one.
import { describe, expect, test } from 'vitest'
import { compareSeeds } from '../faults/compared-seeds.ts'
import { scenario } from '../support/run/long-test.ts'
import { compareSeed } from '../true-up/compare.ts'

describe('the true-up ledger', () => {
  scenario(
    'ledger',
    'F13: agrees to the cent with the independent one on random histories of revisions, invoices and corrections',
    { short: 75, long: 100_000 },
    run => compareSeeds(run, 'histories', compareSeed),
  )

  test.each([
    [5_001_741, 'no figure alone makes the difference, two of them together do'],
    [5_002_666, 'the same with a base that is read only because an earlier period was not applied'],
    [5_006_541, 'the same where the policy heals later'],
  ])('agrees with it on seed %i: %s', seed => {
    expect(compareSeed(seed)).toBeNull()
  })
})
