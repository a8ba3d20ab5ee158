// What is worked out of agreements for long lists, by agreement: kept until something is published that an agreement reads. What
// is forgotten while it is being worked out is not kept, for it may rest on what was there before.
import { publicScope } from '../storage/database.ts'
import { Memory } from './memory.ts'

export interface OfWorkspace {
  readonly workspaceId: string
}

export class PamMemory<Kept extends OfWorkspace> {
  readonly #memory: Memory<Kept>
  /** By agreement, whose work on it counts. */
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

  /** To be disposed of when the work on these agreements is over. */
  beginWork(pamIds: readonly string[]): PamWork<Kept> {
    return new PamWork(this.#memory, this.#underWay, pamIds)
  }

  forget(pamId: string): void {
    this.#underWay.delete(pamId)
    this.#memory.delete(pamId)
  }

  /** All of a workspace; where so much of the public series changed, all there are, for any may read them. */
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
