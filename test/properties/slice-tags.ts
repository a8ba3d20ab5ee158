// The tag of a slice of a series compared with what determines its bytes: the same tag for the same facts, another for
// others.
import { notStrictEqual, strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { type SliceFacts, sliceTag } from '../../src/http/v1/values.ts'
import { drawnCut, instantAt } from '../support/agreements/vintage-draws.ts'

const place = fc.integer({ min: 0, max: 40 })
const facts: fc.Arbitrary<SliceFacts> = fc.record({
  id: fc.constantFrom('ser_00000000000000000000000001', 'ser_00000000000000000000000002'),
  newestRecorded: fc.integer({ min: 0, max: 4 }).map(instantAt),
  metadataSeq: fc.integer({ min: 1, max: 50 }),
  start: place,
  stop: place,
  total: place,
  variant: fc.constantFrom('nullnullnull', '2024-04-01nullnull', 'nullFINALnull', 'vintages'),
  known: drawnCut,
})

/** One fact after the other is exchanged for another one; throws where the tag does not notice, or notices too much. */
export function checkSliceTags(numRuns: number): void {
  fc.assert(
    fc.property(facts, facts, (one, other) => {
      strictEqual(sliceTag({ ...one }), sliceTag(one))
      for (const name of Object.keys(one) as (keyof SliceFacts)[]) {
        const changed = { ...one, [name]: other[name] }
        if (changed[name] === one[name]) continue
        // What was known at an instant does not change with what is recorded later.
        const check = name === 'newestRecorded' && one.known !== null ? strictEqual : notStrictEqual
        check(sliceTag(changed), sliceTag(one), `the tag and ${name}`)
      }
    }),
    { numRuns },
  )
}
