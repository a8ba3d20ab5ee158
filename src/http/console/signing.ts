// Signing from a page: who may, what comes first, what moved since somebody signed, and the signature itself, given for the
// hash that was seen and no other.
import { isOpenFor, signPeriod, whyNotAs, whyNotNow } from '../../agreements/sign.ts'
import type { ReceiptBody } from '../../core/receipt.ts'
import { tellDifferences } from '../../core/receipt-differences.ts'
import type { Entry } from '../../read/adjustments.ts'
import type { PamState, Party, SignOff } from '../../storage/pams.ts'
import { partyNames } from '../../storage/pams.ts'
import { signatureView } from './entry-row.ts'
import { ConsoleFailure } from './failure.ts'
import { type FormulaStanding, openFormula } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import type { MovedView, SigningView, SignOffQuestion } from './wire/formulas.ts'

/** The side a person signs for; null for nobody's. */
export function partyOf({ person, role }: Pick<Seat, 'person' | 'role'>, state: PamState): Party | null {
  const email = person.email.toLowerCase()
  return partyNames.find(party => whyNotAs(party, email, role, state) === null) ?? null
}

export function signingView(
  seat: Seat,
  at: FormulaStanding,
  entries: readonly Entry[],
  entry: Entry,
  names: ReadonlyMap<string, string>,
): SigningView {
  const party = partyOf(seat, at.standing.state)
  const whyNot = whyNotToSign(at, party, entry)
  const isEarlier = (each: Entry) => party !== null && each.date < entry.date && isOpenFor(party, each)
  return {
    as: whyNot === null ? party : null,
    whyNot,
    earlier: whyNot === null ? entries.filter(isEarlier).map(({ period }) => period) : [],
    moved: entry.isSigned ? [] : movedViews(at, entry, names),
  }
}

function whyNotToSign({ snapshot, standing }: FormulaStanding, party: Party | null, entry: Entry): string | null {
  if (entry.isSigned) return 'Both parties have signed it: the number stands.'
  const whyNot = whyNotNow(snapshot.slug, standing.state)
  if (whyNot !== null) return `${whyNot}.`
  if (party === null) return 'You sign for neither side: that is for the buyer and the supplier of this formula.'
  if (isOpenFor(party, entry)) return null
  const other = party === 'buyer' ? 'supplier' : 'buyer'
  return `It is signed for the ${party}; the ${other} has not signed it yet.`
}

/** Sign-offs of this period that were given for another receipt, the newest first. */
export function movedSignOffs({ standing }: FormulaStanding, { period, hash }: Entry): SignOff[] {
  return standing.signOffs.filter(each => each.period === period && each.receiptHash !== hash).toReversed()
}

function movedViews(at: FormulaStanding, entry: Entry, names: ReadonlyMap<string, string>): MovedView[] {
  return movedSignOffs(at, entry).flatMap(signOff => {
    const kept = at.snapshot.kept.receipts.find(
      each => each.period === signOff.period && each.receiptHash === signOff.receiptHash,
    )
    if (kept === undefined) return []
    const { body } = JSON.parse(kept.receipt) as { readonly body: ReceiptBody }
    return [
      {
        party: signOff.party,
        signature: signatureView(signOff, names),
        hash: signOff.receiptHash,
        adjustmentPct: body.result.adjustmentPct,
        price: body.result.price ?? null,
        changes: tellDifferences(body, entry.body),
      },
    ]
  })
}

export async function sign(
  parts: ConsoleParts,
  seat: Seat,
  slug: string,
  period: string,
  { party, hash, through }: SignOffQuestion,
): Promise<void> {
  const { snapshot, standing } = await openFormula(parts, seat, slug)
  const whyNot = whyNotAs(party, seat.person.email.toLowerCase(), seat.role, standing.state)
  if (whyNot !== null) throw new ConsoleFailure(403, whyNot)
  await signPeriod(parts.installation.sql, parts.seal, {
    workspaceId: seat.workspace.id,
    pam: snapshot.id,
    period,
    party,
    email: seat.person.email,
    hash,
    through,
    fromAddress: seat.fromAddress,
  })
  await parts.catchUp()
}
