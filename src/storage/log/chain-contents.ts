// What the rows of a scope say now, publication by publication, worked out again for the check of its chain. Everything that
// publishing writes is read here; a new table or column of it is added to content.ts and to the list below.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { publicScope, type Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import type { Statement } from '../postgres/sql.ts'
import {
  clockContent,
  correctionContent,
  correctionNoteContent,
  correctionRefusalContent,
  correctionSignatureContent,
  followContent,
  formulaContent,
  hashContent,
  installationContent,
  invoiceContent,
  metadataContent,
  objectionAnswerContent,
  objectionContent,
  pamContent,
  partyContent,
  partyMemberContent,
  peopleContent,
  priceListContent,
  quantityContent,
  receiptContent,
  signatureContent,
  signOffContent,
  unitContent,
  uploadContent,
  workspaceContent,
} from './content.ts'
import type { PublicationKind } from './publish.ts'

/** What the rows of one publication say now. */
export interface Found {
  readonly seq: number
  readonly kind: PublicationKind
  readonly subject: string
  readonly recordedAt: Instant
  /** Null where they cannot be read. */
  readonly hash: Buffer | null
}

/** By sequence number; more than one where rows were inserted by hand. */
export type Contents = Map<number, Found[]>

export interface FactRow {
  readonly seq: number
  readonly subject: string
  readonly recordedAt: Instant
}

type FactRows = Statement<FactRow[]>

/** Where the rows of one kind of publication are, and what its hash covers of them. */
interface FactSource {
  readonly kind: PublicationKind
  /** Each row has `seq`, `subject`, `recordedAt` and what the content is made of. */
  readonly select: (tx: Transaction, scope: string) => FactRows
  readonly contentOf: (facts: never) => Json
}

/** Every kind but observations, of which there may be millions. */
export const factSources: readonly FactSource[] = [
  {
    kind: 'metadata',
    contentOf: metadataContent,
    select: (tx, scope) => tx<FactRow[]>`
      select m.seq, m.series_id as subject, m.recorded_at as "recordedAt", s.provider, s.code, m.name, m.unit,
        m.data_type as "dataType", m.frequency, m.description
      from series_metadata m join series s on s.owner = m.owner and s.id = m.series_id where m.owner = ${scope}`,
  },
  {
    kind: 'follow',
    contentOf: ({ subject }: { subject: string }) => followContent(subject),
    select: (tx, scope) => tx<FactRow[]>`
      select seq, series_id as subject, recorded_at as "recordedAt" from follow where workspace_id = ${scope}`,
  },
  {
    kind: 'pam',
    contentOf: pamContent,
    select: (tx, scope) => tx<FactRow[]>`
      select s.seq, s.pam_id as subject, s.recorded_at as "recordedAt", p.slug, s.name, s.description, s.status, s.parties,
        s.billing
      from pam_state s join pam p on p.workspace_id = s.workspace_id and p.id = s.pam_id where s.workspace_id = ${scope}`,
  },
  {
    kind: 'formula',
    contentOf: formulaContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, pam_id as subject, recorded_at as "recordedAt", version, document, document_text as "documentText",
        effective_from as "effectiveFrom", created_by as "createdBy"
      from formula where workspace_id = ${scope}`,
  },
  {
    kind: 'receipt',
    contentOf: receiptContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, pam_id as subject, recorded_at as "recordedAt", period, adjustment_date as "adjustmentDate",
        receipt_hash as "receiptHash", receipt, carried
      from signed_receipt where workspace_id = ${scope}`,
  },
  {
    kind: 'sign-off',
    contentOf: signOffContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, pam_id as subject, signed_at as "recordedAt", period, adjustment_date as "adjustmentDate",
        receipt_hash as "receiptHash", party, signed_by as "signedBy", signed_at as "signedAt"
      from sign_off where workspace_id = ${scope} and signing_id is null`,
  },
  {
    kind: 'signature',
    contentOf: signatureContent,
    select: (tx, scope) => tx<FactRow[]>`
      select s.seq, s.pam_id as subject, s.signed_at as "recordedAt", s.period, s.adjustment_date as "adjustmentDate",
        s.receipt_hash as "receiptHash", s.party, s.signed_by as "signedBy", s.signed_at as "signedAt",
        g.person_id as "personId", g.name, g.from_address as "fromAddress", g.means, g.periods as together, g.passkey, g.origin
      from sign_off s join signing g on g.workspace_id = s.workspace_id and g.id = s.signing_id
      where s.workspace_id = ${scope}`,
  },
  {
    kind: 'objection',
    contentOf: objectionContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, pam_id as subject, recorded_at as "recordedAt", recorded_at as "storedAt", id, period,
        receipt_hash as hash, party, about, reason, reading, said_by as by, person_id as "personId", name,
        from_address as "fromAddress", means
      from objection where workspace_id = ${scope}`,
  },
  {
    kind: 'objection-answer',
    contentOf: objectionAnswerContent,
    select: (tx, scope) => tx<FactRow[]>`
      select a.seq, o.pam_id as subject, a.recorded_at as "recordedAt", a.recorded_at as "storedAt",
        a.objection_id as "objectionId", a.kind, a.party, a.words, a.said_by as by, a.person_id as "personId", a.name,
        a.from_address as "fromAddress", a.means
      from objection_answer a join objection o on o.workspace_id = a.workspace_id and o.id = a.objection_id
      where a.workspace_id = ${scope}`,
  },
  {
    kind: 'upload',
    contentOf: uploadContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, id as subject, recorded_at as "recordedAt", uploaded_by as "uploadedBy", via, file_name as "fileName",
        sha256, size
      from upload where workspace_id = ${scope}`,
  },
  {
    kind: 'party',
    contentOf: partyContent,
    select: (tx, scope) => tx<FactRow[]>`
      select n.seq, n.party_id as subject, n.recorded_at as "recordedAt", p.slug, n.name
      from party_name n join party p on p.workspace_id = n.workspace_id and p.id = n.party_id
      where n.workspace_id = ${scope}`,
  },
  {
    kind: 'party-member',
    contentOf: partyMemberContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, party_id as subject, recorded_at as "recordedAt", email, belongs
      from party_member where workspace_id = ${scope}`,
  },
  {
    kind: 'people',
    contentOf: peopleContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, coalesce(party_id, workspace_id) as subject, recorded_at as "recordedAt", kind, email,
        person_id as "personId", done_by as by, done_from as from, done_role as role, done_company as company, facts
      from people_event where workspace_id = ${scope}`,
  },
  {
    kind: 'price-list',
    contentOf: priceListContent,
    select: (tx, scope) => tx<FactRow[]>`
      select l.seq, l.pam_id as subject, l.recorded_at as "recordedAt", l.version, l.from_period as "fromPeriod",
        l.from_date as "fromDate", l.list_rows as "listRows", l.created_by as "createdBy",
        (select string_agg(k.item_key, chr(10) order by k.item_key) from price_list_key k
          where k.workspace_id = l.workspace_id and k.pam_id = l.pam_id and k.version = l.version) as keys
      from price_list l where l.workspace_id = ${scope}`,
  },
  {
    kind: 'unit',
    contentOf: unitContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, workspace_id as subject, recorded_at as "recordedAt", unit, other, factor, set_by as "setBy"
      from unit_factor where workspace_id = ${scope}`,
  },
  {
    kind: 'quantity',
    contentOf: quantityContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, pam_id as subject, recorded_at as "recordedAt", declared_by as "declaredBy",
        string_agg(item || chr(9) || period || chr(9) || quantity, chr(10) order by item, period) as lines
      from quantity where workspace_id = ${scope} group by seq, pam_id, recorded_at, declared_by`,
  },
  {
    kind: 'invoice',
    contentOf: invoiceContent,
    select: (tx, scope) => tx<FactRow[]>`
      select i.seq, i.id as subject, i.recorded_at as "recordedAt", i.supplier, i.number, i.imported_by as "importedBy",
        (select encode(sha256(convert_to(string_agg(encode(sha256(convert_to(
            l.id || chr(9) || l.line || chr(9) || l.pam_id || chr(9) || coalesce(l.date::text, '') || chr(9) || l.kind
            || chr(9) || coalesce(l.reverses, '') || chr(9) || l.fields, 'UTF8')), 'hex'), chr(10) order by l.id), 'UTF8')),
            'hex')
          from invoice_line l where l.workspace_id = i.workspace_id and l.invoice_id = i.id) as lines
      from invoice i where i.workspace_id = ${scope}`,
  },
  {
    kind: 'correction',
    contentOf: correctionContent,
    // Hashed from the texts themselves: nothing but the rows counts here.
    select: (tx, scope) => tx<FactRow[]>`
      select seq, pam_id as subject, recorded_at as "recordedAt", id, encode(sha256(convert_to(body, 'UTF8')), 'hex') as hash,
        encode(sha256(convert_to(receipts, 'UTF8')), 'hex') as "receiptsHash", periods, line_ids as "lineIds", waived, waives,
        proposed_by as "proposedBy"
      from correction where workspace_id = ${scope} and hash = encode(sha256(convert_to(body, 'UTF8')), 'hex')
        and receipts_hash = encode(sha256(convert_to(receipts, 'UTF8')), 'hex')`,
  },
  {
    kind: 'correction-signature',
    contentOf: correctionSignatureContent,
    select: (tx, scope) => tx<FactRow[]>`
      select s.seq, c.pam_id as subject, s.signed_at as "recordedAt", s.correction_id as "correctionId", c.hash, s.party,
        s.signed_by as "signedBy", s.signed_at as "signedAt", g.person_id as "personId", g.name,
        g.from_address as "fromAddress", g.means, g.periods as together, g.passkey, g.origin
      from correction_signature s
      join correction c on c.workspace_id = s.workspace_id and c.id = s.correction_id
      join signing g on g.workspace_id = s.workspace_id and g.id = s.signing_id
      where s.workspace_id = ${scope}`,
  },
  {
    kind: 'correction-refusal',
    contentOf: correctionRefusalContent,
    select: (tx, scope) => tx<FactRow[]>`
      select r.seq, c.pam_id as subject, r.recorded_at as "recordedAt", r.recorded_at as "storedAt",
        r.correction_id as "correctionId", r.party, r.reason, r.said_by as by, r.person_id as "personId", r.name,
        r.from_address as "fromAddress", r.means
      from correction_refusal r join correction c on c.workspace_id = r.workspace_id and c.id = r.correction_id
      where r.workspace_id = ${scope}`,
  },
  {
    kind: 'correction-note',
    contentOf: correctionNoteContent,
    select: (tx, scope) => tx<FactRow[]>`
      select n.seq, c.pam_id as subject, n.recorded_at as "recordedAt", n.correction_id as "correctionId", n.part, n.number,
        n.date, n.amount, n.file_hash as "fileHash", n.issued_by as "issuedBy"
      from correction_note n join correction c on c.workspace_id = n.workspace_id and c.id = n.correction_id
      where n.workspace_id = ${scope}`,
  },
  {
    kind: 'workspace',
    contentOf: workspaceContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, workspace_id as subject, recorded_at as "recordedAt", name, name_before as "nameBefore"
      from workspace_name where workspace_id = ${scope}`,
  },
  {
    kind: 'installation',
    contentOf: ({ name }: { name: string }) => installationContent(name),
    select: (tx, scope) => tx<FactRow[]>`
      select named_seq as seq, id as subject, named_at as "recordedAt", name
      from installation_identity() where named_seq is not null and ${scope} = ${publicScope}`,
  },
  {
    kind: 'clock',
    contentOf: clockContent,
    select: (tx, scope) => tx<FactRow[]>`
      select seq, scope as subject, recorded_at as "recordedAt", first_seq as "firstSeq", last_seq as "lastSeq",
        counts_as as "countsAs"
      from clock_repair where scope = ${scope}`,
  },
]

/** Everything but observations: states, formulas, receipts, sign-offs, descriptions of series. */
export async function readFactsOf(tx: Transaction, scope: string): Promise<Contents> {
  const contents: Contents = new Map()
  await readAllFacts(tx, scope, contents)
  return contents
}

/** What one publication's hash covers. */
export interface SubjectContent {
  readonly seq: number
  readonly kind: PublicationKind
  readonly subject: string
  readonly recordedAt: Instant
  readonly content: Json
}

/** Everything that was published about one subject, but observations, in the order it was. */
export async function readSubjectContents(
  tx: Transaction,
  scope: string,
  subject: string,
): Promise<readonly SubjectContent[]> {
  const found: SubjectContent[] = []
  for (const { kind, contentOf, select } of factSources) {
    const rows = await tx<FactRow[]>`select * from (${select(tx, scope)}) facts where facts.subject = ${subject}`
    for (const row of rows) {
      const { seq, recordedAt } = row
      found.push({ seq, kind, subject, recordedAt, content: contentOf(row as never) })
    }
  }
  return found.sort((a, b) => a.seq - b.seq)
}

async function readAllFacts(tx: Transaction, scope: string, contents: Contents): Promise<void> {
  // Row by row through a cursor: receipts are long.
  for (const source of factSources)
    for await (const page of RowCursor.piecesOf(tx, 'facts', source.select(tx, scope), limits.factsVerified))
      for (const row of page) {
        const { seq, subject, recordedAt } = row
        put(contents, seq, { seq, kind: source.kind, subject, recordedAt, hash: hashOf(source, row) })
      }
}

/** Null for what nothing of ours can have written. */
export function hashOf({ contentOf }: FactSource, row: FactRow): Buffer | null {
  try {
    return hashContent(contentOf(row as never))
  } catch {
    return null
  }
}

function put(contents: Contents, seq: number, found: Found): void {
  const stored = contents.get(seq)
  if (stored === undefined) contents.set(seq, [found])
  else stored.push(found)
}

/** The same lines as in staging.ts, grouped by everything that must be one per publication. */
export function observationGroups(tx: Transaction, scope: string): FactRows {
  return tx<FactRow[]>`
    select seq, series_id as subject, recorded_at as "recordedAt", sha256(convert_to(string_agg(
      observation_line(period, nullif(published_at, recorded_at), value, tag, flag), chr(10)
      order by period, published_at), 'UTF8')) as hash
    from vintage where owner = ${scope} group by seq, series_id, recorded_at`
}

/** Rows that belong to no publication: every row is made with one and has its instant. */
export async function findUnpublished(tx: Transaction, scope: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select s.id from series s
    left join lateral (
      select m.recorded_at from series_metadata m where m.owner = s.owner and m.series_id = s.id order by m.seq limit 1
    ) first on true
    where s.owner = ${scope} and s.created_at is distinct from first.recorded_at
    union all
    select p.id from pam p
    left join lateral (
      select s.seq, s.recorded_at from pam_state s where s.workspace_id = p.workspace_id and s.pam_id = p.id
      union all
      select f.seq, f.recorded_at from formula f where f.workspace_id = p.workspace_id and f.pam_id = p.id
      order by seq limit 1
    ) first on true
    where p.workspace_id = ${scope} and p.created_at is distinct from first.recorded_at
    union all
    select p.id from party p
    left join lateral (
      select n.recorded_at from party_name n where n.workspace_id = p.workspace_id and n.party_id = p.id
      order by n.seq limit 1
    ) first on true
    where p.workspace_id = ${scope} and p.created_at is distinct from first.recorded_at
    limit 1`
  return row?.id ?? null
}
