// What is being written, stored for this tab so that a reload loses nothing. If the browser cannot store it, it is not kept.

import type { KeptClause } from '../../../../../src/core/formula/pasted/clause-check.ts'

interface Draft {
  readonly text: string
  /** The version the draft was started from; 0 for a new agreement. */
  readonly basedOn: number
  readonly revision: number | null
  /** The pasted clause with what was ticked off; null if none was pasted. */
  readonly clause: KeptClause | null
}

const keyOf = (place: string) => `assize-draft ${place}`

export function readDraft(place: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('basedOn' in kept)) return null
    const { text, basedOn } = kept
    const revision = 'revision' in kept && typeof kept.revision === 'number' ? kept.revision : null
    const clause = 'clause' in kept ? readClause(kept.clause) : null
    return typeof text === 'string' && typeof basedOn === 'number' ? { text, basedOn, revision, clause } : null
  } catch {
    return null
  }
}

function readClause(kept: unknown): KeptClause | null {
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('checked' in kept)) return null
  const { text, checked } = kept
  if (typeof text !== 'string' || !Array.isArray(checked)) return null
  return { text, checked: checked.filter(each => typeof each === 'string') }
}

export function keepDraft(place: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(keyOf(place))
    else sessionStorage.setItem(keyOf(place), JSON.stringify(draft))
  } catch {
    // Without browser storage, people can still write.
  }
}

const pasteKey = (workspace: string) => `assize-paste ${workspace}`

/** The clause that somebody pasted last, so that a reload of the form has it. */
export function readPaste(workspace: string): string | null {
  try {
    return sessionStorage.getItem(pasteKey(workspace))
  } catch {
    return null
  }
}

export function keepPaste(workspace: string, text: string): void {
  try {
    sessionStorage.setItem(pasteKey(workspace), text)
  } catch {
    // Without browser storage, a reload asks for the clause again.
  }
}
