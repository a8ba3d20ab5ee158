// Corrections of agreements, read through the library: lists, one by its id, and the receipt that verify replays offline.

import { hashOf, type ReceiptBody } from '../core/receipt/receipt.ts'
import { isBy } from '../core/series/vintage.ts'
import type { Day } from '../core/time/day.ts'
import type { CorrectionBody } from '../core/true-up/correction-body.ts'
import { readCorrectionBody } from '../core/true-up/correction-parser.ts'
import type { CorrectionReceipt } from '../core/true-up/correction-receipt.ts'
import { openStates } from '../core/true-up/proposal-state.ts'
import type { AgreementParties } from '../storage/agreements/agreements.ts'
import { findCorrection, loadCorrectionTexts, type StoredCorrection } from '../storage/agreements/corrections.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import {
  type CorrectionWithoutMoney,
  hideMoney,
  type OpenCorrection,
  type ShownCorrection,
  showCorrection,
  summarizeOpen,
} from './agreements/correction-view.ts'
import { signatureOn } from './agreements/receipt-attachments.ts'
import type { Proposal, TrueUp } from './agreements/true-up.ts'
import type { ReadsAgreements } from './lists/reads-agreements.ts'
import { type PartOfAgreement, type PriceTime, wholeOfAll } from './prices.ts'
import type { TrueUps } from './true-ups.ts'

/** A correction with its agreement. */
export interface FoundCorrection extends Proposal {
  readonly trueUp: TrueUp
  readonly body: CorrectionBody
  /** Parties who sign it: the buyer of today, and the supplier whose periods it is about. */
  readonly parties: AgreementParties
}

export class Corrections {
  readonly #library: ReadsAgreements
  readonly #trueUps: TrueUps

  constructor(library: ReadsAgreements, trueUps: TrueUps) {
    this.#library = library
    this.#trueUps = trueUps
  }

  /** Corrections of an agreement, by its id or slug, the newest first; null where there was no such agreement by then. */
  async list(
    workspaceId: string,
    agreement: string,
    time: PriceTime,
    partOf: PartOfAgreement = wholeOfAll,
  ): Promise<readonly ShownCorrection[] | null> {
    const id = (await this.#library.index(workspaceId, { agreements: [agreement] })).agreementId(agreement)
    const tenure = id === undefined ? undefined : partOf(id)
    if (tenure === undefined) return null
    const trueUp = await this.#trueUps.of(workspaceId, id!, time, tenure)
    return trueUp === null ? null : this.#showAll(workspaceId, trueUp, trueUp.proposals, time)
  }

  async listWithoutMoney(
    workspaceId: string,
    agreement: string,
    time: PriceTime,
  ): Promise<readonly CorrectionWithoutMoney[] | null> {
    const trueUp = await this.#trueUps.find(workspaceId, agreement, time)
    if (trueUp === null) return null
    const shown = await this.#showAll(workspaceId, trueUp, trueUp.proposalsWithoutMoney, time)
    return shown.map(each => hideMoney(each, trueUp.currency))
  }

  /** Shown corrections, the newest first. */
  async #showAll(
    workspaceId: string,
    { slug }: TrueUp,
    proposals: readonly Proposal[],
    time: PriceTime,
  ): Promise<readonly ShownCorrection[]> {
    const bodies = await this.#bodies(workspaceId, proposals)
    return proposals
      .map(({ state, kept: stored }) => {
        const kept = keptBy(stored, time)
        return showCorrection({ slug, kept, state, body: bodies.get(kept.id)! })
      })
      .toReversed()
  }

  /** Reads the sources for many agreements at once. */
  prepare(workspaceId: string, agreementIds: readonly string[]): Promise<void> {
    return this.#trueUps.prepare(workspaceId, agreementIds)
  }

  /** Corrections of an agreement that a side still has to sign, by id. */
  async listOpen(workspaceId: string, agreementId: string, today: Day): Promise<readonly OpenCorrection[]> {
    const trueUp = await this.#trueUps.of(workspaceId, agreementId, { knownAt: null, until: today })
    if (trueUp === null) return []
    const open = trueUp.proposals.filter(({ state }) => openStates.includes(state))
    const bodies = await this.#bodies(workspaceId, open)
    return open.map(({ kept }) => summarizeOpen(kept, bodies.get(kept.id)!, trueUp.partiesOf(kept)))
  }

  /** The id of the agreement it belongs to; null if there is no such correction. */
  agreementOf(workspaceId: string, id: string): Promise<string | null> {
    return this.#library.readAndCatchUp(workspaceId, tx => findCorrection(tx, workspaceId, id))
  }

  /** One correction; null if there is none, was none by then, or it is not visible to the reader. */
  async find(
    workspaceId: string,
    id: string,
    time: PriceTime,
    partOf: PartOfAgreement = wholeOfAll,
  ): Promise<FoundCorrection | null> {
    const agreementId = await this.agreementOf(workspaceId, id)
    const tenure = agreementId === null ? undefined : partOf(agreementId)
    if (tenure === undefined) return null
    const trueUp = await this.#trueUps.of(workspaceId, agreementId!, time, tenure)
    const proposal = trueUp?.proposals.find(each => each.kept.id === id)
    if (trueUp === null || proposal === undefined) return null
    const body = (await this.#bodies(workspaceId, [proposal])).get(id)!
    const parties = trueUp.partiesOf(proposal.kept)
    return { trueUp, kept: keptBy(proposal.kept, time), state: proposal.state, body, parties }
  }

  async show(workspaceId: string, id: string, time: PriceTime): Promise<ShownCorrection | null> {
    const found = await this.find(workspaceId, id, time)
    return found === null ? null : showCorrection({ ...found, slug: found.trueUp.slug })
  }

  async showWithoutMoney(workspaceId: string, id: string, time: PriceTime): Promise<CorrectionWithoutMoney | null> {
    const found = await this.find(workspaceId, id, time)
    if (found === null) return null
    const { trueUp } = found
    const { state } = trueUp.proposalsWithoutMoney.find(({ kept }) => kept.id === id)!
    return hideMoney(showCorrection({ ...found, state, slug: trueUp.slug }), trueUp.currency)
  }

  /**
   * The body with every receipt that its periods name, and the signatures under it. The installation's seal is added
   * elsewhere.
   */
  async receipt(workspaceId: string, found: FoundCorrection): Promise<Omit<CorrectionReceipt, 'seal'>> {
    const { kept, body, trueUp } = found
    const wanted = new Set(body.periods.flatMap(each => [each.receiptBefore, each.receiptAfter]))
    const bodies = new Map<string, ReceiptBody>()
    // Receipts named by a signed body belong to it, whoever else signed them.
    const { receipts: signed, corrections } = trueUp.snapshot.whole.kept
    for (const { receiptHash, receipt } of signed)
      if (wanted.has(receiptHash)) bodies.set(receiptHash, (JSON.parse(receipt) as { readonly body: ReceiptBody }).body)
    const ids = corrections.map(each => each.id)
    const read = (tx: Transaction) => loadCorrectionTexts(tx, workspaceId, ids)
    const texts = await this.#library.readAndCatchUp(workspaceId, read)
    // Restated receipts are stored with the correction they were made for; receipts of earlier corrections are settled now.
    for (const { receipts } of texts.values())
      for (const each of JSON.parse(receipts) as ReceiptBody[]) {
        const hash = hashOf(each)
        if (wanted.has(hash)) bodies.set(hash, each)
      }
    return {
      hash: kept.hash,
      body,
      receipts: [...bodies.values()],
      signatures: kept.signatures.map(signature => signatureOn(kept.hash, signature)),
    }
  }

  /** Bodies by id; agreed ones and the newest are in memory. */
  async #bodies(workspaceId: string, proposals: readonly Proposal[]): Promise<ReadonlyMap<string, CorrectionBody>> {
    const bodies = new Map<string, CorrectionBody>()
    const missing: string[] = []
    for (const { kept } of proposals)
      if (kept.texts === null) missing.push(kept.id)
      else bodies.set(kept.id, readCorrectionBody(JSON.parse(kept.texts.body)))
    if (missing.length === 0) return bodies
    const read = (tx: Transaction) => loadCorrectionTexts(tx, workspaceId, missing)
    for (const [id, { body }] of await this.#library.readAndCatchUp(workspaceId, read))
      bodies.set(id, readCorrectionBody(JSON.parse(body)))
    return bodies
  }
}

/** A correction as it stood by then. */
function keptBy(kept: StoredCorrection, { knownAt }: PriceTime): StoredCorrection {
  if (knownAt === null) return kept
  const { refusal } = kept
  return {
    ...kept,
    signatures: kept.signatures.filter(({ signedAt }) => isBy(signedAt, knownAt)),
    refusal: refusal !== null && isBy(refusal.at, knownAt) ? refusal : null,
    notes: kept.notes.filter(({ recordedAt }) => isBy(recordedAt, knownAt)),
  }
}
