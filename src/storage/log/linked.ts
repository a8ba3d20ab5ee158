// The part of a scope that is not covered by keyed links as it was published. Verifying a chain stops at the first
// problem; this continues, to show which agreements are affected. Observations are left out.

import { logWriterOf, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { type Found, type LogEntry, Redactions, readFactsOf, whyChanged } from './chain-contents.ts'
import { entryLines, type LinkFacts, linkZero, makeLink } from './chain-links.ts'
import { massKinds } from './entry-kinds.ts'

interface Unlinked {
  readonly seq: number
  /** A series, an agreement or a file by the name in its rows, or the entry where they are gone. */
  readonly subject: string
}

interface LinkedRow extends Omit<LinkFacts, 'scope'> {
  readonly link: Buffer
  readonly previous: Buffer | null
  /** What is under it now. */
  readonly held: number
  readonly found: Buffer | null
  /** Of the old chain: its last hash now, and whether each entry follows from the one before. */
  readonly lastHash: Buffer | null
  readonly isChained: boolean | null
}

/** By number. The connections must have been opened with the chain's key. */
export function findUnlinked(sql: Sql, scope: string): Promise<readonly Unlinked[]> {
  const { chainKey } = logWriterOf(sql)
  return withWorkspace(sql, scope, tx => compare(tx, chainKey, scope), 'snapshot')
}

async function compare(tx: Transaction, chainKey: string, scope: string): Promise<readonly Unlinked[]> {
  await tx`select set_config('statement_timeout', '0', true)`
  const published = await tx<LogEntry[]>`
    select seq, kind, subject, recorded_at as "recordedAt", content_hash as hash, salt from publication
    where scope = ${scope} and kind <> all(${massKinds as string[]}::text[])`
  const bySeq = new Map(published.map(row => [row.seq, row]))
  const redactions = await Redactions.of(tx, scope)
  const contents = await readFactsOf(tx, scope, seq => bySeq.get(seq)?.salt ?? null)
  const good = (await readLinks(tx, scope)).filter(link => holds(chainKey, scope, link))
  const seqs = [...new Set([...contents.keys(), ...bySeq.keys()])].sort((a, b) => a - b)
  let next = 0
  return seqs.flatMap(seq => {
    while (next < good.length && good[next]!.lastSeq < seq) next++
    const isUnderLink = next < good.length && good[next]!.firstSeq <= seq
    const entry = bySeq.get(seq)
    const found = contents.get(seq) ?? []
    if (isUnderLink && entry !== undefined && whyOther(redactions, entry, found) === null) return []
    return [{ seq, subject: found[0]?.subject ?? entry!.subject }]
  })
}

function whyOther(redactions: Redactions, entry: LogEntry, found: readonly Found[]): string | null {
  return redactions.problemOf(entry)?.message ?? whyChanged(redactions.applied(entry), found)
}

function readLinks(tx: Transaction, scope: string): Promise<readonly LinkedRow[]> {
  return tx<LinkedRow[]>`
    select l.number, l.covers, l.first_seq as "firstSeq", l.last_seq as "lastSeq", l.publications,
      l.recorded_at as "recordedAt", l.digest, l.link, b.link as previous, now.held, now.found, old.chain_hash as "lastHash",
      old.is_chained as "isChained"
    from publication_link l
    left join publication_link b on b.scope = l.scope and b.number = l.number - 1
    cross join lateral (
      select count(*) as held, ${entryLines(tx)} as found from publication p
      where p.scope = l.scope and p.seq between l.first_seq and l.last_seq and l.covers = 'publications') now
    cross join lateral (
      select (array_agg(o.chain_hash order by o.seq desc))[1] as chain_hash, bool_and(
        o.previous_hash = coalesce(o.before, o.previous_hash) and o.chain_hash = sha256(o.previous_hash || convert_to(
          o.seq || '|' || instant_text(o.recorded_at) || '|' || o.kind || '|' || o.subject || '|', 'UTF8') || o.content_hash))
        as is_chained
      from (
        select p.*, lag(p.chain_hash) over (order by p.seq) as before from publication p
        where p.scope = l.scope and p.seq between l.first_seq and l.last_seq and l.covers = 'chain') o) old
    where l.scope = ${scope} order by l.first_seq, l.number`
}

function holds(chainKey: string, scope: string, row: LinkedRow): boolean {
  const previous = row.number === 1 ? linkZero(chainKey, scope) : row.previous
  if (previous === null || !row.link.equals(makeLink(chainKey, previous, { ...row, scope }))) return false
  if (row.covers === 'chain') return row.isChained === true && row.lastHash?.equals(row.digest) === true
  return row.held === row.publications && row.found?.equals(row.digest) === true
}
