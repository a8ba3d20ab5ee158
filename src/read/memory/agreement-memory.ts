// What is computed about agreements for long lists, by agreement: cached until something is published that an agreement
// reads. A result that is forgotten while it is being computed is not cached, because it may be based on old data.
import { publicScope } from '../../storage/postgres/database.ts'
import { Memory } from './memory.ts'

export interface OfWorkspace {
  readonly workspaceId: string
}

export class PamMemory<Kept extends OfWorkspace> {
  readonly #memory: Memory<Kept>
  /** For each agreement, which computation of it counts. */
  readonly #underWay = new Map<string, PamWork<Kept>>()

  constructor(mostBytes: number) {
    this.#memory = new Memory(mostBytes)
  }

  get(pamId: string): Kept | undefined {
    return this.#memory.get(pamId)
  }

  isUnderWay(pamId: string): boolean {
    return this.#underWay.has(pamId)
  }

  /** Must be disposed of when the computation for these agreements is over. */
  beginWork(pamIds: readonly string[]): PamWork<Kept> {
    return new PamWork(this.#memory, this.#underWay, pamIds)
  }

  forget(pamId: string): void {
    this.#underWay.delete(pamId)
    this.#memory.delete(pamId)
  }

  /**
   * Forgets everything of a workspace. If very many public series changed, forgets everything, because any agreement
   * may read them.
   */
  forgetScope(scope: string): void {
    this.#underWay.clear()
    if (scope === publicScope) this.#memory.clear()
    else this.#memory.deleteWhere(({ workspaceId }) => workspaceId === scope)
  }
}

export class PamWork<Kept> implements Disposable {
  readonly #memory: Memory<Kept>
  readonly #underWay: Map<string, PamWork<Kept>>
  readonly #pamIds: readonly string[]

  constructor(memory: Memory<Kept>, underWay: Map<string, PamWork<Kept>>, pamIds: readonly string[]) {
    this.#memory = memory
    this.#underWay = underWay
    this.#pamIds = pamIds
    for (const id of pamIds) underWay.set(id, this)
  }

  keep(pamId: string, kept: Kept, bytes: number): void {
    if (this.#underWay.get(pamId) === this) this.#memory.set(pamId, kept, bytes)
  }

  [Symbol.dispose](): void {
    for (const id of this.#pamIds) if (this.#underWay.get(id) === this) this.#underWay.delete(id)
  }
}
