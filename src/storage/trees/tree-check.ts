// Check of a stored tree against its leaves, given one after the other: every tile, every head that was put into the public log,
// and the end of the tree. It holds a few tiles at a time.
import { appendLeaf, emptyFrontier, type Frontier, rootOf } from '../../core/proof/frontier.ts'
import { type Hash, isSameHash } from '../../core/proof/merkle-hash.ts'
import { emptyEdge, growEdge, type TileEdge } from '../../core/proof/tile-edge.ts'
import { limits } from '../../limits.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import type { Statement } from '../postgres/sql.ts'
import { endOf, type TreeEnd } from './tree-growth.ts'

/** A root that somebody was told for a size of the tree. */
interface KnownRoot {
  readonly size: number
  readonly root: Buffer
}

export class TreeCheck {
  readonly #tx: Transaction
  readonly #scope: string
  readonly #known: RowCursor<KnownRoot>
  #frontier: Frontier = emptyFrontier
  #edge: TileEdge = emptyEdge
  #waiting: Hash[] = []
  #tiles = 0

  private constructor(tx: Transaction, scope: string, known: RowCursor<KnownRoot>) {
    this.#tx = tx
    this.#scope = scope
    this.#known = known
  }

  /** `known`: roots at growing sizes. */
  static async open(tx: Transaction, scope: string, known: Statement<KnownRoot[]>): Promise<TreeCheck> {
    return new TreeCheck(
      tx,
      scope,
      await RowCursor.open(tx, `tree_roots_of_${scope}`, known, limits.publicationsVerified),
    )
  }

  /** Problem of the tree up to this leaf. */
  async add(leaf: Hash): Promise<string | null> {
    this.#frontier = appendLeaf(this.#frontier, leaf)
    this.#waiting.push(leaf)
    for (let known = await this.#known.peek(); known?.size === this.#frontier.size; known = await this.#known.peek()) {
      if (!isSameHash(known.root, rootOf(this.#frontier))) return rewritten(known.size)
      await this.#known.take()
    }
    return this.#waiting.length < limits.publicationsVerified ? null : this.#compareTiles()
  }

  async finish(end: TreeEnd): Promise<string | null> {
    const problem = await this.#compareTiles()
    if (problem !== null) return problem
    const known = await this.#known.peek()
    if (known !== null) return rewritten(known.size)
    const { size, edge } = endOf(this.#frontier)
    if (size !== end.size || !edge.equals(end.edge)) return 'the tree under the head is not over these publications'
    const [stored] = await this.#tx<{ count: number }[]>`
      select count(*) as count from log_tile where scope = ${this.#scope}`
    return stored!.count === this.#tiles ? null : 'the tree has tiles that nothing was published for'
  }

  async #compareTiles(): Promise<string | null> {
    const { edge, filled } = growEdge(this.#edge, this.#waiting)
    this.#edge = edge
    this.#waiting = []
    this.#tiles += filled.length
    for (const { level, index, bytes } of filled) {
      const [stored] = await this.#tx<{ hashes: Buffer }[]>`
        select hashes from log_tile where scope = ${this.#scope} and level = ${level} and number = ${index}`
      if (stored === undefined || !stored.hashes.equals(bytes))
        return `tile ${index} of level ${level} of the tree was changed`
    }
    return null
  }
}

function rewritten(size: number): string {
  return `the history was rewritten: the tree of its first ${size} entries is not the one in the log`
}
