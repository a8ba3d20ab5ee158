// Answers about many agreements, computed in the background: a few agreements of one workspace at a time, in slices, so that a
// large workspace delays nobody else. An answer is kept until something changes that it rests on; until it is computed again, the
// last known one is given and marked as such. The database keeps last known answers too, so that after a start they are known, and
// current if nothing has changed since (decision 0233).
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { limits } from '../../limits.ts'
import { type DigestList, loadKeptDigests, writeKeptDigests } from '../../storage/agreements/stored-digests.ts'
import { loadMarks, type Marks } from '../../storage/log/append.ts'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import { TicketedCache } from '../memory/cache.ts'
import type { Changes, Dependent } from '../memory/changes.ts'
import { SizedValue } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import type { Remembers } from './digest-shelf.ts'
import { formatExactJson, readExactJson } from './exact-json.ts'
import { WorkspaceQueues } from './workspace-queues.ts'

/** One question about one agreement. */
export interface AgreementQuestion {
  readonly id: string
  /** Key of the part it is about: a last known answer is given only for an equal one. */
  readonly whose: string
  /** Other inputs of the answer, such as the day. */
  readonly terms: string
}

interface BackgroundContext<Asked extends AgreementQuestion, Answer> {
  readonly changes: Changes
  readonly bytes: number
  readonly kinds: ReadonlySet<EntryKind>
  readonly sizeOf: (answer: Answer) => number
  /** Reads the sources of several agreements at once. */
  readonly prepare: (workspaceId: string, ids: readonly string[]) => Promise<void>
  readonly compute: (workspaceId: string, asked: Asked) => Promise<Answer>
  /** Storage that keeps answers over a restart; left out, there is none. */
  readonly keeping?: Keeping
}

interface Keeping extends DigestList {
  readonly library: Remembers
  /** Ids of the series that an agreement reads; null where they are not all known. */
  readonly seriesOf: (workspaceId: string, id: string) => Promise<readonly string[] | null>
}

/** Stored form. */
interface CachedDigest {
  readonly series: readonly string[] | null
  readonly terms: string
  readonly answer: string
}

interface Computed<Asked, Answer> {
  readonly asked: Asked
  readonly answer: Answer
}

/** Answers by agreement. */
export interface ManyAnswers<Answer> {
  /** Current or last known answers. */
  readonly answers: ReadonlyMap<string, Answer>
  /** Agreements that are too much to compute here. */
  readonly heavy: ReadonlySet<string>
  /** Number of agreements being computed, with an older answer or with none. */
  readonly updating: number
}

/** Answers by question; null where one was too much to compute here. */
type Answers<Answer> = ReadonlyMap<string, Answer | null>

/** Questions about one agreement that are answered from memory: people look since different moments. */
const mostTerms = 4

export class Background<Asked extends AgreementQuestion, Answer> implements Dependent {
  readonly #parts: BackgroundContext<Asked, Answer>
  readonly #kept: TicketedCache<SizedValue<Answers<Answer>>>
  /** Last known answers: never stale, since they are given as such. */
  readonly #last: TicketedCache<SizedValue<Answer>>
  readonly #queues: WorkspaceQueues<Asked>
  /** By workspace: the reading of its kept answers, under way or done. */
  readonly #reads = new Map<string, Promise<void>>()

  constructor(parts: BackgroundContext<Asked, Answer>) {
    this.#parts = parts
    const { changes, bytes, kinds } = parts
    this.#kept = new TicketedCache(changes, bytes, { figures: true, billing: true, kinds })
    this.#last = new TicketedCache(changes, bytes, null)
    changes.add(this)
    this.#queues = new WorkspaceQueues({
      together: limits.radar.atOnce,
      work: (workspaceId, turn) =>
        this.#workOut(
          workspaceId,
          [...turn.values()].filter(each => this.#find(each) === undefined),
        ),
    })
  }

  /** Waits a moment for missing answers, and returns what is known then. */
  async gather(workspaceId: string, asked: readonly Asked[]): Promise<ManyAnswers<Answer>> {
    await this.#read(workspaceId)
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

  /** Reads the kept answers of a workspace, once. */
  #read(workspaceId: string): Promise<void> {
    const { keeping } = this.#parts
    const known = this.#reads.get(workspaceId)
    if (keeping === undefined || known !== undefined) return known ?? Promise.resolve()
    const read = this.#readKept(workspaceId, keeping)
    this.#reads.set(workspaceId, read)
    read.catch(() => {
      if (this.#reads.get(workspaceId) === read) this.#reads.delete(workspaceId)
    })
    return read
  }

  #readKept(workspaceId: string, { library, seriesOf: _, ...list }: Keeping): Promise<void> {
    const { changes } = library
    return this.#last.loadMany([], workspaceId, keepLast =>
      this.#kept.loadMany([], workspaceId, async keep => {
        using ticket = changes.ticket()
        const rows = await library.readAndCatchUp(workspaceId, tx =>
          loadKeptDigests<CachedDigest>(tx, workspaceId, list),
        )
        for (const { agreementId: id, whose, content, holds, hasSameParties } of rows) {
          const series = content.series ?? []
          // Later changes are noticed from here on; changes during the read show in the ticket.
          for (const each of series) changes.computedFrom(each, id)
          const answer = readExactJson(content.answer) as Answer
          const last = `${id} ${whose}`
          if (holds && ticket.holds(series)) keep(id, this.#with(workspaceId, id, `${whose} ${content.terms}`, answer))
          // An answer computed with other parties may be theirs alone.
          if (hasSameParties && this.#last.peek(last) === undefined)
            keepLast(last, new SizedValue(answer, this.#parts.sizeOf(answer), workspaceId))
        }
      }),
    )
  }

  /** The answer beside the other ones of the agreement. */
  #with(workspaceId: string, id: string, question: string, answer: Answer | null): SizedValue<Answers<Answer>> {
    const others = [...(this.#kept.peek(id)?.value ?? [])].slice(1 - mostTerms)
    const all = new Map([...others, [question, answer] as const])
    const size = all.values().reduce((sum, one) => sum + (one === null ? 100 : this.#parts.sizeOf(one)), 500)
    return new SizedValue<Answers<Answer>>(all, size, workspaceId)
  }

  async #workOut(workspaceId: string, some: readonly Asked[]): Promise<void> {
    const { prepare, keeping } = this.#parts
    const ids = [...new Set(some.map(({ id }) => id))]
    const computed: Computed<Asked, Answer>[] = []
    // Marks are read before anything is computed: what is recorded meanwhile makes the answers old.
    const marks = await keeping?.library.readAndCatchUp(workspaceId, tx => loadMarks(tx, workspaceId))
    await this.#kept.loadMany(ids, workspaceId, async keep => {
      await prepare(workspaceId, ids).catch(unlessHeavy)
      // Waiting for the database is no work.
      const slices = new Slices()
      for (const each of some) {
        const { id, whose, terms } = each
        const answer = await this.#parts.compute(workspaceId, each).catch(unlessHeavy)
        keep(id, this.#with(workspaceId, id, `${whose} ${terms}`, answer))
        if (answer !== null) {
          await this.#rememberLast(`${id} ${whose}`, answer, workspaceId)
          computed.push({ asked: each, answer })
        }
        await slices.rest()
      }
    })
    if (keeping !== undefined) await this.#write(workspaceId, keeping, marks!, computed)
  }

  async #write(
    workspaceId: string,
    { library, seriesOf, ...list }: Keeping,
    marks: Marks,
    computed: readonly Computed<Asked, Answer>[],
  ): Promise<void> {
    // Of several questions about one part of an agreement, the last is stored.
    const newest = new Map(computed.map(each => [`${each.asked.id} ${each.asked.whose}`, each]))
    const rows: Parameters<typeof writeKeptDigests>[3][number][] = []
    for (const { asked, answer } of newest.values()) {
      const series = await seriesOf(workspaceId, asked.id)
      const content: CachedDigest = { series, terms: asked.terms, answer: formatExactJson(answer) }
      rows.push({ agreementId: asked.id, whose: asked.whose, content: JSON.stringify(content), marks })
    }
    if (rows.length > 0) await library.remember(workspaceId, tx => writeKeptDigests(tx, workspaceId, list, rows))
  }

  async #rememberLast(key: string, answer: Answer, workspaceId: string): Promise<void> {
    this.#last.drop(key)
    await this.#last.load(key, workspaceId, async () => new SizedValue(answer, this.#parts.sizeOf(answer), workspaceId))
  }

  entered(): void {}

  /** No answer counts as current any more; the stored marks say which ones still are. */
  enteredMany(): void {
    this.#reads.clear()
  }
}

/** Null in place of an answer that is not computed where others wait. */
function unlessHeavy(error: unknown): null {
  if (error instanceof TooHeavyHere) return null
  throw error
}
