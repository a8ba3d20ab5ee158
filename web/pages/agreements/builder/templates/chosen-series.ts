// A document with the series that somebody chose for its inputs. If a series has another frequency than the document was
// written for, or starts later than its base, base and lag are replaced with suitable starting values.
import { parsePeriod } from '../../../../../src/core/time/period.ts'
import type { SeriesRow } from '../../../../../src/views/shapes/series.ts'
import { keysAt, openDocument, type Plain, setAt, textAt } from '../document/document.ts'
import { inputFor, referenceOf } from '../form/series-search.ts'

interface NeededSeries {
  readonly input: string
  readonly reference: string
  readonly weight: string
}

export function neededSeries(text: string): NeededSeries[] {
  const { root } = openDocument(text)
  return keysAt(root, ['inputs']).map(input => ({
    input,
    reference: textAt(root, ['inputs', input, 'series']),
    weight: textAt(root, ['inputs', input, 'weight']),
  }))
}

/** `chosen` is keyed by the name of the input. */
export function withSeries(text: string, chosen: ReadonlyMap<string, SeriesRow>): string {
  let changed = text
  for (const [input, row] of chosen) {
    const { root } = openDocument(changed)
    changed = setAt(changed, ['inputs', input, 'series'], referenceOf(row))
    const base = textAt(root, ['inputs', input, 'base'])
    if (base === '' || fits(base, row)) continue
    const begun = inputFor(row, textAt(root, ['contract', 'start']), null) as { readonly [key: string]: Plain }
    const usual = typeof begun.base === 'string' && fits(begun.base, row) ? begun.base : (row.firstPeriod ?? base)
    changed = setAt(setAt(changed, ['inputs', input, 'base'], usual), ['inputs', input, 'lag'], begun.lag ?? null)
  }
  return changed
}

/** Whether a base is a period of the series, and not before its first one. */
function fits(base: string, { frequency, firstPeriod }: SeriesRow): boolean {
  const period = parsePeriod(base)
  if (period === null || period.frequency !== frequency) return false
  const first = firstPeriod === null ? null : parsePeriod(firstPeriod)
  return first === null || period.ordinal >= first.ordinal
}
