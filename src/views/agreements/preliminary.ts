// The figures behind a proposed number that the provider may still change: shown to people who are asked to sign it.
import { firstPrintMoves } from '../../core/series/first-prints.ts'
import { limits } from '../../limits.ts'
import type { Entry } from '../../read/agreements/adjustments.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { seriesNamed } from '../series/series-named.ts'
import type { PreliminaryFigure } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import type { SeenAgreement } from './seen-agreement.ts'

/** Empty for a number that both have signed: it stands. */
export async function preliminaryFigures(
  parts: ViewParts,
  seat: Seat,
  { snapshot, sight, index }: SeenAgreement & { readonly index: CachedIndex },
  entry: Entry,
): Promise<readonly PreliminaryFigure[]> {
  const open = entry.isSigned ? [] : entry.body.observations.filter(({ version }) => version === 'PRELIMINARY')
  if (open.length === 0) return []
  const data = await parts.library.data(seat.workspace.id, snapshot, sight.knownAt)
  const cuts = { asOf: null, knownAt: sight.knownAt }
  return open.map(({ input, series, period, value }) => {
    const { seriesId, name } = seriesNamed(series, index)
    const history = data.get(series)
    const moves = history === undefined ? null : firstPrintMoves(history, cuts, limits.firstPrints)
    return { input, seriesId, name: name ?? series, period, value, moves }
  })
}
