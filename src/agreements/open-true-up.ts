// The true-up of an agreement at this moment, loaded inside one transaction, so that it is true when that commits.

import { Pricing } from '../core/prices/item-prices.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import type { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import { cachedListOf, pricedAgreementOf } from '../read/agreements/priced-agreement.ts'
import type { Tenure } from '../read/agreements/tenure.ts'
import { newestBySupplier, TrueUp } from '../read/agreements/true-up.ts'
import { type LibraryBounds, unbounded } from '../read/memory/library-bounds.ts'
import { loadMoney } from '../storage/agreements/billed-amounts.ts'
import { loadCorrectionTexts } from '../storage/agreements/corrections.ts'
import { loadPriceLists } from '../storage/agreements/price-lists.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { openAdjustments } from './locked-agreement.ts'

interface TrueUpWanted {
  readonly knownBy: Instant
  /** The time of the supplier whose part it is. */
  readonly tenure: Tenure
  readonly bounds?: LibraryBounds | undefined
}

/** The true-up as it stands for an entry that is recorded at `knownBy`: the part of one supplier. */
export async function openTrueUp(
  tx: Transaction,
  workspaceId: string,
  snapshot: AgreementSnapshot,
  { knownBy, tenure, bounds = unbounded }: TrueUpWanted,
): Promise<TrueUp> {
  const { id } = snapshot
  const adjustments = await openAdjustments(tx, workspaceId, snapshot, knownBy, bounds)
  const lists = (await loadPriceLists(tx, workspaceId, id)).map(cachedListOf)
  const money = (await loadMoney(tx, workspaceId, [id])).get(id)!
  const standing = snapshot.at(null)!
  const newest = [...newestBySupplier(snapshot, null).values()].map(each => each.id)
  const texts = newest.length === 0 ? new Map() : await loadCorrectionTexts(tx, workspaceId, newest)
  const today = dayOfInstant(knownBy)
  // A proposal names suppliers as they are written, whoever they are.
  const named = { lists, companies: [], until: today, knownAt: null }
  const pricing = new Pricing(pricedAgreementOf({ snapshot, standing, adjustments, ...named }))
  const moment = { knownAt: null, today, work: bounds.work }
  const whole = new TrueUp({ snapshot, standing, adjustments, pricing, money, texts, ...moment })
  if (tenure.isWhole) return whole
  // The part is signed by the buyer of today, whoever it was then.
  const part = snapshot.partOf(tenure, standing.state.parties.buyer)
  const own = { snapshot: part, standing: part.at(null)! }
  const ownAdjustments = await openAdjustments(tx, workspaceId, part, knownBy, bounds)
  const priced = pricedAgreementOf({ ...own, adjustments: ownAdjustments, ...named })
  return whole.partOf({ ...own, adjustments: ownAdjustments, pricing: new Pricing(priced) })
}
