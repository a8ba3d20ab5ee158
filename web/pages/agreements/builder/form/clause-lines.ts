// Lines of a clause in order, and the sentence for each, for the form and for the page where an agreement is read.
import { clauseKeys } from '../../../../../src/core/formula/check/check-clause.ts'
import { controls } from '../../../../../src/core/formula/controls/controls.ts'
import type { Raw } from '../../../../../src/core/formula/raw.ts'
import { type FormLine, linesOf, sayFields } from './control-fields.ts'
import { sayBasis, sayFixed, sayLimits, sayRoundings, saySharing, sayThreshold } from './sentences.ts'

/** Lines with a sentence of their own. */
const tellings: Readonly<Record<string, (root: Raw) => string>> = {
  fixed: sayFixed,
  basis: sayBasis,
  threshold: sayThreshold,
  passThrough: saySharing,
  cap: sayLimits,
  rounding: sayRoundings,
}

/** The keys of the clause that belong to no control come first. */
export const clauseLines: readonly FormLine[] = linesOf([{ keys: clauseKeys([]) }, ...controls])

export function sayClauseLine(root: Raw, { line, fields }: FormLine): string {
  return tellings[line]?.(root) ?? sayFields(root, fields)
}
