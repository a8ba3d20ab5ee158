// Comparison of the periods that somebody was shown with those there are to sign, by hash. If one changed, was left out or does
// not exist, everything is refused and that period is named.

import type { Party } from '../core/parties.ts'
import { hashOfPeriods, type SeenPeriod } from '../core/receipt/party-signature.ts'
import type { ReceiptBody } from '../core/receipt/receipt.ts'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import type { PeriodEntry } from '../read/agreements/adjustments.ts'
import type { AgreementHistory } from '../storage/agreements/agreements.ts'

/**
 * Every period with its hash; or one hash for all of it, that of the one receipt or of the list; or `null`, which signs
 * the current state.
 */
export type ShownHashes = readonly SeenPeriod[] | string | null

interface Due {
  readonly party: Party
  readonly wanted: PeriodEntry
  /** Whether the earlier periods that this party has not signed are included. */
  readonly through: boolean
  /** Every entry up to the wanted one, by date. */
  readonly entries: readonly PeriodEntry[]
  readonly kept: Pick<AgreementHistory, 'receipts' | 'signOffs'>
}

/** Whether the period is open for signing and this party has not signed it. */
export function isOpenFor(party: Party, entry: PeriodEntry): boolean {
  return !entry.isSigned && entry.confirmed[party] === null
}

export function seenOf({ period, hash }: Pick<PeriodEntry, 'period' | 'hash'>): SeenPeriod {
  return { period, hash }
}

/** Periods that this party signs through a period: every open one up to it, oldest first. */
export function dueThrough(party: Party, entries: readonly PeriodEntry[], wanted: PeriodEntry): PeriodEntry[] {
  return entries.filter(entry => entry.date <= wanted.date && isOpenFor(party, entry))
}

/** Periods to sign now, oldest first; empty if all of them were signed before. */
interface ToSign {
  readonly open: readonly PeriodEntry[]
  readonly together: readonly SeenPeriod[]
}

export function dueAsShown(due: Due, shown: ShownHashes): ToSign {
  const toSign = typeof shown === 'object' && shown !== null ? dueAsListed(due, shown) : dueAsNamed(due, shown)
  const { length } = toSign.open
  if (length > limits.signedAtOnce)
    throw new Refusal(
      'conflict',
      `${length} periods wait up to ${due.wanted.period}; at most ${limits.signedAtOnce} are signed at once, so sign through an earlier one first`,
    )
  return toSign
}

/** Periods that this party signed meanwhile under the hash that was shown are not a reason to refuse. */
function dueAsListed(due: Due, shown: readonly SeenPeriod[]): ToSign {
  const { entries, wanted, party } = due
  const known = new Map(entries.map(entry => [entry.period, entry]))
  const problems = shown.flatMap(seen => {
    const entry = known.get(seen.period)
    if (entry === undefined) return [`${seen.period} has no number that could be signed up to ${wanted.period}`]
    return entry.hash === seen.hash ? [] : [movedWords(due, entry, seen.hash)]
  })
  if (problems.length > 0) throw new Refusal('conflict', problems.join('; '))
  const listed = new Set(shown.map(({ period }) => period))
  const inOrder = entries.filter(({ period }) => listed.has(period)).map(({ period }) => period)
  if (inOrder.join() !== shown.map(({ period }) => period).join() || inOrder.at(-1) !== wanted.period)
    throw new Refusal('conflict', `the periods to sign are listed once each, by date, and end with ${wanted.period}`)
  const open = dueThrough(party, entries, wanted)
  if (!open.some(({ period }) => listed.has(period))) return { open: [], together: shown }
  refuseLeftOut(
    due,
    open.filter(({ period }) => !listed.has(period)),
  )
  return { open, together: shown }
}

function dueAsNamed(due: Due, shown: string | null): ToSign {
  const { entries, wanted, party, through } = due
  const all = dueThrough(party, entries, wanted)
  const open = through ? all : all.filter(entry => entry === wanted)
  if (shown !== null) checkHash(due, open, shown)
  if (open.length > 0)
    refuseLeftOut(
      due,
      all.filter(entry => !open.includes(entry)),
    )
  return { open, together: open.map(seenOf) }
}

function refuseLeftOut({ party, wanted }: Due, missing: readonly PeriodEntry[]): void {
  if (missing.length > 0)
    throw new Refusal(
      'conflict',
      `${missing.map(({ period }) => period).join(', ')} must be signed by the ${party} first, or all of them at once through ${wanted.period}`,
    )
}

function checkHash(due: Due, open: readonly PeriodEntry[], shown: string): void {
  const { wanted, through } = due
  if (!through) {
    if (wanted.hash !== shown) throw new Refusal('conflict', movedWords(due, wanted, shown))
    return
  }
  if (open.length === 0 ? wasSignedAs(due, shown) : namesList(open.map(seenOf), shown)) return
  const list = open.map(({ period, hash, calculation }) => `${period} ${formatPct(calculation.adjustmentPct)} ${hash}`)
  throw new Refusal(
    'conflict',
    list.length === 0
      ? `everything through ${wanted.period} is signed, and not under ${shown}`
      : `what waits through ${wanted.period} has moved: the hash of its list is now ${hashOfPeriods(open.map(seenOf))}, not ${shown} (${list.join('; ')})`,
  )
}

/** A list of one is also named by the hash of its receipt. */
function namesList(periods: readonly SeenPeriod[], hash: string): boolean {
  return hashOfPeriods(periods) === hash || (periods.length === 1 && periods[0]!.hash === hash)
}

function wasSignedAs({ party, wanted, kept }: Due, hash: string): boolean {
  return kept.signOffs.some(
    each =>
      each.party === party &&
      each.period === wanted.period &&
      each.receiptHash === wanted.hash &&
      namesList(each.given.together, hash),
  )
}

/** Formats a percentage; a price of 0 has none. */
export function formatPct(pct: string | null): string {
  return pct === null ? 'no percentage' : `${pct} %`
}

/** Names the old and the new number, if the one that was shown is stored. */
export function movedWords(
  { kept }: Pick<Due, 'kept'>,
  { period, hash, calculation }: PeriodEntry,
  shown: string,
): string {
  const before = kept.receipts.find(each => each.period === period && each.receiptHash === shown)
  const body = before === undefined ? null : (JSON.parse(before.receipt) as { readonly body: ReceiptBody }).body
  const from = body === null ? '' : ` from ${formatPct(body.result.adjustmentPct)}`
  const to = formatPct(calculation.adjustmentPct)
  return `the proposal for ${period} has moved${from} to ${to}: its hash is now ${hash}, not ${shown}`
}
