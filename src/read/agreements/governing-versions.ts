// Formula versions of an agreement that govern a date, or once did; and all its versions with the series they read.
import type { BoundVersion } from '../../core/calculation/adjustment.ts'
import { bindFormula, type SeriesData } from '../../core/formula/bind.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AgreementStateRow } from '../../storage/agreements/agreements.ts'

/** A formula version: the instant it was saved, and the day from which on it counts. */
export interface VersionTimes<D extends Day | string> {
  readonly number: number
  readonly recordedAt: Instant
  readonly effectiveFrom: D
}

/** Restriction to dates from a day on, at instants that are a party's own. */
interface Governed<D extends Day | string> {
  readonly isOwn: (at: Instant) => boolean
  readonly from: D
}

/**
 * A version governs dates while the agreement is not a draft and no higher version begins as early. It is evaluated after
 * each save: a version and a status that were saved together have the same instant.
 */
export function everGoverning<D extends Day | string>(
  versions: readonly VersionTimes<D>[],
  states: readonly Pick<AgreementStateRow, 'recordedAt' | 'status'>[],
  governed: Governed<D> | null = null,
): ReadonlySet<number> {
  const governing = new Set<number>()
  const saved = versions.toSorted(bySaving)
  const stands = states.toSorted(bySaving)
  let [nextVersion, nextState] = [0, 0]
  /** Versions that no higher one has overtaken so far. */
  let current: VersionTimes<D>[] = []
  for (const instant of [...new Set([...saved, ...stands].map(({ recordedAt }) => recordedAt))].sort()) {
    for (; saved[nextVersion] !== undefined && saved[nextVersion]!.recordedAt <= instant; nextVersion++)
      current = withVersion(current, saved[nextVersion]!)
    while (stands[nextState] !== undefined && stands[nextState]!.recordedAt <= instant) nextState++
    const state = stands[nextState - 1]
    if (state === undefined || state.status === 'DRAFT' || governed?.isOwn(instant) === false) continue
    for (const version of current) if (reaches(version, current, governed)) governing.add(version.number)
  }
  return governing
}

/** Whether a version governs any date from a day on: it governs until the next one begins. */
function reaches<D extends Day | string>(
  { effectiveFrom }: VersionTimes<D>,
  current: readonly VersionTimes<D>[],
  governed: Governed<D> | null,
): boolean {
  return (
    governed === null ||
    !current.some(each => each.effectiveFrom > effectiveFrom && each.effectiveFrom <= governed.from)
  )
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

/** Sort order; versions of one instant keep their order. */
function bySaving(a: { readonly recordedAt: Instant }, b: { readonly recordedAt: Instant }): number {
  return a.recordedAt < b.recordedAt ? -1 : a.recordedAt > b.recordedAt ? 1 : 0
}

/** Binds versions to their series, and refuses a version that does not fit. */
export function bindVersions(
  versions: readonly { readonly number: number; readonly formula: Formula }[],
  data: SeriesData,
): BoundVersion[] {
  return versions.map(({ number, formula }) => {
    const { bound, problems } = bindFormula(formula, data)
    if (bound === null)
      throw new Refusal('not-found', `the formula cannot be computed: ${problems[0]!.path}: ${problems[0]!.message}`)
    return { number, bound }
  })
}
