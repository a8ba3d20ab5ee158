// Which formulas read which series. Made once from what all documents name, then updated formula by formula: one new
// formula or series changes its own entries and no others.
import type { VersionReferences } from '../../storage/agreements/agreement-lists.ts'
import type { PamRow } from '../../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import { Slices } from '../memory/slices.ts'
import { everGoverning } from './governing.ts'

/** What the documents of each formula name, by the formula's id. */
export type ReferencesByPam = ReadonlyMap<string, readonly VersionReferences[]>

/** Formulas by the id of a series they read, in the order of their ids. */
export type Readers = ReadonlyMap<string, readonly PamRow[]>

/** The lists that names are looked up in. */
interface SeriesNames {
  findByReference(reference: string): VisibleSeries | undefined
}

/** The ids of the series that any version of a formula reads, and of those read by versions that govern or once did. */
interface SeriesOfFormula {
  readonly all: readonly string[]
  readonly governing: readonly string[]
}

interface ReadersChange {
  /** Formulas that were published about, as they were. */
  readonly gone: readonly PamRow[]
  /** As they are, with what their documents name. */
  readonly now: readonly PamRow[]
  readonly references: ReferencesByPam
  /** Names and ids of series that were added or removed. */
  readonly names: readonly string[]
}

/** Bytes that a formula takes here, measured over 10,000 formulas that read three series each. */
const bytesOfFormula = 500

export class FormulaReaders {
  readonly #formulas = new Map<string, PamRow>()
  readonly #references = new Map<string, readonly VersionReferences[]>()
  readonly #series = new Map<string, SeriesOfFormula>()
  readonly #readers = new Map<string, readonly PamRow[]>()
  /** The ids of the formulas whose documents use a name. */
  readonly #naming = new Map<string, Set<string>>()

  /** `pams` by id. In slices: there may be many thousands. */
  static async make(
    pams: readonly PamRow[],
    references: ReferencesByPam,
    series: SeriesNames,
  ): Promise<FormulaReaders> {
    const made = new FormulaReaders()
    const readers = new Map<string, PamRow[]>()
    const slices = new Slices()
    for (const pam of pams) {
      for (const id of made.#enter(pam, references.get(pam.id) ?? [], series)) {
        const own = readers.get(id)
        if (own === undefined) readers.set(id, [pam])
        else own.push(pam)
      }
      await slices.rest()
    }
    for (const [id, own] of readers) made.#readers.set(id, own)
    return made
  }

  /** By any of their versions. */
  get readers(): Readers {
    return this.#readers
  }

  /** The ids of the series read by versions of the formula that govern or once did. */
  governingSeries(pamId: string): readonly string[] {
    return this.#series.get(pamId)?.governing ?? []
  }

  /** What the documents name. */
  get references(): ReferencesByPam {
    return this.#references
  }

  get size(): number {
    return this.#formulas.size * bytesOfFormula
  }

  change({ gone, now, references, names }: ReadersChange, series: SeriesNames): void {
    const fresh = new Map(now.map(pam => [pam.id, pam]))
    const published = new Set([...gone.map(({ id }) => id), ...fresh.keys()])
    const naming = new Set(names.flatMap(name => [...(this.#naming.get(name) ?? [])]))
    for (const id of published.union(naming)) {
      const isPublished = published.has(id)
      const pam = isPublished ? fresh.get(id) : this.#formulas.get(id)
      const named = isPublished ? references.get(id) : this.#references.get(id)
      this.#leave(id)
      if (pam === undefined) continue
      for (const seriesId of this.#enter(pam, named ?? [], series))
        this.#readers.set(seriesId, withEntry(this.#readers.get(seriesId) ?? [], pam))
    }
  }

  /** The ids of the series it reads. */
  #enter(pam: PamRow, references: readonly VersionReferences[], series: SeriesNames): readonly string[] {
    const { id, states, formulas } = pam
    const times = references.flatMap(({ version, effectiveFrom }) => {
      const kept = formulas[version - 1]
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
    this.#formulas.set(id, pam)
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
      const rest = this.#readers.get(seriesId)!.filter(pam => pam.id !== id)
      if (rest.length === 0) this.#readers.delete(seriesId)
      else this.#readers.set(seriesId, rest)
    }
    for (const { references } of this.#references.get(id) ?? [])
      for (const name of references) this.#naming.get(name)?.delete(id)
    this.#formulas.delete(id)
    this.#references.delete(id)
    this.#series.delete(id)
  }
}

/** In the order of the ids. A new formula has the highest. */
function withEntry(pams: readonly PamRow[], pam: PamRow): readonly PamRow[] {
  const place = pams.findLastIndex(({ id }) => id < pam.id) + 1
  return pams.toSpliced(place, 0, pam)
}
