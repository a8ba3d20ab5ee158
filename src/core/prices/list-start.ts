// The start of a new version of a price list. Numbers that both signed keep their prices: a list begins with the first open
// period, and a list that reaches back over a signature waits for both.

import type { Party } from '../parties.ts'
import { Refusal } from '../refusal.ts'
import type { Day } from '../time/day.ts'
import type { PricedAgreement } from './agreement.ts'
import { startLabel } from './price-list.ts'

/** A period of which a side has signed a number. */
export interface SignedDate {
  readonly period: string
  readonly date: Day
  readonly parties: ReadonlySet<Party>
  /** Whether both signed the same number. */
  readonly isAgreed: boolean
}

/**
 * The reason why a list waits for both: they agree on every change, one has signed a period of it, or it reaches back over
 * both.
 */
type Consent = 'CONTRACT' | 'SIGNED_BY_ONE' | 'FIRST_LIST'

export interface ListStart {
  /** `start` or a label. */
  readonly from: string
  readonly fromDate: Day
  /** The reason; null if it governs at once. */
  readonly consent: Consent | null
  /**
   * The last date that both had signed, if the list reaches back over it: until then the contract's own price stays an item.
   */
  readonly ownPriceUntil: Day | null
}

type Dated = Pick<PricedAgreement, 'slug' | 'periods' | 'next'>

interface StartWanted {
  /** `start` or a label; null: the first period that nobody has signed. */
  readonly from: string | null
  /** Sorted by date. */
  readonly signed: readonly SignedDate[]
  /** Whether the contract leaves every change to both. */
  readonly needsBoth: boolean
  /** Whether the agreement has no list yet. */
  readonly isFirst: boolean
}

/** Refuses an unknown period, and one from which a list would change a price that both signed. */
export function resolveStart(agreement: Dated, { from, signed, needsBoth, isFirst }: StartWanted): ListStart {
  const { period, date } = from === null ? firstOpen(agreement, signed) : named(agreement, from)
  const reached = signed.filter(each => each.date >= date)
  const agreed = reached.filter(({ isAgreed }) => isAgreed)
  if (agreed.length > 0 && !isFirst) throw new Refusal('conflict', whyNotBack(agreement, signed, agreed))
  const consent =
    agreed.length > 0
      ? 'FIRST_LIST'
      : needsBoth && signed.some(({ isAgreed }) => isAgreed)
        ? 'CONTRACT'
        : reached.length > 0
          ? 'SIGNED_BY_ONE'
          : null
  return { from: period, fromDate: date, consent, ownPriceUntil: agreed.at(-1)?.date ?? null }
}

interface Begins {
  readonly period: string
  readonly date: Day
}

function named({ periods, next, slug }: Dated, from: string): Begins {
  const found = periods.findLast(({ period }) => period === from) ?? (next?.period === from ? next : undefined)
  if (found !== undefined) return found
  const coming = next === null ? '' : ` (${next.period} comes next)`
  throw new Refusal('not-found', `${slug} has no period ${from} that has come or comes next${coming}`)
}

/** The newest `start` while nothing since it is signed. */
function firstOpen(agreement: Dated, signed: readonly SignedDate[]): Begins {
  const start = agreement.periods.findLast(({ period }) => period === startLabel)!
  const last = signed.at(-1)
  const open = last === undefined || last.date < start.date ? start : openAfter(agreement, last)
  if (open === null) throw new Refusal('conflict', `every period of ${agreement.slug} is signed`)
  return open
}

function openAfter({ periods, next }: Dated, { date }: SignedDate): Begins | null {
  return periods.find(each => each.date > date) ?? next
}

const mostNamed = 6

function whyNotBack(agreement: Dated, signed: readonly SignedDate[], agreed: readonly SignedDate[]): string {
  const names = agreed.slice(0, mostNamed).map(({ period }) => period)
  const more = agreed.length > mostNamed ? ` and ${agreed.length - mostNamed} more` : ''
  const open = openAfter(agreement, signed.at(-1)!)
  const instead = open === null ? '' : `; it can begin with ${open.period}`
  return `buyer and supplier have both signed ${names.join(', ')}${more}, and a new list changes no price that both signed${instead}`
}
