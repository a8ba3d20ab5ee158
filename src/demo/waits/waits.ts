// Waits of the demo: release calendars, an agreement whose index is late and one whose index comes after the date, one that reads
// a month which was never published, and an index that ended, whose successor waits for the supplier's signature.

import { proposeSplice } from '../../agreements/terms/propose.ts'
import { signChange } from '../../agreements/terms/sign-change.ts'
import type { SpliceWish } from '../../agreements/terms/splice.ts'
import type { Instant } from '../../core/time/instant.ts'
import { formatPeriod, shift } from '../../core/time/period.ts'
import { loadAgreementHistory } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { loadSeriesReleases, publishReleases, saveSeriesReleases } from '../../storage/series/calendar.ts'
import { loadSeriesOfWorkspace } from '../../storage/series/own-series.ts'
import { buyer } from '../people.ts'
import { type DemoWorkspace, publishUntil } from '../publish.ts'
import { announcedReleases } from './announcements.ts'
import { type MovingName, movingReleases, movingSeries, newestMonth, releaseNames } from './moving-series.ts'

export async function announceReleases(ground: DemoWorkspace, now: Instant): Promise<void> {
  const { sql, workspaceId } = ground
  await publishUntil(ground, movingSeries(now), null)
  await publishReleases(sql, [...announcedReleases, ...movingReleases(now)])
  const pairs = await withWorkspace(sql, workspaceId, async tx => {
    const { own } = await loadSeriesOfWorkspace(tx, workspaceId)
    const named = releaseNames.map(({ reference, release }) => ({ seriesId: own.get(reference)!.id, release }))
    const known = await loadSeriesReleases(
      tx,
      named.map(({ seriesId }) => seriesId),
    )
    return named.filter(({ seriesId, release }) => known.get(seriesId) !== release)
  })
  await saveSeriesReleases(sql, workspaceId, pairs)
}

/** Newest period that can be computed for an agreement that reads so many months back. */
export function newestPeriod(name: MovingName, lagMonths: number, now: Instant): string {
  return formatPeriod(shift(newestMonth(name, now), lagMonths))
}

/** Proposes the successor once, by the buyer, who has signed it. */
export async function proposeSuccessor({ sql, seal, workspaceId }: DemoWorkspace): Promise<void> {
  const kept = await withWorkspace(sql, workspaceId, tx => loadAgreementHistory(tx, workspaceId, 'bonded-warehouse'))
  if (kept?.changes.some(({ signatures }) => signatures.length > 0)) return
  const wish: SpliceWish = {
    old: 'ECB/ICP/M.U2.N.000000.4.INX',
    successor: 'CUSTOM/hicp-2025',
    inputs: null,
    method: 'OVERLAP',
    ground: {
      kind: 'EVENT',
      event: 'ecb-icp-ended',
      change: null,
      sentence: 'The data set ICP ended with December 2025; prices go on with 2025 = 100.',
    },
    window: { from: '2025-01', until: '2025-12' },
    direction: null,
    point: null,
    rounding: null,
    published: null,
    join: null,
    base: null,
    waitFinal: false,
    candidates: [],
  }
  const by = { who: buyer.email, fromAddress: null }
  const { id, hash } = await proposeSplice(sql, { workspaceId, agreement: 'bonded-warehouse', wish, by })
  const proof = { means: 'OPERATOR' } as const
  await signChange(sql, seal, workspaceId, {
    id,
    hash,
    party: 'buyer',
    email: buyer.email,
    proof,
    fromAddress: null,
  })
}
