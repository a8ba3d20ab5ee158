// What the ledgers of all agreements come to: one group for each supplier and currency, who owes whom, and the agreements behind it.
import { writeMoney } from '../../core/numbers/money.ts'
import { absolute, add, compare, type Ratio, zero } from '../../core/numbers/ratio.ts'
import { owedOf, tellOwed } from '../../core/true-up/ledger-view.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { PartAsked, SideLedger } from '../../read/true-up-lists.ts'
import { todayOf } from '../agreements/seen-agreement.ts'
import type { LedgerGroup, LedgerSums, LedgersPage } from '../shapes/true-up.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { sightOf } from '../sight/visibility.ts'
import { type SideNames, sideNames } from './money-moved.ts'
import { mayPropose, nameAgreements } from './revisions.ts'

/** The agreements whose ledgers a person sees as they go on, each as far as it is theirs. */
export function ledgersSeen(seat: Seat, { pams: agreements }: CachedIndex): readonly PartAsked[] {
  return agreements.flatMap((agreement): PartAsked[] => {
    const sight = sightOf(seat, agreement)
    // While it is a draft again, its ledger stands still: its own page has it.
    const isStill = sight !== null && sight.knownAt !== null && sight.tenure?.endedAt == null
    if (sight === null || isStill) return []
    return [{ id: agreement.id, tenure: sight.tenure?.isWhole === true ? null : sight.tenure }]
  })
}

type Sums = { readonly [Name in keyof LedgerSums]: Ratio }

const nothing: Sums = {
  total: zero,
  agreed: zero,
  billingDifferences: zero,
  due: zero,
  waitingForFinal: zero,
  underMinimum: zero,
  provisional: zero,
}

interface Line {
  readonly slug: string
  readonly name: string
  readonly sides: SideNames
  readonly currency: string
  readonly sums: Sums
}

export async function showLedgers(parts: ViewParts, seat: Seat): Promise<LedgersPage> {
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

/** One group for each supplier and currency, in which anything is billed, agreed or due; currencies stay together. */
export function groupLedgers(
  answers: ReadonlyMap<string, readonly SideLedger[]>,
  names: (parties: SideLedger['parties']) => SideNames,
  agreementOf: (id: string) => Pick<Line, 'slug' | 'name'> | undefined,
): readonly LedgerGroup[] {
  const lines = [...answers].flatMap(([id, sides]): Line[] => {
    const agreement = agreementOf(id)
    if (agreement === undefined) return []
    return sides.map(side => ({
      ...{ ...agreement, sides: names(side.parties), currency: side.currency },
      sums: sumsOf(side),
    }))
  })
  const groups = Map.groupBy(lines, ({ sides, currency }) => JSON.stringify([sides, currency]))
  return [...groups.values()]
    .map(own => ({ own, sums: own.map(({ sums }) => sums).reduce(addSums) }))
    .filter(({ own }) => own.some(isTold))
    .sort((a, b) => compareCurrencies(a.own[0]!, b.own[0]!) || compareSums(a.sums, b.sums))
    .map(({ own, sums }) => presentGroup(own, sums))
}

function sumsOf({ balances, open }: SideLedger): Sums {
  const { agreed, billingDifferences, provisional } = balances
  const { due, waitingForFinal, underMinimum } = open ?? nothing
  return { total: owedOf(balances), agreed, billingDifferences, due, waitingForFinal, underMinimum, provisional }
}

function addSums(a: Sums, b: Sums): Sums {
  const names = Object.keys(nothing) as (keyof Sums)[]
  return Object.fromEntries(names.map(name => [name, add(a[name], b[name])])) as Sums
}

/** Whether anything is in it. */
function isTold({ sums }: Line): boolean {
  return Object.values(sums).some(({ n }) => n !== 0n)
}

/** Sizes compare only inside one. */
function compareCurrencies(a: Line, b: Line): number {
  return a.currency === b.currency ? 0 : a.currency < b.currency ? -1 : 1
}

function compareSums(a: Sums, b: Sums): number {
  return compare(absolute(b.total), absolute(a.total)) || compare(absolute(b.due), absolute(a.due))
}

function presentGroup(own: readonly Line[], sums: Sums): LedgerGroup {
  const { sides, currency } = own[0]!
  const told = own.filter(isTold).sort((a, b) => compareSums(a.sums, b.sums) || (a.slug < b.slug ? -1 : 1))
  return {
    ...sides,
    currency,
    sentence: tellOwed(sums.total, currency, sides),
    owed: writeSums(sums, currency),
    agreements: told.map(({ slug, name, sums: each }) => ({ slug, name, owed: writeSums(each, currency) })),
  }
}

function writeSums(sums: Sums, currency: string): LedgerSums {
  return Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, writeMoney(amount, currency)])) as {
    readonly [Name in keyof LedgerSums]: string
  }
}
