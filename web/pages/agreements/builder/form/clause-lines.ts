// Lines of a clause in order, and the sentence for each, for the form and for the page where an agreement is read.
import { clauseKeys } from '../../../../../src/core/formula/check/check-clause.ts'
import { controls } from '../../../../../src/core/formula/controls/controls.ts'
import type { Raw } from '../../../../../src/core/formula/raw.ts'
import { type FormLine, formatFieldsInWords, linesOf } from './control-fields.ts'
import {
  formatBasisInWords,
  formatFixedInWords,
  formatLimitsInWords,
  formatRoundingsInWords,
  formatSharingInWords,
  formatThresholdInWords,
} from './sentences.ts'

/** Lines with a sentence of their own. */
const tellings: Readonly<Record<string, (root: Raw) => string>> = {
  fixed: formatFixedInWords,
  basis: formatBasisInWords,
  threshold: formatThresholdInWords,
  passThrough: formatSharingInWords,
  cap: formatLimitsInWords,
  rounding: formatRoundingsInWords,
}

/** The keys of the clause that belong to no control come first. */
export const clauseLines: readonly FormLine[] = linesOf([{ keys: clauseKeys([]) }, ...controls])

export function formatClauseLineInWords(root: Raw, { line, fields }: FormLine): string {
  return tellings[line]?.(root) ?? formatFieldsInWords(root, fields)
}
