// The list before many agreements are signed: every period with the hash that stands for its number. These agreements are opened,
// so pages ask for a few at a time.

import { firstRefused } from '../../../agreements/sign.ts'
import { whyNotForSide } from '../../../agreements/signable.ts'
import { openGround } from '../../../core/prices/shown-step.ts'
import { parseDay } from '../../../core/time/day.ts'
import { limits } from '../../../limits.ts'
import type { Adjustments } from '../../../read/agreements/adjustments.ts'
import { openPath } from '../../../read/agreements/settled-price.ts'
import {
  type OpenEffect,
  type OpenFigures,
  openFigures,
  pathOf,
  unpackFigures,
} from '../../../read/lists/open-figures.ts'
import { Slices } from '../../../read/memory/slices.ts'
import type { ToSignRequest } from '../../calls/inbox-calls.ts'
import type { AgreementToSign, PeriodToSignNow, RefusedAgreement, ToSign } from '../../shapes/inbox.ts'
import type { Seat } from '../../sight/seat.ts'
import { companyNames, sideView } from '../../sight/sides.ts'
import type { ViewContext } from '../../sight/view-parts.ts'
import { isOfTheirTime } from '../../sight/visibility.ts'
import { agreementsBySlug, ListTime, type OpenedAgreement, openAgreements, todayOf } from '../opened-agreement.ts'
import { type AsSigner, readAsSigner } from '../signer-check.ts'
import { datedTerms, partyOf } from '../signing-view.ts'
import { inboxPeriod } from './inbox.ts'

export async function showToSign(
  parts: ViewContext,
  seat: Seat,
  { agreements: asked }: ToSignRequest,
): Promise<ToSign> {
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const through = new Map(asked.map(each => [each.slug, each.through]))
  const wanted = agreementsBySlug(seat, index).filter(({ slug }) => through.has(slug))
  const ids = wanted.map(({ id }) => id)
  const { digests } = await parts.library.digests.gather(seat.workspace.id, ids, todayOf(parts))
  const opened = await openAgreements(parts, seat, wanted, new ListTime(parts))
  const bySlug = new Map(opened.map(at => [at.snapshot.slug, at]))
  const nameOf = companyNames(index)
  const given = opened.flatMap(({ snapshot }) => snapshot.whole.kept.signOffs)
  const asSigner = await readAsSigner(parts, seat, given)
  const agreements: AgreementToSign[] = []
  const refused: RefusedAgreement[] = []
  const slices = new Slices()
  for (const { slug } of asked) {
    const at = bySlug.get(slug)
    const known = at === undefined ? undefined : digests.get(at.snapshot.id)?.figures
    const one =
      at === undefined
        ? nothingOf(slug, slug)
        : toSign(seat, at, { through: through.get(slug), known, nameOf, asSigner })
    if ('why' in one) refused.push(one)
    else agreements.push(one)
    await slices.rest()
  }
  return { agreements, refused, datedTerms: await datedTerms(parts, seat) }
}

function nothingOf(slug: string, name: string): RefusedAgreement {
  return { slug, name, why: 'it has no period that waits for you now' }
}

interface SignWanted {
  /** Last period of the list, if one is named. */
  readonly through: string | undefined
  /** Figures computed for the inbox. */
  readonly known: OpenFigures | undefined
  readonly nameOf: (slug: string) => string
  readonly asSigner: AsSigner
}

function toSign(
  seat: Seat,
  at: OpenedAgreement,
  { through, known, nameOf, asSigner }: SignWanted,
): AgreementToSign | RefusedAgreement {
  const { adjustments, gap, standing, snapshot } = at
  const { name, status, parties } = standing.state
  const { slug } = snapshot
  const party = partyOf(seat, standing.state)
  if (adjustments === null) return { slug, name, why: gap?.sentence ?? 'it has no numbers now' }
  if (party === null || status !== 'ACTIVE') return nothingOf(slug, name)
  const figures = openFigures(snapshot, adjustments, effectsFor(adjustments, known))
  const path = pathOf(figures, settledAt => isOfTheirTime(seat, snapshot.whole.kept, settledAt))
  const open = adjustments.openPeriods()
  const waiting = open.flatMap((each, place) => (each.waitsFor.includes(party) ? [{ ...each, place }] : []))
  const last = waiting.findIndex(({ place }) => path.steps[place]!.period === through)
  const wanted = waiting
    .slice(0, Math.min(limits.signedAtOnce, last < 0 ? waiting.length : last + 1))
    .map(each => ({ ...each, entry: adjustments.openEntry(parseDay(each.date)!)! }))
  const signer = asSigner(party, standing.state)
  const refused = firstRefused(
    signer,
    snapshot.whole.kept,
    wanted.map(({ entry }) => entry),
  )
  const why = whyNotForSide(signer) ?? (refused?.place === 0 ? refused.why : null)
  if (why !== null) return { slug, name, why }
  const periods = wanted.slice(0, refused?.place).map(
    ({ date: _, place, entry, ...each }): PeriodToSignNow => ({
      ...inboxPeriod(path, place, each),
      hash: entry.hash,
    }),
  )
  const place = waiting[periods.length - 1]?.place
  if (place === undefined) return nothingOf(slug, name)
  const waitsFor = open.map(each => each.waitsFor)
  return {
    kind: 'periods',
    slug,
    name,
    as: party,
    currency: figures.currency,
    unit: figures.unit,
    periods,
    ground: openGround(path, place, waitsFor, party),
    supplier: sideView(parties.supplier, nameOf),
    isByCalendar: false,
    hindrance: null,
  }
}

/** Effects from the inbox, unless they belong to other numbers because figures came in between. */
function effectsFor(adjustments: Adjustments, known: OpenFigures | undefined): ReadonlyMap<string, OpenEffect> {
  const now = openPath(adjustments.surroundings.standing, adjustments.computed)
  const then = known === undefined ? [] : unpackFigures(known)
  const isSame =
    known?.settled === now.settled &&
    then.length === now.steps.length &&
    then.every(({ period, price }, i) => now.steps[i]!.period === period && now.steps[i]!.price === price)
  return new Map(isSame ? then.map(each => [each.period, each]) : [])
}
