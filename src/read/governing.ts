// Which versions of a formula govern a date, or once did.
import type { Day } from '../core/day.ts'
import type { Instant } from '../core/instant.ts'
import type { PamState } from '../storage/pams.ts'

/** A version of a formula: when it was saved, and from when on it counts. */
export interface VersionTimes<D extends Day | string> {
  readonly number: number
  readonly recordedAt: Instant
  readonly effectiveFrom: D
}

/**
 * A version governs dates while the formula is not a draft and no higher version begins as early. It is evaluated after
 * each save: a version and a status that were saved together have the same instant.
 */
export function everGoverning<D extends Day | string>(
  versions: readonly VersionTimes<D>[],
  states: readonly Pick<PamState, 'recordedAt' | 'status'>[],
): ReadonlySet<number> {
  const governing = new Set<number>()
  const saved = versions.toSorted(bySaving)
  const stands = states.toSorted(bySaving)
  let [nextVersion, nextState] = [0, 0]
  /** Those that no higher one has overtaken so far. */
  let current: VersionTimes<D>[] = []
  for (const instant of [...new Set([...saved, ...stands].map(({ recordedAt }) => recordedAt))].sort()) {
    for (; saved[nextVersion] !== undefined && saved[nextVersion]!.recordedAt <= instant; nextVersion++)
      current = withVersion(current, saved[nextVersion]!)
    while (stands[nextState] !== undefined && stands[nextState]!.recordedAt <= instant) nextState++
    const state = stands[nextState - 1]
    if (state !== undefined && state.status !== 'DRAFT') for (const { number } of current) governing.add(number)
  }
  return governing
}

function withVersion<D extends Day | string>(
  current: readonly VersionTimes<D>[],
  version: VersionTimes<D>,
): VersionTimes<D>[] {
  const isOvertaken = current.some(each => overtakes(each, version))
  const left = current.filter(each => !overtakes(version, each))
  return isOvertaken ? left : [...left, version]
}

function overtakes<D extends Day | string>(a: VersionTimes<D>, b: VersionTimes<D>): boolean {
  return a.number > b.number && a.effectiveFrom <= b.effectiveFrom
}

/** Those of one instant stay in their order. */
function bySaving(a: { readonly recordedAt: Instant }, b: { readonly recordedAt: Instant }): number {
  return a.recordedAt < b.recordedAt ? -1 : a.recordedAt > b.recordedAt ? 1 : 0
}
