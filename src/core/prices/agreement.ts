// An agreement as prices need it: the periods that have begun with their settled numbers, the lists that govern them, and the
// contract's terms for invoices. Data only: the caller fills it in, and item-prices.ts computes the prices.

import type { NoNumber } from '../calculation/gap.ts'
import type { Billing, ContractPrice, Status } from '../formula/formula.ts'
import { one, type Ratio, type Rounding } from '../numbers/ratio.ts'
import type { Day } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import type { KnownSupplier } from './line-identity.ts'
import type { ListVersion } from './price-list.ts'

export const priceStatuses = ['AGREED', 'SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER', 'OPEN'] as const
export type PriceStatus = (typeof priceStatuses)[number]

/** The weaker status of two numbers that make one price. */
export function weakerStatus(a: PriceStatus, b: PriceStatus): PriceStatus {
  if (a === b || b === 'AGREED') return a
  // If each side signed a different number, neither is agreed.
  return a === 'AGREED' ? b : 'OPEN'
}

/** The contract's terms for prices in a period. */
export interface PriceTerms {
  /** The contract's own price, where it has one. */
  readonly price: ContractPrice | null
  /** `clause.rounding.price`, else `contract.price.round`. */
  readonly rounding: Rounding | null
}

export interface SettledNumber {
  /** Exact: by the last agreed correction where there is one, else as signed, else as proposed. */
  readonly factor: Ratio
  readonly status: PriceStatus
  readonly receiptHash: string | null
  /** The instant at which both had signed the period, whatever was corrected since; null before. */
  readonly agreedAt: Instant | null
  /** The instant at which both had signed its last correction. */
  readonly correctedAt?: Instant
  /** The factor that the last agreed correction replaced. */
  readonly beforeCorrection: Ratio | null
}

/** The number of `start`: nothing has moved yet, and nobody has to sign it. */
export const startNumber: SettledNumber = {
  factor: one,
  status: 'AGREED',
  receiptHash: null,
  agreedAt: null,
  beforeCorrection: null,
}

/** A period whose date has come. */
export interface PricedPeriod {
  /** `2024-Q2`; `start` before the first adjustment, and again where the price was renegotiated. */
  readonly period: string
  /** The adjustment date; of `start` the first day of the contract, or the day from which the new price counts. */
  readonly date: Day
  readonly formulaVersion: number
  readonly number: SettledNumber | NoNumber
  readonly terms: PriceTerms
  /**
   * The first signature of a period that both signed, or for `start` of any later one: unit factors and the tolerance of that
   * moment count for its lines. Left out for other periods, for which today's count.
   */
  readonly firstSignedAt?: Instant
  /** True for a period agreed with another supplier: nothing is priced in it, and it may only be the base of a price. */
  readonly isBaseOnly?: true
}

/** A period whose date has not come. */
interface ComingPeriod {
  readonly period: string
  readonly date: Day
}

export interface PricedAgreement {
  readonly id: string
  readonly slug: string
  readonly status: Status
  /** The slug of the party on the supplier's side; null where the agreement names none. */
  readonly supplier: string | null
  /** The companies that are or were on the supplier's side, with every name they have had. */
  readonly suppliers: readonly KnownSupplier[]
  readonly start: Day
  readonly end: Day | null
  readonly billing: Billing
  /** The last day whose adjustment date has come. */
  readonly today: Day
  /** Periods by date, including those without a number. `start` always comes first. */
  readonly periods: readonly PricedPeriod[]
  /** The next adjustment date, which has not come yet. */
  readonly next: ComingPeriod | null
  /** The period in force on a day from `next` on; without it, `next` stands for all of them. */
  readonly comingOn?: (day: Day) => ComingPeriod
  /** All versions, ascending. */
  readonly lists: readonly ListVersion[]
}

/** The currency of amounts: the newest list's, else the contract's; null where nothing has a price. */
export function currencyOf({ lists, periods }: Pick<PricedAgreement, 'lists' | 'periods'>): string | null {
  return lists.at(-1)?.list.currency ?? periods.at(-1)?.terms.price?.currency ?? null
}

/** The period in force on a day whose date has not come; null for any other day. */
export function comingOn({ next, comingOn: find }: PricedAgreement, day: Day): ComingPeriod | null {
  if (next === null || day < next.date) return null
  return find?.(day) ?? next
}

export function numberOf({ number }: PricedPeriod): SettledNumber | null {
  return 'gap' in number ? null : number
}
