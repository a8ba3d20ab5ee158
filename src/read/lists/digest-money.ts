// Money in an agreement's digest: read for many agreements at once, and computed from the read rows.

import { formatMinorUnits, roundMoney } from '../../core/numbers/money.ts'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { currencyOf } from '../../core/prices/agreement.ts'
import { Pricing } from '../../core/prices/item-prices.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Day } from '../../core/time/day.ts'
import { type BilledAmounts, loadMoney } from '../../storage/agreements/billed-amounts.ts'
import { loadPriceListsOf, type StoredPriceList } from '../../storage/agreements/price-lists.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { type MoneyMoved, moneyMoved } from '../agreements/adjustment-money.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import { boughtBy, movedAmount } from '../agreements/bought.ts'
import { cachedListOf, pricedAgreementOf } from '../agreements/priced-agreement.ts'
import { TrueUp } from '../agreements/true-up.ts'
import type { LibraryBounds } from '../memory/library-bounds.ts'
import { refuseHeavyLists } from './agreement-prices.ts'
import type { CachedIndex } from './cached-index.ts'
import type { OpenEffect } from './open-figures.ts'

/** Sources of prices, and the lines and quantities they are multiplied with. */
export interface PricedSources {
  readonly lists: readonly StoredPriceList[]
  readonly money: BilledAmounts
}

/** Sources by agreement id. Inside a transaction of the workspace. */
export async function loadPriced(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<(agreementId: string) => PricedSources> {
  const lists = await loadPriceListsOf(tx, workspaceId, ids)
  const money = await loadMoney(tx, workspaceId, ids)
  return id => ({ lists: lists.get(id) ?? [], money: money.get(id)! })
}

interface MoneySources {
  readonly snapshot: AgreementSnapshot
  readonly adjustments: Adjustments
  readonly priced: PricedSources
  readonly index: CachedIndex
  readonly today: Day
}

/** The true-up; null for a draft, and where prices take more work than is done here. */
export function trueUpOf(
  { snapshot, adjustments, priced: { lists, money }, index, today }: MoneySources,
  { listCharacters }: Pick<LibraryBounds, 'listCharacters'>,
): TrueUp | null {
  const standing = snapshot.at(null)!
  if (standing.state.status === 'DRAFT' || standing.broken !== null) return null
  return unlessRefused(() => {
    refuseHeavyLists(lists, listCharacters)
    const of = { snapshot, standing, adjustments, knownAt: null }
    const companies = index.identity!.companiesAt(null)
    const prices = pricedAgreementOf({ ...of, lists: lists.map(cachedListOf), companies, until: today })
    const sources = { ...of, pricing: new Pricing(prices), money, texts: new Map(), today }
    return new TrueUp({ ...sources, work: () => adjustments.work() })
  })
}

export function moneyOf(trueUp: TrueUp | null, adjustments: Adjustments): MoneyMoved | null {
  return trueUp === null ? null : unlessRefused(() => moneyMoved(trueUp, adjustments))
}

/** Money effect of open periods: their quantities at the step's price, less at the price before, and less at the settled price. */
export function openEffects(trueUp: TrueUp | null, { computed }: Adjustments): ReadonlyMap<string, OpenEffect> {
  const [first] = computed
  if (trueUp === null || first === undefined) return new Map()
  return unlessRefused(() => effectsOf(trueUp, first.date, new Set(computed.map(({ period }) => period)))) ?? new Map()
}

function effectsOf(trueUp: TrueUp, firstOpen: Day, open: ReadonlySet<string>): ReadonlyMap<string, OpenEffect> {
  const { agreement } = trueUp
  const pricing = new Pricing(agreement)
  const currency = currencyOf(agreement)
  const settled = pricing.latestOn(firstOpen - 1)
  const effects = new Map<string, OpenEffect>()
  for (const [place, bought] of boughtBy(pricing, trueUp, currency)) {
    const { period, date } = agreement.periods[place]!
    if (date < firstOpen || !open.has(period)) continue
    const since = (before: number) => {
      // A newly negotiated price is no adjustment; the first page has the same rule.
      if (before < 0 || !pricing.isSameStart(place, before)) return null
      const amount = movedAmount(pricing, bought, { after: place, before }, currency)
      return amount === null ? null : formatMinorUnits(roundMoney(amount, currency!), currency!)
    }
    effects.set(period, { effect: since(pricing.neighbour(place, -1)), paidEffect: since(settled) })
  }
  return effects
}

function unlessRefused<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof TooHeavyHere || error instanceof Refusal) return null
    throw error
  }
}
