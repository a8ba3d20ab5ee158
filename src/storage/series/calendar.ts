// Announced releases of providers, entry by entry, and the series that come with each. Rows are added, never changed: a moved
// date is a newer row of the same source id, so that the calendar of any instant can be read.
import { createHash } from 'node:crypto'
import type { Release } from '../../core/calendar/release.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending, type OpenLog } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntries } from '../log/entry-rows.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { insertRows } from '../postgres/many-rows.ts'

/** One entry of a calendar from an instant on. */
export interface StoredRelease extends Release {
  readonly seq: number
  /** Instant that counts. */
  readonly recordedAt: Instant
}

/** Releases that are announced in one transaction: few enough that each is told by itself. */
const releasesTogether = 100

/** Id of a release in the log; the same in every installation. */
export function releaseIdOf(provider: string, release: string): string {
  return makeIdentifier('rel', createHash('sha256').update(`${provider}/${release}`).digest('hex').slice(0, 32))
}

function columns(tx: Transaction) {
  return tx`
    provider, release, source_id as "sourceId", title, period, at, zone, status, seq, recorded_at as "recordedAt"`
}

/** Every announcement of these releases, oldest first. */
export async function loadAnnounced(
  tx: Transaction,
  workspaceId: string,
  releaseIds: readonly string[],
): Promise<readonly StoredRelease[]> {
  const rows = await tx<StoredRelease[]>`
    select ${columns(tx)} from calendar_entry where owner = ${publicScope} and release_id = any(${releaseIds as string[]}::text[])
    order by seq, source_id`
  const repairs = await loadClockRepairs(tx, workspaceId)
  return rows.map(row => ({ ...row, recordedAt: repairs.instantOf(publicScope, row.seq, row.recordedAt) }))
}

/** The ids of the releases of a provider, or of all. */
export async function listReleaseIds(tx: Transaction, provider: string | null): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select distinct release_id as id from calendar_entry
    where owner = ${publicScope} ${provider === null ? tx`` : tx`and provider = ${provider}`}`
  return rows.map(({ id }) => id)
}

/** Newest version of each entry of a provider's calendar. */
export function loadCalendarNow(sql: Sql, provider: string): Promise<readonly StoredRelease[]> {
  return withWorkspace(sql, publicScope, tx => loadNewest(tx, { provider }))
}

/** Newest entries of a provider, or of these releases. */
function loadNewest(
  tx: Transaction,
  of: { readonly provider: string } | { readonly ids: readonly string[] },
): Promise<readonly StoredRelease[]> {
  const which = 'provider' in of ? tx`provider = ${of.provider}` : tx`release_id = any(${of.ids as string[]}::text[])`
  return tx<StoredRelease[]>`
    select distinct on (release_id, source_id) ${columns(tx)} from calendar_entry
    where owner = ${publicScope} and ${which} order by release_id, source_id, seq desc`
}

/** Appends the releases that differ from the stored ones, one entry of the log for each. */
export async function publishReleases(sql: Sql, releases: readonly Release[]): Promise<void> {
  const groups = [...Map.groupBy(releases, ({ provider, release }) => releaseIdOf(provider, release))]
  for (let from = 0; from < groups.length; from += releasesTogether)
    await appending(sql, publicScope, (tx, log) => append(tx, log, groups.slice(from, from + releasesTogether)))
}

async function append(
  tx: Transaction,
  log: OpenLog,
  groups: readonly (readonly [id: string, entries: readonly Release[]])[],
): Promise<void> {
  const ids = groups.map(([id]) => id)
  const stored = await loadNewest(tx, { ids })
  const known = new Map(stored.map(each => [`${releaseIdOf(each.provider, each.release)} ${each.sourceId}`, each]))
  const changed = groups
    .map(([subject, entries]) => {
      const isNew = (entry: Release) => !isSameRelease(entry, known.get(`${subject} ${entry.sourceId}`))
      return { subject, facts: { entries: entries.filter(isNew) } }
    })
    .filter(({ facts }) => facts.entries.length > 0)
  if (changed.length === 0) return
  const seqs = await log.appendMany('calendar', changed)
  const rows = changed.flatMap(({ subject, facts }, i) =>
    facts.entries.map(({ provider, release, sourceId, title, period, at, zone, status }) => ({
      owner: publicScope,
      release_id: subject,
      source_id: sourceId,
      seq: seqs[i]!,
      provider,
      release,
      title,
      period,
      at,
      zone,
      status,
      recorded_at: log.recordedAt,
    })),
  )
  await insertRows(tx, 'calendar_entry', rows)
}

export function isSameRelease(a: Release, b: Release | undefined): boolean {
  if (b === undefined) return false
  return a.at === b.at && a.status === b.status && a.period === b.period && a.title === b.title && a.zone === b.zone
}

/** Releases that series come with, where a provider said so; by series id. Inside a transaction of the workspace. */
export async function loadSeriesReleases(
  tx: Transaction,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ id: string; release: string | null }[]>`
    select distinct on (series_id) series_id as id, release from series_release
    where series_id = any(${seriesIds as string[]}::text[]) order by series_id, seq desc`
  return new Map(rows.flatMap(({ id, release }) => (release === null ? [] : [[id, release] as const])))
}

export function loadPublicSeriesReleases(sql: Sql, seriesIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return withWorkspace(sql, publicScope, tx => loadSeriesReleases(tx, seriesIds))
}

/** Saves releases for series of the scope: a workspace's own, or public ones. */
export async function saveSeriesReleases(
  sql: Sql,
  scope: string,
  pairs: readonly { readonly seriesId: string; readonly release: string | null }[],
): Promise<void> {
  if (pairs.length === 0) return
  const entries = pairs.map(({ seriesId, release }) => ({ subject: seriesId, facts: { release } }))
  await appending(sql, scope, (tx, log) => appendEntries(tx, log, 'series-release', entries))
}
