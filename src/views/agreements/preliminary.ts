// Unsure figures behind a number: those that the provider may still change, and those never published, with the clause's reading in
// their place.
import { AwaitedFigures } from '../../core/calendar/awaited-figures.ts'
import { isCancelled } from '../../core/calendar/due.ts'
import { firstPrintMoves } from '../../core/series/first-prints.ts'
import type { Cuts } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { seriesNamed } from '../series/series-names.ts'
import type { PreliminaryFigure } from '../shapes/agreements.ts'
import type { DueCancelled } from '../shapes/due.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { adjustmentsOf, type OpenedAgreement } from './opened-agreement.ts'

/** Preliminary figures; empty for a number that both have signed: it stands. */
export async function preliminaryFigures(
  parts: ViewContext,
  seat: Seat,
  { snapshot, sight, index }: OpenedAgreement & { readonly index: CachedIndex },
  entry: PeriodEntry,
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

/** Figures known to be cancelled at the cuts. */
export async function cancelledFigures(
  { library }: ViewContext,
  seat: Seat,
  at: OpenedAgreement & { readonly index: CachedIndex },
  entry: PeriodEntry,
  { asOf, knownAt }: Cuts,
): Promise<readonly DueCancelled[]> {
  const adjustments = adjustmentsOf(at)
  const version = adjustments.versions.find(({ number }) => number === entry.body.result.formulaVersion)
  if (version === undefined) return []
  const { figures, agreed } = new AwaitedFigures(version, at.today, adjustments.work()).on(entry.date)
  // Figures that the number was computed with are not missing; an agreed value makes nothing preliminary.
  const missing = entry.body.result.dataVersion === 'PRELIMINARY' ? [...figures, ...agreed] : agreed
  const named = missing.flatMap(figure => {
    const series = at.index.findByReference(figure.series)
    return series === undefined ? [] : [{ figure, series }]
  })
  const outlooks = await library.outlooks.read(seat.workspace.id, [...new Set(named.map(({ series }) => series))])
  return named.flatMap(({ figure, series }) => {
    const outlook = outlooks.get(series.id)?.of(figure)
    if (outlook === undefined || !isCancelled(outlook)) return []
    const isKnown = (cut: Instant | null) => cut === null || (outlook.release?.announcedAt ?? '') <= cut
    if (!isKnown(asOf) || !isKnown(knownAt)) return []
    const { period, rule, instead } = figure
    const name = series.metadata.at(-1)!.name
    return [{ series: { id: series.id, name, reference: figure.series }, period, rule, instead }]
  })
}
