// The same index on another level: no splice of it moves a price.
import { compareSeeds } from '../faults/compared-seeds.ts'
import { scenario } from '../support/run/long-test.ts'
import { compareSplice } from './spliced-prices.ts'

scenario(
  'splices',
  'F28: an index that is replaced by itself on another level leaves every later price as it was',
  { short: 25, long: 100_000 },
  run => compareSeeds(run, 'agreements', compareSplice),
)
