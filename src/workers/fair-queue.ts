// Fair queue: the next turn goes to the workspace that used the least time lately, there to the person who did, there to the
// oldest job. Used time counts for less the longer ago it was. Nobody fills the queue: a workspace may have no more jobs in it
// than there are places left, so that a newcomer always finds one.

export interface Owner {
  readonly workspace: string
  /** A person, or a key. */
  readonly person: string
}

export interface QueueBounds {
  /** Jobs that may wait: in all, of one workspace, and of one person there. */
  readonly waiting: number
  readonly waitingPerWorkspace: number
  readonly waitingPerPerson: number
  /** Time after which used time counts half. */
  readonly halfLifeMs: number
}

/** Time that was used, counting for less as time passes. */
class Usage {
  readonly #halfLifeMs: number
  readonly #used = new Map<string, { ms: number; atMs: number }>()

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs
  }

  of(name: string, nowMs: number): number {
    const used = this.#used.get(name)
    return used === undefined ? 0 : used.ms * 2 ** ((used.atMs - nowMs) / this.#halfLifeMs)
  }

  add(name: string, ms: number, nowMs: number): void {
    this.#used.set(name, { ms: this.of(name, nowMs) + ms, atMs: nowMs })
    if (this.#used.size > mostRemembered) this.#forget(nowMs)
  }

  #forget(nowMs: number): void {
    for (const name of this.#used.keys()) if (this.of(name, nowMs) < 1) this.#used.delete(name)
  }
}

/** Names remembered before those whose use no longer counts are forgotten. */
const mostRemembered = 1_000

interface Waiting<J> {
  /** Jobs by person, oldest first. */
  readonly people: Map<string, J[]>
  count: number
}

export class FairQueue<J extends { readonly owner: Owner }> {
  readonly #bounds: QueueBounds
  readonly #ofWorkspaces: Usage
  readonly #ofPeople: Usage
  /** Jobs by workspace; of several that used as much, the one whose turn is longest ago comes first. */
  readonly #waiting = new Map<string, Waiting<J>>()
  #count = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
    this.#ofWorkspaces = new Usage(bounds.halfLifeMs)
    this.#ofPeople = new Usage(bounds.halfLifeMs)
  }

  get size(): number {
    return this.#count
  }

  /** Adds a job; false if there is no place for it. A job that comes back always has one. */
  add(job: J, isBack = false): boolean {
    const { workspace, person } = job.owner
    const own: Waiting<J> = this.#waiting.get(workspace) ?? { people: new Map(), count: 0 }
    const jobs = own.people.get(person) ?? []
    const { waiting, waitingPerWorkspace, waitingPerPerson } = this.#bounds
    const most = Math.min(waitingPerWorkspace, waiting - this.#count)
    if (!isBack && (own.count >= most || jobs.length >= waitingPerPerson)) return false
    if (isBack) jobs.unshift(job)
    else jobs.push(job)
    own.people.set(person, jobs)
    own.count++
    this.#waiting.set(workspace, own)
    this.#count++
    return true
  }

  /** Removes it; false if it was not there. */
  take(job: J): boolean {
    const { workspace, person } = job.owner
    const own = this.#waiting.get(workspace)
    const jobs = own?.people.get(person) ?? []
    const place = jobs.indexOf(job)
    if (own === undefined || place < 0) return false
    jobs.splice(place, 1)
    own.people.delete(person)
    // Person and workspace go behind the others: they just had their turn.
    if (jobs.length > 0) own.people.set(person, jobs)
    own.count--
    this.#count--
    this.#waiting.delete(workspace)
    if (own.count > 0) this.#waiting.set(workspace, own)
    return true
  }

  all(): readonly J[] {
    return [...this.#waiting.values()].flatMap(({ people }) => [...people.values()].flat())
  }

  /** Jobs in the order of their turns now. `running` are the jobs at work, and for how long. */
  *inOrder(running: ReadonlyMap<J, number>, nowMs: number): Generator<J> {
    const used = new Map<string, number>()
    const note = (name: string, ms: number) => used.set(name, (used.get(name) ?? 0) + ms)
    for (const [{ owner }, ms] of running) {
      note(owner.workspace, ms)
      note(nameOf(owner), ms)
    }
    const ofWorkspace = (workspace: string) => this.#ofWorkspaces.of(workspace, nowMs) + (used.get(workspace) ?? 0)
    const ofPerson = (owner: Owner) => this.#ofPeople.of(nameOf(owner), nowMs) + (used.get(nameOf(owner)) ?? 0)
    for (const [workspace, { people }] of sorted([...this.#waiting], ([each]) => ofWorkspace(each)))
      for (const [, jobs] of sorted([...people], ([person]) => ofPerson({ workspace, person }))) yield* jobs
  }

  /** Charges used time to a job's owner. */
  charge({ owner }: J, ms: number, nowMs: number): void {
    this.#ofWorkspaces.add(owner.workspace, ms, nowMs)
    this.#ofPeople.add(nameOf(owner), ms, nowMs)
  }

  /** Time that a workspace used lately, without the jobs at work now. */
  usedBy(workspace: string, nowMs: number): number {
    return this.#ofWorkspaces.of(workspace, nowMs)
  }
}

function nameOf({ workspace, person }: Owner): string {
  return `${workspace} ${person}`
}

function sorted<T>(all: readonly T[], by: (each: T) => number): readonly T[] {
  return all
    .map(each => ({ each, key: by(each) }))
    .sort((a, b) => a.key - b.key)
    .map(({ each }) => each)
}
