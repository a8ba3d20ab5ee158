// The note of a correction: the document that bills it. Data only.

import type { Ratio } from '../numbers/ratio.ts'
import type { NamedSupplier } from '../prices/line-identity.ts'
import type { Instant } from '../time/instant.ts'

export interface IssuedNote extends NamedSupplier {
  readonly id: string
  readonly issuedAt: Instant
  /** The number of the document. */
  readonly number: string
  readonly amount: Ratio
  readonly currency: string
}
