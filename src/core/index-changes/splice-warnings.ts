// Warnings for a person before a splice is signed, in sentences.
import { compare, parseExact, ratio } from '../numbers/ratio.ts'
import { andList } from '../text/words.ts'
import type { SpliceBody } from './splice-schema.ts'

const noticedSpreadPct = ratio('2')

/** `level`: why the formula depends on the level of its inputs. */
export function spliceWarnings(body: SpliceBody, level: readonly string[]): readonly string[] {
  const { window, evidence, coefficient, method, inputs, old } = body
  const warnings: string[] = []
  if (inputs.length > 1) warnings.push(`${andList(inputs)} read ${old.series}: the proposal covers them all`)
  if (window !== null && window.leftOut.length > 0)
    warnings.push(`left out of the window: ${window.leftOut.map(({ period, why }) => `${period} (${why})`).join('; ')}`)
  if (window?.averaged != null) {
    const finer = window.averaged === 'OLD' ? old : body.new
    warnings.push(`${finer.series} is ${finer.frequency}; it is averaged to the periods of the other series`)
  }
  const preliminary = evidence.overlap
    .filter(each => [...each.old, ...each.new].some(({ version }) => version === 'PRELIMINARY'))
    .map(({ period }) => period)
  if (preliminary.length > 0 && rests(method))
    warnings.push(
      `preliminary values in the window: ${preliminary.join(', ')}; a later revision does not move the coefficient`,
    )
  if (evidence.spreadPct !== null && compare(ratio(evidence.spreadPct), noticedSpreadPct) > 0)
    warnings.push(
      `the ratio of the two series varies by ${evidence.spreadPct} % in the window${evidence.worst === null ? '' : `; the largest difference is in ${evidence.worst}`}`,
    )
  if (coefficient !== null && level.length > 0 && method !== 'SAME_LEVEL' && method !== 'RELEVEL')
    warnings.push(
      coefficient.direction === 'NEW_TO_OLD'
        ? `the new figures are put on the level of the old series, because the level counts (${level.join('; ')})`
        : `the level counts (${level.join('; ')}): a coefficient OLD_TO_NEW moves the price; look at the effect`,
    )
  return [...warnings, ...moved(body)]
}

function rests(method: SpliceBody['method']): boolean {
  return method === 'OVERLAP' || method === 'POINT'
}

/** Dates that both series can compute, with different results. */
function moved({ effect }: SpliceBody): readonly string[] {
  return effect.next.flatMap(({ period, old, new: now }) => {
    if (old.factor === null || now.factor === null) return []
    const [before, after] = old.price === null || now.price === null ? [old.factor, now.factor] : [old.price, now.price]
    if (compare(parseExact(before)!, parseExact(after)!) === 0) return []
    const what = old.price === null ? 'the factor' : 'the price'
    return [`${period}: ${what} is ${before} with the old series and ${after} with the new one`]
  })
}
