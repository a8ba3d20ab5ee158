// The figures of an adjustment date whose releases were cancelled, and what the clause reads in their place.
import { AwaitedFigures } from '../../core/calendar/awaited.ts'
import { isCancelled } from '../../core/calendar/due.ts'
import type { Entry } from '../../read/agreements/adjustments.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { DueCancelled } from '../shapes/due.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { adjustmentsOf, type SeenAgreement } from './seen-agreement.ts'

export async function cancelledFigures(
  { library }: ViewParts,
  seat: Seat,
  at: SeenAgreement & { readonly index: CachedIndex },
  entry: Entry,
): Promise<readonly DueCancelled[]> {
  const adjustments = adjustmentsOf(at)
  const version = adjustments.versions.find(({ number }) => number === entry.body.result.formulaVersion)
  // Figures that were there when it was computed are not missing.
  if (version === undefined || entry.body.result.dataVersion !== 'PRELIMINARY') return []
  const { figures } = new AwaitedFigures(version, at.today, adjustments.work()).on(entry.date)
  const named = figures.flatMap(figure => {
    const series = at.index.findByReference(figure.series)
    return series === undefined ? [] : [{ figure, series }]
  })
  const outlooks = await library.outlooks.read(seat.workspace.id, [...new Set(named.map(({ series }) => series))])
  return named.flatMap(({ figure, series }) => {
    const outlook = outlooks.get(series.id)?.of(figure)
    if (outlook === undefined || !isCancelled(outlook)) return []
    const { period, rule, instead } = figure
    const name = series.metadata.at(-1)!.name
    return [{ series: { id: series.id, name, reference: figure.series }, period, rule, instead }]
  })
}
