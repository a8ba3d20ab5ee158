// The part of a workspace's chain of entries about one agreement: each entry with everything that its hash covers. Anybody can
// compute the hashes again; slips show that the entries are in the log.
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import { sha256 } from '../../core/text/sha256.ts'

interface ChainEntry {
  readonly seq: number
  readonly kind: string
  readonly subject: string
  readonly recordedAt: string
  /** 64 hexadecimal digits, like all hashes here. */
  readonly contentHash: string
  /** 32 hexadecimal digits, where the hash has one: its bytes come before the content. */
  readonly salt?: string
  readonly content: Json
}

export interface ChainPart {
  readonly scope: string
  readonly entries: readonly ChainEntry[]
}

/** A salt has one length alone, so that bytes of the content cannot be taken for it. */
function isSalt(salt: string | undefined): boolean {
  return salt === undefined || /^[0-9a-f]{32}$/.test(salt)
}

/** The content of an entry of the kind `redaction`: another entry's content was replaced, from one hash to another. */
interface Redaction {
  readonly entry: number
  readonly kind: string
  readonly was: string
  readonly is: string
  readonly instead: string
  readonly reason: string
  readonly by: string
}

/** Redactions in their order, with their time, by the number of the redacted entry. */
export function redactionsOf({
  entries,
}: Pick<ChainPart, 'entries'>): ReadonlyMap<number, readonly (Redaction & { readonly at: string })[]> {
  const all = entries
    .filter(({ kind }) => kind === 'redaction')
    .map(({ content, recordedAt }) => ({ ...(content as unknown as Redaction), at: recordedAt }))
  return Map.groupBy(all, ({ entry }) => entry)
}

/** The hash of the content after its redactions; null where they do not follow from the entry. */
function hashNow({ kind, contentHash }: ChainEntry, redactions: readonly Redaction[]): string | null {
  let hash = contentHash
  for (const each of redactions) {
    if (each.was !== hash || each.kind !== kind || kind === 'redaction') return null
    hash = each.is
  }
  return hash
}

/** Everything that is inconsistent, in words; empty if all of it follows. */
export function chainProblems({ entries }: Pick<ChainPart, 'entries'>): readonly string[] {
  const redactions = redactionsOf({ entries })
  return entries.flatMap(entry => {
    const { seq, kind, content, salt } = entry
    const hash = hashNow(entry, redactions.get(seq) ?? [])
    if (hash === null) return [`a redaction of publication ${seq} (${kind}) does not go on from what was published`]
    const isSame = isSalt(salt) && sha256(canonicalJson(content), salt) === hash
    return isSame ? [] : [`publication ${seq} (${kind}) is not what its hash covers`]
  })
}
