// In every test file: random properties use the same cases each time, so that only a code change can change the result and
// a failure can be repeated. New cases are for `npm run test:long`, which prints its seed.
import fc from 'fast-check'
import { seedOr } from './long-form.ts'

fc.configureGlobal({ seed: seedOr(4_012_024) })
