// A correction as a person takes it into a negotiation: the number, its reasons, both calculations of every period, the invoice
// lines, the signatures. And the ledger of an agreement, now or at any moment.

import { signaturesBefore, whyNotCorrection } from '../../agreements/correct.ts'
import { whyNotAs } from '../../agreements/parties.ts'
import { whyNotForSide } from '../../agreements/signable.ts'
import { whyNotCorrected } from '../../agreements/status-words.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { numberOf } from '../../core/prices/agreement.ts'
import { hashOf, type ReceiptBody } from '../../core/receipt/receipt.ts'
import { workReceipt } from '../../core/receipt/worked-steps.ts'
import { Refusal } from '../../core/refusal.ts'
import { writers } from '../../core/roles.ts'
import { counted } from '../../core/text/counts.ts'
import { dayOfInstant, parseCut } from '../../core/time/instant.ts'
import type { CorrectionReceipt } from '../../core/true-up/correction-receipt.ts'
import { balancesOf } from '../../core/true-up/ledger.ts'
import { formatOwed, owedOf } from '../../core/true-up/ledger-view.ts'
import { openStates } from '../../core/true-up/proposal-state.ts'
import type { AgreementState } from '../../read/agreements/agreement-snapshot.ts'
import { showCorrection } from '../../read/agreements/correction-view.ts'
import type { FoundCorrection } from '../../read/corrections.ts'
import { sideNames } from '../../read/ledger-groups.ts'
import type { AgreementStateRow } from '../../storage/agreements/agreements.ts'
import { workedSteps } from '../agreements/adjustment-page.ts'
import { moneyTime, openAgreement, readNames, todayOf } from '../agreements/opened-agreement.ts'
import { signatureView, signersOf } from '../agreements/period-row.ts'
import { type AsSigner, readAsSigner } from '../agreements/signer-check.ts'
import { acceptedWays, partyOf } from '../agreements/signing-view.ts'
import type { CorrectedSheets, CorrectionPage, LedgerPage, SheetView } from '../shapes/true-up.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { hearerOf, sightOf, signatoryOf } from '../sight/visibility.ts'
import { showNoteLacks } from './note-view.ts'

/** A correction as somebody sees it. */
interface OpenedCorrection extends FoundCorrection {
  /** Reason why nobody can sign it now. */
  readonly whyNot: string | null
}

/** Opens a correction. Refuses one that does not exist or is not visible to this person, with the same message. */
export async function openCorrection(parts: ViewContext, seat: Seat, id: string): Promise<OpenedCorrection> {
  const { corrections } = parts.library
  const agreementId = await corrections.agreementOf(seat.workspace.id, id)
  const index = await parts.library.index(seat.workspace.id)
  const row = agreementId === null ? undefined : index.findAgreement(agreementId)
  const sight = row === undefined ? null : sightOf(seat, row)
  const found =
    sight === null ? null : await corrections.find(seat.workspace.id, id, moneyTime(parts, sight), () => sight.tenure)
  if (found === null) throw new Refusal('not-found', 'there is no such correction')
  const hearer = sight!.tenure?.endedAt == null ? hearerOf(seat) : 'former supplier'
  return { ...found, whyNot: whyNotCorrected(row!.slug, row!.states.at(-1)!, hearer) }
}

export async function showCorrectionPage(parts: ViewContext, seat: Seat, id: string): Promise<CorrectionPage> {
  const found = await openCorrection(parts, seat, id)
  const { trueUp, kept, state, body, parties } = found
  const { snapshot, standing } = trueUp
  const correction = showCorrection({ ...found, slug: trueUp.slug })
  const receipt = await parts.library.corrections.receipt(seat.workspace.id, found)
  const sheets = new Map(receipt.receipts.map(each => [hashOf(each), each]))
  const names = await readNames(parts, seat)
  const party = partyOf(seat, { parties })
  const signed = party !== null && kept.signatures.some(each => each.party === party)
  const isOpen = openStates.includes(state)
  const asSigner = await readAsSigner(parts, seat, signaturesBefore(trueUp))
  const whyNot = isOpen ? whyNotSign(seat, found, party, signed, asSigner) : null
  const settledHashes = new Map(
    trueUp.agreement.periods.map(each => [each.period, numberOf(each)?.receiptHash ?? null] as const),
  )
  return {
    agreement: { slug: snapshot.slug, name: standing.state.name, unit: unitOf(standing) },
    correction,
    sentence: formatWhy(found),
    sheets: body.periods.map(({ period, adjustmentDate, receiptBefore, receiptAfter }) => ({
      period,
      adjustmentDate,
      before: sheetOf(sheets.get(receiptBefore ?? '')),
      after: sheetOf(sheets.get(receiptAfter ?? '')),
      settled: settledSide({ before: receiptBefore, after: receiptAfter }, settledHashes.get(period) ?? null),
    })),
    lines: body.lines.map(({ supplier, invoice, line, item, period, quantity, amountBefore, amountAfter, amount }) => ({
      supplier,
      invoice,
      line,
      item,
      period,
      quantity,
      amountBefore,
      amountAfter,
      amount,
    })),
    signatures: Object.fromEntries(
      partyNames.map(side => {
        const signature = kept.signatures.find(each => each.party === side)
        return [side, signature === undefined ? null : signatureView(signature, names)]
      }),
    ) as CorrectionPage['signatures'],
    signers: signersOf(receipt.signatures, body.parties),
    signing: {
      as: isOpen && whyNot === null ? party : null,
      whyNot,
      ...acceptedWays(found.trueUp.standing.state),
      mayWaive: isOpen && party !== null && !body.waived && body.net !== null,
      mayNote: state === 'AGREED' && mayManage(seat, found) && kept.notes.length < body.parts.length,
    },
    wholeNotes: kept.notes.flatMap(({ part, said }) => (said === null ? [] : [part])),
    noteLacks: await showNoteLacks(parts, seat, { state, body, kept, id }),
  }
}

function settledSide(
  { before, after }: { readonly before: string | null; readonly after: string | null },
  hash: string | null,
): CorrectedSheets['settled'] {
  if (hash === null) return null
  return hash === after ? 'after' : hash === before ? 'before' : null
}

/** Unit of the price in the newest version. */
export function unitOf({ versions }: Pick<AgreementState, 'versions'>): string | null {
  return versions.at(-1)?.formula.contract.price?.unit || null
}

function whyNotSign(
  seat: Seat,
  { whyNot, parties, trueUp, ...proposal }: OpenedCorrection,
  party: Party | null,
  signed: boolean,
  asSigner: AsSigner,
): string | null {
  if (whyNot !== null) return whyNot
  if (signed) return 'You have signed it for your side.'
  if (party === null) return whyNotAs('buyer', signatoryOf(seat), { parties })
  const signer = asSigner(party, { parties })
  return whyNotForSide(signer) ?? whyNotCorrection(signer, trueUp, proposal)
}

/** Whether somebody is a party to it, or manages the workspace. */
export function mayManage(seat: Seat, state: Pick<AgreementStateRow, 'parties'>): boolean {
  return writers.includes(seat.role) || partyOf(seat, state) !== null
}

function sheetOf(body: ReceiptBody | undefined): SheetView | null {
  if (body === undefined) return null
  const { adjustmentPct, cumulativePct, price = null } = body.result
  return { hash: hashOf(body), adjustmentPct, cumulativePct, price, steps: workedSteps(workReceipt(body), body) }
}

/** Sentences about the figures behind it, the periods they moved, and the contract's rule. */
function formatWhy({ body, state }: FoundCorrection): string {
  const { causes, periods, reason, waived, level } = body
  const figures = causes
    .slice(0, 3)
    .map(({ series, period, before, after }) =>
      before === null
        ? `${series} for ${period} was published as ${after.value}`
        : `${series} for ${period} was ${before.value} and is now ${after.value} (${after.version})`,
    )
  const more = causes.length > 3 ? `, and ${counted(causes.length - 3, 'figure', 'more ')} changed` : ''
  const labels = periods.map(({ period }) => period)
  const moved = labels.length > 4 ? `${labels[0]} to ${labels.at(-1)}` : labels.join(', ')
  const why = figures.length === 0 ? '' : `${figures.join('; ')}${more}. `
  const rest = level === 'REBASE' ? ' Later periods continue from the corrected numbers.' : ''
  const money = waived ? ' Both sides waive the money.' : ''
  const changes = state === 'AGREED' ? 'changed' : openStates.includes(state) ? 'changes' : 'would have changed'
  return `${why}That ${changes} the settled price of ${moved}.${rest}${money}${reason === null ? '' : ` Proposed by hand: ${reason}`}`
}

export async function showCorrectionReceipt(parts: ViewContext, seat: Seat, id: string): Promise<CorrectionReceipt> {
  const found = await openCorrection(parts, seat, id)
  return parts.seal.issueCorrection(await parts.library.corrections.receipt(seat.workspace.id, found))
}

export async function showLedger(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  asked: string | undefined,
): Promise<LedgerPage> {
  const { snapshot, sight, isSeen } = await openAgreement(parts, seat, slug)
  const cut = asked === undefined ? null : parseCut(asked)
  if (asked !== undefined && cut === null)
    throw new Refusal('invalid', `knownAt must be a day or an instant, got "${asked}"`)
  const latest = cut !== null && cut > parts.now() ? null : cut
  const seen = moneyTime(parts, sight)
  const knownAt = seen.knownAt === null || (latest !== null && latest < seen.knownAt) ? latest : seen.knownAt
  const isLater = knownAt !== null && sight.tenure?.endedAt != null && knownAt >= sight.tenure.endedAt
  if (knownAt !== null && !isLater && !isSeen(knownAt))
    throw new Refusal('not-found', 'you could not see this agreement then')
  const today = todayOf(parts)
  const time = { knownAt, until: knownAt === null ? today : Math.min(today, dayOfInstant(knownAt)) }
  const { tenure } = sight
  const trueUp = await parts.library.trueUps.of(seat.workspace.id, snapshot.id, time, tenure)
  if (trueUp === null) throw new Refusal('not-found', `${slug} did not exist yet`)
  const own = () => tenure
  const corrections = (await parts.library.corrections.list(seat.workspace.id, snapshot.id, time, own)) ?? []
  const isNow = knownAt === null
  const { currency } = trueUp
  const index = await parts.library.index(seat.workspace.id, {})
  const sides = sideNames(seat, index)(trueUp.standing.state.parties)
  return {
    sentence: currency === null ? '' : formatOwed(owedOf(balancesOf(trueUp.ledger)), currency, sides),
    sides,
    agreement: { slug: snapshot.slug, name: trueUp.standing.state.name },
    ledger: trueUp.presentedLedger,
    knownAt,
    lines: Object.fromEntries(trueUp.lines.map(({ id, supplier, invoice, line }) => [id, { invoice, line, supplier }])),
    corrections,
    whyNot: isNow && trueUp.openProposal === null ? trueUp.assessment.whyNot : null,
    mayPropose: isNow && mayManage(seat, trueUp.standing.state) && trueUp.hasUnproposed,
    hasPolicy: trueUp.versions.at(-1)?.bound.formula.corrections != null,
  }
}
