// The same index on another level: no splice of it moves a price. The long form draws more.
import { expect, test } from 'vitest'
import { draws, seedOr } from '../support/run/long-form.ts'
import { compareSplice } from './spliced-prices.ts'

test('an index that is replaced by itself on another level leaves every later price as it was', () => {
  for (let i = 0; i < draws(25); i++) expect(compareSplice(seedOr(4_012_024) + i)).toBeNull()
})
