// A test whose proof `npm test` has elsewhere in a cheaper form: the table in CONTRIBUTING.md says which.
import { test } from 'vitest'
import { isLongForm } from './long-form.ts'

/** Runs in the long form alone. It is not reported as skipped, because nothing that is needed for it is missing. */
export const longTest: (name: string, run: () => unknown, timeoutMs?: number) => void = isLongForm ? test : () => {}
