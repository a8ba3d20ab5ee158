// The true-up ledger of an agreement: every cent between the contract's amounts and the billed ones, as postings whose legs sum
// to 0. Computed from facts and a cut, never stored, so that nothing in it can disagree with itself.
import { type BilledLine, priceLine } from '../invoices/billed-line.ts'
import type { IssuedNote } from '../invoices/issued-note.ts'
import {
  type DuplicateLine,
  findDuplicates,
  type LedgerDifference,
  type NoteState,
  nameDifferences,
  noteState,
} from '../invoices/ledger-differences.ts'
import {
  type Account,
  type AgreedCorrection,
  accounts,
  type BillingSettlement,
  type LedgerEntry,
  type LedgerEvent,
  type LedgerFacts,
  type Legs,
  type Sums,
} from '../invoices/ledger-facts.ts'
import { type Matching, matchNotes } from '../invoices/note-matches.ts'
import { add, equal, negate, type Ratio, subtract, sum, zero } from '../numbers/ratio.ts'
import type { PricedAgreement } from '../prices/agreement.ts'
import { Pricing } from '../prices/item-prices.ts'
import { isBy } from '../series/vintage.ts'
import type { Instant } from '../time/instant.ts'
import type { Assessment, Draft, OpenDifferences } from './correction.ts'

export interface TrueUpLedger {
  /** Entries in the order in which they happened. */
  readonly entries: readonly LedgerEntry[]
  /** The agreement's currency. */
  readonly currency: string
  /** Sums in that currency. */
  readonly sums: Sums
  /** Sums in other currencies that something was billed in. */
  readonly otherSums: ReadonlyMap<string, Sums>
  /** The parts of the billing differences, each with its reason. */
  readonly differences: readonly LedgerDifference[]
  /** The lines that billed each note. */
  readonly notes: readonly NoteState[]
  /** Lines that are stored twice, as lines imported before they had one form may be. */
  readonly duplicates: readonly DuplicateLine[]
  /** The amount posted as owed for each line whose period is agreed. */
  readonly owed: ReadonlyMap<string, Ratio>
}

/** The ledger at an instant; null: now. */
export function openLedger(facts: LedgerFacts, knownAt: Instant | null = null): TrueUpLedger {
  const known = cutFacts(facts, knownAt)
  const states = known.settled.map(({ at, agreement }) => ({ at, pricing: new Pricing(agreement) }))
  const owed = new Map<string, Ratio>()
  const documents = known.lines.filter(({ kind }) => kind === 'CORRECTION')
  const matching = matchNotes(known.notes, documents)
  const entries = [
    ...known.lines.filter(({ kind }) => kind !== 'CORRECTION').flatMap(line => postLine(line, states, owed)),
    ...postDocuments(documents, matching),
    ...known.corrections.flatMap(correction => postCorrection(correction, owed)),
    ...known.billing.map(postBilling),
    ...known.notes.map(postNote),
  ]
    // Entries without legs are not posted.
    .filter(({ legs }) => Object.keys(legs).length > 0)
    .sort(compareEntries)
  const byCurrency = Map.groupBy(entries, ({ currency }) => currency)
  const others = [...byCurrency].filter(([currency]) => currency !== known.currency)
  return {
    entries,
    currency: known.currency,
    sums: sumsOf(byCurrency.get(known.currency) ?? []),
    otherSums: new Map(others.map(([currency, own]) => [currency, sumsOf(own)] as const).sort()),
    differences: nameDifferences(entries, known, matching),
    notes: known.notes.map(note => noteState(note, matching)),
    duplicates: findDuplicates(known.lines),
    owed,
  }
}

function sumsOf(entries: readonly LedgerEntry[]): Sums {
  const of = (account: Account) => sum(entries.map(({ legs }) => legs[account] ?? zero))
  return Object.fromEntries(accounts.map(account => [account, of(account)])) as Record<Account, Ratio>
}

function cutFacts(facts: LedgerFacts, knownAt: Instant | null): LedgerFacts {
  return {
    currency: facts.currency,
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
function postLine(line: BilledLine, states: readonly SettledState[], owed: Map<string, Ratio>): LedgerEntry[] {
  const { id: subject, importedAt: at, item, billed, currency } = line
  const entry = { at, event: 'INVOICE_LINE', subject, period: null, item, currency } as const
  const first = states.findLastIndex(state => state.at <= at)
  const agreed = findAgreed(line, states, Math.max(first, 0))
  if (agreed !== null && agreed.at <= at) {
    if (agreed.isInCurrency) owed.set(subject, agreed.amount)
    const legs = { ENTITLED: negate(agreed.amount), BILLED: billed, BILLING_DIFF: subtract(agreed.amount, billed) }
    return [{ ...entry, period: agreed.period, item: agreed.item, legs: legsOf(legs) }]
  }
  const provisional = { ...entry, legs: legsOf({ BILLED: billed, PROVISIONAL: negate(billed) }) }
  if (agreed === null) return [provisional]
  if (agreed.isInCurrency) owed.set(subject, agreed.amount)
  const legs = { ENTITLED: negate(agreed.amount), PROVISIONAL: billed, BILLING_DIFF: subtract(agreed.amount, billed) }
  const { period } = agreed
  const settled = { at: agreed.at, event: 'PERIOD_AGREED', subject, period, item: agreed.item, currency } as const
  return [provisional, { ...settled, legs: legsOf(legs) }]
}

/** The first state, from an index on, in which the price of the line is agreed. */
function findAgreed(line: BilledLine, states: readonly SettledState[], from: number) {
  for (let place = from; place < states.length; place++) {
    const { at, pricing } = states[place]!
    const priced = priceLine(pricing, line)
    if ('gap' in priced || priced.status !== 'AGREED') continue
    const { period } = pricing.at(priced.place)
    const isInCurrency = priced.currency === line.currency
    // Nothing is owed in a currency other than that of the price.
    const amount = isInCurrency ? priced.amount : zero
    return { at, amount, isInCurrency, period, item: priced.parts[0]!.subject.item.item }
  }
  return null
}

/**
 * Postings for lines of kind CORRECTION. An amount on the document of a note is counted with the note; any other is billed
 * without being owed. Postings stay, and a match that comes or ends later is posted then.
 */
function postDocuments(lines: readonly BilledLine[], { steps }: Matching): LedgerEntry[] {
  const stepsOf = Map.groupBy(steps, ({ lineId }) => lineId)
  const undoneAt = new Map(lines.flatMap(each => (each.reverses === null ? [] : [[each.reverses, each.importedAt]])))
  const byId = new Map(lines.map(line => [line.id, line]))
  return lines.flatMap(line => {
    const { id: subject, item, billed, currency, importedAt } = line
    const post = (at: Instant, event: LedgerEvent, amount: Ratio): LedgerEntry => {
      const legs = legsOf({ BILLED: amount, BILLING_DIFF: negate(amount) })
      return { at, event, subject, period: null, item, currency, legs }
    }
    const original = line.reverses === null ? undefined : byId.get(line.reverses)
    if (original !== undefined) {
      const wasMatched = stateBefore(stepsOf.get(original.id) ?? [], importedAt)
      const isPosted = !wasMatched && original.importedAt < importedAt
      return isPosted ? [post(importedAt, 'INVOICE_LINE', negate(original.billed))] : []
    }
    const end = undoneAt.get(subject) ?? null
    if (end === importedAt) return []
    const own = (stepsOf.get(subject) ?? []).filter(({ at }) => end === null || at < end)
    const isMatchedAtOnce = own[0]?.at === importedAt
    const first = isMatchedAtOnce ? [] : [post(importedAt, 'INVOICE_LINE', billed)]
    let isMatched = isMatchedAtOnce
    const later = (isMatchedAtOnce ? own.slice(1) : own).flatMap(({ at, noteId }) => {
      if (isMatched === (noteId !== null)) return []
      isMatched = !isMatched
      return [isMatched ? post(at, 'NOTE_MATCHED', negate(billed)) : post(at, 'NOTE_UNMATCHED', billed)]
    })
    return [...first, ...later]
  })
}

/** Whether a line belonged to a note just before an instant. */
function stateBefore(steps: Matching['steps'], at: Instant): boolean {
  return (steps.findLast(step => step.at < at)?.noteId ?? null) !== null
}

/** One entry for each item and period. */
function postCorrection(
  { id, agreedAt, isWaiver, currency, lines }: AgreedCorrection,
  owed: Map<string, Ratio>,
): LedgerEntry[] {
  for (const { lineId, amount } of lines) if (lineId !== null) owed.set(lineId, add(owed.get(lineId) ?? zero, amount))
  const groups = Map.groupBy(lines, ({ period, item }) => JSON.stringify([period, item]))
  return [...groups.values()].map(group => {
    const { period, item } = group[0]!
    const amount = sum(group.map(each => each.amount))
    const legs = { ENTITLED: negate(amount), [isWaiver ? 'WAIVED' : 'AGREED']: amount }
    const event = isWaiver ? 'CORRECTION_WAIVED' : 'CORRECTION_AGREED'
    return { at: agreedAt, event, subject: id, period, item, currency, legs: legsOf(legs) }
  })
}

function postBilling({ id, agreedAt, isWaiver, item, period, amount, currency }: BillingSettlement): LedgerEntry {
  const legs = { BILLING_DIFF: negate(amount), [isWaiver ? 'WAIVED' : 'AGREED']: amount }
  const event = isWaiver ? 'BILLING_WAIVED' : 'BILLING_AGREED'
  return { at: agreedAt, event, subject: id, period, item, currency, legs: legsOf(legs) }
}

function postNote({ id, issuedAt, amount, currency }: IssuedNote): LedgerEntry {
  const legs = legsOf({ BILLED: amount, AGREED: negate(amount) })
  return { at: issuedAt, event: 'NOTE_ISSUED', subject: id, period: null, item: null, currency, legs }
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

export function balancesOf({ sums }: Pick<TrueUpLedger, 'sums'>): Balances {
  return {
    entitled: negate(sums.ENTITLED),
    provisional: negate(sums.PROVISIONAL),
    billed: sums.BILLED,
    billingDifferences: sums.BILLING_DIFF,
    agreed: sums.AGREED,
    waived: sums.WAIVED,
  }
}

/** Whether every entry sums to 0, the equation holds in every currency, and every billing difference has a name. */
export function isBalanced({ entries, currency, sums, otherSums, differences }: TrueUpLedger): boolean {
  const named = Map.groupBy(differences, each => each.currency)
  return (
    entries.every(({ legs }) => sum(Object.values(legs)).n === 0n) &&
    [[currency, sums] as const, ...otherSums].every(([of, own]) => {
      const { entitled, provisional, billed, billingDifferences, agreed, waived } = balancesOf({ sums: own })
      const told = sum((named.get(of) ?? []).map(({ amount }) => amount))
      const isEven = equal(add(entitled, provisional), sum([billed, billingDifferences, agreed, waived]))
      return isEven && equal(told, billingDifferences)
    })
  )
}

/** Amounts owed under the restated numbers beyond the posted ones, grouped by what holds them back. */
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
    return posted === undefined || 'gap' in priced ? zero : subtract(priced.amount, posted)
  })
  return { ...open, lapsed: sum([open.lapsed, ...left]) }
}

/** The postings of a draft's agreed lines. */
export function agreedLines({ agreement, lines }: Pick<Draft, 'agreement' | 'lines'>): AgreedCorrection['lines'] {
  return lines.map(({ line, item, before, amount }) => ({
    lineId: line?.id ?? null,
    item,
    period: agreement.periods[before.place]!.period,
    amount,
  }))
}
