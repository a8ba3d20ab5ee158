// What the digest of an agreement says about money: read for many agreements at once, and computed from what was read.
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { Pricing } from '../../core/prices/pricing.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Day } from '../../core/time/day.ts'
import { type KeptMoney, readMoney } from '../../storage/agreements/billed.ts'
import { readPriceListsOf, type StoredPriceList } from '../../storage/agreements/price-lists.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import { type MoneyMoved, moneyMoved } from '../agreements/money-moved.ts'
import { cachedListOf, pricedAgreementOf } from '../agreements/priced-agreement.ts'
import { TrueUp } from '../agreements/true-up.ts'
import type { LibraryBounds } from '../memory/library-bounds.ts'
import { refuseHeavyLists } from './agreement-prices.ts'
import type { CachedIndex } from './cached-index.ts'

/** What its prices are made of, and what they are multiplied with. */
export interface PricedSources {
  readonly lists: readonly StoredPriceList[]
  readonly money: KeptMoney
}

/** By the id of the agreement. Inside a transaction of the workspace. */
export async function readPriced(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<(agreementId: string) => PricedSources> {
  const lists = await readPriceListsOf(tx, workspaceId, ids)
  const money = await readMoney(tx, workspaceId, ids)
  return id => ({ lists: lists.get(id) ?? [], money: money.get(id)! })
}

interface MoneySources {
  readonly snapshot: AgreementSnapshot
  readonly adjustments: Adjustments
  readonly priced: PricedSources
  readonly index: CachedIndex
  readonly today: Day
}

/** Null for a draft, and where prices take more work than is done here. */
export function moneyOf(
  { snapshot, adjustments, priced: { lists, money }, index, today }: MoneySources,
  { listCharacters }: Pick<LibraryBounds, 'listCharacters'>,
): MoneyMoved | null {
  const standing = snapshot.at(null)!
  if (standing.state.status === 'DRAFT' || standing.broken !== null) return null
  try {
    refuseHeavyLists(lists, listCharacters)
    const of = { snapshot, standing, adjustments, knownAt: null }
    const companies = index.identity!.companiesAt(null)
    const prices = pricedAgreementOf({ ...of, lists: lists.map(cachedListOf), companies, until: today })
    const sources = { ...of, pricing: new Pricing(prices), money, texts: new Map(), today }
    return moneyMoved(new TrueUp({ ...sources, work: () => adjustments.work() }), adjustments)
  } catch (error) {
    if (error instanceof TooHeavyHere || error instanceof Refusal) return null
    throw error
  }
}
