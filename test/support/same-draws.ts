// In every test file: random properties draw the same cases each time, so that a change is judged by itself and a failure
// comes again. Fresh cases are for `npm run faults`, which prints its seeds.
import fc from 'fast-check'

fc.configureGlobal({ seed: 4_012_024 })
