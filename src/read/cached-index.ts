// The lists of one workspace: its series and formulas, by id, by the names formulas use, and what was answered from them.
// What is published about one of them changes these lists in place; they are never read again as a whole for it.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Identity } from '../storage/identity.ts'
import type { PamRow, VersionReferences } from '../storage/pams.ts'
import type { VisibleSeries } from '../storage/series.ts'
import { AnswerBook, Cached } from './answer-book.ts'

export type ReferencesByPam = ReadonlyMap<string, readonly VersionReferences[]>

/** What is true now of the subjects that were published about; those that are not in it are not there. */
export interface ListChanges {
  readonly subjects: ReadonlySet<string>
  readonly series: readonly VisibleSeries[]
  readonly pams: readonly PamRow[]
  /** `null` where they have not been requested yet. */
  readonly references: ReferencesByPam | null
}

/** Bytes that an entry takes with its texts and its places in the maps, measured over lists of 100,000. */
const bytesOfSeries = 600
const bytesOfPam = 900
const bytesOfReferences = 300

export class CachedIndex extends Cached {
  readonly scope: string
  /** Null where nothing is issued from it. A new name makes new lists. */
  readonly identity: Identity | null
  #series: readonly VisibleSeries[]
  #pams: readonly PamRow[]
  readonly #byId = new Map<string, VisibleSeries>()
  readonly #byReference = new Map<string, VisibleSeries>()
  readonly #pamIds = new Map<string, string>()
  #references: Map<string, readonly VersionReferences[]> | null = null
  /** Published about since the lists were read. */
  #stale = new Set<string>()
  /** The reading of what is stale, while it is under way. */
  renewal: Promise<CachedIndex> | null = null
  /** Other things made from these lists. */
  readonly answers = new Map<string, unknown>()
  readonly book = new AnswerBook()

  constructor(scope: string, series: readonly VisibleSeries[], pams: readonly PamRow[], identity: Identity | null) {
    super()
    this.scope = scope
    this.identity = identity
    this.#series = series
    this.#pams = pams
    this.#enter(series, pams)
  }

  /** The same for long lists, in pieces between which others have their turn. */
  static async make(
    scope: string,
    series: readonly VisibleSeries[],
    pams: readonly PamRow[],
    identity: Identity | null,
  ): Promise<CachedIndex> {
    const index = new CachedIndex(scope, [], [], identity)
    const together = limits.rowsTogether
    for (let from = 0; from < Math.max(series.length, pams.length); from += together) {
      index.#enter(series.slice(from, from + together), pams.slice(from, from + together))
      await setImmediate()
    }
    index.#series = series
    index.#pams = pams
    return index
  }

  #enter(series: readonly VisibleSeries[], pams: readonly PamRow[]): void {
    for (const each of series) {
      this.#byId.set(each.id, each)
      this.#byReference.set(nameOf(each), each)
    }
    for (const { id, slug } of pams) this.#pamIds.set(slug, id).set(id, id)
  }

  /** By id. A change makes a new list: code that has one keeps it as it was. */
  get series(): readonly VisibleSeries[] {
    return this.#series
  }

  get pams(): readonly PamRow[] {
    return this.#pams
  }

  find(id: string): VisibleSeries | undefined {
    return this.#byId.get(id)
  }

  /** As formulas name it: `PROVIDER/code`, or an id. */
  findByReference(reference: string): VisibleSeries | undefined {
    return this.#byReference.get(reference) ?? this.#byId.get(reference)
  }

  pamId(idOrSlug: string): string | undefined {
    return this.#pamIds.get(idOrSlug)
  }

  findPam(idOrSlug: string): PamRow | undefined {
    const id = this.#pamIds.get(idOrSlug)
    return id === undefined ? undefined : this.#pams[placeOf(this.#pams, id)]
  }

  /** What the documents of each formula name, once it was requested. */
  get references(): ReferencesByPam | null {
    return this.#references
  }

  holdReferences(references: ReferencesByPam): void {
    this.#references = new Map(references)
  }

  /** Whether nothing was published about it that it does not have. */
  get isCurrent(): boolean {
    return this.#stale.size === 0 && this.renewal === null
  }

  /** Whether so many of its entries are stale that reading all of them is cheaper. */
  get isMostlyStale(): boolean {
    return this.#stale.size > limits.listChanges
  }

  /** Nothing made from the lists is given out any more; the entry is read again when they are next asked for. */
  outdate(subject: string): void {
    this.#stale.add(subject)
    this.#dropMade()
  }

  takeStale(): ReadonlySet<string> {
    const stale = this.#stale
    this.#stale = new Set()
    return stale
  }

  change({ subjects, series, pams, references }: ListChanges): void {
    for (const subject of subjects) {
      const before = this.#byId.get(subject)
      if (before !== undefined) this.#byReference.delete(nameOf(before))
      this.#byId.delete(subject)
      this.#references?.delete(subject)
    }
    this.#enter(series, pams)
    for (const [id, own] of references ?? []) this.#references?.set(id, own)
    this.#series = changed(this.#series, subjects, series)
    this.#pams = changed(this.#pams, subjects, pams)
    this.#dropMade()
  }

  #dropMade(): void {
    this.answers.clear()
    this.dropAnswers()
  }

  get size(): number {
    const lists = 2_000 + this.#series.length * bytesOfSeries + this.#pams.length * bytesOfPam
    const references = (this.#references?.size ?? 0) * bytesOfReferences
    return lists + references + this.answers.size * 10_000 + this.answersSize
  }

  /** Reading the lists of a large workspace again for every request would be worse than the room they take. */
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

/** The place of an id in a list that is ordered by id, or the place where it would stand. */
function placeOf(list: readonly { readonly id: string }[], id: string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.id < id) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of the first entry behind an id; the id itself need not be there. */
export function placeAfter(list: readonly { readonly id: string }[], id: string): number {
  const place = placeOf(list, id)
  return list[place]?.id === id ? place + 1 : place
}

/** A copy of a list with what is true now of some subjects, in its order. */
function changed<T extends { readonly id: string }>(
  list: readonly T[],
  subjects: ReadonlySet<string>,
  loaded: readonly T[],
): readonly T[] {
  const now = new Map(loaded.map(each => [each.id, each]))
  const copy = list.slice()
  for (const subject of subjects) {
    const each = now.get(subject)
    const place = placeOf(copy, subject)
    const isStored = copy[place]?.id === subject
    if (each !== undefined) copy.splice(place, isStored ? 1 : 0, each)
    else if (isStored) copy.splice(place, 1)
  }
  return copy
}
