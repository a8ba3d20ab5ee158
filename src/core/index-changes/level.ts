// Whether a formula depends on the level of an input, and not only on its ratio to the base. If it does, old figures cannot be
// put on the level of a new series: the new figures are put on the level of the old one.
import type { Formula, Input } from '../formula/formula.ts'

/** Reasons why the level counts, each in a few words; empty where any level gives the same price. */
export function reasonsForLevel({ clause, inputs }: Formula, { base, missing, round }: Input): readonly string[] {
  const reasons: string[] = []
  if (base?.kind === 'value') reasons.push(`its base is the number ${base.text}`)
  if (missing.kind === 'AGREED') reasons.push('it has agreed values')
  if (missing.kind === 'FALLBACK') reasons.push(`it falls back to ${missing.series}`)
  if (round !== null) reasons.push('its readings are rounded')
  if (clause === null) reasons.push('the formula is written as steps')
  else if (clause.combine === 'RATIO_OF_SUMS' && inputs.length > 1) reasons.push('the clause adds up levels')
  return reasons
}
