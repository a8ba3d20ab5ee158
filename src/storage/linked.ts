// Whether what is read of one agreement stands under keyed links as it is now, without verifying the whole chain: a row
// that was rewritten, or slipped in, has none.
import { type Found, readContentsOf } from './chain-contents.ts'
import { type LinkFacts, linkZero, makeLink, publicationLines } from './chain-links.ts'
import type { Transaction } from './database.ts'
import type { PublicationKind } from './publish.ts'

interface CoveringLink extends Omit<LinkFacts, 'scope'> {
  readonly link: Buffer
  readonly previous: Buffer | null
  /** What is under it now. */
  readonly held: number
  readonly found: Buffer | null
  /** Of the old chain: its last hash now, and whether it follows from the first of the asked ones. */
  readonly lastHash: Buffer | null
  readonly isChained: boolean | null
}

interface Published {
  readonly seq: number
  readonly kind: PublicationKind
  readonly subject: string
  readonly hash: Buffer
}

/**
 * The numbers of publications of the subject, observations apart, whose rows or links are not as they were made. Inside a
 * transaction of the workspace.
 */
export async function findUnlinked(
  tx: Transaction,
  chainKey: string,
  scope: string,
  subject: string,
): Promise<readonly number[]> {
  const contents = await readContentsOf(tx, scope, subject)
  const published = await tx<Published[]>`
    select seq, kind, subject, content_hash as hash from publication
    where scope = ${scope} and subject = ${subject} and kind <> 'observations'`
  const bySeq = new Map(published.map(row => [row.seq, row]))
  const seqs = [...new Set([...contents.keys(), ...bySeq.keys()])].sort((a, b) => a - b)
  const links = await readLinks(tx, scope, seqs)
  const isGood = (seq: number) =>
    isSame(bySeq.get(seq), contents.get(seq)) &&
    links.some(link => link.firstSeq <= seq && seq <= link.lastSeq && holds(chainKey, scope, link))
  return seqs.filter(seq => !isGood(seq))
}

function isSame(published: Published | undefined, found: readonly Found[] | undefined): boolean {
  const [rows, ...more] = found ?? []
  if (published === undefined || rows === undefined || more.length > 0) return false
  return rows.kind === published.kind && rows.hash.equals(published.hash)
}

function readLinks(tx: Transaction, scope: string, seqs: readonly number[]): Promise<readonly CoveringLink[]> {
  return tx<CoveringLink[]>`
    select l.number, l.covers, l.first_seq as "firstSeq", l.last_seq as "lastSeq", l.publications,
      l.recorded_at as "recordedAt", l.digest, l.link, b.link as previous, now.held, now.found, old.chain_hash as "lastHash",
      old.is_chained as "isChained"
    from publication_link l
    left join publication_link b on b.scope = l.scope and b.number = l.number - 1
    cross join lateral (
      select count(*) as held, ${publicationLines(tx)} as found from publication p
      where p.scope = l.scope and p.seq between l.first_seq and l.last_seq and l.covers = 'publications') now
    cross join lateral (
      select (array_agg(o.chain_hash order by o.seq desc))[1] as chain_hash, bool_and(
        o.previous_hash = coalesce(o.before, o.previous_hash) and o.chain_hash = sha256(o.previous_hash || convert_to(
          o.seq || '|' || instant_text(o.recorded_at) || '|' || o.kind || '|' || o.subject || '|', 'UTF8') || o.content_hash))
        as is_chained
      from (
        select p.*, lag(p.chain_hash) over (order by p.seq) as before from publication p
        where p.scope = l.scope and p.seq between ${seqs[0] ?? 0}::bigint and l.last_seq and l.covers = 'chain') o) old
    where l.scope = ${scope} and exists (
      select 1 from unnest(${seqs as number[]}::bigint[]) as asked (seq) where asked.seq between l.first_seq and l.last_seq)`
}

function holds(chainKey: string, scope: string, row: CoveringLink): boolean {
  const previous = row.number === 1 ? linkZero(chainKey, scope) : row.previous
  if (previous === null || !row.link.equals(makeLink(chainKey, previous, { ...row, scope }))) return false
  if (row.covers === 'chain') return row.isChained === true && row.lastHash?.equals(row.digest) === true
  return row.held === row.publications && row.found?.equals(row.digest) === true
}
