// The part of a workspace's chain that is about one agreement: every entry with what its hash covers, and the links over
// them. Anybody can compute the hashes again; only the holder of the server's secret can check that the links follow
// from each other.
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

interface ChainLink {
  readonly number: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly publications: number
  readonly recordedAt: string
  readonly digest: string
  readonly link: string
}

export interface ChainPart {
  readonly scope: string
  readonly entries: readonly ChainEntry[]
  readonly links: readonly ChainLink[]
}

/** Of one length alone, so that bytes of the content cannot be taken for it. */
function isSalt(salt: string | undefined): boolean {
  return salt === undefined || /^[0-9a-f]{32}$/.test(salt)
}

/** Everything that is inconsistent, in words; empty if all of it follows. */
export function chainProblems({ entries, links }: ChainPart): readonly string[] {
  const problems = entries
    .filter(({ content, salt, contentHash }) => !isSalt(salt) || sha256(canonicalJson(content), salt) !== contentHash)
    .map(({ seq, kind }) => `publication ${seq} (${kind}) is not what its hash covers`)
  for (const { number, firstSeq, lastSeq, publications, digest } of links) {
    const under = entries.filter(({ seq }) => seq >= firstSeq && seq <= lastSeq)
    if (under.length === 0) problems.push(`link ${number} is over nothing of this agreement`)
    // Other entries are under the same link: then only the server can compute it.
    if (under.length !== publications) continue
    const lines = under.map(({ seq, kind, subject, contentHash }) => `${seq}|${kind}|${subject}|${contentHash}`)
    if (sha256(lines.join('\n')) !== digest) problems.push(`link ${number} is not over these publications`)
  }
  const uncovered = entries.filter(
    ({ seq }) => !links.some(({ firstSeq, lastSeq }) => seq >= firstSeq && seq <= lastSeq),
  )
  return [...problems, ...uncovered.map(({ seq }) => `publication ${seq} is under no link`)]
}
