// Limits on a library's work in its thread: the main thread, where everybody waits, or one where nobody does.
import { fullBudget, type WorkBudget } from '../../core/numbers/work-budget.ts'
import { limits } from '../../limits.ts'
import type { AgreementHistory } from '../../storage/agreements/agreements.ts'
import type { RowSeals } from '../../storage/log/row-seals.ts'

/** A receipt is read as JSON, many times faster than a document. */
const receiptsPerDocument = 20

/** Characters of its documents, plus the equivalent of reading its receipts and agreed corrections. */
export function lengthOf({ versions, receipts, corrections }: AgreementHistory): number {
  const documents = versions.reduce((sum, { documentText }) => sum + documentText.length, 0)
  const corrected = corrections.reduce(
    (sum, { texts }) => sum + (texts === null ? 0 : texts.body.length + texts.receipts.length),
    0,
  )
  return documents + receipts.reduce((sum, { receipt }) => sum + receipt.length, corrected) / receiptsPerDocument
}

/** Limits of the library's thread; more work throws `TooHeavyHere`. */
export interface LibraryBounds {
  readonly work: () => WorkBudget
  /** Most vintages of one series, and most characters of one agreement's documents. */
  readonly vintages: number
  readonly documents: number
  /** Most characters of all versions of one price list. */
  readonly listCharacters: number
  /** Most milliseconds for the numbers of one list of agreements. */
  readonly listMs: number
  /** Most agreements compared for one request. */
  readonly radarAgreements: number
  /** Most agreements in one file of prices. */
  readonly fileAgreements: number
  /** Most observations or series of one answer held together for sorting. */
  readonly heldTogether: number
  /** Whether a workspace's lists are read as a whole as soon as a piece is requested: useful where more requests follow. */
  readonly readsListsAhead: boolean
}

/** Limits of commands and threads: as much as one agreement may take. */
export const unbounded: LibraryBounds = {
  work: fullBudget,
  vintages: Number.POSITIVE_INFINITY,
  documents: Number.POSITIVE_INFINITY,
  listCharacters: Number.POSITIVE_INFINITY,
  listMs: limits.listMs,
  radarAgreements: Number.POSITIVE_INFINITY,
  fileAgreements: Number.POSITIVE_INFINITY,
  heldTogether: Number.POSITIVE_INFINITY,
  readsListsAhead: false,
}

/** Check of stored signatures at loading. */
export interface LibraryTrust {
  readonly seals: RowSeals
  /** Called with a sentence for every stored row that is not valid. */
  readonly report: (problem: string) => void
}
