// Ledger sums of all agreements that a person sees, by supplier and currency.
import { groupLedgers, sideNames } from '../../read/ledger-groups.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { PartAsked } from '../../read/true-up-lists.ts'
import { todayOf } from '../agreements/opened-agreement.ts'
import type { LedgersPage } from '../shapes/true-up.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { sightOf } from '../sight/visibility.ts'
import { mayPropose, nameAgreements } from './revisions.ts'

/** Agreements whose ledgers a person sees as they go on, each in its visible part. */
export function ledgersSeen(seat: Seat, { agreements }: CachedIndex): readonly PartAsked[] {
  return agreements.flatMap((agreement): PartAsked[] => {
    const sight = sightOf(seat, agreement)
    // The ledger of a present draft stands still: its own page has it.
    const isStill = sight !== null && sight.knownAt !== null && sight.tenure?.endedAt == null
    if (sight === null || isStill) return []
    return [{ id: agreement.id, tenure: sight.tenure?.isWhole === true ? null : sight.tenure }]
  })
}

export async function showLedgers(parts: ViewContext, seat: Seat): Promise<LedgersPage> {
  const index = await parts.library.index(seat.workspace.id)
  const seen = ledgersSeen(seat, index)
  const { answers, updating, heavy } = await parts.library.trueUpLists.sides(seat.workspace.id, seen, todayOf(parts))
  return {
    groups: groupLedgers(answers, sideNames(seat, index), id => nameAgreements(seat, index, [id])[0]),
    count: answers.values().reduce((count, sides) => count + (sides.length > 0 ? 1 : 0), 0),
    mayPropose: answers.values().some(sides => sides.some(side => side.due !== null && mayPropose(seat, side))),
    updating,
    leftOut: nameAgreements(seat, index, heavy),
  }
}
