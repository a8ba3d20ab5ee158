// The figures that make the difference between two calculations of a period. A figure that the period read itself is a cause of
// it; a figure of an earlier period only if the number, computed again with that figure as it was, comes out differently. Pure;
// it knows neither policies nor money.

import { equal } from '../numbers/ratio.ts'
import type { Vintage } from '../series/series.ts'
import { compareVintages, isSameValue, type ValuedVintage } from '../series/vintage.ts'
import type { Adjustment, Blocked, Carried, InputObservation } from './adjustment.ts'
import type { UsedObservation } from './series-reading.ts'
import { isSameWithFactors } from './state-equality.ts'

/** A figure that is a cause, before and after. */
export interface Cause {
  readonly series: string
  readonly period: UsedObservation['period']
  /** The figure as read before; null if there was none and something else was used instead. */
  readonly before: ValuedVintage | null
  readonly after: ValuedVintage
}

/** A period of a path as it is computed now. */
interface ComputedPeriod {
  /** The adjustment; null where it cannot be computed. */
  readonly adjustment: Adjustment | null
  /** Whether it continues from the period before it in the path. */
  readonly goesOn: boolean
}

/** The calculations to compare with: the figures from which each period of the path was computed then. */
export interface Baseline {
  /** Figures by the place of the period; null if they are not known. */
  readonly figures: (place: number) => readonly InputObservation[] | null
  /** The figure as it was known then, where the period did not read it. */
  readonly known: (place: number, series: string, ordinal: number) => ValuedVintage | null
}

/** The vintages that count for a figure that is undone; undefined: it is not. */
export type Undone = (input: string, series: string, ordinal: number) => readonly Vintage[] | undefined

type ComputeAgain = (place: number, from: Carried, undone: Undone) => Adjustment | Blocked

/** A larger number of changed earlier figures is tried all together, not one by one. */
const mostTried = 60

/** A changed figure of one period. */
interface Change {
  readonly figure: string
  readonly place: number
  readonly cause: Cause
}

/**
 * A path computed again with old values of some figures, as far as needed; null from the first period that cannot be computed.
 */
interface Run {
  readonly first: number
  readonly computed: (Adjustment | null)[]
}

export class Influences {
  readonly #path: readonly ComputedPeriod[]
  readonly #again: ComputeAgain
  readonly #changes = new Map<Baseline, Map<number, readonly Change[]>>()
  readonly #runs = new Map<Baseline, Map<string, Run>>()

  constructor(path: readonly ComputedPeriod[], again: ComputeAgain) {
    this.#path = path
    this.#again = again
  }

  /** The causes for a period that has a number, the newest publication first. */
  causes(place: number, then: Baseline, isMoved: boolean): readonly Cause[] {
    const own = this.#changesOf(place, then)
    if (!isMoved) return newestFirst(own)
    const found = [...own, ...this.#inherited(place, then, own)]
    return newestFirst(found.length > 0 ? found : this.#firstRead(place, then))
  }

  #inherited(place: number, then: Baseline, own: readonly Change[]): readonly Change[] {
    const known = new Set(own.map(({ figure }) => figure))
    const earlier: Change[] = []
    for (let i = this.#chainStart(place); i < place; i++)
      for (const change of this.#changesOf(i, then)) {
        if (known.has(change.figure)) continue
        known.add(change.figure)
        earlier.push(change)
      }
    if (earlier.length === 0) return []
    const single = earlier.length > mostTried ? [] : earlier.filter(each => this.#moves(place, then, [each]))
    if (single.length > 0) return single
    // No single change moves the number: if all together do not either, and nothing else changed, they are all that can be
    // named.
    return own.length === 0 || this.#moves(place, then, earlier) ? earlier : []
  }

  /** The first of the periods that continue from each other up to this one. */
  #chainStart(place: number): number {
    let first = place
    while (this.#path[first]!.goesOn) first--
    return first
  }

  /** Whether the number comes out differently with the old values of these figures. */
  #moves(place: number, then: Baseline, changes: readonly Change[]): boolean {
    const undone = this.#run(place, then, changes)
    return undone === null || !equal(undone.factor, this.#path[place]!.adjustment!.factor)
  }

  #run(place: number, then: Baseline, changes: readonly Change[]): Adjustment | null {
    const figures = new Set(changes.map(({ figure }) => figure))
    const runs = this.#runs.get(then) ?? new Map<string, Run>()
    this.#runs.set(then, runs)
    const key = [...figures].join('\n')
    const run = runs.get(key) ?? { first: changes[0]!.place, computed: [] }
    runs.set(key, run)
    for (let i = run.first + run.computed.length; i <= place; i++)
      run.computed.push(this.#withUndone(i, then, figures, run))
    return run.computed[place - run.first]!
  }

  #withUndone(
    place: number,
    then: Baseline,
    figures: ReadonlySet<string>,
    { first, computed }: Run,
  ): Adjustment | null {
    const now = this.#path[place]!.adjustment!
    if (place === first) return this.#compute(place, now.carriedIn, then, figures)
    const before = computed.at(-1)!
    if (before === null) return null
    const isSame = isSameWithFactors(before.carried, this.#path[place - 1]!.adjustment!.carried)
    if (isSame && !this.#changesOf(place, then).some(({ figure }) => figures.has(figure))) return now
    return this.#compute(place, before.carried, then, figures)
  }

  #compute(place: number, from: Carried, then: Baseline, figures: ReadonlySet<string>): Adjustment | null {
    const used = byInput(then.figures(place) ?? [])
    const undone: Undone = (input, series, ordinal) => {
      if (!figures.has(`${series} ${ordinal}`)) return undefined
      const read = used.get(`${input} ${series} ${ordinal}`)
      if (read !== undefined) return [read.vintage]
      const known = then.known(place, series, ordinal)
      return known === null ? [] : [known]
    }
    const outcome = this.#again(place, from, undone)
    return 'gap' in outcome ? null : outcome
  }

  #changesOf(place: number, then: Baseline): readonly Change[] {
    const known = this.#changes.get(then) ?? new Map<number, readonly Change[]>()
    this.#changes.set(then, known)
    const found = known.get(place) ?? this.#findChanges(place, then)
    known.set(place, found)
    return found
  }

  #findChanges(place: number, then: Baseline): readonly Change[] {
    const { adjustment } = this.#path[place]!
    if (adjustment === null) return []
    const used = byInput(then.figures(place) ?? [])
    return [...byInput(adjustment.breakdown.own)].flatMap(([key, now]): Change[] => {
      const before = used.get(key)?.vintage ?? then.known(place, now.series, now.period.ordinal)
      if (before !== null && isSameValue(before.value, now.vintage.value)) return []
      return [changeOf(place, now, before)]
    })
  }

  /** Figures that the period did not read before: causes if no figure changed, because another was withdrawn. */
  #firstRead(place: number, then: Baseline): readonly Change[] {
    const used = byInput(then.figures(place) ?? [])
    return [...byInput(this.#path[place]!.adjustment!.breakdown.own)]
      .filter(([key]) => !used.has(key))
      .map(([, now]) => changeOf(place, now, null))
  }
}

function changeOf(place: number, { series, period, vintage }: UsedObservation, before: ValuedVintage | null): Change {
  return { figure: `${series} ${period.ordinal}`, place, cause: { series, period, before, after: vintage } }
}

/** The figures that inputs read, the newest vintage of each. */
function byInput(used: readonly InputObservation[]): ReadonlyMap<string, InputObservation> {
  const found = new Map<string, InputObservation>()
  for (const each of used) {
    const key = `${each.input} ${each.series} ${each.period.ordinal}`
    const known = found.get(key)
    if (known === undefined || compareVintages(known.vintage, each.vintage) < 0) found.set(key, each)
  }
  return found
}

/** Causes with each figure once. */
function newestFirst(changes: readonly Change[]): readonly Cause[] {
  const once = new Map(changes.toReversed().map(({ figure, cause }) => [figure, cause]))
  return [...once]
    .sort(([a, { after: left }], [b, { after: right }]) => compareVintages(right, left) || (a < b ? -1 : 1))
    .map(([, cause]) => cause)
}
