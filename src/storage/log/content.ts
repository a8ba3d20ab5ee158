// What a publication's hash covers, kind by kind, written so that the same facts always give the same bytes. Both the
// writing and the checking of the chain go through here. A content never changes its form: a column that comes later is
// added where a row has it, so that older rows keep their bytes; another form is a new kind.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/formula/canonical.ts'
import type { AttachedReading, ObjectionSubject } from '../../core/receipt/objection.ts'
import { hashOfPeriods, type PasskeyAssertion, type SeenPeriod } from '../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'

export function hashContent(content: Json): Buffer {
  return createHash('sha256').update(canonicalJson(content)).digest()
}

/** A text of any length is represented by its hash. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface MetadataFacts {
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly dataType: string
  readonly frequency: string
  readonly description: string
}

export function metadataContent(facts: MetadataFacts): Json {
  const { provider, code, name, unit, dataType, frequency, description } = facts
  return { provider, code, name, unit, dataType, frequency, description }
}

export function followContent(seriesId: string): Json {
  return { series: seriesId }
}

export interface UploadFacts {
  readonly uploadedBy: string
  readonly via: string
  readonly fileName: string
  readonly sha256: string
  readonly size: number
}

export function uploadContent({ uploadedBy, via, fileName, sha256, size }: UploadFacts): Json {
  return { uploadedBy, via, fileName, sha256, size }
}

/** A company and what it is called. */
export interface PartyFacts {
  readonly slug: string
  readonly name: string
}

export function partyContent({ slug, name }: PartyFacts): Json {
  return { slug, name }
}

export interface PartyMemberFacts {
  readonly email: string
  readonly belongs: boolean
}

export function partyMemberContent({ email, belongs }: PartyMemberFacts): Json {
  return { email, belongs }
}

/** Something that was done about a person of a workspace, see people-events.ts. */
export interface PeopleFacts {
  readonly kind: string
  readonly email: string
  readonly personId: string | null
  readonly by: string
  readonly from: string
  readonly role: string | null
  readonly company: string | null
  readonly facts: Json
}

export function peopleContent({ kind, email, personId, by, from, role, company, facts }: PeopleFacts): Json {
  return { kind, email, personId, by, from, role, company, facts }
}

export function workspaceContent({ name, nameBefore }: { readonly name: string; readonly nameBefore: string }): Json {
  return { name, nameBefore }
}

export function installationContent(name: string): Json {
  return { name }
}

export interface PamFacts {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly status: string
  readonly parties: Json
  /** Null in rows from before it was kept. */
  readonly billing: Json
}

export function pamContent({ slug, name, description, status, parties, billing }: PamFacts): Json {
  return { slug, name, description, status, parties, ...(billing === null ? {} : { billing }) }
}

export interface FormulaFacts {
  readonly version: number
  readonly document: Json
  readonly documentText: string
  readonly effectiveFrom: string
  readonly createdBy: string
}

export function formulaContent({ version, document, documentText, effectiveFrom, createdBy }: FormulaFacts): Json {
  return { version, document, documentText: hashText(documentText), effectiveFrom, createdBy }
}

export interface ReceiptFacts {
  readonly period: string
  readonly adjustmentDate: string
  readonly receiptHash: string
  readonly receipt: string
  readonly carried: Json
}

export function receiptContent({ period, adjustmentDate, receiptHash, receipt, carried }: ReceiptFacts): Json {
  return { period, adjustmentDate, receiptHash, receipt: hashText(receipt), carried }
}

export interface SignOffFacts {
  readonly period: string
  readonly adjustmentDate: string
  readonly receiptHash: string
  readonly party: string
  readonly signedBy: string
  readonly signedAt: Instant
}

export function signOffContent(facts: SignOffFacts): Json {
  const { period, adjustmentDate, receiptHash, party, signedBy, signedAt } = facts
  return { period, adjustmentDate, receiptHash, party, signedBy, signedAt }
}

export interface ClockFacts {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly countsAs: Instant
}

export function clockContent({ firstSeq, lastSeq, countsAs }: ClockFacts): Json {
  return { firstSeq, lastSeq, countsAs }
}

/** With how it was given: by whom, from where, by which means, and what else was signed in the same act. */
export interface SignatureFacts extends SignOffFacts {
  readonly personId: string | null
  readonly name: string
  readonly fromAddress: string | null
  readonly means: string
  readonly together: readonly SeenPeriod[]
  readonly passkey: PasskeyAssertion | null
  /** Null in rows from before it was kept. */
  readonly origin: SignerOrigin | null
}

/** `together` is the hash of the list that was signed at once, where it is known already. */
export function signatureContent(facts: SignatureFacts, together = hashOfPeriods(facts.together)): Json {
  const { personId, name, fromAddress, means, passkey } = facts
  return {
    ...(signOffContent(facts) as JsonObject),
    personId,
    name,
    fromAddress,
    means,
    together,
    passkey: passkey === null ? null : hashText(canonicalJson({ ...passkey })),
    ...originContent(facts),
  }
}

function originContent({ origin }: Pick<SignatureFacts, 'origin'>): JsonObject {
  return origin === null ? {} : { origin: hashText(canonicalJson(origin as unknown as Json)) }
}

export interface PriceListFacts {
  readonly version: number
  readonly fromPeriod: string
  readonly fromDate: string
  /** As JSON text. */
  readonly listRows: string
  /** The keys of its items, by their bytes, one to a line. */
  readonly keys: string
  readonly createdBy: string
}

export function priceListContent(facts: PriceListFacts): Json {
  const { version, fromPeriod, fromDate, listRows, keys, createdBy } = facts
  return { version, fromPeriod, fromDate, rows: hashText(listRows), keys: hashText(keys), createdBy }
}

export interface UnitFacts {
  readonly unit: string
  readonly other: string
  readonly factor: string
  readonly setBy: string
}

export function unitContent({ unit, other, factor, setBy }: UnitFacts): Json {
  return { unit, other, factor, setBy }
}

export interface QuantityFacts {
  /** Item, period and quantity with tabs between them, by the bytes of item and period, one to a line. */
  readonly lines: string
  readonly declaredBy: string
}

export function quantityContent({ lines, declaredBy }: QuantityFacts): Json {
  return { lines: hashText(lines), declaredBy }
}

export interface InvoiceFacts {
  readonly supplier: string
  readonly number: string
  readonly importedBy: string
  /** The hash of the hashes of its lines, by the bytes of their ids. */
  readonly lines: string
}

export function invoiceContent({ supplier, number, importedBy, lines }: InvoiceFacts): Json {
  return { supplier, number, importedBy, lines }
}

/** Who said something, for which side, from where, and when. */
export interface StatementFacts {
  readonly party: string
  readonly by: string
  readonly personId: string | null
  readonly name: string
  readonly fromAddress: string | null
  readonly means: string
  readonly storedAt: Instant
}

function statementContent(facts: StatementFacts): JsonObject {
  const { party, by, personId, name, fromAddress, means, storedAt } = facts
  return { party, by, personId, name, fromAddress, means, at: storedAt }
}

export interface ObjectionFacts extends StatementFacts {
  readonly id: string
  readonly period: string
  /** Of the receipt it is about. */
  readonly hash: string
  readonly about: ObjectionSubject
  readonly reason: string
  readonly reading: AttachedReading | null
}

export function objectionContent(facts: ObjectionFacts): Json {
  const { id, period, hash, about, reason, reading } = facts
  return {
    ...statementContent(facts),
    id,
    period,
    receiptHash: hash,
    about: { ...about },
    reason,
    reading: reading === null ? null : { ...reading },
  }
}

export interface ObjectionAnswerFacts extends StatementFacts {
  readonly objectionId: string
  readonly kind: string
  readonly words: string
}

export function objectionAnswerContent(facts: ObjectionAnswerFacts): Json {
  const { objectionId, kind, words } = facts
  return { ...statementContent(facts), objection: objectionId, kind, words }
}

export interface CorrectionFacts {
  readonly id: string
  /** Of the body. */
  readonly hash: string
  /** Of the receipts of its restated periods. */
  readonly receiptsHash: string
  readonly periods: readonly string[]
  readonly lineIds: readonly (string | null)[]
  readonly waived: boolean
  readonly waives: string | null
  readonly proposedBy: string
}

export function correctionContent(facts: CorrectionFacts): Json {
  const { id, hash, receiptsHash, periods, lineIds, waived, waives, proposedBy } = facts
  const lines = hashText(canonicalJson([...lineIds]))
  return { id, hash, receipts: receiptsHash, periods: [...periods], lines, waived, waives, proposedBy }
}

export interface CorrectionSignatureFacts extends Omit<SignatureFacts, 'period' | 'adjustmentDate' | 'receiptHash'> {
  readonly correctionId: string
  readonly hash: string
}

export function correctionSignatureContent(facts: CorrectionSignatureFacts): Json {
  const { correctionId, hash, party, signedBy, signedAt, personId, name, fromAddress, means, together, passkey } = facts
  return {
    correction: correctionId,
    hash,
    party,
    signedBy,
    signedAt,
    personId,
    name,
    fromAddress,
    means,
    together: hashOfPeriods(together),
    passkey: passkey === null ? null : hashText(canonicalJson({ ...passkey })),
    ...originContent(facts),
  }
}

export interface CorrectionRefusalFacts extends StatementFacts {
  readonly correctionId: string
  readonly reason: string
}

export function correctionRefusalContent(facts: CorrectionRefusalFacts): Json {
  const { correctionId, reason } = facts
  return { ...statementContent(facts), correction: correctionId, reason }
}

export interface CorrectionNoteFacts {
  readonly correctionId: string
  readonly part: number
  readonly number: string
  readonly date: string
  readonly amount: string
  readonly fileHash: string
  readonly issuedBy: string
}

export function correctionNoteContent(facts: CorrectionNoteFacts): Json {
  const { correctionId, part, number, date, amount, fileHash, issuedBy } = facts
  return { correction: correctionId, part, number, date, amount, file: fileHash, issuedBy }
}
