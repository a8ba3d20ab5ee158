// What is known of many agreements, computed in the background: a few agreements of one workspace at a time, in slices, so that a
// workspace with many of them delays nobody else. Kept until something changes that an agreement's answer rests on; until it is
// computed again, what was last known is given with a word that it is that.
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { limits } from '../../limits.ts'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import type { Changes } from '../memory/changes.ts'
import { Kept } from '../memory/kept.ts'
import { Place } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import { WorkspaceQueues } from './workspace-queues.ts'

/** What is asked of one agreement. */
export interface AskedOf {
  readonly id: string
  /** Whose answer it is: only for the same is what was last known given. */
  readonly whose: string
  /** Everything else that the answer depends on beside the agreement itself, such as the day. */
  readonly terms: string
}

interface BackgroundParts<Asked extends AskedOf, Answer> {
  readonly changes: Changes
  readonly bytes: number
  readonly kinds: ReadonlySet<EntryKind>
  readonly sizeOf: (answer: Answer) => number
  /** Reads what several need at once. */
  readonly prepare: (workspaceId: string, ids: readonly string[]) => Promise<void>
  readonly compute: (workspaceId: string, asked: Asked) => Promise<Answer>
}

/** By agreement. */
export interface KnownOfMany<Answer> {
  /** As it is now, or as it was last known. */
  readonly answers: ReadonlyMap<string, Answer>
  /** Agreements that are too much to compute here. */
  readonly heavy: ReadonlySet<string>
  /** How many are being computed: those of which something older is given, and those of which nothing is known. */
  readonly updating: number
}

/** Null where it was too much to compute here. */
type Answers<Answer> = ReadonlyMap<string, Answer | null>

/** Different questions about one agreement that are answered from memory: people look since different moments. */
const mostTerms = 4

export class Background<Asked extends AskedOf, Answer> {
  readonly #parts: BackgroundParts<Asked, Answer>
  readonly #kept: Kept<Place<Answers<Answer>>>
  /** Never stale: it is given as what it is. */
  readonly #last: Kept<Place<Answer>>
  readonly #queues: WorkspaceQueues<Asked>

  constructor(parts: BackgroundParts<Asked, Answer>) {
    this.#parts = parts
    const { changes, bytes, kinds } = parts
    this.#kept = new Kept(changes, bytes, { figures: true, billing: true, kinds })
    this.#last = new Kept(changes, bytes, null)
    this.#queues = new WorkspaceQueues({
      together: limits.radar.atOnce,
      work: (workspaceId, turn) =>
        this.#workOut(
          workspaceId,
          [...turn.values()].filter(each => this.#find(each) === undefined),
        ),
    })
  }

  /** Waits a moment for what is missing, and answers with what is known then. */
  async gather(workspaceId: string, asked: readonly Asked[]): Promise<KnownOfMany<Answer>> {
    const missing = asked.filter(each => this.#find(each) === undefined)
    const keyOf = ({ id, whose, terms }: Asked) => `${id} ${whose} ${terms}`
    if (missing.length > 0)
      await this.#queues.add(
        workspaceId,
        missing.map(each => [keyOf(each), each] as const),
      )
    const answers = new Map<string, Answer>()
    const heavy = new Set<string>()
    let updating = 0
    for (const each of asked) {
      const found = this.#find(each)
      if (found === null) heavy.add(each.id)
      if (found === undefined) updating++
      const answer = found === undefined ? this.#last.get(`${each.id} ${each.whose}`)?.value : found
      if (answer != null) answers.set(each.id, answer)
    }
    return { answers, heavy, updating }
  }

  #find({ id, whose, terms }: Asked): Answer | null | undefined {
    return this.#kept.get(id)?.value.get(`${whose} ${terms}`)
  }

  async #workOut(workspaceId: string, some: readonly Asked[]): Promise<void> {
    const { prepare, sizeOf } = this.#parts
    const ids = [...new Set(some.map(({ id }) => id))]
    await this.#kept.loadMany(ids, workspaceId, async keep => {
      await prepare(workspaceId, ids).catch(unlessHeavy)
      // Waiting for the database is no work.
      const slices = new Slices()
      for (const each of some) {
        const { id, whose, terms } = each
        const answer = await this.#parts.compute(workspaceId, each).catch(unlessHeavy)
        const others = [...(this.#kept.peek(id)?.value ?? [])].slice(1 - mostTerms)
        const all = new Map([...others, [`${whose} ${terms}`, answer] as const])
        const size = all.values().reduce((sum, one) => sum + (one === null ? 100 : sizeOf(one)), 500)
        keep(id, new Place<Answers<Answer>>(all, size, workspaceId))
        if (answer !== null) await this.#rememberLast(`${id} ${whose}`, answer, workspaceId)
        await slices.rest()
      }
    })
  }

  async #rememberLast(key: string, answer: Answer, workspaceId: string): Promise<void> {
    this.#last.drop(key)
    await this.#last.load(key, workspaceId, async () => new Place(answer, this.#parts.sizeOf(answer), workspaceId))
  }
}

/** Null for what is not computed where others wait. */
function unlessHeavy(error: unknown): null {
  if (error instanceof TooHeavyHere) return null
  throw error
}
