// End of a scope: its newest entry, the tree over all entries and their instants, under one head. The head is an HMAC under a key
// made from the server's secret: access to the database alone is not enough to make one over another tree.
import { createHash } from 'node:crypto'
import { hashBytes } from '../../core/proof/merkle-hash.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Transaction } from '../postgres/database.ts'
import { emptyTree, growTree, type TreeEnd } from '../trees/tree-growth.ts'

export interface ScopeEnd {
  readonly scope: string
  /** Number of the newest entry. */
  readonly seq: number
  readonly tree: TreeEnd
  /** Digest of the instants of all entries, which the leaves do not have. */
  readonly instants: Buffer
}

/** Digest of a scope without entries. */
export const noInstants: Buffer = Buffer.alloc(hashBytes)

/** The digest after one more transaction: the number of its last entry, and the instant that all of its entries share. */
export function addInstant(instants: Buffer, lastSeq: number, recordedAt: Instant): Buffer {
  return createHash('sha256').update(instants).update(`${lastSeq}|${recordedAt}`).digest()
}

export function makeHead(ring: KeyRing, end: ScopeEnd): Buffer {
  return ring.mac('scope heads', wordsOf(end))
}

export function isHead(ring: KeyRing, end: ScopeEnd, head: Buffer): boolean {
  return ring.holds('scope heads', wordsOf(end), head)
}

function wordsOf({ scope, seq, tree, instants }: ScopeEnd): string {
  const words = ['assize head 3', scope, seq, tree.size, tree.edge.toString('hex'), instants.toString('hex')]
  return words.join('\n')
}

/** Leaves that the database puts together in its memory at once. */
const mostTogether = limits.leavesTogether

/** Line of an entry in its leaf, as SQL over rows of `publication` called p. */
const entryLine = `p.seq || '|' || p.kind || '|' || p.subject || '|' || encode(p.content_hash, 'hex')`

/** The leaves of the tree, one after the other. */
function entryLeaves(tx: Transaction) {
  return tx`string_agg(sha256('\\x00'::bytea || convert_to(${tx.unsafe(entryLine)}, 'UTF8')), ''::bytea order by p.seq)`
}

/** The last so many leaves of the tree up to an entry. */
export async function loadLastLeaves(tx: Transaction, scope: string, seq: number, count: number): Promise<Buffer> {
  // Bounded on both sides: by a bound above and a limit alone, a database that has no statistics yet sorts the whole scope.
  const [row] = await tx<{ leaves: Buffer | null }[]>`
    select ${entryLeaves(tx)} as leaves from publication p
    where p.scope = ${scope} and p.seq > ${seq - count} and p.seq <= ${seq}`
  return row!.leaves ?? Buffer.alloc(0)
}

/** Puts entries after `end` into the tree and returns the new end, or `null` where there were none. Inside the transaction. */
export async function coverEntries(
  tx: Transaction,
  ring: KeyRing,
  end: ScopeEnd,
  recordedAt: Instant,
): Promise<ScopeEnd | null> {
  const { scope } = end
  const batches = await tx<{ last: number; leaves: Buffer }[]>`
    select max(p.seq) as last, ${entryLeaves(tx)} as leaves
    from publication p where p.scope = ${scope} and p.seq > ${end.seq}
    group by (p.seq - ${end.seq}::bigint - 1) / ${mostTogether} order by 1`
  if (batches.length === 0) return null
  const leaves = Buffer.concat(batches.map(batch => batch.leaves))
  const tree = await growTree(tx, scope, end.tree, leaves, count => loadLastLeaves(tx, scope, end.seq, count))
  const seq = batches.at(-1)!.last
  const newEnd = { scope, seq, tree, instants: addInstant(end.instants, seq, recordedAt) }
  await tx`
    select append_tree(${seq}, ${makeHead(ring, newEnd)}, ${newEnd.instants}, ${tree.size}, ${tree.edge})`
  return newEnd
}

/** Makes the clock and the empty tree of a new scope. For the owner's connection. */
export async function openScope(tx: Transaction, ring: KeyRing, scope: string): Promise<void> {
  const head = makeHead(ring, { scope, seq: 0, tree: emptyTree, instants: noInstants })
  await tx`
    insert into scope_clock (scope, seq, covered_seq, settled_at, head) values (${scope}, 0, 0, '1970-01-01T00:00:00Z', ${head})`
}
