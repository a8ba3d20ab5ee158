// Properties of every part of the settings about signing in.
import type { FactorsView } from '../../../../src/views/shapes/factors.ts'
import type { Confirmed } from './show-again.tsx'

export interface FactorParts {
  readonly factors: FactorsView
  /** Runs an action, after a confirmation if one is needed. */
  readonly confirmed: Confirmed
  readonly changed: () => Promise<void>
  /** Shows recovery codes, the only time that is possible. */
  readonly show: (codes: readonly string[]) => void
}
