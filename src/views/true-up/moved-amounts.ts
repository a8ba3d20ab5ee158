// Money in moved signed periods: payer, receiver and amount, by the fate of the periods. Each agreement counts with its net, as its
// correction does, and currencies are never added to each other.
import { formatMinorUnits } from '../../core/numbers/money.ts'
import { absolute, add, compare, type Ratio, zero } from '../../core/numbers/ratio.ts'
import type { AgreementSnapshot } from '../../read/agreements/agreement-snapshot.ts'
import type { SideNames } from '../../read/ledger-groups.ts'
import type { RadarEntry } from '../../read/radar.ts'
import type { AgreementParties } from '../../storage/agreements/agreements.ts'
import type { MoneyFlow, MoneyMoved, MoneyState, RevisionRow } from '../shapes/revision-rows.ts'

/** Parties who settle a period: the buyer of today, and the supplier that signed it. */
export function partiesOfPeriod({ whole }: AgreementSnapshot, period: string): AgreementParties {
  const { buyer, supplier } = whole.kept.states.at(-1)!.parties
  const signed = whole.supplierOf({ periods: [period] })
  return { buyer, supplier: signed === undefined ? supplier : signed }
}

interface MoneyPart {
  readonly state: MoneyState
  /** Extra payment of the buyer; null if it is not known. */
  readonly amount: Ratio | null
}

/** Agreed parts of a moved signed period, and the fate of the rest, which `correction` covers. */
export function moneyParts(
  { row: { kind, policy }, agreed, left }: Pick<RadarEntry, 'row' | 'agreed' | 'left'>,
  correction: RevisionRow['correction'],
): readonly MoneyPart[] {
  if (kind !== 'SIGNED_MOVED') return []
  const signed = agreed.map(({ isWaiver, amount }): MoneyPart => ({ state: isWaiver ? 'WAIVED' : 'AGREED', amount }))
  if (left === null) return signed
  const state = correction === null || correction.state === 'LAPSED' ? policy : 'PROPOSED'
  return [...signed, { state, amount: left.amount }]
}

interface MovedMoney extends MoneyPart {
  readonly agreementId: string
  readonly sides: SideNames
  readonly currency: string | null
}

interface Net extends SideNames {
  readonly currency: string
  amount: Ratio
}

const order: readonly MoneyState[] = [
  'DUE',
  'WAITING_FOR_FINAL',
  'UNDER_MINIMUM',
  'PROPOSED',
  'NO_POLICY',
  'NONE',
  'LAPSED',
  'AGREED',
  'WAIVED',
]

export class MoneySums {
  /** Nets by sides and currency, per agreement, per fate. */
  readonly #states = new Map<MoneyState, Map<string, Map<string, Net>>>()

  add({ agreementId, state, sides: { buyer, supplier }, amount, currency }: MovedMoney): void {
    const agreements = this.#states.getOrInsert(state, new Map())
    const nets = agreements.getOrInsert(agreementId, new Map())
    if (amount === null || currency === null) return
    const net = nets.getOrInsert(`${supplier}\n${buyer}\n${currency}`, { buyer, supplier, currency, amount: zero })
    net.amount = add(net.amount, amount)
  }

  get moved(): MoneyMoved {
    const known = [...this.#states].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    return known.map(([state, agreements]) => ({
      state,
      agreements: agreements.size,
      withoutAmount: agreements.values().reduce((count, nets) => count + (nets.size === 0 ? 1 : 0), 0),
      flows: flowsOf([...agreements.values()].flatMap(nets => [...nets.values()])),
    }))
  }
}

/** Each direction is added up by itself: one agreement's money does not pay for another's. */
export function flowsOf(nets: readonly Readonly<Net>[]): readonly MoneyFlow[] {
  const sums = new Map<string, { readonly from: string; readonly to: string; readonly currency: string; sum: Ratio }>()
  for (const { buyer, supplier, currency, amount } of nets) {
    if (amount.n === 0n) continue
    const [from, to] = amount.n > 0n ? [buyer, supplier] : [supplier, buyer]
    const flow = sums.getOrInsert(`${from}\n${to}\n${currency}`, { from, to, currency, sum: zero })
    flow.sum = add(flow.sum, absolute(amount))
  }
  return [...sums.values()]
    .sort((a, b) => compare(b.sum, a.sum))
    .map(({ from, to, currency, sum }) => ({ from, to, currency, amount: formatMinorUnits(sum, currency) }))
}
