// An independent book of what was billed and which documents belong to which notes, written from docs/TRUE-UP.md. It shares no
// code with src: whole cents, and a count of everything anew at the end of each day.
import { type BillingHistory, type Currency, currencies, type DrawnLine, type DrawnNote } from './billing-history.ts'

type Account = 'entitled' | 'provisional' | 'billed' | 'billingDifferences' | 'agreed' | 'waived'

export interface BillingBook {
  readonly accounts: Readonly<Record<Currency, Readonly<Record<Account, number>>>>
  /** `line 03 NO_NOTE EUR 25000`, sorted. */
  readonly named: readonly string[]
  /** `note 0: line 01 line 02`, for every note, sorted. */
  readonly matched: readonly string[]
  /** How many postings of corrections there are. */
  readonly corrected: number
}

const piece = 1_000

export class BillingClerk {
  readonly #history: BillingHistory
  /** By note, the lines of its document. */
  readonly #documents = new Map<DrawnNote, readonly DrawnLine[]>()

  constructor(history: BillingHistory) {
    this.#history = history
  }

  /** The book at the end of each day. */
  keep(): readonly BillingBook[] {
    return Array.from({ length: this.#history.lastDay + 1 }, (_, day) => {
      this.#match(day)
      return this.#count(day)
    })
  }

  // ——— documents

  #match(day: number): void {
    const { lines, notes } = this.#history
    const today = lines.filter(line => line.day === day && line.isCorrection)
    const issued = notes.filter(note => note.day === day)
    for (const [note, own] of [...this.#documents])
      if (own.some(({ id }) => today.some(({ undoes }) => undoes === id))) this.#documents.delete(note)
    const touched = new Set([...today, ...issued].map(documentOf))
    for (const document of touched) {
      const isAnew = [...issued, ...today.filter(({ undoes }) => undoes !== null)].some(
        each => documentOf(each) === document,
      )
      this.#matchDocument(document, day, isAnew)
    }
  }

  #matchDocument(document: string, day: number, isAnew: boolean): void {
    const waiting = () => this.#waiting(document, day)
    const tried = () => waiting().filter(line => isAnew || line.day === day)
    for (const line of tried()) this.#give(document, day, [line])
    for (const from of new Set(tried().map(each => each.day))) {
      const together = tried().filter(each => each.day === from)
      if (together.length > 1) this.#give(document, day, together)
    }
    if (waiting().length > 1) this.#give(document, day, waiting())
  }

  /** To the oldest note of that amount which has no document. */
  #give(document: string, day: number, lines: readonly DrawnLine[]): void {
    const cents = lines.reduce((sum, line) => sum + line.cents, 0)
    const [note] = this.#history.notes
      .filter(each => each.day <= day && documentOf(each) === document && !this.#documents.has(each))
      .filter(each => each.cents === cents)
      .sort((a, b) => a.day - b.day || (a.id < b.id ? -1 : 1))
    if (note !== undefined) this.#documents.set(note, lines)
  }

  #waiting(document: string, day: number): readonly DrawnLine[] {
    const given = new Set([...this.#documents.values()].flat())
    return this.#standing(day)
      .filter(line => line.isCorrection && documentOf(line) === document && !given.has(line))
      .sort((a, b) => a.day - b.day || (a.id < b.id ? -1 : 1))
  }

  /** Neither undone by then, nor undoing. */
  #standing(day: number): readonly DrawnLine[] {
    const known = this.#history.lines.filter(line => line.day <= day)
    const undone = new Set(known.map(({ undoes }) => undoes))
    return known.filter(line => line.undoes === null && !undone.has(line.id))
  }

  // ——— the book

  #count(day: number): BillingBook {
    const { notes, corrections } = this.#history
    const known = notes.filter(note => note.day <= day)
    const agreed = corrections.filter(correction => correction.day <= day)
    const matched = new Set([...this.#documents.values()].flat())
    const named: string[] = []
    const book = (currency: Currency) => {
      const own = this.#standing(day).filter(line => line.currency === currency)
      const counted = own.filter(line => !matched.has(line))
      const noted = sum(known.filter(note => note.currency === currency))
      const corrected = currency === 'EUR' ? agreed : []
      const byWaiver = (isWaiver: boolean) =>
        sum(corrected.filter(each => each.isWaiver === isWaiver).flatMap(each => each.lines))
      let [entitled, billingDifferences] = [byWaiver(true) + byWaiver(false), 0]
      for (const line of counted) {
        const owed = line.isCorrection || currency !== 'EUR' ? 0 : line.pieces * piece
        entitled += owed
        billingDifferences += owed - line.cents
        if (owed !== line.cents) named.push(`${line.id} ${this.#reason(line, known)} ${currency} ${owed - line.cents}`)
      }
      const billed = sum(counted) + noted
      return {
        entitled,
        provisional: 0,
        billed,
        billingDifferences,
        agreed: byWaiver(false) - noted,
        waived: byWaiver(true),
      }
    }
    const accounts = Object.fromEntries(currencies.map(each => [each, book(each)])) as BillingBook['accounts']
    const items = agreed.flatMap(({ id, lines }) =>
      [...Map.groupBy(lines, ({ item }) => item)].map(([item, own]) => ({ id, item, cents: sum(own) })),
    )
    return {
      accounts,
      named: named.sort(),
      matched: known.map(note => `${note.id}: ${names(this.#documents.get(note) ?? [])}`).sort(),
      corrected: items.filter(({ cents }) => cents !== 0).length,
    }
  }

  #reason(line: DrawnLine, notes: readonly DrawnNote[]): string {
    if (!line.isCorrection) return line.currency === 'EUR' ? 'PRICE' : 'OTHER_CURRENCY'
    const ofNumber = notes.filter(({ number }) => number === line.number)
    if (ofNumber.length === 0) return 'NO_NOTE'
    const ofSupplier = ofNumber.filter(({ supplier }) => supplier === line.supplier)
    if (ofSupplier.length === 0) return 'OTHER_SUPPLIER'
    const inCurrency = ofSupplier.filter(({ currency }) => currency === line.currency)
    if (inCurrency.length === 0) return 'OTHER_CURRENCY'
    return inCurrency.some(each => each.cents === line.cents && this.#documents.has(each))
      ? 'BILLED_TWICE'
      : 'OTHER_AMOUNT'
  }
}

function documentOf({ supplier, number, currency }: Pick<DrawnNote, 'supplier' | 'number' | 'currency'>): string {
  return `${supplier} ${number} ${currency}`
}

function sum(all: readonly { readonly cents: number }[]): number {
  return all.reduce((total, { cents }) => total + cents, 0)
}

function names(lines: readonly DrawnLine[]): string {
  return lines
    .map(({ id }) => id)
    .sort()
    .join(' ')
}
