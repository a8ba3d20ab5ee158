// The result of a document under another reading, or the reason why it cannot be read so.
import type { Evaluation } from '../calculation/adjustment.ts'
import { tryOut } from '../calculation/try-out.ts'
import { findMisfits, type SeriesData } from '../formula/bind.ts'
import type { Day } from '../time/day.ts'
import type { OtherReading } from './other-readings.ts'

type Tried =
  | { readonly notApplicable: string; readonly evaluation: null }
  | { readonly notApplicable: null; readonly evaluation: Evaluation | null }

export function tryReading({ reading }: OtherReading, data: SeriesData, until: Day): Tried {
  if ('notApplicable' in reading) return { notApplicable: reading.notApplicable, evaluation: null }
  const [misfit] = findMisfits(reading.formula, data)
  if (misfit !== undefined) {
    const why = `The series do not allow it: ${misfit.path}: ${misfit.message}.`
    return { notApplicable: why, evaluation: null }
  }
  return { notApplicable: null, evaluation: tryOut({ ...reading, data, until }) }
}
