// Contract in words: its calendar, its price, its signers, how invoices find the price and what revisions do.

import { correctionKeys, priceDateKey, settleWords } from '../../../../../src/core/formula/check/document-keys.ts'
import type { ChoiceKey } from '../../../../../src/core/formula/check/keys.ts'
import { isRawList, type Raw } from '../../../../../src/core/formula/raw.ts'
import { formatSignKinds, type Party, signKinds } from '../../../../../src/core/parties.ts'
import { andList } from '../../../../../src/core/text/words.ts'
import { formatMoney, formatFrequency as frequencyWords } from '../../../../components/words/words.ts'
import { hasAt, rawAt, textAt } from '../document/document.ts'
import { readFrequency, readRounding, readSettle, readSide, readSideShape } from '../document/shapes.ts'
import { formatCountInWords, formatDayInWords, formatRoundingInWords, monthNames, wordsFor } from './sentences.ts'

/** `From 1 Mar 2025, quarterly, first on 1 Jun 2025; open-ended.` */
export function formatCalendarInWords(root: Raw): string {
  const [start, end, first] = ['start', 'end', 'firstAdjustment'].map(key => textAt(root, ['contract', key]))
  const { kind, count } = readFrequency(rawAt(root, ['contract', 'frequency']))
  const from = start === '' ? 'No start yet' : `From ${formatDayInWords(start!)}`
  const firstWords =
    first === '' ? '' : kind === 'ONCE' ? ` on ${formatDayInWords(first!)}` : `, first on ${formatDayInWords(first!)}`
  const until = end === '' ? '' : `, until ${formatDayInWords(end!)}`
  return `${from}${until}, ${formatHowOftenInWords(root, kind, count)}${firstWords}.`
}

/** If there are more dates than this, only their number is given. */
const mostDates = 4

function formatHowOftenInWords(root: Raw, kind: string, count: string): string {
  if (kind === 'months' || kind === 'weeks') return `every ${formatCountInWords(count, kind.slice(0, -1))}`
  if (kind === 'ONCE') return 'adjusted once'
  if (kind !== '') return `adjusted ${frequencyWords(kind)}`
  const dates = readSide(rawAt(root, ['contract', 'dates']))
  if (dates === null) return 'no frequency yet'
  if (dates.length === 0) return 'no adjustment dates yet'
  if (dates.length <= mostDates) return `adjusted on ${andList(dates.map(formatDayInWords))}`
  return `adjusted on ${dates.length} dates from ${formatDayInWords(dates[0]!)} to ${formatDayInWords(dates.at(-1)!)}`
}

export function formatPriceInWords(root: Raw): string {
  if (!hasAt(root, ['contract', 'price'])) return 'No price: only percentages are computed.'
  const of = (key: string) => textAt(root, ['contract', 'price', key])
  const amount = of('amount') === '' ? 'no amount yet' : formatMoney(of('amount'), of('currency'))
  const unit = of('unit') === '' ? '' : ` per ${of('unit')}`
  const rounding = formatRoundingInWords(readRounding(rawAt(root, ['contract', 'price', 'round'])))
  const from = textAt(root, ['effectiveFrom'])
  const isRenegotiated = textAt(root, ['contract', 'restart']) === 'true'
  const renegotiated = isRenegotiated
    ? `; it was renegotiated and counts from ${from === '' ? 'the start' : formatDayInWords(from)}`
    : ''
  return `The price is ${amount}${unit}, ${rounding}${renegotiated}.`
}

/** `nameOf` gives the name of the party with a slug. */
export function formatPartiesInWords(root: Raw, nameOf: (slug: string) => string = slug => slug): string {
  const side = (party: Party) => {
    const shape = readSideShape(rawAt(root, ['parties', party]))
    if (shape.kind === 'party') return `the people of ${nameOf(shape.slug)}`
    if (shape.kind === 'none') return party === 'buyer' ? 'every member who is a buyer' : 'nobody yet'
    if (shape.emails.length === 0) return party === 'buyer' ? 'nobody' : 'nobody yet'
    return andList(shape.emails)
  }
  const raw = rawAt(root, ['parties', 'signWith'])
  const kinds = isRawList(raw) ? signKinds.filter(kind => raw.includes(kind)) : []
  // A company's name may already end with a period.
  const signers = `Signed for the buyer by ${side('buyer')}, for the supplier by ${side('supplier')}.`.replace(
    /\.\.$/,
    '.',
  )
  return kinds.length === 0 ? signers : `${signers} Only ${formatSignKinds(kinds)}.`
}

/** Sentence on changes; empty if one side may make them, which is the rule. */
export function formatChangeInWords(root: Raw): string {
  return textAt(root, ['contract', 'change']) === 'BOTH'
    ? 'Its terms change only with the signatures of both sides.'
    : ''
}

export function formatBillingInWords(root: Raw): string {
  const of = (key: string) => textAt(root, ['contract', key])
  const names = readSide(rawAt(root, ['contract', 'references'])) ?? []
  const priced = `priced by ${told(priceDateKey, of('priceDate'))}`
  const shared = of('prorate') === 'DAYS' ? ' and shared out by days across an adjustment date' : ''
  if (names.length === 0) return `Invoice lines are ${priced}${shared}.`
  return `Invoices name it ${andList(names)}; their lines are ${priced}${shared}.`
}

export function formatCorrectionsInWords(root: Raw): string {
  if (!hasAt(root, ['corrections'])) return 'The document has no rule for figures that are revised later.'
  const of = (...path: readonly string[]) => textAt(root, ['corrections', ...path])
  const when = of('when')
  if (when === 'NONE') return 'Settled prices are never corrected when figures are revised.'
  const day = when === 'YEARLY' && of('day') !== '' ? `, on ${formatMonthDayInWords(of('day'))}` : ''
  const currency = textAt(root, ['contract', 'price', 'currency'])
  const least = hasAt(root, ['corrections', 'min'])
    ? `, from ${formatMoney(of('min', 'amount'), currency)} on (smaller ones ${told(correctionKeys.below, of('min', 'below'))})`
    : ''
  const within = hasAt(root, ['corrections', 'within'])
    ? `, within ${formatCountInWords(of('within', 'months'), 'month')} of ${told(correctionKeys.of, of('within', 'of'))}`
    : ''
  const moment = when === '' ? 'at a time still to be written' : told(correctionKeys.when, when)
  const level = told(correctionKeys.level, of('level'))
  return `Settled prices are corrected ${moment}${day}${least}${within}; later periods ${level}. ${formatSettleInWords(root)}`
}

function formatSettleInWords(root: Raw): string {
  const kind = readSettle(rawAt(root, ['corrections', 'settle']))
  if (kind === 'SPREAD') {
    const count = textAt(root, ['corrections', 'settle', 'spread'])
    return `Paid with the next ${formatCountInWords(count, 'adjustment')}, in equal parts.`
  }
  if (kind === 'NEXT_INVOICE') return `Paid with ${settleWords.NEXT_INVOICE}.`
  return `Paid by ${settleWords.NOTE}.`
}

/** The words for the chosen value from its table, or for the default if none is written. */
function told(spec: ChoiceKey<string>, written: string): string {
  return wordsFor(spec, written === '' ? (spec.otherwise ?? '') : written) || '…'
}

/** `03-31` → `31 March`. */
function formatMonthDayInWords(text: string): string {
  const match = /^(\d{2})-(\d{2})$/.exec(text)
  const month = match === null ? undefined : monthNames[Number.parseInt(match[1]!, 10) - 1]
  return month === undefined ? text : `${Number.parseInt(match![2]!, 10)} ${month}`
}
