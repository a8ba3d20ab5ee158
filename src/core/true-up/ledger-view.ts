// A ledger in answers: amounts as texts with the decimals of their currency. Amounts billed in another currency than the
// agreement's stand by themselves.

import type { DifferenceCode } from '../invoices/ledger-differences.ts'
import type { Account, LedgerEntry, LedgerEvent } from '../invoices/ledger-facts.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { absolute, add, type Ratio, ratio, sum, zero } from '../numbers/ratio.ts'
import type { Instant } from '../time/instant.ts'
import type { OpenDifferences } from './correction.ts'
import { type Balances, balancesOf, type TrueUpLedger } from './ledger.ts'

interface PresentedEntry {
  readonly at: Instant
  readonly event: LedgerEvent
  readonly subject: string
  readonly period: string | null
  readonly item: string | null
  readonly legs: Readonly<Partial<Record<Account, string>>>
}

type PresentedBalances = Readonly<Record<keyof Balances, string>>

interface PresentedDifference {
  readonly code: DifferenceCode
  readonly subject: string
  readonly invoice: string | null
  readonly line: string | null
  readonly supplier: string | null
  readonly note: string | null
  readonly period: string | null
  readonly item: string | null
  readonly amount: string
  readonly currency: string
  readonly message: string
}

interface PresentedNote {
  readonly id: string
  readonly number: string
  readonly supplier: string
  readonly amount: string
  readonly currency: string
  /** The ids of the lines it was billed by. */
  readonly lines: readonly string[]
}

interface PresentedDuplicate {
  readonly subject: string
  readonly sameAs: string
  readonly invoice: string
  readonly line: string
  readonly supplier: string
  readonly amount: string
  readonly currency: string
}

export interface PresentedLedger {
  readonly agreement: string
  readonly currency: string
  readonly balances: PresentedBalances
  readonly open: Readonly<Record<keyof OpenDifferences, string>>
  readonly entries: readonly PresentedEntry[]
  readonly differences: readonly PresentedDifference[]
  readonly notes: readonly PresentedNote[]
  readonly duplicates: readonly PresentedDuplicate[]
  readonly otherCurrencies: readonly {
    readonly currency: string
    readonly balances: PresentedBalances
    readonly entries: readonly PresentedEntry[]
  }[]
}

export function presentLedger(
  agreement: string,
  currency: string,
  ledger: TrueUpLedger,
  open: OpenDifferences,
): PresentedLedger {
  const { due, waitingForFinal, underMinimum, lapsed } = open
  return {
    agreement,
    currency,
    balances: writeAll({ ...balancesOf(ledger) }, currency),
    open: writeAll({ due, waitingForFinal, underMinimum, lapsed }, currency),
    entries: entriesIn(ledger, currency),
    differences: ledger.differences.map(each => ({ ...each, amount: formatMinorUnits(each.amount, each.currency) })),
    notes: ledger.notes.map(({ note: { id, number, supplier, amount, currency: of }, lines }) => ({
      id,
      number,
      supplier,
      amount: formatMinorUnits(amount, of),
      currency: of,
      lines,
    })),
    duplicates: ledger.duplicates.map(({ line: { id, invoice, line, supplier, billed, currency: of }, sameAs }) => ({
      subject: id,
      sameAs: sameAs.id,
      invoice,
      line,
      supplier,
      amount: formatMinorUnits(billed, of),
      currency: of,
    })),
    otherCurrencies: [...ledger.otherSums].map(([of, sums]) => ({
      currency: of,
      balances: writeAll({ ...balancesOf({ sums }) }, of),
      entries: entriesIn(ledger, of),
    })),
  }
}

/** The amount that a buyer still has to pay under a ledger: agreed but not yet billed, or billed too little. */
export function owedOf({ agreed, billingDifferences }: Pick<Balances, 'agreed' | 'billingDifferences'>): Ratio {
  return add(agreed, billingDifferences)
}

/** `Nordplast owes Acme 55.68 EUR` */
export function formatOwed(
  owed: Ratio,
  currency: string,
  sides: { readonly buyer: string; readonly supplier: string },
): string {
  if (owed.n === 0n) return 'Nobody owes anything'
  const { buyer, supplier } = sides
  const [from, to] = owed.n > 0n ? [buyer, supplier] : [supplier, buyer]
  const told = `${from} owes ${to} ${formatMinorUnits(absolute(owed), currency)} ${currency}`
  return `${told[0]!.toUpperCase()}${told.slice(1)}`
}

/** The amount that the buyer still had to pay after each posting, in the order of the postings. */
export function balancesAfter(entries: readonly Pick<PresentedEntry, 'legs'>[], currency: string): readonly string[] {
  let owed = zero
  return entries.map(({ legs }) => {
    owed = sum([owed, ratio(legs.AGREED ?? '0'), ratio(legs.BILLING_DIFF ?? '0')])
    return formatMinorUnits(owed, currency)
  })
}

function entriesIn({ entries }: TrueUpLedger, wanted: string): readonly PresentedEntry[] {
  return entries.filter(({ currency }) => currency === wanted).map(presentEntry)
}

function presentEntry({ legs, currency, ...entry }: LedgerEntry): PresentedEntry {
  return { ...entry, legs: writeAll(legs, currency) }
}

function writeAll<K extends string>(amounts: Readonly<Partial<Record<K, Ratio>>>, currency: string): Record<K, string> {
  const written = Object.entries(amounts).map(([key, amount]) => [key, formatMinorUnits(amount as Ratio, currency)])
  return Object.fromEntries(written) as Record<K, string>
}
