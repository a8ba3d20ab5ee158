// Entries about series: their figures, their descriptions, their followers, the files they came from, and announced releases of
// providers.
import type { Release } from '../../core/calendar/release.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { type EntryFacts, entryKind, number, sql, text, textOrNull } from './entry-kind.ts'

const descriptionColumns = {
  provider: sql<string>('s.provider'),
  code: sql<string>('s.code'),
  name: text,
  unit: text,
  dataType: text,
  frequency: text,
  description: text,
}

/** Content of a description. It is exported because descriptions are hashed by the thousand before their entry begins. */
export function metadataContent(facts: EntryFacts<typeof descriptionColumns>): Json {
  const { provider, code, name, unit, dataType, frequency, description } = facts
  return { provider, code, name, unit, dataType, frequency, description }
}

/** Entries about one release that were announced at once: new ones, and ones with new content from then on. */
interface CalendarFacts {
  readonly entries: readonly Release[]
}

function calendarContent({ entries }: CalendarFacts): Json {
  const bySource = entries.toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
  return bySource.map(({ provider, release, sourceId, title, period, at, zone, status }) => {
    return { provider, release, sourceId, title, period, at, zone, status }
  })
}

export const seriesKinds = {
  observations: entryKind({
    about: 'series',
    names: false,
    table: 'vintage',
    scope: 'owner',
    subject: 'series_id',
    columns: {
      // These lines are those of staging.ts, grouped by everything that must be one per entry.
      hash: sql<Buffer>(`sha256(convert_to(string_agg(
        observation_line(r.period, nullif(r.published_at, r.recorded_at), r.value, r.tag, r.flag), chr(10)
        order by r.period, r.published_at), 'UTF8'))`),
    },
    groupBy: 'r.seq, r.series_id, r.recorded_at',
    content: null,
    seal: null,
    stale: {},
    feed: { as: ['observations'] },
  }),
  metadata: entryKind({
    about: 'series',
    names: false,
    table: 'series_metadata',
    scope: 'owner',
    subject: 'series_id',
    columns: descriptionColumns,
    join: 'join series s on s.owner = r.owner and s.id = r.series_id',
    content: metadataContent,
    seal: null,
    stale: { lists: 'subject' },
    feed: { as: ['metadata'] },
  }),
  follow: entryKind({
    about: 'series',
    names: false,
    table: 'follow',
    subject: 'series_id',
    columns: { seriesId: text },
    content: ({ seriesId }) => ({ series: seriesId }),
    seal: null,
    // An agreement may have been missing the series.
    stale: { lists: 'subject', rows: 'scope' },
    feed: { as: ['follow'] },
  }),
  upload: entryKind({
    about: 'file',
    names: true,
    table: 'upload',
    subject: 'id',
    columns: { uploadedBy: text, via: text, fileName: text, sha256: text, size: number },
    content: ({ uploadedBy, via, fileName, sha256, size }) => ({ uploadedBy, via, fileName, sha256, size }),
    seal: null,
    stale: {},
    feed: null,
  }),
  /** The release that a series comes with, where its code does not say so. */
  'series-release': entryKind({
    about: 'series',
    names: false,
    table: 'series_release',
    scope: 'owner',
    subject: 'series_id',
    columns: { release: textOrNull },
    content: ({ release }) => ({ release }),
    seal: null,
    stale: {},
    feed: null,
  }),
  calendar: entryKind({
    about: 'release',
    names: false,
    table: 'calendar_entry',
    scope: 'owner',
    subject: 'release_id',
    columns: {
      entries: sql<readonly Release[]>(`json_agg(json_build_object('provider', r.provider, 'release', r.release,
        'sourceId', r.source_id, 'title', r.title, 'period', r.period, 'at', r.at, 'zone', r.zone, 'status', r.status))`),
    },
    groupBy: 'r.seq, r.release_id, r.recorded_at',
    content: calendarContent,
    seal: null,
    stale: {},
    feed: { as: ['calendar'] },
  }),
  'index-event': entryKind({
    about: 'index',
    names: true,
    table: 'index_event',
    scope: 'owner',
    subject: 'event_id',
    columns: {
      id: text,
      provider: textOrNull,
      codes: textOrNull,
      kind: text,
      day: sql<string>("to_char(r.day, 'YYYY-MM-DD')"),
      sentence: text,
      successor: textOrNull,
      direction: textOrNull,
      digits: textOrNull,
      source: text,
      saidBy: text,
    },
    beside: ['day'],
    content: ({ id, provider, codes, kind, day, sentence, successor, direction, digits, source, saidBy }) => {
      return { id, provider, codes, kind, day, sentence, successor, direction, digits, source, saidBy }
    },
    seal: null,
    stale: {},
    feed: { as: ['index-event'] },
  }),
}
