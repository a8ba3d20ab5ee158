// How much a library does in its thread: the main thread, where everybody waits, or one where nobody does.
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

/** More than this is not done in the library's thread: `TooHeavyHere`. */
export interface LibraryBounds {
  readonly work: () => WorkBudget
  /** Vintages of one series, and characters of the documents of one agreement. */
  readonly vintages: number
  readonly documents: number
  /** Characters of all versions of one price list. */
  readonly listCharacters: number
  /** How long the numbers of one list of agreements are computed. */
  readonly listMs: number
  /** How many agreements are compared for one request. */
  readonly radarAgreements: number
  /** How many agreements' prices are put into one file. */
  readonly fileAgreements: number
  /** How many observations or series of one answer are held together, because they are sorted. */
  readonly heldTogether: number
  /**
   * Whether a workspace's lists are read as a whole as soon as a piece of them is requested: useful where more
   * requests follow.
   */
  readonly readsListsAhead: boolean
}

/** For commands and threads: as much as one agreement may take. */
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

/** How stored signatures are checked when they are loaded. */
export interface LibraryTrust {
  readonly seals: RowSeals
  /** Called for every stored row that is not valid, with a sentence. */
  readonly report: (problem: string) => void
}
