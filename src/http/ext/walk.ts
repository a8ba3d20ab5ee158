// A walk over a list page by page, pinned to an instant and a day. Its first page pins it to the newest entry, so that an answer in
// which nothing changed keeps its tag.
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf } from '../../core/time/instant.ts'
import type { CachedMoment } from '../../read/lists/cached-moment.ts'
import type { ApiRequest } from '../api/context.ts'
import { type CutText, readKnownAt } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { refused } from '../frame/sealed-cursor.ts'

interface Pin {
  /** Newest record that counts. */
  readonly knownAt: Instant
  /** The last day whose date has come. */
  readonly day: Day
}

/** Start of a page. */
export interface WalkPlace extends Pin {
  /** Last row that was read; empty at the beginning. */
  readonly after: string
}

type WalkRequest = Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId' | 'now' | 'today'> & {
  readonly query: { readonly knownAt: CutText | null; readonly cursor: string | null }
}

/** Page of a walk. A cursor belongs to one set of `filters`. */
export async function walkFrom(
  request: WalkRequest,
  filters: string,
  page: (place: WalkPlace, moment: CachedMoment) => Promise<Answer>,
): Promise<Answer> {
  const { query, now, parts, workspaceId } = request
  const asked = readKnownAt(query.knownAt, now)
  const place = query.cursor === null ? null : readPlace(request, filters, query.cursor)
  const moment = await parts.library.moments.of(workspaceId)
  const from = place ?? { ...pinOf(request, moment, asked), after: '' }
  await parts.settle(workspaceId, from.knownAt)
  return page(from, moment)
}

/** Pin of a walk. A requested instant has its own day; otherwise everything recorded by now counts, today. */
function pinOf({ today }: WalkRequest, moment: CachedMoment, asked: Instant | null): Pin {
  if (asked === null) return { knownAt: moment.newest, day: today }
  return { knownAt: asked, day: Math.min(today, dayOfInstant(asked)) }
}

export function formatPlace(
  { parts, workspaceId }: WalkRequest,
  filters: string,
  { knownAt, day, after }: WalkPlace,
): string {
  return parts.cursors.sign(workspaceId, filters, `1 ${microsOf(knownAt)} ${formatDay(day)} ${after}`)
}

function readPlace({ parts, workspaceId }: WalkRequest, filters: string, text: string): WalkPlace {
  const match = /^1 (\d{1,17}) (\d{4}-\d{2}-\d{2}) (.*)$/.exec(parts.cursors.open(workspaceId, filters, text))
  if (match === null) throw refused()
  return { knownAt: instantOfMicros(Number(match[1]!)), day: parseDay(match[2]!)!, after: match[3]! }
}
