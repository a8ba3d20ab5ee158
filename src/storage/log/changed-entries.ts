// Changed entries of a scope: those that differ from their rows, and those that are not in the tree under the keyed head.
// Verifying a scope stops at the first problem; here the reading goes on, to show which agreements are affected. Observations are
// left out.
import { appendLeaf, emptyFrontier, type Frontier } from '../../core/proof/frontier.ts'
import { completeRoot, type Hash, hashBytes, hashesIn, isSameHash, leafHash } from '../../core/proof/merkle-hash.ts'
import { fullTile } from '../../core/proof/tile.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { logWriterOf, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { appendSubtree, endOf, type TreeEnd } from '../trees/tree-growth.ts'
import { type EntryContent, type LogEntry, lineOf, loadFactsOf, Redactions, whyChanged } from './chain-contents.ts'
import { massKinds } from './entry-kinds.ts'
import { isHead, type ScopeEnd } from './scope-head.ts'

interface ChangedEntry {
  readonly seq: number
  /** Name of a series, an agreement or a file in its rows, or in the entry where they are gone. */
  readonly subject: string
}

/** Finds changed entries, by number. The connections must have been opened with the secrets. */
export function findChangedEntries(sql: Sql, scope: string): Promise<readonly ChangedEntry[]> {
  const { ring } = logWriterOf(sql)
  return withWorkspace(sql, scope, tx => compare(tx, ring, scope), 'snapshot')
}

async function compare(tx: Transaction, ring: KeyRing, scope: string): Promise<readonly ChangedEntry[]> {
  await tx`select set_config('statement_timeout', '0', true)`
  const published = await tx<LogEntry[]>`
    select seq, kind, subject, recorded_at as "recordedAt", content_hash as hash, salt from publication
    where scope = ${scope} order by seq`
  const inTree = await leavesInTree(tx, ring, scope, published)
  const read = published.filter(({ kind }) => !massKinds.includes(kind))
  const bySeq = new Map(read.map(row => [row.seq, row]))
  const redactions = await Redactions.of(tx, scope)
  const contents = await loadFactsOf(tx, scope, seq => bySeq.get(seq)?.salt ?? null)
  const seqs = [...new Set([...contents.keys(), ...bySeq.keys()])].sort((a, b) => a - b)
  return seqs.flatMap(seq => {
    const entry = bySeq.get(seq)
    const found = contents.get(seq) ?? []
    if (entry !== undefined && inTree.has(seq) && whyOther(redactions, entry, found) === null) return []
    return [{ seq, subject: found[0]?.subject ?? entry!.subject }]
  })
}

function whyOther(redactions: Redactions, entry: LogEntry, found: readonly EntryContent[]): string | null {
  return redactions.problemOf(entry)?.message ?? whyChanged(redactions.applied(entry), found)
}

/** Numbers of entries that are in the tree where they stand; none under a head that is not ours. */
async function leavesInTree(
  tx: Transaction,
  ring: KeyRing,
  scope: string,
  entries: readonly LogEntry[],
): Promise<ReadonlySet<number>> {
  const [clock] = await tx<(TreeEnd & Omit<ScopeEnd, 'scope' | 'tree'> & { head: Buffer })[]>`
    select seq, instants, tree_size as size, tree_edge as edge, head from scope_clock where scope = ${scope}`
  if (clock === undefined) return new Set()
  const { seq, instants, head, size, edge } = clock
  if (!isHead(ring, { scope, seq, instants, tree: { size, edge } }, head)) return new Set()
  const leaves = entries.map(entry => leafHash(Buffer.from(lineOf(entry))))
  const tiled = await loadTiledLeaves(tx, scope, { size, edge })
  const inTree = new Set<number>()
  for (const [at, leaf] of tiled.entries())
    if (leaves[at] !== undefined && isSameHash(leaves[at], leaf)) inTree.add(entries[at]!.seq)
  // Leaves outside of whole tiles are known by the roots of whole subtrees alone.
  let from = tiled.length
  for (const { leaves: count, root } of subtreesOf({ size, edge }, tiled.length)) {
    const own = leaves.slice(from, from + count)
    if (own.length === count && isSameHash(rootOfSubtree(own), root))
      for (const { seq: number } of entries.slice(from, from + count)) inTree.add(number)
    from += count
  }
  return inTree
}

/** The leaves of all whole tiles, if they are those under the head; none otherwise. */
async function loadTiledLeaves(tx: Transaction, scope: string, { size, edge }: TreeEnd): Promise<readonly Hash[]> {
  const tiles = await tx<{ hashes: Buffer }[]>`
    select hashes from log_tile where scope = ${scope} and level = 0 order by number`
  const whole = tiles.reduce<Frontier>(
    (grown, { hashes }) => appendSubtree(grown, completeRoot(hashes), fullTile),
    emptyFrontier,
  )
  const end = endOf(whole)
  const isOurs = end.size === size - (size % fullTile) && end.edge.equals(edge.subarray(0, end.edge.length))
  return isOurs ? tiles.flatMap(({ hashes }) => hashesIn(hashes)) : []
}

/** The whole subtrees of a tree from a leaf on, from left to right. */
function subtreesOf({ size, edge }: TreeEnd, from: number): readonly { leaves: number; root: Hash }[] {
  const powers = Array.from({ length: 48 }, (_, i) => 2 ** (47 - i)).filter(power => Math.floor(size / power) % 2 === 1)
  let at = 0
  return powers.flatMap((leaves, i) => {
    const first = at
    at += leaves
    return first < from ? [] : [{ leaves, root: edge.subarray(i * hashBytes, (i + 1) * hashBytes) }]
  })
}

function rootOfSubtree(leaves: readonly Hash[]): Hash {
  return leaves.reduce(appendLeaf, emptyFrontier).roots[0]!
}
