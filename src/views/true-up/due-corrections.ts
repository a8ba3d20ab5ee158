// Corrections due and not proposed yet, of a cause, of a list's rows, or of all agreements, for the dialog before proposing.
import { formatMinorUnits } from '../../core/numbers/money.ts'
import { absolute, compare, type Ratio, zero } from '../../core/numbers/ratio.ts'
import { limits } from '../../limits.ts'
import { sideNames } from '../../read/ledger-groups.ts'
import type { DueProposal, SideLedger } from '../../read/true-up-lists.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import { loadSeenUntil } from '../../storage/agreements/radar-looks.ts'
import { todayOf } from '../agreements/opened-agreement.ts'
import { partyOf } from '../agreements/signing-view.ts'
import type { DueWanted } from '../calls/true-up-calls.ts'
import type { DueCorrection, DueCorrections } from '../shapes/true-up.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { stateFor } from '../sight/visibility.ts'
import { ledgersSeen } from './ledgers.ts'
import { flowsOf } from './moved-amounts.ts'
import { causeKey, isDue, mayPropose, nameAgreements, readMoved } from './revisions.ts'

interface FoundCorrection {
  readonly agreement: AgreementRecord
  readonly side: SideLedger
  readonly due: DueProposal
}

export async function listDue(parts: ViewContext, seat: Seat, wanted: DueWanted): Promise<DueCorrections> {
  const { library } = parts
  const index = await library.index(seat.workspace.id)
  const asked = await agreementsAsked(parts, seat, wanted)
  const seen = ledgersSeen(seat, index).filter(({ id }) => asked === null || asked.ids.has(id))
  const { answers, updating, heavy } = await library.trueUpLists.sides(seat.workspace.id, seen, todayOf(parts))
  const found = [...answers].flatMap(([id, sides]): FoundCorrection[] =>
    sides.flatMap(side =>
      side.due === null || !mayPropose(seat, side)
        ? []
        : [{ agreement: index.findAgreement(id)!, side, due: side.due }],
    ),
  )
  const size = ({ due }: FoundCorrection): Ratio => (due.net === null ? zero : absolute(due.net))
  found.sort((a, b) => compare(size(b), size(a)) || (a.agreement.slug < b.agreement.slug ? -1 : 1))
  const names = sideNames(seat, index)
  return {
    rows: found.map(({ agreement, side, due }) => ({
      slug: agreement.slug,
      name: stateFor(seat, agreement)?.name ?? agreement.slug,
      ...names(side.parties),
      as: partyOf(seat, side),
      ...presentDue(due),
    })),
    flows: flowsOf(
      found.flatMap(({ side, due: { net, currency } }) =>
        net === null || currency === null ? [] : [{ ...names(side.parties), amount: net, currency }],
      ),
    ),
    updating: updating + (asked?.updating ?? 0),
    leftOut: nameAgreements(seat, index, heavy),
    together: limits.radar.proposals,
  }
}

function presentDue({
  hash,
  periods,
  net,
  currency,
}: DueProposal): Pick<DueCorrection, 'hash' | 'periods' | 'net' | 'currency'> {
  return { hash, periods, net: net === null || currency === null ? null : formatMinorUnits(net, currency), currency }
}

/** Agreements with something due in a list of revisions; null for all that the person sees. */
async function agreementsAsked(
  parts: ViewContext,
  seat: Seat,
  wanted: DueWanted,
): Promise<{ readonly ids: ReadonlySet<string>; readonly updating: number } | null> {
  if (wanted.of === 'all') return null
  const seenUntil = await loadSeenUntil(parts.installation.sql, seat.workspace.id, seat.person.id)
  const { entries, updating } = await readMoved(parts, seat, wanted, seenUntil)
  const due = entries.filter(
    entry => isDue(entry) && (wanted.cause === undefined || causeKey(entry.row) === wanted.cause),
  )
  return { ids: new Set(due.map(({ agreementId }) => agreementId)), updating }
}
