// What is billed under notes against an independent book.
import { compareSeeds } from '../faults/compared-seeds.ts'
import { scenario } from '../support/run/long-test.ts'
import { compareBillingSeed } from '../true-up/billing-compare.ts'

scenario(
  'billing',
  'F25: random histories of lines, notes, corrections and reversals come to the same in an independent book, day by day, with every difference named',
  { short: 500, long: 100_000 },
  run => compareSeeds(run, 'histories', compareBillingSeed),
)
