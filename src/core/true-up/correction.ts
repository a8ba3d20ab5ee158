// The effect of a revision on signed prices, in money: the moved periods, the contract's policy for each, the difference of
// every line between two settled paths, and the proposed part of it. Pure; the result is never stored.

import type { Gap, NoNumber } from '../calculation/gap.ts'
import type { Corrections } from '../formula/formula.ts'
import {
  type BilledLine,
  type DeclaredQuantity,
  type LinePrice,
  priceLine,
  priceQuantity,
} from '../invoices/billed-line.ts'
import { minorUnits } from '../numbers/money.ts'
import { absolute, compare, divide, equal, ofInteger, type Ratio, roundTo, subtract, sum } from '../numbers/ratio.ts'
import { numberOf, type PricedAgreement, type PricedPeriod } from '../prices/agreement.ts'
import { type ItemPrice, mayDiffer, Pricing } from '../prices/item-prices.ts'
import type { PriceStep } from '../prices/price-list.ts'
import { Refusal } from '../refusal.ts'
import { addMonths, type Day } from '../time/day.ts'
import { dayOfInstant } from '../time/instant.ts'
import type { RestatedPeriod } from './restate.ts'

export const policyStates = ['DUE', 'WAITING_FOR_FINAL', 'UNDER_MINIMUM', 'LAPSED', 'NONE', 'NO_POLICY'] as const
export type PolicyState = (typeof policyStates)[number]

export interface CorrectionInputs {
  /** The agreement with settled numbers: by the last agreed correction, else as signed. */
  readonly agreement: PricedAgreement
  readonly restated: readonly RestatedPeriod[]
  /** The periods that an agreed correction covers. */
  readonly covered: ReadonlySet<string>
  readonly lines: readonly BilledLine[]
  /** The newest quantity of each item and period. */
  readonly quantities: readonly DeclaredQuantity[]
  readonly today: Day
}

/** A signed period whose settled number is no longer the restated one. */
export interface StatedPeriod {
  readonly restated: RestatedPeriod
  /** Settled and restated, exact. */
  readonly before: Ratio
  readonly after: Ratio
  readonly state: PolicyState
}

/** A stated period with its effect on prices. */
export interface MovedPeriod extends StatedPeriod {
  /** False if every price stays the same; then nothing is proposed. */
  readonly hasEffect: boolean
}

/** The price of a step of an item in a period, settled and restated. */
export interface PriceDifference {
  readonly place: number
  readonly item: string
  readonly step: PriceStep
  readonly before: ItemPrice
  readonly after: ItemPrice
}

export interface LineDifference {
  /** The line; null for a declared quantity. */
  readonly line: BilledLine | null
  readonly item: string
  readonly quantity: Ratio
  readonly before: LinePrice
  readonly after: LinePrice
  /** The difference of the two amounts. */
  readonly amount: Ratio
}

/** The correction that would be proposed now. */
export interface Draft {
  readonly agreement: PricedAgreement
  /** The agreement as it would be settled. */
  readonly settled: PricedAgreement
  readonly periods: readonly MovedPeriod[]
  readonly prices: readonly PriceDifference[]
  readonly lines: readonly LineDifference[]
  /** The net amount; null where neither lines nor quantities are stored. */
  readonly net: Ratio | null
  readonly currency: string | null
  readonly level: Corrections['level']
  readonly isWaiver: boolean
  readonly settle: Corrections['settle']
}

/** Differences that are computed but not agreed, grouped by what holds them back. */
export interface OpenDifferences {
  readonly due: Ratio
  readonly waitingForFinal: Ratio
  readonly underMinimum: Ratio
  readonly lapsed: Ratio
}

export interface Assessment {
  readonly moved: readonly MovedPeriod[]
  /** Gaps of the periods that cannot be restated. */
  readonly gaps: readonly Gap[]
  /** The draft by the policy; null where nothing is due. */
  readonly draft: Draft | null
  /** The reason for no proposal; null with one. */
  readonly whyNot: string | null
  readonly open: OpenDifferences
}

/** The agreement with other numbers for some of its periods. */
export function withFactors(agreement: PricedAgreement, factors: ReadonlyMap<string, Ratio>): PricedAgreement {
  const periods = agreement.periods.map((each): PricedPeriod => {
    const [factor, number] = [factors.get(each.period), numberOf(each)]
    if (factor === undefined || number === null || equal(factor, number.factor)) return each
    return { ...each, number: { ...number, factor, beforeCorrection: number.factor } }
  })
  return { ...agreement, periods }
}

export function assess(ground: CorrectionInputs): Assessment {
  const gaps = ground.restated.flatMap(({ gap }) => gap ?? [])
  const found = findMoved(ground)
  const due = found.filter(({ state }) => state === 'DUE')
  const draft = draftOf(ground, due, aliveLines(ground, newestPolicy(due)))
  const isUnder = draft !== null && isUnderMinimum(draft)
  const moved = isUnder ? found.map(toUnderMinimum) : found
  const isProposed = draft !== null && !isUnder
  return {
    moved,
    gaps,
    draft: isProposed ? draft : null,
    whyNot: isProposed ? null : whyNothing(moved, gaps),
    open: openOf(ground, moved),
  }
}

/** States without the open amounts: if the policy has no minimum, nothing is priced. */
export function stateMoved(ground: CorrectionInputs): readonly StatedPeriod[] {
  const stated = findStated(ground)
  const policy = newestPolicy(stated.filter(({ state }) => state === 'DUE'))
  if (policy === null || policy.min === null) return stated
  const found = withEffects(ground, stated)
  const due = found.filter(({ state }) => state === 'DUE')
  const draft = draftOf(ground, due, aliveLines(ground, policy))
  return draft !== null && isUnderMinimum(draft) ? found.map(toUnderMinimum) : found
}

function toUnderMinimum(moved: MovedPeriod): MovedPeriod {
  return moved.state === 'DUE' ? { ...moved, state: 'UNDER_MINIMUM' } : moved
}

/**
 * Every change that has an effect on a price, for parties who agree outside the policy; null if there is none. Changes that
 * have lapsed by the contract's own limit are left out by hand as well.
 */
export function draftByHand(ground: CorrectionInputs): Draft | null {
  const alive = findMoved(ground).filter(({ restated }) => !isLapsed(restated, ground))
  const draft = draftOf(ground, alive, aliveLines(ground, newestPolicy(alive)))
  return draft === null ? null : { ...draft, isWaiver: false }
}

/** The periods that moved with an effect on a price and have lapsed, whatever else the policy says. */
export function lapsedPeriods(
  ground: CorrectionInputs,
  isTold: (each: StatedPeriod) => boolean = () => true,
): readonly string[] {
  return findMoved(ground)
    .filter(each => each.hasEffect && isLapsed(each.restated, ground) && isTold(each))
    .map(({ restated }) => restated.signed.period)
}

/** Lines whose time limit, counted from the invoice, has not passed. */
function aliveLines({ lines, today }: CorrectionInputs, policy: Corrections | null): readonly BilledLine[] {
  return lines.filter(line => !isLineOver(line, policy, today))
}

function isUnderMinimum({ net, periods, isWaiver }: Draft): boolean {
  const min = newestPolicy(periods)?.min ?? null
  return !isWaiver && net !== null && min !== null && compare(absolute(net), min.amount) < 0
}

function newestPolicy(periods: readonly StatedPeriod[]): Corrections | null {
  return periods.at(-1)?.restated.policy ?? null
}

/** Stated periods, without looking at prices. */
export function findStated(ground: CorrectionInputs): readonly StatedPeriod[] {
  const numbers = new Map(ground.agreement.periods.map(each => [each.period, numberOf(each)]))
  return ground.restated.flatMap((restated): StatedPeriod[] => {
    const number = numbers.get(restated.signed.period) ?? null
    if (restated.gap !== null || number === null || equal(number.factor, restated.factor)) return []
    const state = stateOf(restated, ground)
    return [{ restated, before: number.factor, after: restated.factor, state }]
  })
}

function findMoved(ground: CorrectionInputs): readonly MovedPeriod[] {
  return withEffects(ground, findStated(ground))
}

function withEffects(ground: CorrectionInputs, moved: readonly StatedPeriod[]): readonly MovedPeriod[] {
  if (moved.length === 0) return []
  const prices = priceDifferences(ground.agreement, settledBy(ground.agreement, moved))
  const touched = new Set(prices.flatMap(({ place, step }) => [ground.agreement.periods[place]!.period, step.base]))
  // The number itself is all there is without any price.
  const isPriced = hasPrices(ground.agreement)
  return moved.map(each => ({ ...each, hasEffect: !isPriced || touched.has(each.restated.signed.period) }))
}

export function hasPrices({ lists, periods }: PricedAgreement): boolean {
  return lists.length > 0 || periods.some(({ terms }) => terms.price !== null)
}

function settledBy(agreement: PricedAgreement, moved: readonly StatedPeriod[]): PricedAgreement {
  return withFactors(agreement, new Map(moved.map(({ restated, after }) => [restated.signed.period, after])))
}

function stateOf(restated: RestatedPeriod, ground: CorrectionInputs): PolicyState {
  const { policy, signed } = restated
  if (policy === null) return 'NO_POLICY'
  if (policy.when === 'NONE') return 'NONE'
  // FINAL corrects a period once.
  if (policy.when === 'FINAL' && ground.covered.has(signed.period)) return 'NONE'
  if (isLapsed(restated, ground)) return 'LAPSED'
  const waits = restated.waitsFor.length > 0 || restated.isEstimated
  return policy.when === 'FINAL' && waits ? 'WAITING_FOR_FINAL' : 'DUE'
}

/** A limit of months from a day counts to the end of its last day. */
function isOver(from: Day, months: number, today: Day): boolean {
  return addMonths(from, months) < today
}

/** Whether the time limit of a period is over. */
function isLapsed(
  restated: RestatedPeriod,
  { lines, agreement, today }: Pick<CorrectionInputs, 'lines' | 'agreement' | 'today'>,
): boolean {
  const { policy, signed } = restated
  const within = policy?.within ?? null
  if (within === null) return false
  if (within.of === 'PERIOD') return isOver(signed.date, within.months, today)
  if (within.of === 'PUBLICATION') {
    const newest = restated.causes[0]?.after.publishedAt
    return newest !== undefined && isOver(dayOfInstant(newest), within.months, today)
  }
  const place = agreement.periods.findIndex(({ period }) => period === signed.period)
  const next = agreement.periods[place + 1]?.date ?? Number.POSITIVE_INFINITY
  const own = lines.filter(({ day, kind }) => kind !== 'CORRECTION' && day >= signed.date && day < next)
  if (own.length === 0) return isOver(signed.date, within.months, today)
  return own.every(line => isLineOver(line, policy, today))
}

function isLineOver({ date, day }: BilledLine, policy: Corrections | null, today: Day): boolean {
  const within = policy?.within ?? null
  return within?.of === 'INVOICE' && isOver(date ?? day, within.months, today)
}

/** Every price that differs, in any period. */
function priceDifferences(settled: PricedAgreement, next: PricedAgreement): readonly PriceDifference[] {
  const [before, after] = [new Pricing(settled), new Pricing(next)]
  return settled.periods.flatMap((period, place) => {
    const offer = before.offer(place)
    if ('gap' in offer || numberOf(period)?.status !== 'AGREED') return []
    return offer.list.items.flatMap(({ item, steps }) =>
      steps.flatMap((step): PriceDifference[] => {
        if (!mayDiffer(before, after, place, step.base)) return []
        const [then, now] = [before, after].map(each => each.price(place, step, offer.list.currency)) as [
          ItemPrice | NoNumber,
          ItemPrice | NoNumber,
        ]
        if ('gap' in then || 'gap' in now || equal(then.value, now.value)) return []
        return [{ place, item, step, before: then, after: now }]
      }),
    )
  })
}

/** The declared quantities of items that have no kept line in the period. */
export function declaredAlone({
  agreement,
  lines,
  quantities,
}: Omit<CorrectionInputs, 'restated'>): readonly DeclaredQuantity[] {
  if (quantities.length === 0) return []
  const pricing = new Pricing(agreement)
  const keyOf = (priced: ReturnType<typeof priceLine>) => ('gap' in priced ? null : `${priced.place} ${itemOf(priced)}`)
  const kept = new Set(lines.map(line => keyOf(priceLine(pricing, line))))
  return quantities.filter(declared => !kept.has(keyOf(priceQuantity(pricing, declared))))
}

/** Differences of every line and quantity whose period is agreed. */
function lineDifferences(
  settled: PricedAgreement,
  next: PricedAgreement,
  lines: readonly BilledLine[],
  quantities: readonly DeclaredQuantity[],
): readonly LineDifference[] {
  const [before, after] = [new Pricing(settled), new Pricing(next)]
  const priced = lines.flatMap((line): LineDifference[] => {
    const [then, now] = [priceLine(before, line), priceLine(after, line)]
    if ('gap' in then || 'gap' in now || then.status !== 'AGREED') return []
    const amount = subtract(now.amount, then.amount)
    return [{ line, item: itemOf(then), quantity: line.quantity!, before: then, after: now, amount }]
  })
  const declared = quantities.flatMap((declaration): LineDifference[] => {
    const [then, now] = [priceQuantity(before, declaration), priceQuantity(after, declaration)]
    if ('gap' in then || 'gap' in now || then.status !== 'AGREED') return []
    const { quantity } = declaration
    return [
      { line: null, item: itemOf(then), quantity, before: then, after: now, amount: subtract(now.amount, then.amount) },
    ]
  })
  return [...priced, ...declared]
}

/** The item's current key in the price list, even if an older key was billed. */
function itemOf({ parts }: LinePrice): string {
  return parts[0]!.subject.item.item
}

function draftOf(
  ground: CorrectionInputs,
  candidates: readonly MovedPeriod[],
  lines: readonly BilledLine[],
): Draft | null {
  const { agreement } = ground
  const periods = candidates.filter(({ hasEffect }) => hasEffect)
  if (periods.length === 0) return null
  const settled = settledBy(agreement, periods)
  const policy = newestPolicy(periods)
  const all = lineDifferences(agreement, settled, lines, declaredAlone(ground))
  const prices = priceDifferences(agreement, settled)
  const touched = new Set(prices.map(({ place }) => place))
  const differences = all.filter(({ before }) => before.parts.some(({ subject }) => touched.has(subject.place)))
  const net = differences.length === 0 ? null : sum(differences.map(({ amount }) => amount))
  const draft = {
    agreement,
    settled,
    periods,
    prices,
    lines: differences,
    net,
    currency: currencyOf(agreement, differences),
    level: policy?.level ?? 'HEAL',
    isWaiver: false,
    settle: policy?.settle ?? 'NOTE',
  }
  return { ...draft, isWaiver: isUnderMinimum(draft) && policy?.min?.below === 'WAIVE' }
}

function currencyOf(agreement: PricedAgreement, lines: readonly LineDifference[]): string | null {
  const found = new Set(lines.map(({ before }) => before.currency))
  if (found.size > 1)
    throw new Refusal(
      'conflict',
      `${agreement.slug} is billed in ${[...found].sort().join(' and ')}; a correction has one currency`,
    )
  const [own] = found
  return own ?? agreement.lists.at(-1)?.list.currency ?? agreement.periods.at(-1)?.terms.price?.currency ?? null
}

function whyNothing(moved: readonly MovedPeriod[], gaps: readonly Gap[]): string {
  const of = (state: PolicyState) =>
    moved.filter(each => each.hasEffect && each.state === state).map(({ restated }) => restated.signed.period)
  const reasons: readonly (readonly [PolicyState, string])[] = [
    ['UNDER_MINIMUM', 'together below the smallest correction'],
    ['WAITING_FOR_FINAL', 'waiting for final figures'],
    ['LAPSED', 'lapsed'],
    ['NONE', 'not corrected by this contract'],
    ['NO_POLICY', 'not covered by any policy: propose by hand, with a reason'],
  ]
  const told = reasons.flatMap(([state, words]) => {
    const periods = of(state)
    return periods.length === 0 ? [] : [`${periods.join(', ')} ${periods.length === 1 ? 'is' : 'are'} ${words}`]
  })
  return `nothing is due${told.length + gaps.length === 0 ? '' : `: ${[...told, ...gaps.map(({ sentence }) => sentence)].join('; ')}`}`
}

/**
 * Open differences by group: each comes on top of those before it, so that together they make the whole difference to the last
 * cent.
 */
function openOf(ground: CorrectionInputs, moved: readonly MovedPeriod[]): OpenDifferences {
  const { agreement, lines } = ground
  const quantities = declaredAlone(ground)
  const alive = aliveLines(ground, newestPolicy(moved))
  const gone = lines.filter(line => !alive.includes(line))
  let reached = agreement
  let lapsed = ofInteger(0)
  const take = (...states: readonly PolicyState[]): Ratio => {
    const next = settledBy(
      reached,
      moved.filter(each => each.hasEffect && states.includes(each.state)),
    )
    const between = (some: readonly BilledLine[], declared: readonly DeclaredQuantity[]) =>
      sum(lineDifferences(reached, next, some, declared).map(({ amount }) => amount))
    const amount = between(alive, quantities)
    lapsed = sum([lapsed, between(gone, [])])
    reached = next
    return amount
  }
  const due = take('DUE', 'NO_POLICY')
  const below = take('UNDER_MINIMUM')
  const waitingForFinal = take('WAITING_FOR_FINAL')
  const older = take('LAPSED')
  return { due, underMinimum: below, waitingForFinal, lapsed: sum([older, lapsed]) }
}

/** The amounts that settle a correction: one, or equal ones of which the last takes the cents left over. */
export function partsOfNet(net: Ratio, settle: Corrections['settle'], currency: string): readonly Ratio[] {
  if (typeof settle === 'string') return [net]
  const { spread } = settle
  const each = roundTo(divide(net, ofInteger(spread)), minorUnits(currency), 'DOWN')
  const first = Array.from({ length: spread - 1 }, () => each)
  return [...first, subtract(net, sum(first))]
}
