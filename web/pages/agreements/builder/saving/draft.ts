// Draft of a document, stored for this tab so that a reload loses nothing. If the browser cannot store it, it is not kept.

interface Draft {
  readonly text: string
  /** The version the draft was started from; 0 for a new agreement. */
  readonly basedOn: number
  readonly revision: number | null
  /** The text in the box for the contract's own words; null where it is as saved. */
  readonly words: string | null
}

const keyOf = (place: string) => `assize-draft ${place}`

export function readDraft(place: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('basedOn' in kept)) return null
    const { text, basedOn } = kept
    const revision = 'revision' in kept && typeof kept.revision === 'number' ? kept.revision : null
    const words = 'words' in kept && typeof kept.words === 'string' ? kept.words : null
    return typeof text === 'string' && typeof basedOn === 'number' ? { text, basedOn, revision, words } : null
  } catch {
    return null
  }
}

export function keepDraft(place: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(keyOf(place))
    else sessionStorage.setItem(keyOf(place), JSON.stringify(draft))
  } catch {
    // People can still write without browser storage.
  }
}
