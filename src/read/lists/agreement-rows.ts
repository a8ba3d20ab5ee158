// Rows of many agreements at once, for lists over thousands of them. Each newest number is remembered until something it reads is
// published, and until its next date; missing rows are read a few at a time and computed in slices, so that nobody else waits. No
// documents or numbers are cached. The database keeps the rows too, as it does digests: after a start only changed ones are
// computed (decision 0779).
import { nextDateAfter } from '../../core/formula/schedule.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type AgreementHistory, loadAgreementHistories } from '../../storage/agreements/agreements.ts'
import { type DigestList, loadKeptDigests, writeKeptDigests } from '../../storage/agreements/stored-digests.ts'
import { loadMarks, type Marks } from '../../storage/log/append.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import { type AgreementRow, makeAgreementRow, type RowChoice } from '../agreements/agreement-row.ts'
import { TicketedCache } from '../memory/cache.ts'
import type { Dependent } from '../memory/changes.ts'
import { SizedValue } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import type { Computes } from './computes.ts'
import type { Remembers } from './digest-shelf.ts'
import { changesAllRows } from './entry-effects.ts'
import { type KnowsMoments, touchedAt } from './last-change.ts'
import { isToChange, lastDayBefore, type RestsOn, restsOn } from './validity.ts'

/** Narrow view of the library. */
export interface ComputesRows extends KnowsMoments, Computes, Remembers {}

interface AgreementRowsRequest {
  readonly choice: RowChoice
  /** Nothing that was recorded later counts. */
  readonly knownAt: Instant
  /** The last day whose date has come. */
  readonly day: Day
}

interface RowOfDay {
  /** The day it was computed for, and the last one on which it is right if nothing is recorded. */
  readonly day: Day
  readonly lastDay: Day
  /** Recording instant of the newest thing it can depend on: the row is the same at every later cut. */
  readonly touchedAt: Instant
  /** Null where the list has no row for it. */
  readonly row: AgreementRow | null
}

/** Stored form, kept over a restart. */
interface StoredRow extends RowOfDay, Pick<RestsOn, 'series'> {}

/** Raised with every change of the row's shape: rows of another number are ignored. */
const storedRows: DigestList = { list: 'rows', shape: 1 }

/** Approximate bytes of a row with its texts and its entry. */
const bytesOfRow = 1_400

export class AgreementRows implements Dependent {
  readonly #library: ComputesRows
  readonly #kept: TicketedCache<SizedValue<RowOfDay>>
  /** By workspace: the reading of its stored rows, under way or done. */
  readonly #reads = new Map<string, Promise<void>>()

  constructor(library: ComputesRows) {
    this.#library = library
    const dependsOn = { figures: true, kinds: changesAllRows }
    this.#kept = new TicketedCache(library.changes, limits.rowsBytes, dependsOn)
    library.changes.add(this)
  }

  entered(): void {}

  /** No row counts as current any more; the stored marks say which ones still are. */
  enteredMany(): void {
    this.#reads.clear()
  }

  /** Reads the stored rows of a workspace, once, so that `has` knows them. */
  prepare(workspaceId: string): Promise<void> {
    const known = this.#reads.get(workspaceId)
    if (known !== undefined) return known
    const read = this.#readStored(workspaceId)
    this.#reads.set(workspaceId, read)
    read.catch(() => {
      if (this.#reads.get(workspaceId) === read) this.#reads.delete(workspaceId)
    })
    return read
  }

  #readStored(workspaceId: string): Promise<void> {
    const { changes } = this.#library
    return this.#kept.loadMany([], workspaceId, async keep => {
      using ticket = changes.ticket()
      const stored = await this.#library.readAndCatchUp(workspaceId, tx =>
        loadKeptDigests<StoredRow>(tx, workspaceId, storedRows),
      )
      for (const { agreementId: id, content, holds } of stored) {
        const { series, ...row } = content
        // Later changes are noticed from here on; changes during the read show in the ticket.
        for (const each of series ?? []) changes.computedFrom(each, id)
        if (holds && ticket.holds(series ?? [])) keep(id, new SizedValue(row, bytesOfRow, workspaceId))
      }
    })
  }

  /** Whether a row is there without computing it. */
  has(id: string, request: AgreementRowsRequest): boolean {
    return this.#find(id, request) !== undefined
  }

  /** Rows in the order of the ids; null for an agreement that has none. */
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
    const made: NewStoredRow[] = []
    for (let from = 0; from < missing.length; from += limits.digestsAtOnce) {
      const some = missing.slice(from, from + limits.digestsAtOnce)
      for (const [id, row] of await this.#compute(workspaceId, some, request, { slices, made })) rows.set(id, row)
    }
    if (made.length > 0)
      await this.#library.remember(workspaceId, tx =>
        writeKeptDigests(
          tx,
          workspaceId,
          storedRows,
          made.map(({ id, row, marks }) => ({ agreementId: id, whose: '', content: JSON.stringify(row), marks })),
        ),
      )
    return ids.map(id => rows.get(id) ?? null)
  }

  #find(id: string, { choice, knownAt, day }: AgreementRowsRequest): RowOfDay | undefined {
    if (choice.kind !== 'latest') return undefined
    const kept = this.#kept.get(id)?.value
    const isOfDay = kept !== undefined && kept.day <= day && day <= kept.lastDay
    return isOfDay && kept.touchedAt <= knownAt ? kept : undefined
  }

  async #compute(
    workspaceId: string,
    ids: readonly string[],
    request: AgreementRowsRequest,
    { slices, made }: { readonly slices: Slices; readonly made: NewStoredRow[] },
  ): Promise<Map<string, AgreementRow | null>> {
    const rows = new Map<string, AgreementRow | null>()
    return this.#kept.loadMany(ids, workspaceId, async keep => {
      const { agreements, marks } = await this.#library.readAndCatchUp(workspaceId, async tx => ({
        agreements: await loadAgreementHistories(tx, workspaceId, ids),
        marks: await loadMarks(tx, workspaceId),
      }))
      for (const agreement of agreements) {
        const { id } = agreement
        const keepRow = ({ series, ...row }: StoredRow) => {
          keep(id, new SizedValue(row, bytesOfRow, workspaceId))
          if (series !== null) made.push({ id, row: { ...row, series }, marks })
        }
        rows.set(id, await this.#row(workspaceId, agreement, request, keepRow))
        await slices.rest()
      }
      return rows
    })
  }

  async #row(
    workspaceId: string,
    agreement: AgreementHistory,
    { choice, knownAt, day }: AgreementRowsRequest,
    keep: (row: StoredRow) => void,
  ): Promise<AgreementRow | null> {
    const snapshot = this.#library.snapshotOf(agreement)
    const standing = snapshot.at(knownAt)
    if (standing === null) return null
    let adjustments: Adjustments | null = null
    const open = async () => {
      const request = { asOf: null, knownAt, version: null, until: day }
      adjustments = await this.#library.computeAdjustments(workspaceId, snapshot, request)
      return adjustments
    }
    const row = await makeAgreementRow({ snapshot, standing, choice, day }, open)
    if (choice.kind !== 'latest') return row
    const touched = await touchedAt(this.#library, workspaceId, snapshot)
    if (touched > knownAt) return row
    const index = await this.#library.index(workspaceId)
    const rests = restsOn(snapshot.references.map(reference => index.findByReference(reference)))
    const isSettled = rests.isSettled && hasAllNumbers(adjustments) && !isToChange(snapshot, day)
    const lastDay = isSettled ? lastDayBefore(nextDateAfter(standing.versions, day), day) : day
    keep({ day, lastDay, touchedAt: touched, row, series: rests.series })
    return row
  }
}

interface NewStoredRow {
  readonly id: string
  readonly row: StoredRow
  readonly marks: Marks
}

/** False where the clock alone may bring a number: a blocked period may get one, and an agreement may begin. */
function hasAllNumbers(adjustments: Adjustments | null): boolean {
  return adjustments !== null && adjustments.broken === null && adjustments.blocked.length === 0
}
