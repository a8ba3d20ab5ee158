// What a calendar feed holds: the releases that the agreements of its viewer read, and their adjustment dates. It looks with the
// rights of the person it belongs to, so that a supplier's feed has its own agreements alone.
import { type Config, publicUrlOf } from '../config.ts'
import { schedule } from '../core/formula/schedule.ts'
import { TooHeavyHere } from '../core/numbers/work-budget.ts'
import { andList } from '../core/text/words.ts'
import { type Day, writeDay } from '../core/time/day.ts'
import { dayOfInstant } from '../core/time/instant.ts'
import type { CalendarEvent, CalendarFile } from '../formats/icalendar.ts'
import { limits } from '../limits.ts'
import { findProvider } from '../providers/catalogue/catalogue.ts'
import { type ListedRelease, listReleases } from '../read/release-list.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import type { OpenFeed } from '../storage/people/feeds.ts'
import { readWorkspace } from '../storage/workspaces/workspaces.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewParts } from './sight/view-parts.ts'
import { isPartyNow, readersOf, stateFor } from './sight/visibility.ts'

const { cancelledDays, pastDays, aheadDays, events: mostEvents, names: mostNames } = limits.feeds

/** `source` is where it is fetched. */
export async function readFeed(parts: ViewParts, feed: OpenFeed, source: string): Promise<CalendarFile> {
  const { workspaceId, shows } = feed
  const workspace = await readWorkspace(parts.installation.sql, workspaceId)
  const seat = seatOf(workspace, feed)
  const index = await parts.library.index(workspaceId)
  const wanted = feed.agreementIds === null ? null : new Set(feed.agreementIds)
  const agreements = index.pams.filter(
    agreement =>
      (wanted === null || wanted.has(agreement.id)) &&
      isPartyNow(seat, agreement) &&
      stateFor(seat, agreement)?.status === 'ACTIVE',
  )
  const ground: Ground = { parts, seat, agreements, today: dayOfInstant(parts.now()) }
  const releases = shows === 'DATES' ? [] : await releaseEvents(ground)
  const dates = shows === 'RELEASES' ? [] : await dateEvents(ground)
  return {
    name: feed.name,
    description: `Releases and adjustment dates of ${workspace.name}`,
    source,
    events: [...releases, ...dates].slice(0, mostEvents),
  }
}

interface Ground {
  readonly parts: ViewParts
  readonly seat: Seat
  /** In force, and seen as they go on. */
  readonly agreements: readonly AgreementRecord[]
  readonly today: Day
}

/** A feed without a person sees what the workspace has, and can do nothing. */
function seatOf(workspace: Seat['workspace'], { member }: OpenFeed): Seat {
  const { role, company, ...person } = member ?? { id: '', email: '', name: '', role: 'viewer' as const, company: null }
  return { sessionId: '', person, workspace, role, company, isOperator: false, fromAddress: '' }
}

async function releaseEvents({ parts, seat, agreements, today }: Ground): Promise<readonly CalendarEvent[]> {
  const { library } = parts
  const workspaceId = seat.workspace.id
  const readers = await readersOf(seat, library, await library.index(workspaceId))
  const listed = await listReleases(library, workspaceId, {
    from: today - cancelledDays,
    to: today + aheadDays,
    agreementIds: new Set(agreements.map(({ id }) => id)),
    readers,
  })
  const since = writeDay(today - pastDays)
  const names = new Map(agreements.map(agreement => [agreement.slug, nameOf(seat, agreement)]))
  const shown = listed.filter(({ entry }) => entry.status === 'CANCELLED' || entry.at.slice(0, 10) >= since)
  const events = new Map<string, CalendarEvent>()
  for (const each of shown) {
    const event = releaseEvent(each, names)
    const before = events.get(event.subject)
    // A cancelled entry that another one has replaced.
    if (before === undefined || before.status === 'CANCELLED') events.set(event.subject, event)
  }
  return [...events.values()]
}

function releaseEvent({ entry, row }: ListedRelease, names: ReadonlyMap<string, string>): CalendarEvent {
  const { provider, release, period, number, at, zone, status, announcedAt, sourceId } = entry
  const { shortTitle } = findProvider(provider)
  const revision = number === null || number === 1 ? '' : ` revision ${number - 1}`
  const isOpen = status === 'POSTPONED'
  const readBy = row.pams.map(slug => names.get(slug) ?? slug)
  return {
    subject: `release ${provider}/${release} ${period ?? sourceId}${revision}`,
    time: at.length === 10 || isOpen ? { from: at.slice(0, 10), to: at.slice(0, 10) } : { at },
    status: status === 'CANCELLED' ? 'CANCELLED' : isOpen ? 'TENTATIVE' : 'CONFIRMED',
    title: `${beginnings[status]}${shortTitle}: ${titled(entry.title, period)}${revision === '' ? '' : ' (revision)'}`,
    description: [
      `${announcedWords[status]} by ${shortTitle}, whose dates are in ${zone}.`,
      `Read by ${andList(few(readBy))}.`,
      `Series: ${few(row.series).join(', ')}.`,
    ].join('\n'),
    changedAt: announcedAt,
    url: null,
    categories: ['Release'],
  }
}

const beginnings = { OFFICIAL: '', DATE_ONLY: '', CANCELLED: 'Cancelled: ', POSTPONED: 'Date open: ' } as const
const announcedWords = {
  OFFICIAL: 'Announced',
  DATE_ONLY: 'Announced for the day',
  CANCELLED: 'Cancelled',
  POSTPONED: 'No longer announced for this day',
} as const

/** Most titles say what they are about; a bare one gets its period. */
function titled(title: string, period: string | null): string {
  return period === null || title.includes(period.slice(0, 4)) ? title : `${title}, ${period}`
}

function few(names: readonly string[]): readonly string[] {
  if (names.length <= mostNames) return names
  return [...names.slice(0, mostNames), `${names.length - mostNames} more`]
}

function nameOf(seat: Seat, agreement: AgreementRecord): string {
  return stateFor(seat, agreement)?.name ?? agreement.slug
}

async function dateEvents(ground: Ground): Promise<readonly CalendarEvent[]> {
  const events: CalendarEvent[] = []
  for (const agreement of ground.agreements) events.push(...(await datesOf(ground, agreement)))
  return events
}

async function datesOf({ parts, seat, today }: Ground, agreement: AgreementRecord): Promise<readonly CalendarEvent[]> {
  const { id, slug } = agreement
  const cached = await Promise.try(() => parts.library.agreement(seat.workspace.id, id)).catch(error => {
    // One whose documents take too long to read here is left out; the others are there.
    if (error instanceof TooHeavyHere) return null
    throw error
  })
  const standing = cached?.snapshot.at(null) ?? null
  if (standing === null) return []
  const name = nameOf(seat, agreement)
  return schedule(standing.versions, today + aheadDays, standing.continuesFrom.keptLabels)
    .filter(({ date }) => date >= today - pastDays)
    .map(({ date, label, version }) => ({
      subject: `date ${id} ${label}`,
      time: { from: writeDay(date), to: writeDay(date) },
      status: 'CONFIRMED',
      title: `Adjustment: ${name}, ${label}`,
      description: `The price of ${name} is adjusted for ${label}.`,
      changedAt: version.recordedAt,
      url: pageOf(parts.config, seat, `agreements/${slug}/periods/${label}`),
      categories: ['Adjustment'],
    }))
}

/** Null where nobody said under which address people reach us. */
function pageOf(config: Config, { workspace }: Seat, page: string): string | null {
  return config.publicUrl === null ? null : `${publicUrlOf(config)}/w/${workspace.slug}/${page}`
}
