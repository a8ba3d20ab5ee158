// The entries of a release calendar that count: the newest of a moved entry, and the first of several for one period. The first
// is the publication, later ones revise it.
import type { Instant } from '../time/instant.ts'
import type { Release } from './release.ts'

/** An entry, with the time of its recording. */
export interface RecordedRelease extends Release {
  readonly recordedAt: Instant
}

/** The entries announced at an instant: for each release and source id, the newest one recorded by then. */
export function announcedAt<R extends RecordedRelease>(entries: readonly R[], knownAt: Instant): readonly R[] {
  const newest = new Map<string, R>()
  for (const entry of entries) {
    if (entry.recordedAt > knownAt) continue
    const key = JSON.stringify([entry.provider, entry.release, entry.sourceId])
    const held = newest.get(key)
    // The later one in the list counts if two were recorded at once.
    if (held === undefined || held.recordedAt <= entry.recordedAt) newest.set(key, entry)
  }
  return [...newest.values()]
}

interface NumberedRelease<R extends Release> {
  readonly entry: R
  /** 1 for the publication of its period, 2 and more for revisions; null for one that is cancelled or has no period. */
  readonly number: number | null
}

/** Numbers the entries of each release and period by their dates; the order of the list stays. */
export function numberReleases<R extends Release>(entries: readonly R[]): readonly NumberedRelease<R>[] {
  const numbers = new Map<R, number>()
  for (const own of Map.groupBy(entries.filter(isCounted), keyOf).values()) {
    for (const [at, entry] of own.toSorted(byDate).entries()) numbers.set(entry, at + 1)
  }
  return entries.map(entry => ({ entry, number: numbers.get(entry) ?? null }))
}

/**
 * Whether the source of these entries, all of one release, names periods. If it does, an entry without a period had an
 * unreadable text, and says nothing about any period.
 */
export function namesPeriods(entries: readonly Release[]): boolean {
  return entries.some(({ period }) => period !== null)
}

function isCounted({ period, status }: Release): boolean {
  return period !== null && status !== 'CANCELLED'
}

function keyOf({ provider, release, period }: Release): string {
  return JSON.stringify([provider, release, period])
}

/** A day sorts before the instants in it; at equal times the source's own name decides. */
export function byDate(a: Release, b: Release): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : 0
}
