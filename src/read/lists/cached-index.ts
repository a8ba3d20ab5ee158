// Lists of one workspace: its series and agreements, by id and by the names formulas use, and the answers made from them. An entry
// about one of them changes these lists in place; they are never read again as a whole because of it. While they are being read, a
// piece of them may be used instead; a piece is not cached.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { Identity } from '../../storage/people/issuer-names.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { ReadersBySeries, ReferencesByAgreement } from '../agreements/agreement-readers.ts'
import { AnswerBook, Cached } from '../memory/answer-book.ts'
import { Stale } from '../memory/stale.ts'

/** Current state of the published subjects; subjects that are not in it no longer exist. */
export interface ListChanges {
  readonly subjects: ReadonlySet<string>
  readonly series: readonly VisibleSeries[]
  readonly agreements: readonly AgreementRecord[]
  /** Names in the documents of these agreements; `null` if nobody has needed them yet. */
  readonly references: ReferencesByAgreement | null
}

/** Numbers of the newest entries that lists include: of the workspace itself, and of the public series. */
export interface Newest {
  readonly own: number
  readonly public: number
}

/** Approximate bytes of an entry with its texts and its places in the maps, measured over lists of 100,000. */
const bytesOfSeries = 400
const bytesOfAgreement = 600

export class CachedIndex extends Cached {
  readonly scope: string
  /** Null where nothing is issued from it. A new name of the issuer makes new lists. */
  readonly identity: Identity | null
  #series: readonly VisibleSeries[]
  #agreements: readonly AgreementRecord[]
  /** The agreements by slug, made when first needed. */
  #bySlug: readonly AgreementRecord[] | null = null
  readonly #byId = new Map<string, VisibleSeries>()
  readonly #byReference = new Map<string, VisibleSeries>()
  readonly #agreementIds = new Map<string, string>()
  #newest: Newest = { own: 0, public: 0 }
  #newestFormula = 0
  #readers: ReadersBySeries | null = null
  /** Changes since the lists were read. */
  readonly stale: Stale
  /** Reading of stale entries, while under way; it ends in null if the lists have to be read as a whole. */
  renewal: Promise<CachedIndex | null> | null = null
  readonly book = new AnswerBook()

  constructor(
    scope: string,
    series: readonly VisibleSeries[],
    agreements: readonly AgreementRecord[],
    identity: Identity | null,
    stale: Stale = new Stale(),
  ) {
    super()
    this.scope = scope
    this.identity = identity
    this.stale = stale
    this.#series = series
    this.#agreements = agreements
    this.#enter(series, agreements)
  }

  /** Makes long lists in slices, between which other work has its turn. */
  static async make(
    scope: string,
    series: readonly VisibleSeries[],
    agreements: readonly AgreementRecord[],
    identity: Identity | null,
    stale: Stale = new Stale(),
  ): Promise<CachedIndex> {
    const index = new CachedIndex(scope, [], [], identity, stale)
    const [together, length] = [limits.rowsTogether, Math.max(series.length, agreements.length)]
    for (let from = 0; from < length; from += together) {
      index.#enter(series.slice(from, from + together), agreements.slice(from, from + together))
      // A pause after the last slice as well: the user of the lists begins a turn of their own.
      if (length > together) await setImmediate()
    }
    index.#series = series
    index.#agreements = agreements
    return index
  }

  /** A piece of the lists, read at a moment when `newest` were the newest entries. */
  static async ofPiece(
    scope: string,
    {
      series,
      agreements,
    }: { readonly series: readonly VisibleSeries[]; readonly agreements: readonly AgreementRecord[] },
    identity: Identity,
    newest: Newest,
  ): Promise<CachedIndex> {
    const index = await CachedIndex.make(scope, series, agreements, identity)
    index.#newest = newest
    index.#newestFormula = newest.own
    return index
  }

  #enter(series: readonly VisibleSeries[], agreements: readonly AgreementRecord[]): void {
    let { own, public: shared } = this.#newest
    for (const each of series) {
      this.#byId.set(each.id, each)
      this.#byReference.set(nameOf(each), each)
      const described = each.metadata.at(-1)!.seq
      own = Math.max(own, each.since)
      if (each.owner === publicScope) shared = Math.max(shared, described)
      else own = Math.max(own, described)
    }
    this.#newest = { own, public: shared }
    for (const { id, slug, states, versions } of agreements) {
      this.#agreementIds.set(slug, id).set(id, id)
      this.#newestFormula = Math.max(this.#newestFormula, states.at(-1)?.seq ?? 0, versions.at(-1)?.seq ?? 0)
    }
  }

  /** Sorted by id. A change makes a new list: code that has one keeps it as it was. */
  get series(): readonly VisibleSeries[] {
    return this.#series
  }

  get agreements(): readonly AgreementRecord[] {
    return this.#agreements
  }

  get pamsBySlug(): readonly AgreementRecord[] {
    this.#bySlug ??= this.#agreements.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    return this.#bySlug
  }

  /** Newest entries that the list of series includes. */
  get newestOfSeries(): Newest {
    return this.#newest
  }

  /** Newest entry that the list of agreements includes; agreements are published only in their workspace. */
  get newestOfAgreements(): number {
    return this.#newestFormula
  }

  find(id: string): VisibleSeries | undefined {
    return this.#byId.get(id)
  }

  /** Finds a series as formulas name it: `PROVIDER/code`, or an id. */
  findByReference(reference: string): VisibleSeries | undefined {
    return this.#byReference.get(reference) ?? this.#byId.get(reference)
  }

  agreementId(idOrSlug: string): string | undefined {
    return this.#agreementIds.get(idOrSlug)
  }

  findAgreement(idOrSlug: string): AgreementRecord | undefined {
    const id = this.#agreementIds.get(idOrSlug)
    return id === undefined ? undefined : this.#agreements[placeOf(this.#agreements, id, idOf)]
  }

  /** Index from series to agreements, made when first needed. */
  get readers(): ReadersBySeries | null {
    return this.#readers
  }

  keepReaders(readers: ReadersBySeries): void {
    this.#readers = readers
  }

  /** Whether every published change is included. */
  get isCurrent(): boolean {
    return this.stale.isEmpty && this.renewal === null
  }

  /** Whether so many of its entries are stale that reading all of them is cheaper. */
  get isMostlyStale(): boolean {
    return this.stale.subjects.size > limits.listChanges
  }

  /** Drops the answers made from the lists; the entries are read again when next needed. */
  outdate(stale: Stale): void {
    this.stale.addAll(stale)
    this.dropAnswers()
  }

  change({ subjects, series, agreements, references }: ListChanges): void {
    const seriesBefore = [...subjects].flatMap(subject => this.#byId.get(subject) ?? [])
    const agreementsBefore = [...subjects].flatMap(subject => this.findAgreement(subject) ?? [])
    for (const each of seriesBefore) {
      this.#byReference.delete(nameOf(each))
      this.#byId.delete(each.id)
    }
    this.#enter(series, agreements)
    this.#series = changed(this.#series, seriesBefore, series, idOf)
    this.#agreements = changed(this.#agreements, agreementsBefore, agreements, idOf)
    if (this.#bySlug !== null) this.#bySlug = changed(this.#bySlug, agreementsBefore, agreements, slugOf)
    const names = namesThatChanged(seriesBefore, series)
    this.#readers?.change({ gone: agreementsBefore, now: agreements, references: references ?? new Map(), names }, this)
    this.dropAnswers()
  }

  get size(): number {
    const lists = 2_000 + this.#series.length * bytesOfSeries + this.#agreements.length * bytesOfAgreement
    return lists + (this.#readers?.size ?? 0) + this.answersSize
  }

  /** Reading the lists of a large workspace again for every request would be worse than the memory they take. */
  override get mostShare(): number {
    return 1 / 2
  }

  override leave(): void {
    super.leave()
    this.book.clear()
  }
}

function nameOf({ provider, code }: VisibleSeries): string {
  return `${provider}/${code}`
}

const idOf = ({ id }: { readonly id: string }) => id
const slugOf = ({ slug }: AgreementRecord) => slug

/** Names and ids of the series that came or went; a new description changes no look-up. */
function namesThatChanged(before: readonly VisibleSeries[], now: readonly VisibleSeries[]): readonly string[] {
  const old = new Set(before.map(idOf))
  const fresh = new Set(now.map(idOf))
  return [...before.filter(({ id }) => !fresh.has(id)), ...now.filter(({ id }) => !old.has(id))].flatMap(each => [
    each.id,
    nameOf(each),
  ])
}

/** The index of a key in a sorted list, or the index where it would be inserted. */
function placeOf<T>(list: readonly T[], key: string, keyOf: (each: T) => string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyOf(list[middle]!) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the first entry after an id; the id itself need not be in the list. */
export function placeAfter(list: readonly { readonly id: string }[], id: string): number {
  const place = placeOf(list, id, idOf)
  return list[place]?.id === id ? place + 1 : place
}

/** More entries than this are inserted all at once. */
const mostOneByOne = 50

/** A copy of a list without the removed entries and with the new ones, in order. */
function changed<T extends { readonly id: string }>(
  list: readonly T[],
  gone: readonly T[],
  now: readonly T[],
  keyOf: (each: T) => string,
): readonly T[] {
  if (gone.length + now.length > mostOneByOne) {
    const ids = new Set(gone.map(idOf))
    const all = [...list.filter(({ id }) => !ids.has(id)), ...now]
    return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
  const copy = list.slice()
  for (const each of gone) copy.splice(placeOf(copy, keyOf(each), keyOf), 1)
  for (const each of now) copy.splice(placeOf(copy, keyOf(each), keyOf), 0, each)
  return copy
}
