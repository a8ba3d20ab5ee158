// Notes: documents by which an agreed amount, or a part of it, was billed. A note is written from the correction, the billing
// details of its parties and the details given for this note alone. Number, day, hash and given details are stored; the same
// number again gives the same document, from the details of that time.

import { type BillingDetails, type BillingSaid, nothingSaid } from '../core/billing/note-details.ts'
import { ownSlug } from '../core/billing/party-fields.ts'
import { normalForm } from '../core/prices/line-identity.ts'
import { Refusal } from '../core/refusal.ts'
import { canonicalJson } from '../core/text/canonical-json.ts'
import { type Day, formatDay } from '../core/time/day.ts'
import type { CorrectionBody } from '../core/true-up/correction-body.ts'
import { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import { loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { loadBillingDetails } from '../storage/agreements/billing-details.ts'
import { findCorrection } from '../storage/agreements/corrections.ts'
import { appending } from '../storage/log/append.ts'
import { hashText } from '../storage/log/content.ts'
import { appendEntry } from '../storage/log/entry-rows.ts'
import { loadCompanies } from '../storage/people/parties.ts'
import type { Sql, Transaction } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'
import type { Seal } from './seal.ts'

interface NoteRequest {
  readonly workspaceId: string
  readonly id: string
  readonly number: string
  readonly date: Day
  /** Details for this note alone. */
  readonly said?: BillingSaid | null
  /** Whether the document names the parties: then it keeps their details of today. A table does not name them. */
  readonly namesParties?: boolean
  /** Writes the document from its arguments alone. */
  readonly write: (document: NoteFacts) => string
  readonly by: Actor
}

interface NoteFacts {
  readonly correctionId: string
  readonly number: string
  /** `YYYY-MM-DD` */
  readonly date: string
  /** Number of the part, from 1. */
  readonly part: number
  readonly body: CorrectionBody
  readonly kept: BillingDetails
  readonly said: BillingSaid
}

interface IssuedDocument {
  readonly correction: string
  readonly part: number
  readonly parts: number
  readonly number: string
  readonly date: string
  readonly amount: string
  readonly currency: string
  readonly fileHash: string
  readonly text: string
}

const longestNumber = 60

export function noteCorrection(sql: Sql, seal: Seal, request: NoteRequest): Promise<IssuedDocument> {
  const { workspaceId, id, by } = request
  const written = request.number.trim()
  if (normalForm(written) === '' || written.length > longestNumber)
    throw new Refusal('misuse', `--number must have 1 to ${longestNumber} characters`)
  return appending(sql, workspaceId, async (tx, log) => {
    const agreementId = await findCorrection(tx, workspaceId, id)
    if (agreementId === null) throw new Refusal('not-found', `there is no correction "${id}"`)
    const kept = (await loadAgreementHistory(tx, workspaceId, agreementId))!
    const snapshot = new AgreementSnapshot(kept, seal.rows)
    if (snapshot.broken.length > 0) throw new Refusal('broken', snapshot.broken[0]!.reason)
    const agreed = snapshot.at(null)!.corrections.find(each => each.id === id)
    if (agreed === undefined) throw new Refusal('conflict', `buyer and supplier have not both signed ${id}`)
    const { body } = agreed
    if (body.waived) throw new Refusal('conflict', `${id} is waived: nothing is billed for it`)
    if (body.net === null) throw new Refusal('conflict', `${id} has no amount: nothing is billed for it`)
    const { notes } = agreed.kept
    const date = formatDay(request.date)
    const same = notes.find(each => normalForm(each.number) === normalForm(written) && each.date === date)
    // A number in another spelling still names the document that was issued.
    const number = same?.number ?? written
    const part = same?.part ?? firstFree(notes.map(each => each.part))
    if (part > body.parts.length) {
      const issued = notes.map(each => each.number).join(', ')
      throw new Refusal('conflict', `${id} is billed already: ${issued}`)
    }
    const said = saidFor(number, same?.said ?? null, request.said ?? null)
    const keptBilling = await loadKeptBilling(tx, workspaceId, body, keptBefore(same))
    const text = request.write({
      correctionId: id,
      number,
      date,
      part,
      body,
      kept: keptBilling,
      said: said ?? nothingSaid,
    })
    const amount = body.parts[part - 1]!
    const fileHash = hashText(text)
    if (same === undefined) {
      const own = said ?? (request.namesParties === true ? nothingSaid : null)
      const facts = { correctionId: id, part, number, date, amount, fileHash, issuedBy: by.who, said: own }
      await appendEntry(tx, log, 'correction-note', { subject: kept.id, facts })
      await noteActivity(tx, workspaceId, {
        ...by,
        act: 'correction.note',
        what: 'note issued',
        subject: `${kept.slug} ${id} ${number}`,
      })
    }
    const parts = body.parts.length
    return { correction: id, part, parts, number, date, amount, currency: body.currency!, fileHash, text }
  })
}

interface IssuedEntry {
  readonly said: BillingSaid | null
  readonly seq: number
}

/**
 * Position of the entry before which an issued note's details were kept. A note issued only as a table uses the details of now.
 */
export function keptBefore(issued: IssuedEntry | null = null): number | null {
  return issued === null || issued.said === null ? null : issued.seq
}

/** Given details of a note; one that was issued keeps those of then. */
function saidFor(number: string, kept: BillingSaid | null, given: BillingSaid | null): BillingSaid | null {
  if (kept === null || given === null) return kept ?? given
  if (canonicalJson({ ...kept }) !== canonicalJson({ ...given }))
    throw new Refusal('conflict', `${number} was issued with other details: write it again without them`)
  return kept
}

/** Billing details of both sides: the current ones, or those before an entry. Names are the ones that both have signed. */
export async function loadKeptBilling(
  tx: Transaction,
  workspaceId: string,
  { parties, companies, workspace }: CorrectionBody,
  before: number | null,
): Promise<BillingDetails> {
  const details = await loadBillingDetails(tx, workspaceId, before)
  const named = new Map((await loadCompanies(tx, workspaceId)).map(({ slug, name }) => [slug, name]))
  const sideOf = (side: CorrectionBody['parties']['buyer']) => {
    if (typeof side !== 'string') return null
    return { name: companies?.[side] ?? named.get(side) ?? null, details: details.get(side)?.details ?? {} }
  }
  const own = { name: workspace?.name ?? null, details: details.get(ownSlug)?.details ?? {} }
  return { supplier: sideOf(parties.supplier) ?? { name: null, details: {} }, buyer: sideOf(parties.buyer) ?? own }
}

function firstFree(parts: readonly number[]): number {
  let part = 1
  while (parts.includes(part)) part++
  return part
}
