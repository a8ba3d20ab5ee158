// The links of a scope's chain: each is an HMAC over what was published together and the link before it, under a key
// made from the server's secret. Access to the database alone is not enough to make one, nor a head that names another
// link as the last, or another tree.
import { createHmac } from 'node:crypto'
import { hashBytes } from '../../core/proof/merkle-hash.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Transaction } from '../postgres/database.ts'
import { emptyTree, growTree, type TreeEnd } from '../trees/tree-growth.ts'

/** What a link states about the entries under it. */
export interface LinkFacts {
  readonly scope: string
  readonly number: number
  /** `chain`: everything from before there were keyed links, by the last hash of the old chain. */
  readonly covers: 'chain' | 'publications'
  readonly firstSeq: number
  readonly lastSeq: number
  readonly publications: number
  readonly recordedAt: Instant
  readonly digest: Buffer
}

/** Where a chain ends, and the tree over the same entries. */
export interface ChainEnd {
  readonly scope: string
  readonly seq: number
  readonly links: number
  readonly link: Buffer
  readonly tree: TreeEnd
}

function mac(chainKey: string, words: readonly (string | number)[]): Buffer {
  return createHmac('sha256', Buffer.from(chainKey, 'hex')).update(words.join('\n')).digest()
}

/** What stands before the first link. */
export function linkZero(chainKey: string, scope: string): Buffer {
  return mac(chainKey, ['assize chain 1', scope])
}

export function makeLink(chainKey: string, previous: Buffer, facts: LinkFacts): Buffer {
  const { scope, number, covers, firstSeq, lastSeq, publications: entries, recordedAt, digest } = facts
  const words = [scope, number, covers, firstSeq, lastSeq, entries, recordedAt]
  return mac(chainKey, ['assize link 1', ...words, digest.toString('hex'), previous.toString('hex')])
}

export function makeHead(chainKey: string, { scope, seq, links, link, tree }: ChainEnd): Buffer {
  const words = [scope, seq, links, link.toString('hex'), tree.size, tree.edge.toString('hex')]
  return mac(chainKey, ['assize head 2', ...words])
}

/** Entries under one link at most: their lines are put together in the memory of the database. */
const mostTogether = limits.publicationsPerLink

interface Batch {
  readonly first: number
  readonly last: number
  readonly count: number
  readonly digest: Buffer
  readonly leaves: Buffer
}

/** What links and leaves say of an entry, as SQL over rows of `publication` called p. */
const entryLine = `p.seq || '|' || p.kind || '|' || p.subject || '|' || encode(p.content_hash, 'hex')`

/** The lines a link's digest covers. */
export function entryLines(tx: Transaction) {
  return tx`sha256(convert_to(string_agg(${tx.unsafe(entryLine)}, chr(10) order by p.seq), 'UTF8'))`
}

/** The leaves of the tree, one after the other. */
function entryLeaves(tx: Transaction) {
  return tx`string_agg(sha256('\\x00'::bytea || convert_to(${tx.unsafe(entryLine)}, 'UTF8')), ''::bytea order by p.seq)`
}

/** The last so many leaves of the tree up to an entry. */
export async function readLastLeaves(tx: Transaction, scope: string, seq: number, count: number): Promise<Buffer> {
  // Bounded on both sides: by a bound above and a limit alone, a database that has no statistics yet sorts the whole scope. Numbers
  // have gaps only where they were given before scopes had their own.
  const found = await readLeaves(tx, scope, { after: seq - count, upTo: seq }, count)
  return found?.length === count * hashBytes ? found : (await readLeaves(tx, scope, { after: 0, upTo: seq }, count))!
}

async function readLeaves(
  tx: Transaction,
  scope: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  count: number,
): Promise<Buffer | null> {
  const [row] = await tx<{ leaves: Buffer | null }[]>`
    select ${entryLeaves(tx)} as leaves from (
      select * from publication where scope = ${scope} and seq > ${after} and seq <= ${upTo} order by seq desc limit ${count}) p`
  return row!.leaves
}

/** Puts what was published after `end` under links and into the tree; the new end, or `null` where nothing was. Inside the transaction. */
export async function linkEntries(
  tx: Transaction,
  chainKey: string,
  end: ChainEnd,
  recordedAt: Instant,
): Promise<ChainEnd | null> {
  const { scope } = end
  const batches = await tx<Batch[]>`
    select min(p.seq) as first, max(p.seq) as last, count(*) as count, ${entryLines(tx)} as digest,
      ${entryLeaves(tx)} as leaves
    from publication p where p.scope = ${scope} and p.seq > ${end.seq}
    group by (p.seq - ${end.seq}::bigint - 1) / ${mostTogether} order by 1`
  if (batches.length === 0) return null
  let { links, link } = end
  const made = batches.map(({ first, last, count, digest }) => {
    const facts = { scope, number: ++links, covers: 'publications', recordedAt, digest } as const
    link = makeLink(chainKey, link, { ...facts, firstSeq: first, lastSeq: last, publications: count })
    return { number: links, first, last, count, digest: digest.toString('hex'), link: link.toString('hex') }
  })
  const leaves = Buffer.concat(batches.map(batch => batch.leaves))
  const tree = await growTree(tx, scope, end.tree, leaves, count => readLastLeaves(tx, scope, end.seq, count))
  const newEnd = { scope, seq: batches.at(-1)!.last, links, link, tree }
  const column = (name: 'number' | 'first' | 'last' | 'count') => made.map(each => each[name])
  const bytes = (name: 'digest' | 'link') =>
    tx`array(select decode(h, 'hex') from unnest(${made.map(each => each[name])}::text[]) with ordinality as t (h, n) order by n)`
  await tx`
    select append_links(${column('number')}::bigint[], ${column('first')}::bigint[], ${column('last')}::bigint[],
      ${column('count')}::bigint[], ${bytes('digest')}, ${bytes('link')}, ${makeHead(chainKey, newEnd)},
      ${tree.size}, ${tree.edge})`
  return newEnd
}

/** The clock, the empty chain and the empty tree of a new scope. For the owner's connection. */
export async function openScope(tx: Transaction, chainKey: string, scope: string): Promise<void> {
  const link = linkZero(chainKey, scope)
  const head = makeHead(chainKey, { scope, seq: 0, links: 0, link, tree: emptyTree })
  await tx`
    insert into scope_clock (scope, seq, linked_seq, links, settled_at, link, head)
    values (${scope}, 0, 0, 0, '1970-01-01T00:00:00Z', ${link}, ${head})`
}
