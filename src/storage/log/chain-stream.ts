// Stream of the contents in a scope's rows, in the order of their entries: one cursor for each kind, merged by number, so that a
// scope of any size is verified with a few pieces in memory. A row that cannot be read is a finding, like one that was changed.
import { limits } from '../../limits.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import { type EntryContent, findIn, type LogEntry } from './chain-contents.ts'
import { allEntryKinds, type EntryKind, entryKinds } from './entry-kinds.ts'
import { type EntryRow, selectEntries } from './entry-rows.ts'

/** The rows of one kind. */
interface Lane {
  readonly kind: EntryKind
  readonly cursor: RowCursor<EntryRow>
}

export class ContentStream {
  readonly #lanes: readonly Lane[]
  /** Most rows that were held at once. */
  held = 0

  private constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes
  }

  /** Opens the stream inside a snapshot of the scope. */
  static async open(tx: Transaction, scope: string): Promise<ContentStream> {
    const lanes: Lane[] = []
    for (const kind of allEntryKinds) {
      const rows = tx<EntryRow[]>`select * from (${selectEntries(tx, kind, scope)}) facts order by facts.seq`
      // Rows that the database hashes are short.
      const most = entryKinds[kind].content === null ? limits.publicationsVerified : limits.factsVerified
      lanes.push({ kind, cursor: await RowCursor.open(tx, `chain_${kind}`, rows, most) })
    }
    return new ContentStream(lanes)
  }

  /** Takes everything up to an entry that was not taken yet, by number. */
  async takeUpTo({ seq: last, salt }: Pick<LogEntry, 'seq' | 'salt'>): Promise<readonly EntryContent[]> {
    const found: EntryContent[] = []
    for (const lane of this.#lanes)
      for (let row = await this.#peek(lane); row !== null && row.seq <= last; row = await this.#peek(lane)) {
        found.push(findIn(lane.kind, row, row.seq === last ? salt : null))
        await lane.cursor.take()
      }
    const held = this.#lanes.reduce((sum, { cursor }) => sum + cursor.held, found.length)
    this.held = Math.max(this.held, held)
    return found.sort((a, b) => a.seq - b.seq)
  }

  /** Number of the first remaining row; null at the end. */
  async first(): Promise<number | null> {
    let first: number | null = null
    for (const lane of this.#lanes) {
      const row = await this.#peek(lane)
      if (row !== null && (first === null || row.seq < first)) first = row.seq
    }
    return first
  }

  /** The driver reads no value that nothing of ours writes, such as an instant at infinity. */
  async #peek({ kind, cursor }: Lane): Promise<EntryRow | null> {
    try {
      return await cursor.peek()
    } catch (error) {
      if (!(error instanceof Error) || 'code' in error) throw error
      throw new Error(`in the rows of the kind ${kind}, ${error.message}`, { cause: error })
    }
  }
}
