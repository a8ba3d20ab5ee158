// The tree of one scope, for proofs: where it ends, its tiles, where an entry is in it, and its heads in the public log.
import { isConsistent, proveConsistency, type ReadTiles } from '../../core/proof/merkle-proof.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { isHead, loadLastLeaves, type ScopeEnd } from '../log/scope-head.ts'
import type { Transaction } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { rootOfTree } from '../trees/tree-growth.ts'

/** A scope that has grown since its last head. */
interface GrownScope {
  readonly end: ScopeEnd
  readonly head: Buffer
  /** Facts of the scope's last head; 0 and null without a head. */
  readonly k: number
  readonly size: number
  readonly root: Buffer | null
}

interface GrownRow {
  readonly scope: string
  readonly seq: number
  readonly head: Buffer
  readonly instants: Buffer
  readonly tree_size: number
  readonly tree_edge: Buffer
  readonly k: number
  readonly head_size: number
  readonly head_root: Buffer | null
}

/** Grown scopes: the given one, or all for null. */
export async function loadGrownScopes(tx: Transaction, scope: string | null): Promise<readonly GrownScope[]> {
  const rows = await tx<GrownRow[]>`select * from grown_scopes(${scope})`
  return rows.map(({ scope, seq, head, instants, tree_size, tree_edge, k, head_size, head_root }) => ({
    end: { scope, seq, instants, tree: { size: tree_size, edge: tree_edge } },
    head,
    k,
    size: head_size,
    root: head_root,
  }))
}

/** The tiles of a scope's tree up to an entry. Inside a transaction of the scope. */
export function scopeTiles(tx: Transaction, { scope, seq, tree }: Pick<ScopeEnd, 'scope' | 'seq' | 'tree'>): ReadTiles {
  return tilesOf(tx, scope, tree.size, count => loadLastLeaves(tx, scope, seq, count))
}

/** Why no head is made for the scope: its tree was changed. Null where it grew. Inside a transaction of the scope. */
export async function whyNotGrown(tx: Transaction, ring: KeyRing, grown: GrownScope): Promise<string | null> {
  const { end, head, size, root } = grown
  if (!isHead(ring, end, head)) return 'its tree was changed in the database itself'
  if (root === null) return null
  const later = { size: end.tree.size, root: rootOfTree(end.tree) }
  if (later.size < size) return `its tree has ${later.size} entries, and the log has a head of ${size}`
  const proof = await proveConsistency(size, later.size, scopeTiles(tx, end)).catch(() => null)
  const isGrown = proof !== null && isConsistent({ size, root }, later, proof)
  return isGrown ? null : `its tree did not grow out of the one of ${size} entries that is in the log`
}
