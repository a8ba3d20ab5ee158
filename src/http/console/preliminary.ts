// The figures behind a proposed number that the provider may still change: shown to people who are asked to sign it.
import { firstPrintMoves } from '../../core/first-prints.ts'
import { limits } from '../../limits.ts'
import type { Entry } from '../../read/adjustments.ts'
import type { CachedIndex } from '../../read/cached-index.ts'
import type { FormulaStanding } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { seriesNamed } from './series-named.ts'
import type { PreliminaryFigure } from './wire/formulas.ts'

/** Empty for a number that both have signed: it stands. */
export async function preliminaryFigures(
  parts: ConsoleParts,
  seat: Seat,
  { snapshot, sight, index }: FormulaStanding & { readonly index: CachedIndex },
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
