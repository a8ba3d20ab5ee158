// `radar`: effects of publications on agreements in a span of time, the largest amounts first.
import { radarSight } from '../../agreements/parties.ts'
import { Refusal } from '../../core/refusal.ts'
import { parseDay } from '../../core/time/day.ts'
import {
  dayOfInstant,
  endOfDay,
  type Instant,
  instantOfMicros,
  microsOf,
  parseInstant,
} from '../../core/time/instant.ts'
import { allChanges, momentOfPlace, readFeedPlace } from '../../http/frame/feed-place.ts'
import { SealedCursors } from '../../http/frame/sealed-cursor.ts'
import { limits } from '../../limits.ts'
import type { RadarRow } from '../../read/radar.ts'
import { scopesOf, settle } from '../../storage/log/append.ts'
import { loadNewestSeen } from '../../storage/log/visible-entries.ts'
import { findMember } from '../../storage/people/people.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant, today } from '../frame/clock.ts'
import { type Invocation, Misuse, textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const radarCommand = workspaceCommand({
  name: 'radar',
  usage: '--workspace W [--since D] [--until D] [--pam S] [--as <email>]',
  summary: 'Lists the effects of publications on settled prices and open proposals, the largest amounts first.',
  options: {
    since: {
      type: 'string',
      value: 'D',
      help: `only what was published after this day, instant or cursor of /changes; ${limits.radar.days} days back by default`,
    },
    until: { type: 'string', value: 'D', help: 'only what was published by this day, instant or cursor of /changes' },
    pam: { type: 'string', value: 'S', help: 'this agreement alone, by its slug' },
    as: { type: 'string', value: '<email>', help: 'only agreements that this person sees' },
  },
  async work({ invocation, installation, workspace }) {
    const library = openLibrary(installation, invocation)
    const end = await momentOption(installation, invocation, workspace.id, 'until')
    const newest = await withWorkspace(installation.sql, workspace.id, tx => loadNewestSeen(tx, workspace.id))
    const until = end ?? newest
    const begin = await momentOption(installation, invocation, workspace.id, 'since')
    const since = begin ?? instantOfMicros(microsOf(until) - limits.radar.days * 86_400_000_000)
    if (end !== null && since > end) throw new Misuse('--since must not lie after --until')
    for (const scope of scopesOf(workspace.id)) await settle(installation.sql, scope, until)
    const index = await library.index(workspace.id)
    const slug = textOption(invocation, 'pam')
    const agreementId = slug === null ? null : index.agreementId(slug)
    if (agreementId === undefined) throw new Refusal('not-found', `there is no agreement "${slug}"`)
    const viewer = await viewerOption(installation, invocation, workspace.id)
    const day = end === null ? today() : Math.min(today(), dayOfInstant(end))
    const sight = viewer?.role === 'supplier' ? radarSight(viewer, index.agreements) : null
    // Nothing was published since.
    const isEmpty = since >= until
    const entries = isEmpty ? [] : await library.radar.read(workspace.id, { since, until, day, agreementId }, sight)
    const data = entries.map(({ row }) => row)
    return {
      json: { data, pagination: { limit: data.length, hasMore: false, nextCursor: null } },
      words:
        data.length === 0 ? 'nothing that was published moved a number\n' : alignRows(data.map(cellsOf), [5, 6], ''),
    }
  },
})

async function momentOption(
  { sql, ring }: Installation,
  invocation: Invocation,
  workspaceId: string,
  name: 'since' | 'until',
): Promise<Instant | null> {
  const text = textOption(invocation, name)
  if (text === null) return null
  const day = parseDay(text)
  const instant = day === null ? parseInstant(text) : endOfDay(day)
  if (instant === null) {
    const sealed = new SealedCursors(ring, 'feed cursors')
    const place = readFeedPlace(sealed, workspaceId, allChanges, text)
    return withWorkspace(sql, workspaceId, tx => momentOfPlace(tx, workspaceId, place), 'snapshot')
  }
  if (instant > currentInstant())
    throw new Misuse(`--${name} must be an instant that is past or a day that is over in UTC`)
  return instant
}

async function viewerOption({ sql }: Installation, invocation: Invocation, workspaceId: string) {
  const email = textOption(invocation, 'as')
  if (email === null) return null
  const member = await findMember(sql, workspaceId, email)
  if (member === null) throw new Refusal('not-found', `nobody in this workspace has the address ${email}`)
  return { ...member, email: member.email.toLowerCase() }
}

function cellsOf(row: RadarRow): string[] {
  const { kind, agreement, period, cause, causes, points, amount, currency, priceBefore, priceAfter, policy } = row
  const others = causes === undefined ? '' : ` and ${causes.length - 1} more`
  const figure =
    cause === null
      ? ''
      : `${cause.series} ${cause.period} ${cause.before ?? 'none'} → ${cause.after ?? 'withdrawn'} ${cause.tag ?? ''}`
  return [
    kind,
    agreement,
    period,
    `${figure.trimEnd()}${others}`,
    priceBefore === priceAfter ? (priceAfter ?? '') : `${priceBefore ?? 'none'} → ${priceAfter ?? 'none'}`,
    points === null ? '' : `${points} points`,
    amount === null ? '' : `${amount} ${currency}`,
    policy,
  ]
}
