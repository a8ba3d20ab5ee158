// A correction as a person takes it into a negotiation: the number, why, both calculations of every period, the invoice lines,
// the signatures. And the ledger of an agreement, now or at any moment.

import { whyNotCorrected } from '../../agreements/correct.ts'
import { whyNotAs } from '../../agreements/parties.ts'
import type { CorrectionReceipt } from '../../core/correction-receipt.ts'
import { dayOfInstant, parseCut } from '../../core/instant.ts'
import { hashOf, type ReceiptBody } from '../../core/receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { workReceipt } from '../../core/worked-steps.ts'
import type { FoundCorrection } from '../../read/corrections.ts'
import type { PamStanding } from '../../read/pam-snapshot.ts'
import type { TrueUp } from '../../read/true-up.ts'
import { partyNames } from '../../storage/pams.ts'
import { workedSteps } from './adjustment-page.ts'
import { signatureView, signersOf } from './entry-row.ts'
import { openFormula, readNames, todayOf } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { partyOf } from './signing.ts'
import { isVisibleNow, signatoryOf } from './visibility.ts'
import type { CorrectionPage, LedgerPage, SheetView } from './wire/true-up.ts'

const openStates = ['PROPOSED', 'SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER']

/** Refuses what does not exist, or is not visible to this person, with the same message. */
export async function openCorrection(parts: ConsoleParts, seat: Seat, id: string): Promise<FoundCorrection> {
  const index = await parts.library.index(seat.workspace.id)
  const sees = (pamId: string) => isVisibleNow(seat, index.findPam(pamId))
  const time = { knownAt: null, until: todayOf(parts) }
  const found = await parts.library.corrections.find(seat.workspace.id, id, time, sees)
  if (found === null) throw new Refusal('not-found', 'there is no such correction')
  return found
}

export async function showCorrectionPage(parts: ConsoleParts, seat: Seat, id: string): Promise<CorrectionPage> {
  const found = await openCorrection(parts, seat, id)
  const { trueUp, kept, state, body } = found
  const { snapshot, standing } = trueUp
  const time = { knownAt: null, until: todayOf(parts) }
  const correction = (await parts.library.corrections.show(seat.workspace.id, id, time))!
  const receipt = await parts.library.corrections.receipt(seat.workspace.id, found)
  const sheets = new Map(receipt.receipts.map(each => [hashOf(each), each]))
  const names = await readNames(parts, seat)
  const party = partyOf(seat, standing.state)
  const signed = party !== null && kept.signatures.some(each => each.party === party)
  const isOpen = openStates.includes(state)
  return {
    formula: { slug: snapshot.slug, name: standing.state.name, unit: unitOf(standing) },
    correction,
    sentence: tellWhy(found),
    sheets: body.periods.map(({ period, adjustmentDate, receiptBefore, receiptAfter }) => ({
      period,
      adjustmentDate,
      before: sheetOf(sheets.get(receiptBefore ?? '')),
      after: sheetOf(sheets.get(receiptAfter ?? '')),
    })),
    lines: body.lines.map(({ supplier, invoice, line, item, period, quantity, amountBefore, amountAfter, amount }) => ({
      ...{ supplier, invoice, line, item, period, quantity, amountBefore, amountAfter, amount },
    })),
    signatures: Object.fromEntries(
      partyNames.map(side => {
        const signature = kept.signatures.find(each => each.party === side)
        return [side, signature === undefined ? null : signatureView(signature, names)]
      }),
    ) as CorrectionPage['signatures'],
    signers: signersOf(receipt.signatures, body.parties),
    signing: {
      as: isOpen && party !== null && !signed && whyNotCorrected(snapshot.slug, standing.state) === null ? party : null,
      whyNot: isOpen ? whyNotSign(seat, trueUp, party, signed) : null,
      mayWaive: isOpen && party !== null && !body.waived && body.net !== null,
      mayNote: state === 'AGREED' && mayManage(seat, trueUp) && kept.notes.length < body.parts.length,
    },
  }
}

/** What the price is for, by the newest version. */
export function unitOf({ versions }: Pick<PamStanding, 'versions'>): string | null {
  return versions.at(-1)?.formula.contract.price?.unit || null
}

function whyNotSign(seat: Seat, { slug, standing }: TrueUp, party: string | null, signed: boolean): string | null {
  const why = whyNotCorrected(slug, standing.state)
  if (why !== null) return why
  if (signed) return 'You have signed it for your side.'
  return party === null ? whyNotAs('buyer', signatoryOf(seat), standing.state) : null
}

/** A party to it, or somebody who manages the workspace. */
export function mayManage(seat: Seat, { standing }: TrueUp): boolean {
  return ['owner', 'editor'].includes(seat.role) || partyOf(seat, standing.state) !== null
}

function sheetOf(body: ReceiptBody | undefined): SheetView | null {
  if (body === undefined) return null
  const { adjustmentPct, cumulativePct, price = null } = body.result
  return { hash: hashOf(body), adjustmentPct, cumulativePct, price, steps: workedSteps(workReceipt(body), body) }
}

/** The figures behind it, the periods they moved, and what the contract says. */
function tellWhy({ body }: FoundCorrection): string {
  const { causes, periods, reason, waived, level } = body
  const figures = causes
    .slice(0, 3)
    .map(({ series, period, before, after }) =>
      before === null
        ? `${series} for ${period} was published as ${after.value}`
        : `${series} for ${period} was ${before.value} and is now ${after.value} (${after.version})`,
    )
  const more = causes.length > 3 ? `, and ${causes.length - 3} more figures changed` : ''
  const labels = periods.map(({ period }) => period)
  const moved = labels.length > 4 ? `${labels[0]} to ${labels.at(-1)}` : labels.join(', ')
  const why = figures.length === 0 ? '' : `${figures.join('; ')}${more}. `
  const rest = level === 'REBASE' ? ' Later periods continue from the corrected numbers.' : ''
  const money = waived ? ' Both sides waive the money.' : ''
  return `${why}That changes the agreed price of ${moved}.${rest}${money}${reason === null ? '' : ` Proposed by hand: ${reason}`}`
}

export async function showCorrectionReceipt(parts: ConsoleParts, seat: Seat, id: string): Promise<CorrectionReceipt> {
  const found = await openCorrection(parts, seat, id)
  return parts.seal.issueCorrection(await parts.library.corrections.receipt(seat.workspace.id, found))
}

export async function showLedger(
  parts: ConsoleParts,
  seat: Seat,
  slug: string,
  asked: string | undefined,
): Promise<LedgerPage> {
  const { snapshot, sight } = await openFormula(parts, seat, slug)
  const cut = asked === undefined ? null : parseCut(asked)
  if (asked !== undefined && cut === null)
    throw new Refusal('invalid', `knownAt must be a day or an instant, got "${asked}"`)
  const latest = cut !== null && cut > parts.now() ? null : cut
  // If a formula is a draft again, a supplier sees it as it last stood in force.
  const knownAt = sight.knownAt === null || (latest !== null && latest < sight.knownAt) ? latest : sight.knownAt
  const today = todayOf(parts)
  const time = { knownAt, until: knownAt === null ? today : Math.min(today, dayOfInstant(knownAt)) }
  const trueUp = await parts.library.trueUps.of(seat.workspace.id, snapshot.id, time)
  if (trueUp === null) throw new Refusal('not-found', `${slug} was not there yet`)
  const corrections = (await parts.library.corrections.list(seat.workspace.id, snapshot.id, time)) ?? []
  const isNow = knownAt === null
  return {
    formula: { slug: snapshot.slug, name: trueUp.standing.state.name },
    ledger: trueUp.presentedLedger,
    knownAt,
    lines: Object.fromEntries(
      trueUp.lines.map(({ id, supplier, invoice, line }) => [id, `${invoice}, line ${line}, ${supplier}`]),
    ),
    corrections,
    whyNot: isNow && trueUp.openProposal === null ? trueUp.assessment.whyNot : null,
    mayPropose:
      isNow &&
      trueUp.openProposal === null &&
      mayManage(seat, trueUp) &&
      trueUp.assessment.moved.some(({ hasEffect }) => hasEffect),
    hasPolicy: trueUp.versions.at(-1)?.bound.formula.corrections != null,
  }
}
