// The differences between two receipts of one period, in sentences: formula, observations, the state from earlier periods,
// lines, and the result. For a person who signed one and is shown the other.

import { formatCarried, parseExact } from '../numbers/ratio.ts'
import { parties as sides } from '../parties.ts'
import { isSameValue } from '../series/vintage.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { cutDecimals, signed } from '../text/words.ts'
import { formatPublished } from '../time/instant.ts'
import type { ObservationLine, ReceiptBody } from './receipt.ts'

/** Further observations are only counted. */
const mostObservations = 12
const readableDecimals = 12

/** Causes first, the outcome last; never empty for two receipts that differ. */
export function formatDifferences(then: ReceiptBody, now: ReceiptBody): string[] {
  const causes = [
    ...formatParties(then, now),
    ...formatAgreement(then, now),
    ...formatObservations(then, now),
    ...formatCarriedWords(then, now),
  ]
  const sentences = [...causes, ...formatFirstLine(then, now), ...formatOutcome(then, now)]
  if (sentences.length > 0) return sentences
  const isSame = canonicalJson(then as unknown as Json) === canonicalJson(now as unknown as Json)
  return isSame ? [] : ['The receipt is put together differently; every figure in it is the same.']
}

function formatParties({ parties: then }: ReceiptBody, { parties: now }: ReceiptBody): string[] {
  return sides.flatMap(side => {
    const [before, after] = [formatSide(then[side]), formatSide(now[side])]
    return before === after ? [] : [`The ${side} is now ${after}; it was ${before}.`]
  })
}

function formatSide(side: ReceiptBody['parties']['buyer']): string {
  if (side === null) return 'not named'
  if (typeof side === 'string') return side
  return side.length === 0 ? 'nobody' : side.join(', ')
}

function formatAgreement(then: ReceiptBody, now: ReceiptBody): string[] {
  const isReworded = then.words?.sha256 !== now.words?.sha256
  if (then.formulaVersion !== now.formulaVersion)
    return [
      `Formula ${now.formulaVersion} governs the period now; it was formula ${then.formulaVersion}.`,
      ...(isReworded ? ['The contract’s own words are other ones now.'] : []),
    ]
  if (then.adjustmentDate !== now.adjustmentDate)
    return [`The adjustment date is now ${now.adjustmentDate}; it was ${then.adjustmentDate}.`]
  return []
}

function formatObservations(then: ReceiptBody, now: ReceiptBody): string[] {
  const key = ({ input, series, period }: ObservationLine) => `${input} ${series} ${period}`
  const before = new Map(then.observations.map(line => [key(line), line]))
  const after = new Map(now.observations.map(line => [key(line), line]))
  const told = [
    ...now.observations.flatMap(line => formatChange(before.get(key(line)) ?? null, line)),
    ...then.observations.filter(line => !after.has(key(line))).map(formatGone),
  ]
  const rest = told.length - mostObservations
  return rest <= 0 ? told : [...told.slice(0, mostObservations), `${rest} more values differ.`]
}

const subject = ({ series, period, input }: ObservationLine) => `${series} of ${period} (${input})`
const tagged = ({ value, version }: ObservationLine) => `${value} (${version})`

function formatChange(then: ObservationLine | null, now: ObservationLine): string[] {
  const published = `published ${formatPublished(now.published)}`
  if (then === null) return [`${subject(now)} is read now: ${tagged(now)}, ${published}.`]
  if (!isSameValue(then.value, now.value))
    return [`${subject(now)} is now ${tagged(now)}, ${published}; it was ${tagged(then)}.`]
  if (then.version !== now.version)
    return [`${subject(now)} is still ${now.value}, but ${now.version}, ${published}; it was ${then.version}.`]
  if (then.published !== now.published) return [`${subject(now)} was published again, with the same value.`]
  return then.recorded === now.recorded ? [] : [`${subject(now)} was recorded again, with the same value.`]
}

function formatGone(then: ObservationLine): string {
  return `${subject(then)} is no longer read; it was ${tagged(then)}.`
}

function factorOf(carried: Json): string {
  return (carried as { readonly factor: string }).factor
}

function formatCarriedWords(then: ReceiptBody, now: ReceiptBody): string[] {
  const [before, after] = [factorOf(then.carriedIn), factorOf(now.carriedIn)]
  if (before !== after)
    return [`The price factor before this period is now ${readable(after)}; it was ${readable(before)}.`]
  if (canonicalJson(then.carriedIn) === canonicalJson(now.carriedIn)) return []
  return ['Earlier periods pass on other readings than they did.']
}

/** The first line that differs; the lines after it follow from it. */
function formatFirstLine(then: ReceiptBody, now: ReceiptBody): string[] {
  const before = new Map(then.steps.map(step => [step.name, step]))
  for (const step of now.steps) {
    const known = before.get(step.name)
    if (known === undefined) return [`The line ${step.name} is new: ${readable(step.value)}.`]
    if (known.value !== step.value)
      return [`The line ${step.name} is now ${readable(step.value)}; it was ${readable(known.value)}.`]
  }
  return []
}

function formatOutcome({ result: then }: ReceiptBody, { result: now }: ReceiptBody): string[] {
  const sentences: string[] = []
  if (then.adjustmentPct !== now.adjustmentPct)
    sentences.push(`The adjustment is now ${written(now.adjustmentPct)}; it was ${written(then.adjustmentPct)}.`)
  if (then.price !== now.price)
    sentences.push(`The price is now ${now.price ?? 'not written'}; it was ${then.price ?? 'not written'}.`)
  return sentences
}

function written(pct: string | null): string {
  return pct === null ? 'not there: the price before was 0' : `${signed(pct)} %`
}

function readable(exact: string): string {
  const value = parseExact(exact)
  return value === null ? exact : cutDecimals(formatCarried(value), readableDecimals)
}
