// Content of a calendar feed: the releases that the agreements of its viewer wait for, and their adjustment dates. Read with the
// rights of its owner, so that a supplier's feed has its own agreements alone. Events follow from records, never from the time of
// the request.
import { type Config, publicUrlOf } from '../config.ts'
import type { OpenAlarm } from '../core/calendar/alarm.ts'
import type { FigureName } from '../core/calendar/awaited-figures.ts'
import { figuresTold } from '../core/calendar/due.ts'
import type { ReleaseStatus } from '../core/calendar/release.ts'
import { Refusal } from '../core/refusal.ts'
import type { SeriesProvider } from '../core/series/series.ts'
import { andList } from '../core/text/words.ts'
import { type Day, formatDay } from '../core/time/day.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import type { CalendarEvent, CalendarFile } from '../formats/icalendar.ts'
import { shortTitles } from '../providers/catalogue/catalogue.ts'
import type { DueEntry } from '../read/due.ts'
import { listReleases } from '../read/release-list.ts'
import type { FigureOutlook } from '../read/series/outlooks.ts'
import type { AnnouncedRelease } from '../read/series/releases.ts'
import { type AgreementRecord, updatedAt } from '../storage/agreements/agreements.ts'
import { feedBounds } from '../storage/people/feed-bounds.ts'
import type { OpenFeed } from '../storage/people/feeds.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { loadOpenAlarms } from '../storage/series/alarms.ts'
import { loadWorkspace } from '../storage/workspaces/workspaces.ts'
import { type AgreementGlance, readAgreementGlance } from './agreements/opened-agreement.ts'
import { openDue, type SeenDue } from './due.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { isPartyNow, readersOf, stateFor } from './sight/visibility.ts'

const { cancelledDays, pastDays, aheadDays, events: mostEvents, names: mostNames, glances } = feedBounds

interface FeedContents {
  readonly parts: ViewContext
  readonly seat: Seat
  /** Agreements in force that the viewer sees as they go on. */
  readonly agreements: readonly AgreementRecord[]
  readonly seen: SeenDue
  readonly entries: readonly DueEntry[]
  /** Open alarms about figures that are late, by series id and period. */
  readonly late: ReadonlyMap<string, OpenAlarm>
  readonly today: Day
}

/** `source` is the address of the feed. */
export async function readFeed(parts: ViewContext, feed: OpenFeed, source: string): Promise<CalendarFile> {
  const workspace = await loadWorkspace(parts.installation.sql, feed.workspaceId)
  const ground = await openGround(parts, seatOf(workspace, feed), feed)
  const releases = feed.shows === 'DATES' ? [] : await releaseEvents(ground)
  const dates = feed.shows === 'RELEASES' ? [] : dateEvents(ground)
  return {
    name: feed.name,
    description: `Releases and adjustment dates of ${workspace.name}`,
    source,
    events: [...releases, ...dates].toSorted(byStart).slice(0, mostEvents),
  }
}

/** Seat of a feed. Without a person it sees what the workspace has, and can do nothing. */
function seatOf(workspace: Seat['workspace'], { member }: OpenFeed): Seat {
  const nobody = { id: '', email: '', name: '', role: 'viewer' as const, company: null, isNameable: false }
  const { role, company, isNameable, ...person } = member ?? nobody
  return { sessionId: '', person, workspace, role, company, isNameable, isOperator: false, fromAddress: '' }
}

async function openGround(parts: ViewContext, seat: Seat, { agreementIds }: OpenFeed): Promise<FeedContents> {
  const now = parts.now()
  const today = dayOfInstant(now)
  const glance = await glanceAtAll(parts, seat)
  const wanted = agreementIds === null ? null : new Set(agreementIds)
  const agreements = glance.rows.filter(
    row => (wanted === null || wanted.has(row.id)) && isPartyNow(seat, row) && stateFor(seat, row)?.status === 'ACTIVE',
  )
  const seen = await openDue(parts, seat, { ...glance, rows: agreements })
  const [entries, late] = await Promise.all([seen.entries(now, today + aheadDays), readLate(parts, seat)])
  return { parts, seat, agreements, seen, entries, late, today }
}

/** Open alarms. They are recorded, so that a feed does not depend on the time of the request. */
async function readLate({ installation }: ViewContext, { workspace }: Seat): Promise<FeedContents['late']> {
  const alarms = await withWorkspace(installation.sql, workspace.id, tx => loadOpenAlarms(tx, workspace.id))
  const late = alarms.filter(({ cause }) => cause !== 'CANCELLED')
  return new Map(late.map(alarm => [`${alarm.seriesId} ${alarm.period}`, alarm]))
}

/** A complete glance. A calendar program would drop events left out of a feed, so it is told to come back. */
async function glanceAtAll(parts: ViewContext, seat: Seat): Promise<AgreementGlance> {
  const index = await parts.library.index(seat.workspace.id)
  for (let turn = 1; turn <= glances; turn++) {
    const glance = await readAgreementGlance(parts, seat, index)
    if (glance.pending === 0) return glance
  }
  throw new Refusal('unavailable', 'what is due is being computed; try again in a minute')
}

/** Figures that come at one time, and the agreements that wait for them. */
interface Coming {
  readonly outlook: FigureOutlook
  readonly figure: FigureName
  readonly series: Set<string>
  readonly readBy: Set<string>
}

async function releaseEvents(ground: FeedContents): Promise<readonly CalendarEvent[]> {
  const coming = gather(ground)
  const learned = [...coming.values()].filter(({ outlook }) => outlook.release === null)
  const changed = await changeTimes(ground, learned)
  const events = new Map<string, CalendarEvent>()
  for (const cancelled of await cancelledEvents(ground)) events.set(cancelled.subject, cancelled)
  for (const each of coming.values()) {
    const { release } = each.outlook
    const event =
      release === null
        ? learnedEvent(ground, each, changed)
        : announcedEvent(release, [...each.series].sort(), [...each.readBy].sort())
    if (event !== null) events.set(event.subject, lateEvent(event, lateAlarm(ground, each)))
  }
  return [...events.values()]
}

/** Alarm about the figure; any series of its release may be the one that lacks it. */
function lateAlarm({ seen, late }: FeedContents, { figure, series }: Coming): OpenAlarm | null {
  for (const name of series) {
    const alarm = late.get(`${seen.book.seriesOf(name)?.id} ${figure.period}`)
    if (alarm !== undefined) return alarm
  }
  return null
}

function lateEvent(event: CalendarEvent, alarm: OpenAlarm | null): CalendarEvent {
  if (alarm === null) return event
  const { raisedAt } = alarm
  return {
    ...event,
    title: `Late: ${event.title}`,
    description: `Late: it had not come by ${raisedAt.slice(0, 10)}.\n${event.description}`,
    changedAt: raisedAt > event.changedAt ? raisedAt : event.changedAt,
  }
}

/** Figures by the entry of a calendar, or by series and period where none is announced. */
function gather({ seat, seen, entries }: FeedContents): ReadonlyMap<string, Coming> {
  const coming = new Map<string, Coming>()
  for (const { agreement, due, now } of entries)
    for (const figure of [...figuresTold(due, seen.book.outlookOf), ...(now.newer === null ? [] : [now.newer])]) {
      const outlook = seen.book.outlookOf(figure)
      const { release, expected } = outlook
      if (release === null && expected === null) continue
      const key =
        release === null
          ? `${figure.series} ${figure.period} ${figure.stage ?? ''}`
          : `${release.releaseId} ${release.sourceId}`
      const each = coming.getOrInsertComputed(key, () => {
        return { outlook, figure, series: new Set<string>(), readBy: new Set<string>() }
      })
      each.series.add(figure.series)
      each.readBy.add(nameOf(seat, agreement))
    }
  return coming
}

/** Recently cancelled releases of series that somebody reads. */
async function cancelledEvents({ parts, seat, agreements, today }: FeedContents): Promise<readonly CalendarEvent[]> {
  const workspaceId = seat.workspace.id
  const readers = await readersOf(seat, parts.library, await parts.library.index(workspaceId))
  const names = new Map(agreements.map(agreement => [agreement.slug, nameOf(seat, agreement)]))
  const listed = await listReleases(parts.library, workspaceId, {
    from: today - cancelledDays,
    to: today + aheadDays,
    agreementIds: new Set(agreements.map(({ id }) => id)),
    readers,
  })
  return listed
    .filter(({ entry }) => entry.status === 'CANCELLED')
    .map(({ entry, row }) =>
      announcedEvent(
        entry,
        row.series,
        row.pams.map(slug => names.get(slug) ?? slug),
      ),
    )
}

function announcedEvent(entry: AnnouncedRelease, series: readonly string[], readBy: readonly string[]): CalendarEvent {
  const { provider, release, period, number, at, zone, status, announcedAt, sourceId } = entry
  const isRevision = number !== null && number > 1
  const isDay = at.length === 10 || status === 'POSTPONED'
  const office = shortTitleOf(provider)
  return {
    subject: `release ${provider}/${release} ${period ?? sourceId}${isRevision ? ` ${number}` : ''}`,
    time: isDay ? { from: at.slice(0, 10), to: at.slice(0, 10) } : { at },
    status: status === 'CANCELLED' ? 'CANCELLED' : status === 'POSTPONED' ? 'TENTATIVE' : 'CONFIRMED',
    title: `${beginnings[status]}${titled(office, entry.title, period)}${isRevision ? ' (revision)' : ''}`,
    description: descriptionOf(`${announcedWords[status]} by ${office}; its dates are in ${zone}.`, series, readBy),
    changedAt: announcedAt,
    url: null,
    categories: ['Release'],
  }
}

const beginnings: Readonly<Record<ReleaseStatus, string>> = {
  OFFICIAL: '',
  DATE_ONLY: '',
  CANCELLED: 'Cancelled: ',
  POSTPONED: 'Date open: ',
}
const announcedWords: Readonly<Record<ReleaseStatus, string>> = {
  OFFICIAL: 'Announced',
  DATE_ONLY: 'Announced for the day',
  CANCELLED: 'Cancelled',
  POSTPONED: 'No longer announced for this day',
}

/** Title with its office and its period, where it does not say them itself. */
function titled(office: string, title: string, period: string | null): string {
  const own = title.startsWith(office) ? title : `${office}: ${title}`
  return period === null || title.includes(period.slice(0, 4)) ? own : `${own}, ${period}`
}

/** An event over the whole window: nobody has said on which of its days the figure comes. */
function learnedEvent(
  { seen, today }: FeedContents,
  { outlook, figure, readBy }: Coming,
  changed: ReadonlyMap<string, Instant>,
): CalendarEvent | null {
  const series = seen.book.seriesOf(figure.series)
  const { expected } = outlook
  if (series === null || expected === null) return null
  const [from, to] = [expected.expectedAt.slice(0, 10), expected.latestAt.slice(0, 10)]
  if (to < formatDay(today - cancelledDays)) return null
  const final = figure.stage === null ? '' : ', final'
  const basis =
    expected.basis === 'LEARNED'
      ? `Expected from ${expected.known} earlier publications; nothing is announced.`
      : 'Expected by what is usual for the provider; nothing is announced.'
  return {
    subject: `figure ${series.id} ${figure.period}${final}`,
    time: { from, to: to < from ? from : to },
    status: 'TENTATIVE',
    title: `${shortTitleOf(series.provider)}: ${series.metadata.at(-1)!.name}, ${figure.period}${final} (expected)`,
    description: descriptionOf(basis, [figure.series], [...readBy].sort()),
    changedAt: changed.get(series.id) ?? series.createdAt,
    url: null,
    categories: ['Expected release'],
  }
}

/** Change times of learned dates: they change with the last publication. */
async function changeTimes(
  { parts, seat, seen }: FeedContents,
  learned: readonly Coming[],
): Promise<ReadonlyMap<string, Instant>> {
  const ids = new Set(learned.flatMap(({ figure }) => seen.book.seriesOf(figure.series)?.id ?? []))
  const heads = await parts.library.heads.read(seat.workspace.id, [...ids])
  return new Map([...heads].flatMap(([id, { changedAt }]) => (changedAt === null ? [] : [[id, changedAt] as const])))
}

function shortTitleOf(provider: SeriesProvider): string {
  return provider === 'CUSTOM' ? 'Own series' : shortTitles[provider]!
}

function descriptionOf(first: string, series: readonly string[], readBy: readonly string[]): string {
  return [first, `Read by ${andList(few(readBy))}.`, `Series: ${few(series).join(', ')}.`].join('\n')
}

function few(names: readonly string[]): string[] {
  if (names.length <= mostNames) return [...names]
  return [...names.slice(0, mostNames), `${names.length - mostNames} more`]
}

function nameOf(seat: Seat, agreement: AgreementRecord): string {
  return stateFor(seat, agreement)?.name ?? agreement.slug
}

function dateEvents({ parts, seat, entries, today }: FeedContents): readonly CalendarEvent[] {
  return entries
    .filter(({ due }) => due.date >= today - pastDays)
    .map(({ agreement, due: { date, period } }) => {
      const name = nameOf(seat, agreement)
      return {
        subject: `date ${agreement.id} ${period}`,
        time: { from: formatDay(date), to: formatDay(date) },
        status: 'CONFIRMED',
        title: `Adjustment: ${name}, ${period}`,
        description: `The price of ${name} is adjusted for ${period}.`,
        changedAt: updatedAt(agreement),
        url: pageOf(parts.config, seat, `agreements/${agreement.slug}/periods/${period}`),
        categories: ['Adjustment'],
      }
    })
}

/** Address of a page; null where no public address is set. */
function pageOf(config: Config, { workspace }: Seat, page: string): string | null {
  return config.publicUrl === null ? null : `${publicUrlOf(config)}/w/${workspace.slug}/${page}`
}

function byStart({ time: a }: CalendarEvent, { time: b }: CalendarEvent): number {
  const [first, second] = [a, b].map(time => ('at' in time ? time.at : time.from)) as [string, string]
  return first < second ? -1 : first > second ? 1 : 0
}
