// Matches of invoice lines and notes: by supplier, number, currency and amount, each once. It goes through the facts in the
// order they came, so that a match at a moment does not depend on later facts; only undoing a line ends one.

import { add, equal, type Ratio, subtract, zero } from '../numbers/ratio.ts'
import { type NamedSupplier, normalForm, supplierKeyOf } from '../prices/line-identity.ts'
import type { Instant } from '../time/instant.ts'

/** A note, as far as it is matched. */
interface MatchableNote extends NamedSupplier {
  readonly id: string
  readonly issuedAt: Instant
  readonly number: string
  readonly currency: string
  readonly amount: Ratio
}

/** A line of kind CORRECTION. */
interface MatchableLine extends NamedSupplier {
  readonly id: string
  readonly importedAt: Instant
  /** The number of the document. */
  readonly invoice: string
  /** The line's place in the document. */
  readonly line: string
  readonly currency: string
  readonly billed: Ratio
  /** The id of the line that it undoes. */
  readonly reverses: string | null
}

/** A change of a line's match at a moment. */
interface MatchStep {
  readonly at: Instant
  readonly lineId: string
  /** The note it belongs to from then on; null: none any more. */
  readonly noteId: string | null
}

export interface Matching {
  /** Changes in the order they happened. A line that came without a match has none. */
  readonly steps: readonly MatchStep[]
  /** The final note of each line. */
  readonly noteOf: ReadonlyMap<string, string>
  /** The final lines of each note. */
  readonly linesOf: ReadonlyMap<string, readonly string[]>
}

export function matchNotes(notes: readonly MatchableNote[], lines: readonly MatchableLine[]): Matching {
  const keyOf = (supplier: NamedSupplier, number: string, currency: string) =>
    JSON.stringify([supplierKeyOf(supplier), normalForm(number), currency])
  const byId = new Map(lines.map(line => [line.id, line]))
  const notesOf = Map.groupBy(notes, note => keyOf(note, note.number, note.currency))
  const linesOf = Map.groupBy(lines, line => {
    const own = (line.reverses === null ? undefined : byId.get(line.reverses)) ?? line
    return keyOf(own, own.invoice, own.currency)
  })
  const documents = [...notesOf].map(([key, own]) => new DocumentMatcher(own, linesOf.get(key) ?? []))
  for (const document of documents) document.run()
  const noteOf = new Map(documents.flatMap(({ noteOf: own }) => [...own]))
  return {
    steps: documents.flatMap(({ steps }) => steps).sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)),
    noteOf,
    linesOf: new Map(documents.flatMap(document => document.matches())),
  }
}

/** The facts that came at one moment. */
interface Arrivals {
  readonly notes: MatchableNote[]
  readonly lines: MatchableLine[]
}

/** Lines that came together and have no note. */
interface Batch {
  readonly lines: Map<string, MatchableLine>
  total: Ratio
}

/** Notes and lines of one supplier, number and currency. */
class DocumentMatcher {
  readonly steps: MatchStep[] = []
  readonly noteOf = new Map<string, string>()
  readonly #arrivals: readonly (readonly [Instant, Arrivals])[]
  readonly #lines: ReadonlyMap<string, MatchableLine>
  readonly #notes: ReadonlyMap<string, MatchableNote>
  /** Notes without a line, in the order they were issued. */
  readonly #open = new Map<string, MatchableNote>()
  readonly #loose = new Map<Instant, Batch>()
  readonly #linesOf = new Map<string, readonly MatchableLine[]>()
  #total = zero
  #count = 0

  constructor(notes: readonly MatchableNote[], lines: readonly MatchableLine[]) {
    this.#notes = new Map(notes.map(note => [note.id, note]))
    this.#lines = new Map(lines.map(line => [line.id, line]))
    const arrivals = new Map<Instant, Arrivals>()
    const at = (instant: Instant) => {
      const known = arrivals.get(instant) ?? { notes: [], lines: [] }
      arrivals.set(instant, known)
      return known
    }
    for (const note of notes) at(note.issuedAt).notes.push(note)
    for (const line of lines) at(line.importedAt).lines.push(line)
    for (const own of arrivals.values()) {
      own.notes.sort(byId)
      own.lines.sort(byPlace)
    }
    this.#arrivals = [...arrivals].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  matches(): readonly (readonly [string, readonly string[]])[] {
    return [...this.#linesOf].map(([note, lines]) => [note, lines.map(({ id }) => id)])
  }

  run(): void {
    for (const [at, arrivals] of this.#arrivals) this.#take(at, arrivals)
  }

  #take(at: Instant, { notes, lines }: Arrivals): void {
    const before = new Map<string, string | null>()
    const remember = (id: string) => void (before.has(id) || before.set(id, this.noteOf.get(id) ?? null))
    const undone = new Set(lines.map(({ reverses }) => reverses).filter(id => id !== null))
    const freed = [...undone].map(id => this.noteOf.get(id)).filter(id => id !== undefined)
    for (const noteId of new Set(freed)) {
      for (const { id } of this.#linesOf.get(noteId)!) remember(id)
      this.#free(noteId)
    }
    for (const id of undone) this.#drop(id)
    for (const note of notes) this.#open.set(note.id, note)
    for (const line of lines) {
      // A line and its reversal may come together; then it was never there.
      if (line.reverses !== null || undone.has(line.id)) continue
      remember(line.id)
      this.#loosen(line)
    }
    // Lines and notes that stayed apart before stay apart, unless a line was undone.
    const isAnew = undone.size > 0 || notes.length > 0
    this.#match(isAnew ? [...this.#loose.keys()].sort() : [at], remember)
    for (const [lineId, was] of before) {
      const now = this.noteOf.get(lineId) ?? null
      if (now !== was) this.steps.push({ at, lineId, noteId: now })
    }
  }

  /** Finds one line for a note; else the lines that came together; else all that are left. */
  #match(batches: readonly Instant[], remember: (id: string) => void): void {
    const join = (note: MatchableNote, lines: readonly MatchableLine[]) => {
      for (const { id } of lines) remember(id)
      this.#join(note, lines)
    }
    const own = batches.map(at => this.#loose.get(at)).filter(batch => batch !== undefined)
    for (const batch of own)
      for (const line of [...batch.lines.values()]) {
        if (this.#open.size === 0) return
        const note = this.#openOf(line.billed)
        if (note !== undefined) join(note, [line])
      }
    for (const batch of own) {
      const note = batch.lines.size > 1 ? this.#openOf(batch.total) : undefined
      if (note !== undefined) join(note, [...batch.lines.values()])
    }
    const note = this.#count > 1 ? this.#openOf(this.#total) : undefined
    if (note !== undefined)
      join(
        note,
        [...this.#loose.values()].flatMap(({ lines }) => [...lines.values()]),
      )
  }

  /** The oldest note of an amount. */
  #openOf(amount: Ratio): MatchableNote | undefined {
    return this.#open.values().find(note => equal(note.amount, amount))
  }

  #join(note: MatchableNote, lines: readonly MatchableLine[]): void {
    this.#open.delete(note.id)
    this.#linesOf.set(note.id, lines)
    for (const { id } of lines) {
      this.#drop(id)
      this.noteOf.set(id, note.id)
    }
  }

  /** The lines of a note stand for themselves again, and the note waits for another document. */
  #free(noteId: string): void {
    for (const line of this.#linesOf.get(noteId)!) {
      this.noteOf.delete(line.id)
      this.#loosen(line)
    }
    this.#linesOf.delete(noteId)
    const open = [...this.#open.values(), this.#notes.get(noteId)!].sort(byIssue)
    this.#open.clear()
    for (const note of open) this.#open.set(note.id, note)
  }

  #loosen(line: MatchableLine): void {
    const batch = this.#loose.get(line.importedAt) ?? { lines: new Map(), total: zero }
    this.#loose.set(line.importedAt, batch)
    batch.lines.set(line.id, line)
    batch.total = add(batch.total, line.billed)
    this.#total = add(this.#total, line.billed)
    this.#count++
  }

  #drop(lineId: string): void {
    const line = this.#lines.get(lineId)
    const batch = line === undefined ? undefined : this.#loose.get(line.importedAt)
    if (line === undefined || batch === undefined || !batch.lines.delete(lineId)) return
    batch.total = subtract(batch.total, line.billed)
    this.#total = subtract(this.#total, line.billed)
    this.#count--
    if (batch.lines.size === 0) this.#loose.delete(line.importedAt)
  }
}

interface Identified {
  readonly id: string
}

function byId(a: Identified, b: Identified): number {
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

/** Sorts by the numbers of lines, as numbers where they are. */
function byPlace(a: MatchableLine, b: MatchableLine): number {
  const [one, other] = [placeOf(a), placeOf(b)]
  return one === other ? byId(a, b) : one < other ? -1 : 1
}

function placeOf({ line }: MatchableLine): string {
  return normalForm(line).replace(/\d+/g, digits => digits.padStart(20, '0'))
}

function byIssue(a: MatchableNote, b: MatchableNote): number {
  return a.issuedAt === b.issuedAt ? byId(a, b) : a.issuedAt < b.issuedAt ? -1 : 1
}
