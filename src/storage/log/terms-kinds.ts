// Entries about changes of terms: proposed splices and amendments, their signatures and refusals. The version that an agreed
// change makes is an entry of the kind `formula`, of the same transaction.
import { actColumns, actContent, actJoin, statementColumns, statementContent } from './agreement-kinds.ts'
import { column, entryKind, number, sealedAs, sql, text, textOrNull } from './entry-kind.ts'

const ofChange = 'join terms_change c on c.workspace_id = r.workspace_id and c.id = r.change_id'

export const termsKinds = {
  'terms-change': entryKind({
    about: 'agreement',
    names: true,
    table: 'terms_change',
    subject: 'agreement_id',
    columns: {
      id: text,
      kind: text,
      /** Hash of the body. */
      hash: text,
      /** Hash of the text of the document that takes effect. */
      documentHash: text,
      ground: text,
      basis: number,
      effectiveFrom: text,
      series: column<readonly string[]>('series'),
      offer: textOrNull,
      supersedes: textOrNull,
      /** The version whose plan it carries out: nobody has to sign it. */
      plannedBy: column<number | null>('planned_by'),
      proposedBy: text,
    },
    beside: ['body', 'document'],
    // The condition holds the two hashes to the texts themselves.
    where: `r.hash = encode(sha256(convert_to(r.body, 'UTF8')), 'hex')
      and r.document_hash = encode(sha256(convert_to(r.document, 'UTF8')), 'hex')`,
    content: ({ documentHash, series, ...facts }) => {
      const { id, kind, hash, ground, basis, effectiveFrom, offer, supersedes, plannedBy, proposedBy } = facts
      return {
        id,
        kind,
        hash,
        document: documentHash,
        ground,
        basis,
        effectiveFrom,
        series: [...series],
        offer,
        supersedes,
        plannedBy,
        proposedBy,
      }
    },
    seal: sealedAs('terms-change'),
    stale: {},
    // The kind of the change decides between the two, also for its signatures and its refusal.
    feed: { as: ['splice', 'amendment'], change: 'r.id' },
  }),
  'terms-signature': entryKind({
    about: 'agreement',
    names: true,
    table: 'terms_change_signature',
    at: 'signed_at',
    subject: sql('c.agreement_id'),
    columns: { ...actColumns, changeId: text, hash: sql<string>('c.hash'), party: text, signedBy: text },
    beside: ['signing_id'],
    join: `${ofChange} ${actJoin}`,
    content: ({ changeId, hash, party, signedBy, ...act }, signedAt) => {
      return { change: changeId, hash, party, signedBy, signedAt, ...actContent(act) }
    },
    seal: sealedAs('terms-signature'),
    stale: {},
    feed: { as: ['splice', 'amendment'], change: 'r.change_id' },
  }),
  'terms-refusal': entryKind({
    about: 'agreement',
    names: true,
    table: 'terms_change_refusal',
    subject: sql('c.agreement_id'),
    columns: { ...statementColumns, changeId: text, reason: text },
    join: ofChange,
    content: ({ changeId, reason, ...speaker }, at) => {
      return { ...statementContent(speaker, at), change: changeId, reason }
    },
    seal: sealedAs('terms-refusal'),
    stale: {},
    feed: { as: ['splice', 'amendment'], change: 'r.change_id' },
  }),
}
