// What was last looked at in this browser, so that a page can say what has changed since. Where nothing can be kept, it
// says nothing.
import { useEffect, useState } from 'react'
import type { Proposal } from './moved.ts'

export interface Seen {
  readonly at: string
  readonly proposal: Proposal
}

/** Reads back what was kept; null for anything else. */
export function parseSeen(text: string | null): Seen | null {
  if (text === null) return null
  try {
    const seen = JSON.parse(text) as Partial<Seen> | null
    const proposal = seen?.proposal
    const isWhole =
      typeof seen?.at === 'string' &&
      !Number.isNaN(Date.parse(seen.at)) &&
      typeof proposal?.hash === 'string' &&
      typeof proposal.adjustmentPct === 'string' &&
      (proposal.price === null || typeof proposal.price === 'string') &&
      Array.isArray(proposal.observations)
    return isWhole ? (seen as Seen) : null
  } catch {
    return null
  }
}

function read(key: string): Seen | null {
  try {
    return parseSeen(localStorage.getItem(key))
  } catch {
    return null
  }
}

function keep(key: string, seen: Seen): void {
  try {
    localStorage.setItem(key, JSON.stringify(seen))
  } catch {
    // Storage is closed or full; then the next visit has nothing to compare with.
  }
}

/** What was seen under the key before this proposal, if it was another one. Looking keeps the present one. */
export function useLastSeen(key: string, proposal: Proposal): Seen | null {
  const [before, setBefore] = useState<Seen | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a proposal is the same as long as its hash is.
  useEffect(() => {
    const kept = read(key)
    if (kept !== null && kept.proposal.hash !== proposal.hash) setBefore(kept)
    keep(key, { at: new Date().toISOString(), proposal })
  }, [key, proposal.hash])
  return before
}
