// Selection of a series' vintages: those that count inside the cuts, those recorded since a moment, or all of them with the vintage
// that replaced each. The result is their places in the snapshot.

import { type VersionTag, versionTags } from '../../core/series/series.ts'
import { type Instant, type Micros, microsOf } from '../../core/time/instant.ts'
import { type Cut, cutOf, type SeriesSnapshot } from './series-snapshot.ts'

export interface VintageRequest {
  readonly asOf: Instant | null
  readonly knownAt: Instant | null
  readonly version: VersionTag | null
  /** Restricts to periods with a record after it, withdrawals included. */
  readonly updatedAfter: Instant | null
  /** Whether every vintage inside the cuts is included, withdrawals too. */
  readonly hasHistory: boolean
  /** Most periods counted from the first, and from the last. */
  readonly first: number | null
  readonly last: number | null
}

/** One place for each row. */
export interface VintageSelection {
  readonly places: readonly number[]
  /** For each row of a history, the place of the vintage that replaced it; -1 where none has. Empty otherwise. */
  readonly replacedBy: readonly number[]
}

/** `isWanted` takes the running number of a period. */
export function toldVintages(
  snapshot: SeriesSnapshot,
  request: VintageRequest,
  isWanted: (ordinal: number) => boolean,
): VintageSelection {
  const cut = cutOf(request)
  const since = request.updatedAfter === null ? Number.NEGATIVE_INFINITY : microsOf(request.updatedAfter)
  const periods: VintageSelection[] = []
  const single: number[] = []
  for (const [from, to] of snapshot.groups()) {
    if (!isWanted(snapshot.ordinalAt(from))) continue
    if (request.hasHistory) {
      const told = historyOf(snapshot, from, to, cut, since)
      if (told.places.length > 0) periods.push(told)
      continue
    }
    const place =
      request.updatedAfter === null ? snapshot.choose(from, to, cut) : changedIn(snapshot, from, to, cut, since)
    if (place >= 0) single.push(place)
  }
  if (!request.hasHistory) return { places: atTheEnds(single, request), replacedBy: [] }
  const kept = atTheEnds(periods, request)
  return { places: kept.flatMap(each => each.places), replacedBy: kept.flatMap(each => each.replacedBy) }
}

/** Elements at the beginning and at the end, once each. */
function atTheEnds<T>(all: readonly T[], { first, last }: VintageRequest): readonly T[] {
  if (first === null && last === null) return all
  const fromEnd = Math.max(first ?? 0, all.length - (last ?? 0))
  return [...all.slice(0, first ?? 0), ...all.slice(fromEnd)]
}

function isInside(snapshot: SeriesSnapshot, place: number, { published, recorded }: Cut): boolean {
  return snapshot.publishedAt(place) <= published && snapshot.recordedAt(place) <= recorded
}

function historyOf(snapshot: SeriesSnapshot, from: number, to: number, cut: Cut, since: Micros): VintageSelection {
  const places: number[] = []
  const replacedBy: number[] = []
  let next = -1
  for (let place = to - 1; place >= from; place--) {
    if (!isInside(snapshot, place, cut)) continue
    if (snapshot.recordedAt(place) > since && isTagged(snapshot, place, cut)) {
      places.push(place)
      replacedBy.push(next)
    }
    next = place
  }
  return { places: places.reverse(), replacedBy: replacedBy.reverse() }
}

/** Whether a vintage has the tag; a withdrawal has every tag. */
function isTagged(snapshot: SeriesSnapshot, place: number, { wanted }: Cut): boolean {
  const tag = snapshot.tagAt(place)
  return wanted < 0 || tag === null || tag === versionTags[wanted]
}

/** Place of the vintage or withdrawal that counts now, where something was recorded since; -1 otherwise. */
function changedIn(snapshot: SeriesSnapshot, from: number, to: number, cut: Cut, since: Micros): number {
  let newest = -1
  let isChanged = false
  for (let place = to - 1; place >= from; place--) {
    if (!isInside(snapshot, place, cut)) continue
    if (newest < 0) newest = place
    isChanged ||= snapshot.recordedAt(place) > since
  }
  if (!isChanged) return -1
  return snapshot.tagAt(newest) === null ? newest : snapshot.choose(from, to, cut)
}
