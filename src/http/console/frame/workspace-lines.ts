// A queue for each workspace in front of slow work: a workspace that requests ten lists at once waits for its own, and never for
// those of another.
import { Refusal } from '../../../core/refusal.ts'
import { NotServed, WaitingLine, type WaitingLineOptions } from '../../../workers/waiting-line.ts'

interface WorkspaceQueue {
  readonly line: WaitingLine
  /** Number of people who wait or are at work; an empty queue is removed. */
  people: number
}

export class WorkspaceLines {
  readonly #options: WaitingLineOptions
  readonly #lines = new Map<string, WorkspaceQueue>()

  constructor(options: WaitingLineOptions) {
    this.#options = options
  }

  async run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const own = this.#lines.get(workspaceId) ?? { line: new WaitingLine(this.#options), people: 0 }
    this.#lines.set(workspaceId, own)
    own.people++
    try {
      return await own.line.run(work, true)
    } catch (error) {
      if (error instanceof NotServed)
        throw new Refusal(
          'unavailable',
          'too many lists of this workspace are requested at once; try again in a moment',
        )
      throw error
    } finally {
      own.people--
      if (own.people === 0) this.#lines.delete(workspaceId)
    }
  }
}
