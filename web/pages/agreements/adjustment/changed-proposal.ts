// A proposal as somebody saw it, and sentences that say what has changed since.

import type { PeriodToSign } from '../../../../src/core/receipt/party-signature.ts'
import { isSameValue } from '../../../../src/core/series/vintage.ts'
import type { AdjustmentPage } from '../../../../src/views/shapes/agreements.ts'
import { formatFigure, formatInstant, formatMoney, formatPct } from '../../../components/words/words.ts'

export interface Proposal {
  readonly hash: string
  readonly adjustmentPct: string | null
  readonly price: string | null
  readonly formulaVersion: number
  readonly observations: readonly SeenObservation[]
}

export interface SeenObservation {
  readonly input: string
  readonly reference: string
  readonly name: string
  readonly period: string
  readonly value: string
  readonly tag: string
}

export function proposalOf({ entry, observations }: Pick<AdjustmentPage, 'entry' | 'observations'>): Proposal {
  const { hash, adjustmentPct, price, formulaVersion } = entry
  return {
    hash,
    adjustmentPct,
    price,
    formulaVersion,
    observations: observations.map(({ input, reference, name, period, value, tag }) => ({
      input,
      reference,
      name,
      period,
      value,
      tag,
    })),
  }
}

/** Changes of a proposal; empty if it is the same. */
export function whatMoved(before: Proposal, after: Proposal, currency: string | null | undefined): string[] {
  if (before.hash === after.hash) return []
  const money = (amount: string | null) => (amount === null ? 'none' : formatMoney(amount, currency))
  const sentences = [
    ...way('The adjustment', formatPct(before.adjustmentPct), formatPct(after.adjustmentPct)),
    ...way('The price', money(before.price), money(after.price)),
    ...way('The formula’s version', before.formulaVersion.toString(), after.formulaVersion.toString()),
    ...observationsMoved(before.observations, after.observations),
  ]
  return sentences.length > 0
    ? sentences
    : ['The numbers are the same; only the spelling of figures or their day of publication has changed.']
}

/** Changes among all periods signed together; `last` is left out because `whatMoved` covers it. */
export function whatMovedAmong(
  before: readonly PeriodToSign[],
  after: readonly PeriodToSign[],
  last: string,
  currency: string | null | undefined,
): string[] {
  const tell = ({ adjustmentPct, price }: PeriodToSign) =>
    price === null ? formatPct(adjustmentPct) : `${formatPct(adjustmentPct)}, ${formatMoney(price, currency)}`
  const held = new Map(before.map(each => [each.period, each]))
  const changed = after.flatMap(each => {
    const old = held.get(each.period)
    if (old === undefined) return [`${each.period} now waits, too: ${tell(each)}`]
    // The change of the last period is told where it is signed.
    if (old.hash === each.hash || each.period === last) return []
    const [from, to] = [tell(old), tell(each)]
    return [from === to ? `${each.period}: still ${to}, from other figures` : `${each.period}: ${from} → ${to}`]
  })
  const now = new Set(after.map(({ period }) => period))
  const gone = before
    .filter(({ period }) => !now.has(period))
    .map(({ period }) => `${period} no longer has to be signed`)
  return [...changed, ...gone]
}

function way(what: string, before: string, after: string): string[] {
  return before === after ? [] : [`${what}: ${before} → ${after}`]
}

function observationsMoved(before: readonly SeenObservation[], after: readonly SeenObservation[]): string[] {
  const keyOf = ({ input, reference, period }: SeenObservation) => `${input}\n${reference}\n${period}`
  const held = new Map(before.map(each => [keyOf(each), each]))
  const now = new Set(after.map(keyOf))
  const changed = after.flatMap(each => {
    const { name, period, value, tag } = each
    const old = held.get(keyOf(each))
    const figure = formatFigure(value)
    if (old === undefined) return [`${name}, ${period}, is now read: ${figure} (${tag.toLowerCase()})`]
    if (!isSameValue(old.value, value))
      return [`${name}, ${period}: ${formatFigure(old.value)} → ${figure} (${tag.toLowerCase()})`]
    return old.tag === tag
      ? []
      : [`${name}, ${period}: ${figure} was ${old.tag.toLowerCase()}, is ${tag.toLowerCase()}`]
  })
  const gone = before
    .filter(each => !now.has(keyOf(each)))
    .map(({ name, period }) => `${name}, ${period}, is no longer read`)
  return [...changed, ...gone]
}

/** A sentence from the server with its instants in readable form. */
export function formatInstantsIn(sentence: string): string {
  return sentence.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, formatInstant)
}
