// A workspace whose agreements read a public series with a year and a half of figures, each published on the 13th of the month after,
// the calendar of its release, and a clock that a test sets.
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import type { Release } from '../../src/core/calendar/release.ts'
import type { IndexEvent } from '../../src/core/index-changes/index-event.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { dayOfInstant, type Instant, parseDayOrInstant } from '../../src/core/time/instant.ts'
import { formatPeriod, parsePeriod, shift } from '../../src/core/time/period.ts'
import { type DueEntry, listDue } from '../../src/read/due.ts'
import { Library } from '../../src/read/library.ts'
import { loadEntriesSince, loadNewest } from '../../src/storage/log/append.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import { recordOwnEvents } from '../../src/storage/series/index-events.ts'
import { lookForAlarms } from '../../src/views/alarm-lookout.ts'
import type { ViewContext } from '../../src/views/sight/view-parts.ts'
import { follow } from '../support/houses/api.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { makeTestRing, type TestDatabase } from '../support/run/postgres.ts'

export const firstMonth = '2023-01'
export const newestMonth = '2024-06'

let made = 0

export async function openDueGround(db: TestDatabase) {
  made++
  const { id: workspaceId } = await makeWorkspace(db)
  const code = `DUE${process.pid}X${made}`
  const release = `release-${code}`
  const seriesId = await makeSeries(db.sql, publicScope, code, 'FRED')
  await follow(db.sql, workspaceId, seriesId)
  await saveSeriesReleases(db.sql, publicScope, [{ seriesId, release }])
  const library = new Library(db.sql, 2 ** 26, { seals: new Seal(makeTestRing()).rows, report: () => {} })
  let heard = await loadNewest(db.sql, null)
  let now: Instant = '2024-08-10T12:00:00.000000Z'
  const parts = { installation: { sql: db.sql }, library, now: () => now } as unknown as ViewContext

  const ground = {
    workspaceId,
    seriesId,
    library,
    parts,
    reference: `FRED/${code}`,
    set(text: string): void {
      now = parseDayOrInstant(text)!
    },
    /** As the server does when it is notified. */
    async hear(): Promise<void> {
      for (const entry of (await loadEntriesSince(db.sql, heard, 1_000))!) library.changes.entered(entry)
      heard = await loadNewest(db.sql, null)
    },
    async publish(period: string, value: string, published: string): Promise<void> {
      const row = { period: parsePeriod(period)!.ordinal, value, publishedAt: parseDayOrInstant(published) }
      await publishRows(db.sql, publicScope, seriesId, [row])
      await ground.hear()
    },
    /** What the calendar says of the figure of July. */
    async announce(changes: Partial<Release> = {}): Promise<void> {
      await publishReleases(db.sql, [
        {
          provider: 'FRED',
          release,
          title: 'Producer prices',
          period: '2024-07',
          zone: 'America/Chicago',
          at: '2024-08-12T12:30:00.000000Z',
          status: 'OFFICIAL',
          sourceId: `${code}-07`,
          ...changes,
        } as Release,
      ])
      await ground.hear()
    },
    /** What is published about the index itself. */
    async tell(event: Pick<IndexEvent, 'kind' | 'day' | 'sentence'>): Promise<void> {
      const about = { id: `event-${made}`, provider: 'FRED' as const, codes: code, source: 'The office' }
      await recordOwnEvents(db.sql, [{ ...about, successor: null, coefficient: null, ...event }])
      await ground.hear()
    },
    async apply(slug: string, more: { input?: string; frequency?: string; parties?: string } = {}): Promise<void> {
      const { input = '', frequency = 'MONTHLY', parties = 'parties: { supplier: [sam@supplier.test] }' } = more
      const text = `
slug: ${slug}
name: Agreement ${slug}
status: ACTIVE
contract: { start: 2024-06-01, frequency: ${frequency} }
inputs:
  x: { series: FRED/${code}, weight: 1, base: 2023-12, lag: 1 month${input} }
clause: {}
${parties}
`
      const today = parseDay('2024-06-01')!
      const applied = await applyDocument(db.sql, { workspaceId, text, by: 'eva@editor.test', today })
      if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
      await ground.hear()
    },
    due(until: string): Promise<readonly DueEntry[]> {
      return listDue(library, workspaceId, { now, until: parseDay(until)! })
    },
    look: () => lookForAlarms(parts, workspaceId),
    /** All that were ever raised, in the order they were. */
    alarms: () => db.owner<{ period: string; cause: string; by: string | null }[]>`
      select period, cause, cleared_by as by from alarm where workspace_id = ${workspaceId} order by id`,
    today: () => dayOfInstant(now),
  }

  const first = parsePeriod(firstMonth)!
  const rows = Array.from({ length: parsePeriod(newestMonth)!.ordinal - first.ordinal + 1 }, (_, i) => {
    const published = parseDayOrInstant(`${formatPeriod(shift(first, i + 1))}-13`)
    return { period: first.ordinal + i, value: `${100 + i}`, publishedAt: published }
  })
  await publishRows(db.sql, publicScope, seriesId, rows)
  await ground.hear()
  return ground
}

export type DueGround = Awaited<ReturnType<typeof openDueGround>>
