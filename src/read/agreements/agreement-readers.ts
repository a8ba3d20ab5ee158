// Index from series to the agreements that read them. Made once from the names in all documents, then updated agreement by
// agreement: a new agreement or series changes its own entries and no others.
import type { VersionReferences } from '../../storage/agreements/agreement-lists.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import { Slices } from '../memory/slices.ts'
import { everGoverning } from './governing-versions.ts'

/** Names in the documents of each agreement, by the agreement's id. */
export type ReferencesByAgreement = ReadonlyMap<string, readonly VersionReferences[]>

/** Agreements by the id of a series they read, in the order of their ids. */
export type Readers = ReadonlyMap<string, readonly AgreementRecord[]>

/** The lists that names are looked up in. */
interface SeriesNames {
  findByReference(reference: string): VisibleSeries | undefined
}

/** Ids of the series that any version of an agreement reads, and of those that a version read which governs or once did. */
interface SeriesOfAgreement {
  readonly all: readonly string[]
  readonly governing: readonly string[]
}

interface ReadersChange {
  /** Changed agreements as they were before. */
  readonly gone: readonly AgreementRecord[]
  /** Changed agreements as they are, and the names in their documents. */
  readonly now: readonly AgreementRecord[]
  readonly references: ReferencesByAgreement
  /** Names and ids of series that were added or removed. */
  readonly names: readonly string[]
}

/** Bytes that an agreement takes here, measured over 10,000 agreements that read three series each. */
const bytesOfAgreement = 500

export class ReadersBySeries {
  readonly #agreements = new Map<string, AgreementRecord>()
  readonly #references = new Map<string, readonly VersionReferences[]>()
  readonly #series = new Map<string, SeriesOfAgreement>()
  readonly #readers = new Map<string, readonly AgreementRecord[]>()
  /** The ids of the agreements whose documents use a name. */
  readonly #naming = new Map<string, Set<string>>()

  /** Works in slices: there may be many thousands of agreements. */
  static async make(
    agreements: readonly AgreementRecord[],
    references: ReferencesByAgreement,
    series: SeriesNames,
  ): Promise<ReadersBySeries> {
    const made = new ReadersBySeries()
    const readers = new Map<string, AgreementRecord[]>()
    const slices = new Slices()
    for (const agreement of agreements) {
      for (const id of made.#enter(agreement, references.get(agreement.id) ?? [], series)) {
        const own = readers.get(id)
        if (own === undefined) readers.set(id, [agreement])
        else own.push(agreement)
      }
      await slices.rest()
    }
    for (const [id, own] of readers) made.#readers.set(id, own)
    return made
  }

  /** Agreements that read a series with any of their versions. */
  get readers(): Readers {
    return this.#readers
  }

  /** Ids of the series that a version of the agreement read which governs or once did. */
  governingSeries(agreementId: string): readonly string[] {
    return this.#series.get(agreementId)?.governing ?? []
  }

  get references(): ReferencesByAgreement {
    return this.#references
  }

  get size(): number {
    return this.#agreements.size * bytesOfAgreement
  }

  change({ gone, now, references, names }: ReadersChange, series: SeriesNames): void {
    const fresh = new Map(now.map(agreement => [agreement.id, agreement]))
    const published = new Set([...gone.map(({ id }) => id), ...fresh.keys()])
    const naming = new Set(names.flatMap(name => [...(this.#naming.get(name) ?? [])]))
    for (const id of published.union(naming)) {
      const isPublished = published.has(id)
      const agreement = isPublished ? fresh.get(id) : this.#agreements.get(id)
      const named = isPublished ? references.get(id) : this.#references.get(id)
      this.#leave(id)
      if (agreement === undefined) continue
      for (const seriesId of this.#enter(agreement, named ?? [], series))
        this.#readers.set(seriesId, withEntry(this.#readers.get(seriesId) ?? [], agreement))
    }
  }

  /** Enters one agreement and returns the ids of the series it reads. */
  #enter(agreement: AgreementRecord, references: readonly VersionReferences[], series: SeriesNames): readonly string[] {
    const { id, states, versions } = agreement
    const times = references.flatMap(({ version, effectiveFrom }) => {
      const kept = versions[version - 1]
      // A version saved after the lists were read is included with the next notification.
      return kept === undefined ? [] : [{ number: version, effectiveFrom, recordedAt: kept.recordedAt }]
    })
    const governing = everGoverning(times, states)
    const idsOf = (versions: readonly VersionReferences[]) => [
      ...new Set(
        versions.flatMap(version => version.references.flatMap(each => series.findByReference(each)?.id ?? [])),
      ),
    ]
    const all = idsOf(references)
    const isAllGoverning = references.every(({ version }) => governing.has(version))
    const own = isAllGoverning ? all : idsOf(references.filter(({ version }) => governing.has(version)))
    this.#agreements.set(id, agreement)
    this.#references.set(id, references)
    this.#series.set(id, { all, governing: own })
    for (const { references: names } of references)
      for (const name of names) {
        const naming = this.#naming.get(name)
        if (naming === undefined) this.#naming.set(name, new Set([id]))
        else naming.add(id)
      }
    return all
  }

  #leave(id: string): void {
    for (const seriesId of this.#series.get(id)?.all ?? []) {
      const rest = this.#readers.get(seriesId)!.filter(agreement => agreement.id !== id)
      if (rest.length === 0) this.#readers.delete(seriesId)
      else this.#readers.set(seriesId, rest)
    }
    for (const { references } of this.#references.get(id) ?? [])
      for (const name of references) this.#naming.get(name)?.delete(id)
    this.#agreements.delete(id)
    this.#references.delete(id)
    this.#series.delete(id)
  }
}

/** The list with one more agreement, in the order of the ids. A new agreement has the highest. */
function withEntry(agreements: readonly AgreementRecord[], agreement: AgreementRecord): readonly AgreementRecord[] {
  const place = agreements.findLastIndex(({ id }) => id < agreement.id) + 1
  return agreements.toSpliced(place, 0, agreement)
}
