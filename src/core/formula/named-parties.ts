// The parties a document names by their slugs, read from its plain tree: also from a document that is refused for another
// reason, so that unknown parties are reported together with everything else.
import type { Party } from '../parties.ts'
import type { Formula } from './formula.ts'
import { isRawMap, readRaw } from './raw.ts'

/** Reads only a side that is written as one text; lists of addresses and mistakes are skipped. */
export function namedPartiesIn(text: string): Formula['parties'] {
  const { root } = readRaw(text)
  const parties = isRawMap(root) ? root.get('parties') : undefined
  const sideOf = (side: Party) => {
    const written = isRawMap(parties) ? parties.get(side) : undefined
    return typeof written === 'string' && isPartySlug(written) ? written : null
  }
  return { buyer: sideOf('buyer'), supplier: sideOf('supplier') }
}

/** Lower case, digits and single inner hyphens, 63 characters at most. */
export function isPartySlug(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}
