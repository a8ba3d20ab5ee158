// The part of a workspace's chain that is about one agreement, for people who keep it elsewhere.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../postgres/database.ts'
import { loadSubjectContents } from './chain-contents.ts'

interface ChainPartRows {
  readonly entries: readonly {
    readonly seq: number
    readonly kind: string
    readonly subject: string
    readonly recordedAt: Instant
    readonly contentHash: string
    /** Salt of the hash, where it has one. */
    readonly salt?: string
    readonly content: Json
  }[]
}

/** Rows about a subject, with the hashes that were stored when each was published. Inside a transaction of the workspace. */
export async function loadChainPart(tx: Transaction, scope: string, subject: string): Promise<ChainPartRows> {
  const contents = new Map((await loadSubjectContents(tx, scope, subject)).map(each => [each.seq, each]))
  const published = await tx<(Omit<ChainPartRows['entries'][number], 'salt'> & { readonly salt: string | null })[]>`
    select seq, kind, subject, recorded_at as "recordedAt", encode(content_hash, 'hex') as "contentHash",
      encode(salt, 'hex') as salt
    from publication where scope = ${scope} and subject = ${subject} order by seq`
  const entries = published.map(({ salt, ...row }) => {
    return { ...row, ...(salt === null ? {} : { salt }), content: contents.get(row.seq)?.content ?? null }
  })
  return { entries }
}
