// The part of a workspace's chain that is about one agreement, for people who keep it elsewhere.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../postgres/database.ts'
import { readSubjectContents } from './chain-contents.ts'

interface ChainPartRows {
  readonly entries: readonly {
    readonly seq: number
    readonly kind: string
    readonly subject: string
    readonly recordedAt: Instant
    readonly contentHash: string
    /** Where its hash has one. */
    readonly salt?: string
    readonly content: Json
  }[]
  readonly links: readonly {
    readonly number: number
    readonly firstSeq: number
    readonly lastSeq: number
    readonly publications: number
    readonly recordedAt: Instant
    readonly digest: string
    readonly link: string
  }[]
}

/** With the hashes that were stored when each was published. Inside a transaction of the workspace. */
export async function readChainPart(tx: Transaction, scope: string, subject: string): Promise<ChainPartRows> {
  const contents = new Map((await readSubjectContents(tx, scope, subject)).map(each => [each.seq, each]))
  const published = await tx<(Omit<ChainPartRows['entries'][number], 'salt'> & { readonly salt: string | null })[]>`
    select seq, kind, subject, recorded_at as "recordedAt", encode(content_hash, 'hex') as "contentHash",
      encode(salt, 'hex') as salt
    from publication where scope = ${scope} and subject = ${subject} order by seq`
  const entries = published.map(({ salt, ...row }) => {
    return { ...row, ...(salt === null ? {} : { salt }), content: contents.get(row.seq)?.content ?? null }
  })
  const seqs = entries.map(({ seq }) => seq)
  const links = await tx<ChainPartRows['links'][number][]>`
    select l.number, l.first_seq as "firstSeq", l.last_seq as "lastSeq", l.publications, l.recorded_at as "recordedAt",
      encode(l.digest, 'hex') as digest, encode(l.link, 'hex') as link
    from publication_link l
    where l.scope = ${scope} and exists (
      select 1 from unnest(${seqs}::bigint[]) as p (seq) where p.seq between l.first_seq and l.last_seq)
    order by l.number`
  return { entries, links }
}
