// What is shown before many agreements are signed: every period with the hash that stands for its number. These agreements
// are opened, so pages ask for a few at a time.

import { parseDay } from '../../../core/time/day.ts'
import { limits } from '../../../limits.ts'
import { openFigures, unpackFigures } from '../../../read/lists/open-figures.ts'
import { Slices } from '../../../read/memory/slices.ts'
import type { ToSignRequest } from '../../calls/inbox-calls.ts'
import type { AgreementToSign, PeriodToSignNow, RefusedAgreement, ToSign } from '../../shapes/inbox.ts'
import type { Seat } from '../../sight/seat.ts'
import { companyNames, sideView } from '../../sight/sides.ts'
import type { ViewParts } from '../../sight/view-parts.ts'
import { agreementsBySlug, ListTime, openAgreements, type SeenAgreement, todayOf } from '../seen-agreement.ts'
import { partyOf } from '../signing-view.ts'

export async function showToSign(parts: ViewParts, seat: Seat, { agreements: asked }: ToSignRequest): Promise<ToSign> {
  const index = await parts.library.index(seat.workspace.id, { formulas: 'all' })
  const through = new Map(asked.map(each => [each.slug, each.through]))
  const wanted = agreementsBySlug(seat, index).filter(({ slug }) => through.has(slug))
  const ids = wanted.map(({ id }) => id)
  const { digests } = await parts.library.digests.gather(seat.workspace.id, ids, todayOf(parts))
  const opened = await openAgreements(parts, seat, wanted, new ListTime(parts))
  const bySlug = new Map(opened.map(at => [at.snapshot.slug, at]))
  const nameOf = companyNames(index)
  const agreements: AgreementToSign[] = []
  const refused: RefusedAgreement[] = []
  const slices = new Slices()
  for (const { slug } of asked) {
    const at = bySlug.get(slug)
    const lines = at === undefined ? undefined : digests.get(at.snapshot.id)?.figures
    const effects = new Map(lines === undefined ? [] : unpackFigures(lines).map(each => [each.date, each]))
    const one = at === undefined ? nothingOf(slug, slug) : toSign(seat, at, through.get(slug), nameOf, effects)
    if ('why' in one) refused.push(one)
    else agreements.push(one)
    await slices.rest()
  }
  return { agreements, refused }
}

function nothingOf(slug: string, name: string): RefusedAgreement {
  return { slug, name, why: 'nothing of it waits for you now' }
}

/** Up to a period, if one is named. */
function toSign(
  seat: Seat,
  at: SeenAgreement,
  through: string | undefined,
  nameOf: (slug: string) => string,
  effects: ReadonlyMap<string, { readonly price: string | null; readonly effect: string | null }>,
): AgreementToSign | RefusedAgreement {
  const { adjustments, gap, standing, snapshot } = at
  const { name, status, parties } = standing.state
  const { slug } = snapshot
  const party = partyOf(seat, standing.state)
  if (adjustments === null) return { slug, name, why: gap?.sentence ?? 'it has no numbers now' }
  if (party === null || status !== 'ACTIVE') return nothingOf(slug, name)
  const figures = openFigures(snapshot, adjustments, new Map())
  const byDate = new Map(unpackFigures(figures).map(each => [each.date, each]))
  const waiting = adjustments.openPeriods().filter(({ waitsFor }) => waitsFor.includes(party))
  const last = waiting.findIndex(({ date }) => byDate.get(date)!.period === through)
  const periods = waiting
    .slice(0, Math.min(limits.signedAtOnce, last < 0 ? waiting.length : last + 1))
    .map(({ date, waitsFor, isDisputed }): PeriodToSignNow => {
      const { movedFor, ...figure } = byDate.get(date)!
      const known = effects.get(date)
      // What was computed for the list is of another number where figures came in between.
      const effect = known?.price === figure.price ? known.effect : null
      const hasMoved = movedFor.some(each => waitsFor.includes(each))
      const { hash } = adjustments.openEntry(parseDay(date)!)!
      return { ...figure, effect, waitsFor, isDisputed, hasMoved, hash }
    })
  if (periods.length === 0) return nothingOf(slug, name)
  const { currency, unit, priceBefore } = figures
  return {
    ...{ kind: 'periods', slug, name, as: party, currency, unit, priceBefore, periods, isByCalendar: false },
    supplier: sideView(parties.supplier, nameOf),
  }
}
