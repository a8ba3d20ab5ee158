// Changes of terms, read through the library: lists, the newest first, and one by its id.

import type { AgreementHistory } from '../storage/agreements/agreements.ts'
import {
  type ChangeTexts,
  findChanges,
  listChanges,
  loadChangeTexts,
  type StoredChange,
} from '../storage/agreements/terms-changes.ts'
import { isWithin, type Tenure } from './agreements/tenure.ts'
import type { ReadsAgreements } from './lists/reads-agreements.ts'
import { type PartOfAgreement, wholeOfAll } from './prices.ts'

export interface FoundChange {
  readonly kept: AgreementHistory
  readonly change: StoredChange
}

interface ChangesWanted {
  /** Number of the last change on the page before; null: from the newest. */
  readonly before: number | null
  /** Agreements to read; null: all. */
  readonly agreementIds: readonly string[] | null
  /** Name that formulas use; null: any series. */
  readonly series: string | null
  readonly limit: number
  /** Filter over the changes that are read. */
  readonly isWanted: (found: FoundChange) => boolean
  readonly partOf?: PartOfAgreement
}

interface ChangesPage {
  readonly rows: readonly FoundChange[]
  /** `before` for the next page; null on the last. */
  readonly next: number | null
}

/** Most reads for one page; where few changes are wanted, the page is then short. */
const mostReads = 5

export class TermsChanges {
  readonly #library: ReadsAgreements

  constructor(library: ReadsAgreements) {
    this.#library = library
  }

  async list(workspaceId: string, wanted: ChangesWanted): Promise<ChangesPage> {
    const { agreementIds, series, limit, isWanted, partOf = wholeOfAll } = wanted
    const rows: FoundChange[] = []
    let before = wanted.before
    for (let reads = 0; reads < mostReads; reads++) {
      const read = { before, agreementIds, series, most: limit + 1 }
      const listed = await this.#library.readAndCatchUp(workspaceId, tx => listChanges(tx, workspaceId, read))
      const agreements = await this.#agreements(
        workspaceId,
        listed.map(({ agreementId }) => agreementId),
      )
      for (const { id, seq, agreementId } of listed) {
        if (rows.length === limit) return { rows, next: before }
        const found = foundIn(agreements.get(agreementId), id, partOf)
        before = seq
        if (found !== null && isWanted(found)) rows.push(found)
      }
      if (listed.length <= limit) return { rows, next: null }
    }
    return { rows, next: before }
  }

  async #agreements(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AgreementHistory>> {
    const found = await this.#library.agreements(workspaceId, [...new Set(ids)])
    return new Map(found.map(({ snapshot: { id, kept } }) => [id, kept]))
  }

  /** One change; null if there is none, or it is not visible to the reader. */
  async find(
    workspaceId: string,
    id: string,
    partOf: PartOfAgreement = wholeOfAll,
  ): Promise<(FoundChange & ChangeTexts) | null> {
    const { agreementId, texts } = await this.#library.readAndCatchUp(workspaceId, async tx => ({
      agreementId: (await findChanges(tx, workspaceId, [id])).get(id),
      texts: (await loadChangeTexts(tx, workspaceId, [id])).get(id),
    }))
    if (agreementId === undefined || texts === undefined) return null
    const found = foundIn((await this.#agreements(workspaceId, [agreementId])).get(agreementId), id, partOf)
    return found === null ? null : { ...found, ...texts }
  }

  /** Many changes without their texts; missing and invisible ones are left out. */
  async findMany(
    workspaceId: string,
    ids: readonly string[],
    partOf: PartOfAgreement,
  ): Promise<ReadonlyMap<string, FoundChange>> {
    const agreementOf = await this.#library.readAndCatchUp(workspaceId, tx => findChanges(tx, workspaceId, ids))
    const agreements = await this.#agreements(workspaceId, [...agreementOf.values()])
    return new Map(
      [...agreementOf].flatMap(([id, agreementId]) => {
        const found = foundIn(agreements.get(agreementId), id, partOf)
        return found === null ? [] : [[id, found] as const]
      }),
    )
  }

  /** Changes of one agreement that somebody sees, with their texts, the oldest first. */
  async of(
    workspaceId: string,
    agreementId: string,
    tenure: Tenure | null,
  ): Promise<readonly (FoundChange & ChangeTexts)[]> {
    // Memory may be older than a read that was just made elsewhere.
    await this.#library.readAndCatchUp(workspaceId, () => Promise.resolve())
    const kept = (await this.#agreements(workspaceId, [agreementId])).get(agreementId)
    const changes = kept?.changes.filter(each => isPartOf(each, tenure)) ?? []
    const ids = changes.map(({ id }) => id)
    const texts = await this.bodies(workspaceId, ids)
    return changes.map(change => ({ kept: kept!, change, ...texts.get(change.id)! }))
  }

  /** Bodies of some changes, by id. */
  bodies(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ChangeTexts>> {
    return this.#library.readAndCatchUp(workspaceId, tx => loadChangeTexts(tx, workspaceId, ids))
  }
}

function foundIn(kept: AgreementHistory | undefined, id: string, partOf: PartOfAgreement): FoundChange | null {
  const change = kept?.changes.find(each => each.id === id)
  return kept === undefined || change === undefined || !isPartOf(change, partOf(kept.id)) ? null : { kept, change }
}

/** Whether a change was proposed while somebody was a party. */
function isPartOf({ recordedAt }: StoredChange, tenure: Tenure | null | undefined): boolean {
  return tenure === null || (tenure !== undefined && isWithin(tenure, recordedAt))
}
