// Changes since something was read, counted per subject and per scope. Everything in memory is kept through it (cache.ts): a load
// takes a ticket before it reads, and its result is kept only while the ticket holds. It also knows the newest known entry of each
// scope: a load may be newer than the last notification, and then everything older is dropped before it is used. It stores nothing
// itself.

import type { EntryNotice, Marks, Notice } from '../../storage/log/append.ts'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import { publicScope } from '../../storage/postgres/database.ts'

/** Something that may become stale; it receives every change at once, before anybody reads again. */
export interface Dependent {
  /** One entry was added to the log. */
  entered(entry: EntryNotice): void
  /** Entries after this number were added to a scope, too many to be named; null: everything there may be different. */
  enteredMany(scope: string, after: number | null): void
  /** A series changed that an agreement's numbers were computed from. */
  numbersMoved?(agreementId: string): void
  /** Billed lines of an agreement, or anywhere in a scope, changed. */
  billedMore?(agreementOrScope: string): void
}

/** The log, as far as it answers what was added to it. */
interface ReadsLog {
  /** Newest entry of these scopes, or of all there are. */
  newest(scopes: readonly string[] | null): Promise<Marks>
  /** Entries after the marks, in order within a scope; null where they are too many to list. */
  since(marks: Marks): Promise<readonly EntryNotice[] | null>
}

/** Topics that a ticket may rest on; ids of series, agreements and other subjects are topics too. */
export const topics = {
  everythingIn: (scope: string) => `everything ${scope}`,
  anythingIn: (scope: string) => `anything ${scope}`,
  kindIn: (kind: EntryKind, scope: string) => `${kind} ${scope}`,
  numbersOf: (agreementId: string) => `numbers ${agreementId}`,
  billedUnder: (agreementId: string) => `billed ${agreementId}`,
}

/** Number of times things are gathered from memory if some change meanwhile. */
const mostTurns = 2
/** If more topics than this change while loads are under way, none of these loads is kept: counting would take more memory. */
const mostTopics = 50_000

/** Turn at which each topic last changed. Nobody asks about a time before the oldest ticket, so nothing is counted without one. */
class Turns {
  now = 0
  #tickets = 0
  /** Older tickets no longer hold. */
  #unknownBefore = 0
  readonly #last = new Map<string, number>()

  count(topic: string): void {
    this.now++
    if (this.#tickets === 0) return
    if (this.#last.size >= mostTopics) {
      this.#last.clear()
      this.#unknownBefore = this.now
    }
    this.#last.set(topic, this.now)
  }

  isSameSince(turn: number, topic: string): boolean {
    return turn >= this.#unknownBefore && (this.#last.get(topic) ?? 0) <= turn
  }

  begin(): void {
    this.#tickets++
  }

  end(): void {
    this.#tickets--
    if (this.#tickets === 0) this.#last.clear()
  }
}

/** Taken before something is read. */
export class Ticket implements Disposable {
  readonly #turns: Turns
  readonly #turn: number

  constructor(turns: Turns) {
    this.#turns = turns
    this.#turn = turns.now
    turns.begin()
  }

  /** Whether none of these topics has changed since. */
  holds(rests: readonly string[]): boolean {
    return rests.every(topic => this.#turns.isSameSince(this.#turn, topic))
  }

  [Symbol.dispose](): void {
    this.#turns.end()
  }
}

export class Changes {
  readonly #turns = new Turns()
  readonly #dependents: Dependent[] = []
  /** By series: agreements whose numbers were computed from it. */
  readonly #computedFrom = new Map<string, Set<string>>()
  /** Newest known entry of each scope. Inside a scope none becomes visible after a newer one. */
  readonly #seen = new Map<string, number>()
  #log: ReadsLog | null = null

  /** Dependents receive changes in the order in which they were added. */
  add(dependent: Dependent): void {
    this.#dependents.push(dependent)
  }

  ticket(): Ticket {
    return new Ticket(this.#turns)
  }

  /** Marks a topic that no entry names by itself. */
  touch(topic: string): void {
    this.#turns.count(topic)
  }

  /** Called once it is known under which agreement something was billed, or that it may be any in a scope. */
  billedUnder(agreementOrScope: string): void {
    this.touch(topics.billedUnder(agreementOrScope))
    for (const dependent of this.#dependents) dependent.billedMore?.(agreementOrScope)
  }

  /** From now on a change of the series changes the agreement's numbers. Called before the series is read. */
  computedFrom(seriesId: string, agreementId: string): void {
    const agreements = this.#computedFrom.get(seriesId)
    if (agreements === undefined) this.#computedFrom.set(seriesId, new Set([agreementId]))
    else agreements.add(agreementId)
  }

  /** Notices of a scope arrive in order. If one does not follow the last known, others were lost before it. */
  notified(notice: Notice): void {
    const isNext = notice.seq <= this.#seenOf(notice.scope) + 1
    if (notice.kind === 'all' || !isNext) this.enteredMany(notice.scope, notice.seq)
    else this.entered(notice)
  }

  entered(entry: EntryNotice): void {
    const { scope, kind, subject, seq } = entry
    this.touch(subject)
    this.touch(topics.anythingIn(scope))
    this.touch(topics.kindIn(kind, scope))
    for (const dependent of this.#dependents) dependent.entered(entry)
    this.#seriesMoved(subject)
    // Instants that were given out wrongly count as others now.
    if (kind === 'clock') this.#everythingMoved(scope, null)
    this.#note(scope, seq)
  }

  /** Notes that entries up to this number were added. */
  enteredMany(scope: string, seq: number): void {
    this.#everythingMoved(scope, this.#seenOf(scope))
    this.#note(scope, seq)
  }

  #everythingMoved(scope: string, after: number | null): void {
    this.touch(topics.everythingIn(scope))
    this.touch(topics.anythingIn(scope))
    for (const dependent of this.#dependents) dependent.enteredMany(scope, after)
    // Agreements of any workspace may have been computed from public series, which may have left memory since.
    if (scope === publicScope) for (const seriesId of [...this.#computedFrom.keys()]) this.#seriesMoved(seriesId)
  }

  #seriesMoved(seriesId: string): void {
    const agreements = this.#computedFrom.get(seriesId)
    if (agreements === undefined) return
    this.#computedFrom.delete(seriesId)
    for (const agreementId of agreements) this.#numbersMoved(agreementId)
  }

  #numbersMoved(agreementId: string): void {
    this.touch(topics.numbersOf(agreementId))
    for (const dependent of this.#dependents) dependent.numbersMoved?.(agreementId)
  }

  /**
   * Inputs of an agreement, as of one moment. If one of them changes meanwhile, they would be of two moments: they are gathered
   * again, and if that keeps happening, read in one transaction.
   */
  async gatherFor<Gathered>(
    agreementId: string,
    restsOn: (gathered: Gathered) => readonly string[],
    gather: () => Promise<Gathered>,
    readTogether: () => Promise<Gathered>,
  ): Promise<Gathered> {
    for (let turn = 1; turn <= mostTurns; turn++) {
      using ticket = this.ticket()
      const gathered = await gather()
      if (ticket.holds(restsOn(gathered))) return gathered
    }
    using ticket = this.ticket()
    const gathered = await readTogether()
    // The result is true of its moment: it is answered, but not kept.
    if (!ticket.holds(restsOn(gathered))) this.#numbersMoved(agreementId)
    return gathered
  }

  /** Connects the log. Before, nothing newer than the last notification is noticed. */
  keepUpWith(log: ReadsLog): void {
    this.#log = log
  }

  /** Returns when every entry added to these scopes by now, or to any, is known here. */
  async catchUp(scopes: readonly string[] | null = null): Promise<void> {
    if (this.#log === null) return
    const known = new Map(scopes?.map(scope => [scope, this.#seenOf(scope)]) ?? this.#seen)
    const newest = await this.#log.newest(scopes)
    for (const [scope, seq] of newest) if (seq < (known.get(scope) ?? 0)) this.#wentBack(scope, seq)
    const behind = this.#behind(newest)
    if (behind.size === 0) return
    const entries = await this.#log.since(new Map([...behind.keys()].map(scope => [scope, this.#seenOf(scope)])))
    if (entries === null) for (const [scope, seq] of behind) this.enteredMany(scope, seq)
    else for (const entry of entries) this.entered(entry)
    for (const [scope, seq] of behind) this.#note(scope, seq)
  }

  /**
   * The database has less than was known before: another primary took over, and the last entries of the old one never reached it,
   * which happens without a synchronous standby. Results made from those entries are not true.
   */
  #wentBack(scope: string, seq: number): void {
    this.#seen.set(scope, seq)
    this.#everythingMoved(scope, null)
  }

  /** Called after a load that saw these entries: returns when everything up to them is known here. */
  async catchUpTo(marks: Marks): Promise<void> {
    const behind = this.#behind(marks)
    if (behind.size > 0) await this.catchUp([...behind.keys()])
  }

  #behind(marks: Marks): Marks {
    return new Map([...marks].filter(([scope, seq]) => seq > this.#seenOf(scope)))
  }

  #seenOf(scope: string): number {
    return this.#seen.get(scope) ?? 0
  }

  #note(scope: string, seq: number): void {
    if (seq > this.#seenOf(scope)) this.#seen.set(scope, seq)
  }
}
