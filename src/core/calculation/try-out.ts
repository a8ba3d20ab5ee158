// One document by itself over its whole history, with the newest figures and nothing signed: for previews and comparisons.
import { bindFormula, type SeriesData } from '../formula/bind.ts'
import type { Formula } from '../formula/formula.ts'
import type { VersionTag } from '../series/series.ts'
import { noCuts } from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import type { Evaluation } from './adjustment.ts'
import { evaluate } from './evaluate.ts'

interface TrialRequest {
  readonly formula: Formula
  readonly data: SeriesData
  readonly tag: VersionTag | null
  readonly until: Day
}

/** The evaluation; null for a document that does not fit its series. */
export function tryOut({ formula, data, tag, until }: TrialRequest): Evaluation | null {
  const { bound } = bindFormula(formula, data)
  if (bound === null) return null
  return evaluate({ versions: [{ number: 1, bound }], cuts: noCuts, tag, until, today: until, after: null })
}
