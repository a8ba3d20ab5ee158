// Entries about agreements: their state and formulas, signed receipts, signatures, and objections.

import type { JsonObject } from '../../core/formula/canonical.ts'
import type { ProviderProof } from '../../core/identity/provider-signature.ts'
import type { AttachedReading, ObjectionSubject } from '../../core/receipt/objection.ts'
import {
  hashOfPeriods,
  type PasskeyAssertion,
  type SeenPeriod,
  type SignedBatch,
} from '../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { hashText } from './content.ts'
import { column, type EntryFacts, entryKind, json, number, sealedAs, sql, text, textOrNull } from './entry-kind.ts'

const signOffColumns = { period: text, adjustmentDate: text, receiptHash: text, party: text, signedBy: text }

function signOffContent(facts: EntryFacts<typeof signOffColumns>, signedAt: Instant): JsonObject {
  const { period, adjustmentDate, receiptHash, party, signedBy } = facts
  return { period, adjustmentDate, receiptHash, party, signedBy, signedAt }
}

/** Columns of the act behind a signature: the person, the address, the means, and the other numbers signed in the same act. */
export const actColumns = {
  personId: sql<string | null>('g.person_id'),
  name: sql<string>('g.name'),
  fromAddress: sql<string | null>('g.from_address'),
  means: sql<string>('g.means'),
  together: sql<readonly SeenPeriod[]>('g.periods'),
  passkey: sql<PasskeyAssertion | null>('g.passkey'),
  /** Proof of a provider; null unless one vouches for the signature. */
  provider: sql<ProviderProof | null>('g.provider'),
  /** Origin; null where the operator signs for an address that no member has. */
  origin: sql<SignerOrigin | null>('g.origin'),
  /** Batch; null unless several agreements were signed by one touch. */
  batch: sql<SignedBatch | null>(
    `case when g.batch_id is not null then jsonb_build_object('salt', g.batch_salt, 'entries', b.entries) end`,
  ),
}

export const actJoin = `join signing g on g.workspace_id = r.workspace_id and g.id = r.signing_id
  left join signing_batch b on b.workspace_id = g.workspace_id and b.id = g.batch_id`

export function actContent(facts: EntryFacts<typeof actColumns>): JsonObject {
  const { personId, name, fromAddress, means, together, passkey, provider, origin, batch } = facts
  return {
    personId,
    name,
    fromAddress,
    means,
    together: hashOfList(together),
    passkey: passkey === null ? null : hashText(canonicalJson({ ...passkey })),
    ...(provider === null ? {} : { provider: hashText(canonicalJson({ ...provider })) }),
    ...(origin === null ? {} : { origin: hashText(canonicalJson(origin as unknown as Json)) }),
    ...(batch === null ? {} : { batch: hashText(canonicalJson({ salt: batch.salt, entries: [...batch.entries] })) }),
  }
}

/** Hashes of lists: numbers signed together have one list, which is hashed once. */
const listHashes = new WeakMap<readonly SeenPeriod[], string>()

function hashOfList(together: readonly SeenPeriod[]): string {
  const hash = listHashes.get(together) ?? hashOfPeriods(together)
  listHashes.set(together, hash)
  return hash
}

/** Columns of a statement: its author, their side, and their address. */
export const statementColumns = {
  party: text,
  by: column<string>('said_by'),
  personId: textOrNull,
  name: text,
  fromAddress: textOrNull,
  means: text,
}

export function statementContent(facts: EntryFacts<typeof statementColumns>, at: Instant): JsonObject {
  const { party, by, personId, name, fromAddress, means } = facts
  return { party, by, personId, name, fromAddress, means, at }
}

export const agreementKinds = {
  /** The state of an agreement. */
  agreement: entryKind({
    about: 'agreement',
    names: true,
    table: 'agreement_state',
    subject: 'agreement_id',
    columns: {
      slug: sql<string>('a.slug'),
      name: text,
      description: text,
      status: text,
      parties: json<Json>(),
      billing: json<Json>(),
    },
    join: 'join agreement a on a.workspace_id = r.workspace_id and a.id = r.agreement_id',
    content: ({ slug, name, description, status, parties, billing }) => {
      return { slug, name, description, status, parties, billing }
    },
    seal: null,
    stale: { lists: 'subject' },
    feed: { as: ['status'] },
  }),
  formula: entryKind({
    about: 'agreement',
    names: true,
    table: 'formula',
    subject: 'agreement_id',
    columns: {
      version: number,
      document: json<Json>(),
      documentText: text,
      /** The contract's own words, as the text that is hashed; null for a version without any. */
      words: textOrNull,
      wordsFile: json<{ readonly name: string; readonly sha256: string } | null>(),
      effectiveFrom: text,
      createdBy: text,
      /** The change of terms that made it; null for a version that one side applied alone. */
      proposal: textOrNull,
    },
    content: ({ version, document, documentText, words, wordsFile, effectiveFrom, createdBy, proposal }) => {
      const agreed = proposal === null ? {} : { proposal }
      const said =
        words === null ? {} : { words: hashText(words), wordsFile: wordsFile === null ? null : { ...wordsFile } }
      return { version, document, documentText: hashText(documentText), ...said, effectiveFrom, createdBy, ...agreed }
    },
    seal: null,
    stale: { lists: 'subject' },
    feed: { as: ['formula'] },
  }),
  receipt: entryKind({
    about: 'agreement',
    names: true,
    table: 'signed_receipt',
    subject: 'agreement_id',
    columns: { period: text, adjustmentDate: text, receiptHash: text, receipt: text, carried: json<Json>() },
    content: ({ period, adjustmentDate, receiptHash, receipt, carried }) => {
      return { period, adjustmentDate, receiptHash, receipt: hashText(receipt), carried }
    },
    seal: sealedAs('receipt'),
    stale: {},
    feed: null,
  }),
  signature: entryKind({
    about: 'agreement',
    names: true,
    table: 'sign_off',
    at: 'signed_at',
    subject: 'agreement_id',
    columns: { ...signOffColumns, ...actColumns },
    beside: ['signing_id'],
    join: actJoin,
    content: (facts, signedAt) => ({ ...signOffContent(facts, signedAt), ...actContent(facts) }),
    seal: sealedAs('sign-off'),
    stale: {},
    // An entry is `agreed` where the other party has signed too.
    feed: { as: ['signoff', 'agreed'] },
  }),
  objection: entryKind({
    about: 'agreement',
    names: true,
    table: 'objection',
    subject: 'agreement_id',
    columns: {
      ...statementColumns,
      id: text,
      period: text,
      receiptHash: text,
      about: json<ObjectionSubject>(),
      reason: text,
      reading: json<AttachedReading | null>(),
    },
    content: ({ id, period, receiptHash, about, reason, reading, ...speaker }, at) => ({
      ...statementContent(speaker, at),
      id,
      period,
      receiptHash,
      about: { ...about },
      reason,
      reading: reading === null ? null : { ...reading },
    }),
    seal: sealedAs('objection'),
    stale: {},
    feed: { as: ['objection'], period: 'r.period' },
  }),
  'objection-answer': entryKind({
    about: 'agreement',
    names: true,
    table: 'objection_answer',
    subject: sql('o.agreement_id'),
    columns: { ...statementColumns, objectionId: text, kind: text, words: text },
    join: 'join objection o on o.workspace_id = r.workspace_id and o.id = r.objection_id',
    content: ({ objectionId, kind, words, ...speaker }, at) => {
      return { ...statementContent(speaker, at), objection: objectionId, kind, words }
    },
    seal: sealedAs('objection-answer'),
    stale: {},
    feed: { as: ['objection'], period: 'o.period' },
  }),
}
