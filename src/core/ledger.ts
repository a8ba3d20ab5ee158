// The true-up ledger of an agreement: every cent between what the contract says and what was billed, as postings whose legs
// sum to 0. Computed from facts and a cut, never stored, so that nothing in it can disagree with itself.
import { type BilledLine, priceLine } from './billed-line.ts'
import type { Assessment, Draft, OpenDifferences } from './correction.ts'
import type { Instant } from './instant.ts'
import { writeMoney } from './money.ts'
import type { PricedAgreement } from './prices/agreement.ts'
import { Pricing } from './prices/pricing.ts'
import { add, equal, negate, type Ratio, subtract, sum, zero } from './ratio.ts'
import { isBy } from './vintage.ts'

export const accounts = ['ENTITLED', 'PROVISIONAL', 'BILLED', 'BILLING_DIFF', 'AGREED', 'WAIVED'] as const
export type Account = (typeof accounts)[number]

export const ledgerEvents = [
  'INVOICE_LINE',
  'PERIOD_AGREED',
  'CORRECTION_AGREED',
  'CORRECTION_WAIVED',
  'BILLING_AGREED',
  'BILLING_WAIVED',
  'NOTE_ISSUED',
] as const
export type LedgerEvent = (typeof ledgerEvents)[number]

export type Legs = Readonly<Partial<Record<Account, Ratio>>>

export interface LedgerEntry {
  readonly at: Instant
  readonly event: LedgerEvent
  /** The fact it follows from: a line, a correction, a note. */
  readonly subject: string
  readonly period: string | null
  readonly item: string | null
  /** They sum to 0; those that are 0 are left out. */
  readonly legs: Legs
}

/** A correction that both parties signed. */
export interface AgreedCorrection {
  readonly id: string
  readonly agreedAt: Instant
  /** Whether both parties waive the money. */
  readonly isWaiver: boolean
  readonly lines: readonly {
    /** Null for a declared quantity. */
    readonly lineId: string | null
    readonly item: string
    readonly period: string
    readonly amount: Ratio
  }[]
}

/** A difference between what was billed and what was due, which both parties agreed to settle or to waive. */
export interface BillingSettlement {
  readonly id: string
  readonly agreedAt: Instant
  readonly isWaiver: boolean
  readonly item: string
  readonly period: string
  readonly amount: Ratio
}

export interface IssuedNote {
  readonly id: string
  readonly issuedAt: Instant
  /** The number of the document. */
  readonly number: string
  readonly amount: Ratio
}

export interface LedgerFacts {
  readonly lines: readonly BilledLine[]
  /**
   * The states of the agreement as settled, each from an instant on, ascending: one for each agreed period or
   * correction.
   */
  readonly settled: readonly { readonly at: Instant; readonly agreement: PricedAgreement }[]
  readonly corrections: readonly AgreedCorrection[]
  readonly billing: readonly BillingSettlement[]
  readonly notes: readonly IssuedNote[]
}

export interface TrueUpLedger {
  /** In the order in which they happened. */
  readonly entries: readonly LedgerEntry[]
  /** Of accounts: the sum of their legs. */
  readonly sums: Readonly<Record<Account, Ratio>>
  /** What is posted as owed for each line whose period is agreed. */
  readonly owed: ReadonlyMap<string, Ratio>
}

/** As it stood at an instant; null: now. */
export function openLedger(facts: LedgerFacts, knownAt: Instant | null = null): TrueUpLedger {
  const known = cutFacts(facts, knownAt)
  const states = known.settled.map(({ at, agreement }) => ({ at, pricing: new Pricing(agreement) }))
  const owed = new Map<string, Ratio>()
  const documents = new Set(known.notes.map(({ number }) => number))
  const entries = [
    ...known.lines.flatMap(line => postLine(line, states, documents, owed)),
    ...known.corrections.flatMap(correction => postCorrection(correction, owed)),
    ...known.billing.map(postBilling),
    ...known.notes.map(postNote),
  ].sort(compareEntries)
  const sums = Object.fromEntries(
    accounts.map(account => [account, sum(entries.map(({ legs }) => legs[account] ?? zero))]),
  ) as Record<Account, Ratio>
  return { entries, sums, owed }
}

function cutFacts(facts: LedgerFacts, knownAt: Instant | null): LedgerFacts {
  return {
    lines: facts.lines.filter(({ importedAt }) => isBy(importedAt, knownAt)),
    settled: facts.settled.filter(({ at }) => isBy(at, knownAt)),
    corrections: facts.corrections.filter(({ agreedAt }) => isBy(agreedAt, knownAt)),
    billing: facts.billing.filter(({ agreedAt }) => isBy(agreedAt, knownAt)),
    notes: facts.notes.filter(({ issuedAt }) => isBy(issuedAt, knownAt)),
  }
}

interface SettledState {
  readonly at: Instant
  readonly pricing: Pricing
}

function legsOf(legs: Legs): Legs {
  return Object.fromEntries(Object.entries(legs).filter(([, amount]) => amount.n !== 0n))
}

/**
 * A line is provisional until its price is agreed; any deviation of the billed amount from that price is a billing
 * difference.
 */
function postLine(
  line: BilledLine,
  states: readonly SettledState[],
  documents: ReadonlySet<string>,
  owed: Map<string, Ratio>,
): LedgerEntry[] {
  const { id: subject, importedAt: at, item, billed } = line
  const entry = { at, event: 'INVOICE_LINE', subject, period: null, item } as const
  if (line.kind === 'CORRECTION') {
    // The document of a note is counted with the note.
    if (documents.has(line.invoice)) return []
    return [{ ...entry, legs: legsOf({ BILLED: billed, BILLING_DIFF: negate(billed) }) }]
  }
  const first = states.findLastIndex(state => state.at <= at)
  const agreed = findAgreed(line, states, Math.max(first, 0))
  if (agreed !== null && agreed.at <= at) {
    owed.set(subject, agreed.amount)
    const legs = { ENTITLED: negate(agreed.amount), BILLED: billed, BILLING_DIFF: subtract(agreed.amount, billed) }
    return [{ ...entry, period: agreed.period, item: agreed.item, legs: legsOf(legs) }]
  }
  const provisional = { ...entry, legs: legsOf({ BILLED: billed, PROVISIONAL: negate(billed) }) }
  if (agreed === null) return [provisional]
  owed.set(subject, agreed.amount)
  const legs = { ENTITLED: negate(agreed.amount), PROVISIONAL: billed, BILLING_DIFF: subtract(agreed.amount, billed) }
  const { period } = agreed
  const settled = { at: agreed.at, event: 'PERIOD_AGREED', subject, period, item: agreed.item } as const
  return [provisional, { ...settled, legs: legsOf(legs) }]
}

/** The first state, from an index on, in which the price of the line is agreed. */
function findAgreed(line: BilledLine, states: readonly SettledState[], from: number) {
  for (let place = from; place < states.length; place++) {
    const { at, pricing } = states[place]!
    const priced = priceLine(pricing, line)
    if ('unpriced' in priced || priced.status !== 'AGREED') continue
    const { period } = pricing.at(priced.place)
    return { at, amount: priced.amount, period, item: priced.parts[0]!.subject.item.item }
  }
  return null
}

/** One entry for each item and period. */
function postCorrection({ id, agreedAt, isWaiver, lines }: AgreedCorrection, owed: Map<string, Ratio>): LedgerEntry[] {
  for (const { lineId, amount } of lines) if (lineId !== null) owed.set(lineId, add(owed.get(lineId) ?? zero, amount))
  const groups = Map.groupBy(lines, ({ period, item }) => JSON.stringify([period, item]))
  return [...groups.values()].map(group => {
    const { period, item } = group[0]!
    const amount = sum(group.map(each => each.amount))
    const legs = { ENTITLED: negate(amount), [isWaiver ? 'WAIVED' : 'AGREED']: amount }
    const event = isWaiver ? 'CORRECTION_WAIVED' : 'CORRECTION_AGREED'
    return { at: agreedAt, event, subject: id, period, item, legs: legsOf(legs) }
  })
}

function postBilling({ id, agreedAt, isWaiver, item, period, amount }: BillingSettlement): LedgerEntry {
  const legs = { BILLING_DIFF: negate(amount), [isWaiver ? 'WAIVED' : 'AGREED']: amount }
  const event = isWaiver ? 'BILLING_WAIVED' : 'BILLING_AGREED'
  return { at: agreedAt, event, subject: id, period, item, legs: legsOf(legs) }
}

function postNote({ id, issuedAt, amount }: IssuedNote): LedgerEntry {
  const legs = legsOf({ BILLED: amount, AGREED: negate(amount) })
  return { at: issuedAt, event: 'NOTE_ISSUED', subject: id, period: null, item: null, legs }
}

function compareEntries(a: LedgerEntry, b: LedgerEntry): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return a.subject === b.subject ? 0 : a.subject < b.subject ? -1 : 1
}

/** The sides of the equation: entitled + provisional = billed + billingDifferences + agreed + waived. */
export interface Balances {
  readonly entitled: Ratio
  readonly provisional: Ratio
  readonly billed: Ratio
  readonly billingDifferences: Ratio
  readonly agreed: Ratio
  readonly waived: Ratio
}

export function balancesOf({ sums }: TrueUpLedger): Balances {
  return {
    entitled: negate(sums.ENTITLED),
    provisional: negate(sums.PROVISIONAL),
    billed: sums.BILLED,
    billingDifferences: sums.BILLING_DIFF,
    agreed: sums.AGREED,
    waived: sums.WAIVED,
  }
}

/** Whether every entry sums to 0 and the equation holds. */
export function isBalanced(ledger: TrueUpLedger): boolean {
  const { entitled, provisional, billed, billingDifferences, agreed, waived } = balancesOf(ledger)
  return (
    ledger.entries.every(({ legs }) => sum(Object.values(legs)).n === 0n) &&
    equal(add(entitled, provisional), sum([billed, billingDifferences, agreed, waived]))
  )
}

/** What is owed under the restated numbers beyond what is posted, grouped by what holds it back. */
export function openByRevision(
  { owed }: TrueUpLedger,
  { open }: Pick<Assessment, 'open'>,
  agreement: PricedAgreement,
  lines: readonly BilledLine[],
): OpenDifferences {
  const pricing = new Pricing(agreement)
  // Lines that had lapsed when their period was corrected are settled, and were never paid.
  const left = lines.map(line => {
    const [posted, priced] = [owed.get(line.id), priceLine(pricing, line)]
    return posted === undefined || 'unpriced' in priced ? zero : subtract(priced.amount, posted)
  })
  return { ...open, lapsed: sum([open.lapsed, ...left]) }
}

export interface PresentedLedger {
  readonly agreement: string
  readonly currency: string
  readonly balances: Readonly<Record<keyof Balances, string>>
  readonly open: Readonly<Record<keyof OpenDifferences, string>>
  readonly entries: readonly {
    readonly at: Instant
    readonly event: LedgerEvent
    readonly subject: string
    readonly period: string | null
    readonly item: string | null
    readonly legs: Readonly<Partial<Record<Account, string>>>
  }[]
}

export function presentLedger(
  agreement: string,
  currency: string,
  ledger: TrueUpLedger,
  open: OpenDifferences,
): PresentedLedger {
  const write = <K extends string>(amounts: Readonly<Partial<Record<K, Ratio>>>) =>
    Object.fromEntries(
      Object.entries(amounts).map(([key, amount]) => [key, writeMoney(amount as Ratio, currency)]),
    ) as Record<K, string>
  return {
    agreement,
    currency,
    balances: write({ ...balancesOf(ledger) }),
    open: write({
      due: open.due,
      waitingForFinal: open.waitingForFinal,
      underMinimum: open.underMinimum,
      lapsed: open.lapsed,
    }),
    entries: ledger.entries.map(({ legs, ...entry }) => ({ ...entry, legs: write(legs) })),
  }
}

/** What the agreed lines of a draft post. */
export function agreedLines({ agreement, lines }: Pick<Draft, 'agreement' | 'lines'>): AgreedCorrection['lines'] {
  return lines.map(({ line, item, before, amount }) => ({
    lineId: line?.id ?? null,
    item,
    period: agreement.periods[before.place]!.period,
    amount,
  }))
}
