// Cuts of pages: publications by a day, or records by a moment. A supplier sees the past of an agreement only where it was in force
// then and named that supplier.

import { Refusal } from '../../core/refusal.ts'
import type { Cuts } from '../../core/series/vintage.ts'
import { isBy, noCuts } from '../../core/series/vintage.ts'
import { dayOfInstant, type Instant, parseCut } from '../../core/time/instant.ts'
import type { AgreementStateRow } from '../../storage/agreements/agreements.ts'
import type { CutRequest } from '../calls/agreement-calls.ts'
import type { ViewContext } from './view-parts.ts'
import { isPartyTo, type Viewer } from './visibility.ts'

/** Reads a cut. A day counts to its end; a time in the future is refused. */
export function readCut({ asOf, knownAt }: CutRequest, { now }: Pick<ViewContext, 'now'>): Cuts {
  if (asOf === undefined && knownAt === undefined) return noCuts
  const read = (name: string, text: string | undefined, latest: Instant) => {
    if (text === undefined) return null
    const cut = parseCut(text)
    if (cut === null) throw new Refusal('invalid', `${name} must be a day or an instant, got ${JSON.stringify(text)}`)
    if (dayOfInstant(cut) > dayOfInstant(latest))
      throw new Refusal('invalid', `${name} must not lie in the future, got ${JSON.stringify(text)}`)
    return cut > latest ? latest : cut
  }
  return { asOf: read('asOf', asOf, now()), knownAt: read('knownAt', knownAt, now()) }
}

export function isCut({ asOf, knownAt }: Cuts): boolean {
  return asOf !== null || knownAt !== null
}

/** Whether a person sees an agreement as it stood at a moment. */
export function isSeenAt(viewer: Viewer, states: readonly AgreementStateRow[], at: Instant): boolean {
  if (viewer.role !== 'supplier') return true
  const state = states.findLast(({ recordedAt }) => isBy(recordedAt, at))
  return state !== undefined && state.status !== 'DRAFT' && isPartyTo(viewer, state.parties)
}
