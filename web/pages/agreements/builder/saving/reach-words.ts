// Affected periods and lost signatures of a version, in sentences.

import { parties } from '../../../../../src/core/parties.ts'
import { formatDate } from '../../../../../src/core/text/words.ts'
import type { Reach } from '../../../../../src/views/shapes/agreements.ts'
import { countOf } from '../../../../components/words/words.ts'

/** `It affects 2024-Q3 to 2025-Q1, 3 periods that are not signed by both sides.` */
export function formatReach({ periods, effectiveFrom }: Reach): string {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined)
    return `It affects no period so far: it governs adjustment dates from ${formatDate(effectiveFrom)} on.`
  if (first === last) return `It affects ${first.period}, which is not signed by both sides.`
  return `It affects ${first.period} to ${last.period}, ${countOf(periods.length, 'period')} that are not signed by both sides.`
}

/** Sentences, one for each side that has to sign again. */
export function formatLost({ periods }: Reach): string[] {
  return parties.flatMap(party => {
    const lost = periods.filter(({ signedBy }) => signedBy.includes(party)).map(({ period }) => period)
    if (lost.length === 0) return []
    const which = lost.length < 5 ? lost.join(', ') : `${lost[0]} to ${lost.at(-1)}`
    return [`The ${party}’s signature on ${which} no longer counts: the ${party} must sign again.`]
  })
}
