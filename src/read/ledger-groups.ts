// Sums of the ledgers of many agreements: one group for each supplier and currency, who owes whom, and the agreements behind it.
import { formatMinorUnits } from '../core/numbers/money.ts'
import { absolute, add, compare, type Ratio, zero } from '../core/numbers/ratio.ts'
import { formatOwed, owedOf } from '../core/true-up/ledger-view.ts'
import type { AgreementParties } from '../storage/agreements/agreements.ts'
import type { CachedIndex } from './lists/cached-index.ts'
import type { SideLedger } from './true-up-lists.ts'

/** Ledger sums of one agreement, between its buyer and one supplier. */
interface LedgerLine {
  readonly slug: string
  readonly name: string
  readonly owed: LedgerSums
}

/** Signed amounts: positive is what the buyer still has to pay. */
interface LedgerSums {
  /** Amounts agreed and not yet billed, and amounts billed too little or too much. */
  readonly total: string
  readonly agreed: string
  readonly billingDifferences: string
  /** Owed by revision, not agreed yet. */
  readonly due: string
  readonly waitingForFinal: string
  readonly underMinimum: string
  /** Billed at prices that nobody has agreed yet. */
  readonly provisional: string
}

/** All ledgers between one buyer and one supplier in one currency. */
export interface LedgerGroup {
  readonly buyer: string
  readonly supplier: string
  readonly currency: string
  readonly sentence: string
  readonly owed: LedgerSums
  /** Agreements with any amount, the largest first. */
  readonly agreements: readonly LedgerLine[]
}

/** The names of both sides. */
export interface SideNames {
  readonly buyer: string
  readonly supplier: string
}

/**
 * Names of sides: a company by its name, people by their addresses. The people of a buyer are those of the workspace, and so is a
 * buyer that nobody names.
 */
export function sideNames({ workspace }: { readonly workspace: { readonly name: string } }, index: CachedIndex) {
  const { companyName } = index.identity!.issuerAt(null)
  const nameOf = (slug: string) => companyName(slug) ?? slug
  return ({ buyer, supplier }: AgreementParties): SideNames => ({
    buyer: typeof buyer === 'string' ? nameOf(buyer) : workspace.name,
    supplier: typeof supplier === 'string' ? nameOf(supplier) : supplier?.join(', ') || 'the supplier',
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

interface AgreementSums {
  readonly slug: string
  readonly name: string
  readonly sides: SideNames
  readonly currency: string
  readonly sums: Sums
}

/** One group for each supplier and currency, in which anything is billed, agreed or due; currencies stay together. */
export function groupLedgers(
  answers: ReadonlyMap<string, readonly SideLedger[]>,
  names: (parties: SideLedger['parties']) => SideNames,
  agreementOf: (id: string) => Pick<AgreementSums, 'slug' | 'name'> | undefined,
): readonly LedgerGroup[] {
  const lines = [...answers].flatMap(([id, sides]): AgreementSums[] => {
    const agreement = agreementOf(id)
    if (agreement === undefined) return []
    return sides.map(side => ({
      ...agreement,
      sides: names(side.parties),
      currency: side.currency,
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

/** Whether any sum is not zero. */
function isTold({ sums }: AgreementSums): boolean {
  return Object.values(sums).some(({ n }) => n !== 0n)
}

/** Amounts compare only inside one currency. */
function compareCurrencies(a: AgreementSums, b: AgreementSums): number {
  return a.currency === b.currency ? 0 : a.currency < b.currency ? -1 : 1
}

function compareSums(a: Sums, b: Sums): number {
  return compare(absolute(b.total), absolute(a.total)) || compare(absolute(b.due), absolute(a.due))
}

function presentGroup(own: readonly AgreementSums[], sums: Sums): LedgerGroup {
  const { sides, currency } = own[0]!
  const told = own.filter(isTold).sort((a, b) => compareSums(a.sums, b.sums) || (a.slug < b.slug ? -1 : 1))
  return {
    ...sides,
    currency,
    sentence: formatOwed(sums.total, currency, sides),
    owed: writeSums(sums, currency),
    agreements: told.map(({ slug, name, sums: each }) => ({ slug, name, owed: writeSums(each, currency) })),
  }
}

function writeSums(sums: Sums, currency: string): LedgerSums {
  return Object.fromEntries(
    Object.entries(sums).map(([name, amount]) => [name, formatMinorUnits(amount, currency)]),
  ) as {
    readonly [Name in keyof LedgerSums]: string
  }
}
