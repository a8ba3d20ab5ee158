// Wire types of the console for clauses that were pasted.
import type { KeptClause } from '../../core/formula/pasted/clause-check.ts'

/** The clause that an agreement was read from; null if none was pasted. */
export interface ClauseView {
  readonly clause: KeptClause | null
}
