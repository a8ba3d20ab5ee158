// The billing differences of a ledger by name: the line, the note, and the reason why they do not belong together. Their
// amounts make up the account of billing differences to the cent.

import { formatMinorUnits } from '../numbers/money.ts'
import { add, equal, negate, type Ratio, sum, zero } from '../numbers/ratio.ts'
import { LineIdentities, type NamedLine, normalForm, supplierKeyOf } from '../prices/line-identity.ts'
import type { BilledLine } from './billed-line.ts'
import type { IssuedNote } from './issued-note.ts'
import type { LedgerEntry, LedgerFacts } from './ledger-facts.ts'
import { type Matching, matchNotes } from './note-matches.ts'

export const differenceCodes = [
  /** Billed at another price than the agreed one. */
  'PRICE',
  /** Undone, but not at the price it was posted at. */
  'UNDONE',
  /** A correction whose number no note has. */
  'NO_NOTE',
  'OTHER_SUPPLIER',
  'OTHER_CURRENCY',
  'OTHER_AMOUNT',
  /** A note that other lines bill. */
  'BILLED_TWICE',
  /** Agreed or waived by both parties. */
  'SETTLED',
] as const
export type DifferenceCode = (typeof differenceCodes)[number]

export interface LedgerDifference {
  readonly code: DifferenceCode
  /** The line, or the settlement. */
  readonly subject: string
  readonly invoice: string | null
  readonly line: string | null
  readonly supplier: string | null
  /** The note that has its number. */
  readonly note: string | null
  readonly period: string | null
  readonly item: string | null
  /** The amount as in the account: owed less billed. */
  readonly amount: Ratio
  readonly currency: string
  readonly message: string
}

/** The lines that billed a note. */
export interface NoteState {
  readonly note: IssuedNote
  /** The ids of its lines; empty where no document of it is kept. */
  readonly lines: readonly string[]
}

export function noteState(note: IssuedNote, { linesOf }: Matching): NoteState {
  return { note, lines: linesOf.get(note.id) ?? [] }
}

/** A line beside an earlier one that it repeats. */
export interface DuplicateLine {
  readonly line: BilledLine
  readonly sameAs: BilledLine
}

/** Duplicates among the lines that stand, in the order they came. */
export function findDuplicates(lines: readonly BilledLine[]): readonly DuplicateLine[] {
  const gone = new Set(lines.flatMap(({ id, reverses }) => (reverses === null ? [] : [id, reverses])))
  const identities = new LineIdentities<NamedLine & { readonly of: BilledLine }>()
  const standing = lines.filter(({ id }) => !gone.has(id))
  return standing
    .toSorted((a, b) => (a.importedAt === b.importedAt ? 0 : a.importedAt < b.importedAt ? -1 : 1))
    .flatMap(line => {
      const { company, invoice: number } = line
      const named = {
        supplierKey: supplierKeyOf(line),
        isParty: company !== null,
        number,
        line: line.line,
        agreementId: '',
      }
      const [same] = identities.find(named)
      identities.add({ ...named, of: line })
      return same === undefined ? [] : [{ line, sameAs: same.of }]
    })
}

/** Names differences; a line and its reversal count together. */
export function nameDifferences(
  entries: readonly LedgerEntry[],
  { lines, notes, currency: ofLedger }: Pick<LedgerFacts, 'lines' | 'notes' | 'currency'>,
  matching: Matching,
): readonly LedgerDifference[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const undone = new Set(lines.flatMap(({ reverses }) => (reverses !== null && byId.has(reverses) ? [reverses] : [])))
  const rootOf = (subject: string) => {
    const reverses = byId.get(subject)?.reverses ?? null
    return reverses !== null && byId.has(reverses) ? reverses : subject
  }
  const posted = entries.filter(({ legs }) => legs.BILLING_DIFF !== undefined)
  const groups = Map.groupBy(posted, ({ subject, currency }) => JSON.stringify([rootOf(subject), currency]))
  const ofNumber = Map.groupBy(notes, ({ number }) => normalForm(number))
  return [...groups.values()].flatMap((own): LedgerDifference[] => {
    const amount = sum(own.map(({ legs }) => legs.BILLING_DIFF ?? zero))
    if (amount.n === 0n) return []
    const { period, item, currency } = own.at(-1)!
    const subject = rootOf(own[0]!.subject)
    const line = byId.get(subject)
    const rest = { subject, period, item, amount, currency }
    if (line === undefined) {
      const message = 'it is settled by both parties'
      return [{ ...rest, code: 'SETTLED', invoice: null, line: null, supplier: null, note: null, message }]
    }
    const why = undone.has(subject)
      ? whyUndone
      : line.kind === 'CORRECTION'
        ? whyNoNote(line, ofNumber.get(normalForm(line.invoice)) ?? [], matching)
        : whyOtherPrice(line, amount, ofLedger)
    return [{ ...rest, ...why, invoice: line.invoice, line: line.line, supplier: line.supplier }]
  })
}

type Why = Pick<LedgerDifference, 'code' | 'note' | 'message'>

const whyUndone: Why = {
  code: 'UNDONE',
  note: null,
  message: 'it was reversed at the price agreed by then, not at the price of its posting',
}

function whyOtherPrice({ billed, currency }: BilledLine, amount: Ratio, ofLedger: string): Why {
  const told = (value: Ratio) => `${formatMinorUnits(value, currency)} ${currency}`
  const agreed = add(billed, amount)
  if (currency !== ofLedger && agreed.n === 0n) {
    const message = `${told(billed)} was billed, but the agreement's prices are in ${ofLedger}`
    return { code: 'OTHER_CURRENCY', note: null, message }
  }
  return { code: 'PRICE', note: null, message: `${told(billed)} was billed, and ${told(agreed)} is owed for it` }
}

/** A correction as it is billed. */
type BilledDocument = Pick<BilledLine, 'company' | 'supplier' | 'invoice' | 'billed' | 'currency'>

/** The notes' word on a correction before it is stored; null where no note has its number. */
export function formatDocument(line: BilledDocument, notes: readonly IssuedNote[]): string | null {
  const ofNumber = notes.filter(({ number }) => normalForm(number) === normalForm(line.invoice))
  if (ofNumber.length === 0) return null
  const isOwn = (note: IssuedNote) =>
    supplierKeyOf(note) === supplierKeyOf(line) && note.currency === line.currency && equal(note.amount, line.billed)
  const own = ofNumber.find(isOwn)
  if (own !== undefined) return `it fits note ${own.number}`
  return whyNoNote(line, ofNumber, { linesOf: new Map() }).message
}

/** The note of a correction line, or the reason why it has none. */
export interface LineDocument {
  readonly note: string | null
  readonly difference: Pick<LedgerDifference, 'code' | 'amount' | 'currency' | 'message'> | null
}

/** Documents of all lines of kind CORRECTION, by id. Undone lines and the lines that undo them differ in nothing. */
export function documentsOf(
  lines: readonly BilledLine[],
  notes: readonly IssuedNote[],
): ReadonlyMap<string, LineDocument> {
  const own = lines.filter(({ kind }) => kind === 'CORRECTION')
  const matching = matchNotes(notes, own)
  const ofNumber = Map.groupBy(notes, ({ number }) => normalForm(number))
  const gone = new Set(own.flatMap(({ id, reverses }) => (reverses === null ? [] : [id, reverses])))
  return new Map(
    own.map((line): readonly [string, LineDocument] => {
      const matched = matching.noteOf.get(line.id) ?? null
      const amount = negate(line.billed)
      if (matched !== null || gone.has(line.id) || amount.n === 0n)
        return [line.id, { note: matched, difference: null }]
      const { note, ...why } = whyNoNote(line, ofNumber.get(normalForm(line.invoice)) ?? [], matching)
      return [line.id, { note: null, difference: { ...why, amount, currency: line.currency } }]
    }),
  )
}

/** Why a correction is not the document of a note that has its number. */
function whyNoNote(line: BilledDocument, notes: readonly IssuedNote[], { linesOf }: Pick<Matching, 'linesOf'>): Why {
  const { invoice, billed, currency } = line
  const told = (value: Ratio, of: string) => `${formatMinorUnits(value, of)} ${of}`
  const [first] = notes
  if (first === undefined) return { code: 'NO_NOTE', note: null, message: `no note has the number ${invoice}` }
  const ofSupplier = notes.filter(note => supplierKeyOf(note) === supplierKeyOf(line))
  const [own] = ofSupplier
  if (own === undefined) {
    const message = `note ${first.number} is of ${first.supplier}, but the line names ${line.supplier}`
    return { code: 'OTHER_SUPPLIER', note: first.id, message }
  }
  const inCurrency = ofSupplier.filter(note => note.currency === currency)
  const [same] = inCurrency
  if (same === undefined) {
    const message = `note ${own.number} is in ${own.currency}, but the line is in ${currency}`
    return { code: 'OTHER_CURRENCY', note: own.id, message }
  }
  const billedBefore = inCurrency.find(note => equal(note.amount, billed) && linesOf.has(note.id))
  if (billedBefore !== undefined) {
    const message = `note ${billedBefore.number} of ${told(billed, currency)} is billed by another line already`
    return { code: 'BILLED_TWICE', note: billedBefore.id, message }
  }
  const open = inCurrency.find(note => !linesOf.has(note.id)) ?? same
  const message = `note ${open.number} is of ${told(open.amount, currency)}, but the line bills ${told(billed, currency)}`
  return { code: 'OTHER_AMOUNT', note: open.id, message }
}
