// Rows of many agreements at once, for lists over thousands of them. The newest number of each is remembered until something is
// published that it reads, and for the day; what is missing is read a few at a time and computed in slices, so that
// nobody else waits. It caches no documents and no numbers.
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { readAgreements, type StoredAgreement } from '../../storage/agreements/agreements.ts'
import { type AgreementRow, makeAgreementRow, type RowChoice } from '../agreements/agreement-row.ts'
import { Kept } from '../memory/kept.ts'
import { Place } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import type { Computes } from './computes.ts'
import { changesAllRows } from './entry-effects.ts'
import { type KnowsMoments, touchedAt } from './touched-at.ts'

/** The library. */
export interface ComputesRows extends KnowsMoments, Computes {}

interface AgreementRowsRequest {
  readonly choice: RowChoice
  /** Nothing that was recorded later counts. */
  readonly knownAt: Instant
  /** The last day whose date has come. */
  readonly day: Day
}

interface RowOfDay {
  readonly day: Day
  /** When the newest thing that the row can depend on was recorded: the row is the same at every later cut. */
  readonly touchedAt: Instant
  /** Null where the list has none. */
  readonly row: AgreementRow | null
}

/** Approximate bytes of a row with its texts and its entry. */
const bytesOfRow = 1_400

export class AgreementRows {
  readonly #library: ComputesRows
  readonly #kept: Kept<Place<RowOfDay>>

  constructor(library: ComputesRows) {
    this.#library = library
    const dependsOn = { figures: true, kinds: changesAllRows }
    this.#kept = new Kept(library.changes, limits.rowsBytes, dependsOn)
  }

  /** Whether a row is there without computing it. */
  has(id: string, request: AgreementRowsRequest): boolean {
    return this.#find(id, request) !== undefined
  }

  /** In the order of the ids; null for an agreement that has no row. */
  async read(
    workspaceId: string,
    ids: readonly string[],
    request: AgreementRowsRequest,
  ): Promise<(AgreementRow | null)[]> {
    const rows = new Map<string, AgreementRow | null>()
    const missing: string[] = []
    for (const id of ids) {
      const kept = this.#find(id, request)
      if (kept === undefined) missing.push(id)
      else rows.set(id, kept.row)
    }
    const slices = new Slices()
    for (let from = 0; from < missing.length; from += limits.digestsAtOnce) {
      const some = missing.slice(from, from + limits.digestsAtOnce)
      for (const [id, row] of await this.#compute(workspaceId, some, request, slices)) rows.set(id, row)
    }
    return ids.map(id => rows.get(id) ?? null)
  }

  #find(id: string, { choice, knownAt, day }: AgreementRowsRequest): RowOfDay | undefined {
    if (choice.kind !== 'latest') return undefined
    const kept = this.#kept.get(id)?.value
    return kept !== undefined && kept.day === day && kept.touchedAt <= knownAt ? kept : undefined
  }

  async #compute(
    workspaceId: string,
    ids: readonly string[],
    request: AgreementRowsRequest,
    slices: Slices,
  ): Promise<Map<string, AgreementRow | null>> {
    const rows = new Map<string, AgreementRow | null>()
    return this.#kept.loadMany(ids, workspaceId, async keep => {
      for (const agreement of await this.#library.readAndCatchUp(workspaceId, tx =>
        readAgreements(tx, workspaceId, ids),
      )) {
        const keepRow = (row: RowOfDay) => keep(agreement.id, new Place(row, bytesOfRow, workspaceId))
        rows.set(agreement.id, await this.#row(workspaceId, agreement, request, keepRow))
        await slices.rest()
      }
      return rows
    })
  }

  async #row(
    workspaceId: string,
    agreement: StoredAgreement,
    { choice, knownAt, day }: AgreementRowsRequest,
    keep: (row: RowOfDay) => void,
  ): Promise<AgreementRow | null> {
    const snapshot = this.#library.snapshotOf(agreement)
    const standing = snapshot.at(knownAt)
    if (standing === null) return null
    const request = { asOf: null, knownAt, version: null, until: day }
    const open = () => this.#library.computeAdjustments(workspaceId, snapshot, request)
    const row = await makeAgreementRow({ snapshot, standing, choice, day }, open)
    if (choice.kind !== 'latest') return row
    const touched = await touchedAt(this.#library, workspaceId, snapshot)
    if (touched <= knownAt) keep({ day, touchedAt: touched, row })
    return row
  }
}
