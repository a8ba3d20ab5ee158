// The figures behind the settled number of a period: those of its own receipt, and those of the periods that it continued from
// at the time. Causes are measured from there, so after an agreed correction the next one begins at the settled figure. Pure.
import type { InputObservation } from '../calculation/adjustment.ts'
import type { Baseline } from '../calculation/influence.ts'
import type { ValuedVintage } from '../series/vintage.ts'
import type { Instant } from '../time/instant.ts'
import type { SettledReceipt, SignedState } from './signed-state.ts'

interface BaselineInputs {
  readonly signed: readonly SignedState[]
  /** Settled receipts by the label of the period. */
  readonly settled: ReadonlyMap<string, SettledReceipt>
  /** The readings of each signed period, restated with the figures known by an instant; null where it could not be. */
  readonly restatedBy: (knownBy: Instant) => readonly (readonly InputObservation[] | null)[]
  /** Whether it was signed knowing that an earlier period had moved: with HEAL it did not continue from that. */
  readonly isKnowing: (place: number) => boolean
  /** A figure as a signed period could have read it at an instant. */
  readonly knownBy: (place: number, series: string, ordinal: number, by: Instant) => ValuedVintage | null
}

/** The readings of a period, and the instant by which they were known. */
interface BaselineReading {
  readonly used: readonly InputObservation[]
  readonly by: Instant
}

type Restating = Pick<SettledReceipt, 'knownBy' | 'level'>

export class SettledBaselines {
  readonly #ground: BaselineInputs
  readonly #made = new Map<string, Baseline>()

  constructor(ground: BaselineInputs) {
    this.#ground = ground
  }

  /** One baseline for all periods that were settled together and continued from each other. */
  of(place: number): Baseline {
    const receipt = this.#receiptBy(place, null)
    const key =
      receipt === null
        ? `signed ${this.#rebasedBefore(place)}`
        : `${receipt.knownBy} ${receipt.level} ${this.#restart(place, receipt)}`
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const made: Baseline = {
      figures: at => this.#read(place, receipt, at).used,
      known: (at, series, ordinal) => this.#ground.knownBy(at, series, ordinal, this.#read(place, receipt, at).by),
    }
    this.#made.set(key, made)
    return made
  }

  /** The receipt of a period that a correction had settled before an instant; null: the signed one. */
  #receiptBy(place: number, before: Instant | null): SettledReceipt | null {
    let receipt = this.#ground.settled.get(this.#ground.signed[place]!.period) ?? null
    while (receipt !== null && before !== null && receipt.knownBy >= before) receipt = receipt.replaced
    return receipt
  }

  /** The readings, up to a period, behind the number that a receipt settled. */
  #read(place: number, receipt: SettledReceipt | null, at: number): BaselineReading {
    if (receipt !== null) return this.#readRestated(place, receipt, at)
    const { signed } = this.#ground
    const rebased = this.#rebasedBefore(place)
    if (at >= rebased) return { used: signed[at]!.used, by: signed[at]!.agreedAt }
    // The state of a correction, which is that of the newest period it knew.
    const { knownBy } = signed[rebased]!.wentOnFrom!
    const last = rebased - 1
    if (this.#ground.restatedBy(knownBy)[last] === null) return this.#read(last, this.#receiptBy(last, knownBy), at)
    return this.#readRestated(last, { knownBy, level: 'REBASE' }, at)
  }

  #rebasedBefore(place: number): number {
    return this.#ground.signed.findLastIndex(({ wentOnFrom = null }, i) => i <= place && wentOnFrom !== null)
  }

  #readRestated(place: number, restating: Restating, at: number): BaselineReading {
    const { signed, restatedBy } = this.#ground
    const { knownBy } = restating
    const restart = this.#restart(place, restating)
    if (at < restart) return this.#read(restart, this.#receiptBy(restart, knownBy), at)
    let own = this.#receiptBy(at, null)
    while (own !== null && own.knownBy > knownBy) own = own.replaced
    const used = own?.knownBy === knownBy ? own.used : restatedBy(knownBy)[at]
    return { used: used ?? signed[at]!.used, by: knownBy }
  }

  /** The first of the periods that continued from each other when it was restated. */
  #restart(place: number, { knownBy, level }: Restating): number {
    const { restatedBy, isKnowing } = this.#ground
    const figures = restatedBy(knownBy)
    let first = place
    while (first > 0 && figures[first - 1] !== null && !(level === 'HEAL' && isKnowing(first))) first--
    return first
  }
}
