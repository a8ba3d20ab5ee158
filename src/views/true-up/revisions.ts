// What publications did to the agreements a person sees, since they last looked.

import { Refusal } from '../../core/refusal.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf, parseCut } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Tenure } from '../../read/agreements/tenure.ts'
import type { RadarEntry } from '../../read/radar.ts'
import { readSeenUntil, setSeenUntil } from '../../storage/agreements/radar-seen.ts'
import { hasWords, readWords } from '../agreements/agreement-list.ts'
import { todayOf } from '../agreements/seen-agreement.ts'
import type { RevisionsWanted } from '../calls/true-up-calls.ts'
import type { KindCounts, RevisionRow, Revisions } from '../shapes/true-up.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { radarSightOf, stateFor } from '../sight/visibility.ts'
import { unitOf } from './correction-page.ts'

export async function showRevisions(parts: ViewParts, seat: Seat, wanted: RevisionsWanted): Promise<Revisions> {
  const { library, installation } = parts
  const workspaceId = seat.workspace.id
  const seenUntil = await readSeenUntil(installation.sql, workspaceId, seat.person.id)
  const now = parts.now()
  const end = readMoment('until', wanted.until, now)
  const until = end === null || end === now ? (await library.moments.of(workspaceId)).newest : end
  const back = instantOfMicros(microsOf(until) - limits.radar.days * 86_400_000_000)
  const begin = readMoment('since', wanted.since, now)
  const since = begin ?? earlier(seenUntil, until) ?? back
  if (end !== null && since > end) throw new Refusal('invalid', 'since must not lie after until')
  const today = todayOf(parts)
  const day = end === null ? today : Math.min(today, dayOfInstant(end))
  const index = await library.index(workspaceId)
  const sight = radarSightOf(seat, index)
  // Nothing was published since.
  const isEmpty = since >= until
  const all = isEmpty ? [] : await library.radar.read(workspaceId, { since, until, day, pamId: null }, sight)
  const words = readWords(wanted.q ?? '')
  const seen = all.filter(({ pamId: agreementId }) => {
    const agreement = index.findAgreement(agreementId)
    return agreement !== undefined && hasWords(seat, agreement, words)
  })
  const found = wanted.kind === undefined ? seen : seen.filter(({ row }) => row.kind === wanted.kind)
  const from = wanted.from ?? 0
  const next = from + limits.radar.page
  const shown = found.slice(from, next)
  await library.trueUps.prepare(workspaceId, [...new Set(shown.map(({ pamId: agreementId }) => agreementId))])
  const rows: RevisionRow[] = []
  for (const entry of shown) {
    const name = stateFor(seat, index.findAgreement(entry.pamId)!)?.name ?? entry.row.agreement
    const cached = await library.agreement(workspaceId, entry.pamId)
    const unit = cached === null ? null : unitOf(cached.snapshot)
    const tenure = sight?.parts.get(entry.pamId) ?? null
    rows.push({ ...entry.row, name, unit, correction: await correctionOf(parts, workspaceId, entry, tenure) })
  }
  return {
    ...{ since, until, seenUntil, rows, kinds: countKinds(seen), count: found.length },
    agreements: new Set(found.map(({ pamId: agreementId }) => agreementId)).size,
    next: next < found.length ? next : null,
  }
}

/** How many periods there are of each kind. */
export function countKinds(entries: readonly RadarEntry[]): KindCounts {
  return Object.fromEntries(
    Map.groupBy(entries, ({ row }) => row.kind)
      .entries()
      .map(([kind, own]) => [kind, own.length]),
  )
}

/** If somebody has just marked everything as seen, there is nothing new. */
function earlier(seenUntil: Instant | null, until: Instant): Instant | null {
  return seenUntil === null ? null : seenUntil < until ? seenUntil : until
}

/** What is not over yet counts up to now. */
function readMoment(name: string, text: string | undefined, now: Instant): Instant | null {
  if (text === undefined) return null
  const instant = parseCut(text)
  if (instant === null) throw new Refusal('invalid', `${name} must be a day or an instant, got "${text}"`)
  return instant > now ? now : instant
}

/** The newest proposal that covers the period and was not superseded. */
async function correctionOf(
  { library, ...parts }: ViewParts,
  workspaceId: string,
  { pamId: agreementId, row }: RadarEntry,
  tenure: Tenure | null,
): Promise<RevisionRow['correction']> {
  if (row.kind !== 'SIGNED_MOVED') return null
  const trueUp = await library.trueUps.of(workspaceId, agreementId, { knownAt: null, until: todayOf(parts) }, tenure)
  const proposal = trueUp?.proposals.findLast(
    ({ kept, state }) => kept.periods.includes(row.period) && state !== 'SUPERSEDED' && state !== 'REFUSED',
  )
  return proposal === undefined ? null : { id: proposal.kept.id, state: proposal.state }
}

export async function markSeen(parts: ViewParts, seat: Seat, until: string | null): Promise<void> {
  const instant = until === null ? null : parseCut(until)
  if (until !== null && (instant === null || instant > parts.now()))
    throw new Refusal('invalid', 'until must be an instant that is past')
  await setSeenUntil(parts.installation.sql, seat.workspace.id, seat.person.id, instant)
}
