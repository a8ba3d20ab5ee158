// One document under other readings, side by side: the number of each for every period, and its difference from the document as it
// is, in points and in money.
import { setImmediate } from 'node:timers/promises'
import { tryOut } from '../../core/calculation/try-out.ts'
import type { SeriesData } from '../../core/formula/bind.ts'
import type { JsonObject } from '../../core/formula/canonical.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { decimalDifference } from '../../core/numbers/decimal-difference.ts'
import { type OtherReading, otherReadings } from '../../core/prices/other-readings.ts'
import { tryReading } from '../../core/prices/reading-trial.ts'
import type { Day } from '../../core/time/day.ts'
import type { PreviewEntry, ReadingVariant } from '../shapes/agreements.ts'
import { presentTrial } from './trial.ts'

interface ComparisonRequest {
  readonly formula: Formula
  readonly document: JsonObject
  readonly data: SeriesData
  readonly until: Day
}

/** The document as it is comes first. */
export async function compareReadings(request: ComparisonRequest): Promise<ReadingVariant[]> {
  const { formula, document, data, until } = request
  const asWritten: ReadingVariant = {
    id: 'as-written',
    title: 'As written',
    words: 'The document as it is.',
    notApplicable: null,
    ...presentTrial(tryOut({ formula, data, tag: null, until })),
    effect: null,
  }
  const variants: ReadingVariant[] = []
  for (const other of otherReadings(formula, document, data)) {
    variants.push(readOtherwise(other, request, asWritten.entries))
    // A variant is as much work as the document itself: other requests are answered in between.
    await setImmediate()
  }
  return [asWritten, ...variants]
}

function readOtherwise(
  other: OtherReading,
  { data, until }: ComparisonRequest,
  asWritten: readonly PreviewEntry[],
): ReadingVariant {
  const { id, title, words } = other
  const { notApplicable, evaluation } = tryReading(other, data, until)
  const trial = presentTrial(evaluation)
  const effect = notApplicable === null ? effectOf(asWritten, trial.entries) : null
  return { id, title, words, notApplicable, ...trial, effect }
}

/** Difference at the newest period that both have, in the displayed figures. */
function effectOf(asWritten: readonly PreviewEntry[], otherwise: readonly PreviewEntry[]): ReadingVariant['effect'] {
  const others = new Map(otherwise.map(entry => [entry.adjustmentDate, entry]))
  const written = asWritten.findLast(entry => others.has(entry.adjustmentDate))
  if (written === undefined) return null
  const other = others.get(written.adjustmentDate)!
  const hasPrices = written.price !== null && other.price !== null
  return {
    period: written.period,
    points: decimalDifference(written.cumulativePct, other.cumulativePct),
    money: hasPrices ? decimalDifference(written.price, other.price!) : null,
  }
}
