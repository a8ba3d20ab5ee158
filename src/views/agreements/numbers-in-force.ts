// The numbers in force, now and once a document is saved: signed periods stay, and later periods continue from the newest of them
// under all versions, the new one last.

import { evaluate } from '../../core/calculation/evaluate.ts'
import { bindFormula, type SeriesData } from '../../core/formula/bind.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { formatShort, parseExact } from '../../core/numbers/ratio.ts'
import type { VersionTag } from '../../core/series/series.ts'
import { noCuts } from '../../core/series/vintage.ts'
import type { Day } from '../../core/time/day.ts'
import type { AgreementState, SignedPeriod } from '../../read/agreements/agreement-snapshot.ts'
import type { PreviewEntry } from '../shapes/agreements.ts'
import { factorDecimals, trialEntry } from './trial.ts'

/** A document that is not saved, with the series it reads. */
export interface Draft {
  readonly formula: Formula
  readonly data: SeriesData
}

interface Going {
  readonly standing: AgreementState
  /** Series of the stored versions. */
  readonly data: SeriesData
  readonly until: Day
  readonly draft: Draft | null
}

/** Numbers in force; null where a version does not fit its series. */
export function goOn({ standing, data, until, draft }: Going): readonly PreviewEntry[] | null {
  const kept = standing.versions.map(({ number, formula }) => ({ number, ...bindFormula(formula, data) }))
  const next = { number: (kept.at(-1)?.number ?? 0) + 1 }
  const all = draft === null ? kept : [...kept, { ...next, ...bindFormula(draft.formula, draft.data) }]
  const versions = all.flatMap(({ number, bound }) => (bound === null ? [] : [{ number, bound }]))
  if (versions.length < all.length) return null
  const { adjustments } = evaluate({
    versions,
    cuts: noCuts,
    tag: null,
    until,
    today: until,
    ...standing.continuesFrom,
  })
  return [...standing.signed.map(signedEntry), ...adjustments.map(trialEntry)]
}

function signedEntry({ period, adjustmentDate, body: { result } }: SignedPeriod): PreviewEntry {
  return {
    period,
    adjustmentDate,
    adjustmentPct: result.adjustmentPct,
    cumulativePct: result.cumulativePct,
    factor: formatShort(parseExact(result.factor)!, factorDecimals, 'DOWN'),
    price: result.price ?? null,
    dataVersion: result.dataVersion as VersionTag,
    controls: result.controls.map(({ control }) => control),
  }
}
