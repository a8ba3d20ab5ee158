// The true-up of an agreement at this moment, inside one transaction, from what is true when it commits.
import { dayOfInstant, type Instant } from '../core/instant.ts'
import { Pricing } from '../core/prices/pricing.ts'
import { type LibraryBounds, unbounded } from '../read/library-bounds.ts'
import type { PamSnapshot } from '../read/pam-snapshot.ts'
import { cachedListOf, pricedAgreementOf } from '../read/priced-agreement.ts'
import { TrueUp } from '../read/true-up.ts'
import { readMoney } from '../storage/billed.ts'
import type { Transaction } from '../storage/database.ts'
import { readPriceLists } from '../storage/price-lists.ts'
import { openAdjustments } from './standing.ts'

/** The true-up as it stands for a publication that is recorded at `knownBy`. */
export async function openTrueUp(
  tx: Transaction,
  workspaceId: string,
  snapshot: PamSnapshot,
  knownBy: Instant,
  bounds: LibraryBounds = unbounded,
): Promise<TrueUp> {
  const { id } = snapshot
  const adjustments = await openAdjustments(tx, workspaceId, snapshot, knownBy, bounds)
  const lists = (await readPriceLists(tx, workspaceId, id)).map(cachedListOf)
  const money = (await readMoney(tx, workspaceId, [id])).get(id)!
  const standing = snapshot.at(null)!
  const today = dayOfInstant(knownBy)
  // A proposal names suppliers as they are written, whoever they are.
  const sources = { snapshot, standing, adjustments, lists, companies: [], until: today, knownAt: null }
  const pricing = new Pricing(pricedAgreementOf(sources))
  const newestTexts = snapshot.kept.corrections.at(-1)?.texts ?? null
  const moment = { knownAt: null, today, work: bounds.work }
  return new TrueUp({ snapshot, standing, adjustments, pricing, money, newestTexts, ...moment })
}
