// Notes: the document by which an agreed amount, or a part of it, was billed. The document is written from the correction alone,
// and what is stored is its number, its day and its hash; the same number again gives the same document.

import { normalForm } from '../core/prices/line-identity.ts'
import { Refusal } from '../core/refusal.ts'
import { type Day, writeDay } from '../core/time/day.ts'
import type { CorrectionBody } from '../core/true-up/correction-body.ts'
import { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import { readAgreement } from '../storage/agreements/agreements.ts'
import { findCorrection } from '../storage/agreements/corrections.ts'
import { appending } from '../storage/log/append.ts'
import { hashText } from '../storage/log/content.ts'
import { appendEntry } from '../storage/log/entry-rows.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'
import type { Seal } from './seal.ts'

interface NoteRequest {
  readonly workspaceId: string
  readonly id: string
  readonly number: string
  readonly date: Day
  /** Writes the document from its arguments alone. */
  readonly write: (document: DocumentFacts) => string
  readonly by: Actor
}

/** What the document is written from. */
interface DocumentFacts {
  readonly correctionId: string
  readonly number: string
  /** `YYYY-MM-DD` */
  readonly date: string
  /** From 1. */
  readonly part: number
  readonly body: CorrectionBody
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
    const kept = (await readAgreement(tx, workspaceId, agreementId))!
    const snapshot = new AgreementSnapshot(kept, seal.rows)
    if (snapshot.broken.length > 0) throw new Refusal('broken', snapshot.broken[0]!.reason)
    const agreed = snapshot.at(null)!.corrections.find(each => each.id === id)
    if (agreed === undefined) throw new Refusal('conflict', `${id} is not signed by both parties`)
    const { body } = agreed
    if (body.waived) throw new Refusal('conflict', `${id} is waived: nothing is billed for it`)
    if (body.net === null) throw new Refusal('conflict', `${id} has no amount: nothing is billed for it`)
    const { notes } = agreed.kept
    const date = writeDay(request.date)
    const same = notes.find(each => normalForm(each.number) === normalForm(written) && each.date === date)
    // In another spelling it is still the document that was issued.
    const number = same?.number ?? written
    const part = same?.part ?? firstFree(notes.map(each => each.part))
    if (part > body.parts.length) {
      const issued = notes.map(each => each.number).join(', ')
      throw new Refusal('conflict', `${id} is billed already: ${issued}`)
    }
    const text = request.write({ correctionId: id, number, date, part, body })
    const amount = body.parts[part - 1]!
    const fileHash = hashText(text)
    if (same === undefined) {
      const facts = { correctionId: id, part, number, date, amount, fileHash, issuedBy: by.who }
      await appendEntry(tx, log, 'correction-note', { subject: kept.id, facts })
      await noteActivity(tx, workspaceId, { ...by, what: 'note issued', subject: `${kept.slug} ${id} ${number}` })
    }
    const parts = body.parts.length
    return { correction: id, part, parts, number, date, amount, currency: body.currency!, fileHash, text }
  })
}

function firstFree(parts: readonly number[]): number {
  let part = 1
  while (parts.includes(part)) part++
  return part
}
