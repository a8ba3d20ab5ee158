// What the rows of a scope say, in the order of their publications: one cursor for each kind, merged by number, so that a
// scope of any size is verified with a few pieces in memory. A row that cannot be read is found like one that was changed.
import { limits } from '../../limits.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import { type FactRow, type Found, factSources, hashOf, observationGroups } from './chain-contents.ts'

/** The rows of one kind. */
interface Lane {
  readonly kind: string
  readonly cursor: RowCursor<FactRow>
  readonly read: (row: FactRow) => Found
}

export class ContentStream {
  readonly #lanes: readonly Lane[]
  /** How many rows were held at once at most. */
  held = 0

  private constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes
  }

  /** Inside a snapshot of the scope. */
  static async open(tx: Transaction, scope: string): Promise<ContentStream> {
    const groups = tx<FactRow[]>`select * from (${observationGroups(tx, scope)}) facts order by facts.seq`
    const most = limits.publicationsVerified
    const lanes: Lane[] = [
      {
        kind: 'observations',
        cursor: await RowCursor.open(tx, 'chain_observations', groups, most),
        read: row => ({ ...row, kind: 'observations', hash: (row as unknown as { hash: Buffer }).hash }),
      },
    ]
    for (const source of factSources) {
      const rows = tx<FactRow[]>`select * from (${source.select(tx, scope)}) facts order by facts.seq`
      const cursor = await RowCursor.open(tx, `chain_${source.kind}`, rows, limits.factsVerified)
      lanes.push({ kind: source.kind, cursor, read: row => ({ ...row, kind: source.kind, hash: hashOf(source, row) }) })
    }
    return new ContentStream(lanes)
  }

  /** Everything up to a number that was not taken yet, by number. */
  async takeUpTo(last: number): Promise<readonly Found[]> {
    const found: Found[] = []
    for (const lane of this.#lanes)
      for (let row = await this.#peek(lane); row !== null && row.seq <= last; row = await this.#peek(lane)) {
        const { seq, subject, recordedAt, kind, hash } = lane.read(row)
        found.push({ seq, subject, recordedAt, kind, hash })
        await lane.cursor.take()
      }
    const held = this.#lanes.reduce((sum, { cursor }) => sum + cursor.held, found.length)
    this.held = Math.max(this.held, held)
    return found.sort((a, b) => a.seq - b.seq)
  }

  /** The first that is left; null at the end. */
  async first(): Promise<number | null> {
    let first: number | null = null
    for (const lane of this.#lanes) {
      const row = await this.#peek(lane)
      if (row !== null && (first === null || row.seq < first)) first = row.seq
    }
    return first
  }

  /** The driver reads no value that nothing of ours writes, such as an instant at infinity. */
  async #peek({ kind, cursor }: Lane): Promise<FactRow | null> {
    try {
      return await cursor.peek()
    } catch (error) {
      if (!(error instanceof Error) || 'code' in error) throw error
      throw new Error(`in the rows of the kind ${kind}, ${error.message}`, { cause: error })
    }
  }
}
