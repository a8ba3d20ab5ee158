// Price steps of an agreement as they are shown to one person (decision 0830), signed and open. Pages and lists ask here; digests
// keep the open ones, so that the inbox opens no agreement.
import { parseExact } from '../core/numbers/ratio.ts'
import type { Party } from '../core/parties.ts'
import {
  type OpenPath,
  openGround,
  openStep,
  type ShownStep,
  type StepFromSettled,
  shownStep,
} from '../core/prices/shown-step.ts'
import type { Adjustments, PeriodEntry } from './agreements/adjustments.ts'
import type { SignedPeriod } from './agreements/agreement-snapshot.ts'
import { openPath, priceAt, settledBody, settledOf, stepBasis } from './agreements/settled-price.ts'

interface StepShown {
  readonly step: ShownStep
  /** Null where the step goes from the settled price, and the contract goes on from it too. */
  readonly ground: StepFromSettled | null
}

/** Steps of one agreement, for one person. */
export class ShownSteps {
  readonly #adjustments: Adjustments
  readonly #viewer: Party | null
  #open: { readonly path: OpenPath; readonly waitsFor: readonly (readonly Party[])[] } | null = null

  constructor(adjustments: Adjustments, viewer: Party | null) {
    this.#adjustments = adjustments
    this.#viewer = viewer
  }

  of({ isSigned, period, hash }: Pick<PeriodEntry, 'isSigned' | 'period' | 'hash'>): StepShown {
    const { signed } = this.#adjustments
    if (isSigned) return this.#signed(signed.find(each => each.period === period && each.hash === hash)!)
    this.#open ??= {
      path: openPath(this.#adjustments.surroundings.standing, this.#adjustments.computed),
      waitsFor: this.#adjustments.openPeriods().map(({ waitsFor }) => waitsFor),
    }
    const { path, waitsFor } = this.#open
    const place = path.steps.findIndex(each => each.period === period)
    // Figures alone settle nothing, and nobody signs them.
    const ground = this.#adjustments.isFromData ? null : openGround(path, place, waitsFor, this.#viewer)
    return { step: openStep(path, place), ground }
  }

  /** Null for `start`, and for a price that somebody else agreed. */
  changeOfSettled(period: string): string | null {
    const signed = this.#adjustments.signed.findLast(each => each.period === period)
    return signed === undefined ? null : this.#signed(signed).step.changePct
  }

  #signed(signed: SignedPeriod): StepShown {
    const { standing } = this.#adjustments.surroundings
    const { price, adjustmentPct } = settledOf(standing, signed)
    const { carriedIn, formulaVersion } = settledBody(standing, signed)
    const { version, factor } = carriedIn as { readonly version: number | null; readonly factor: string }
    const path = priceAt(standing, version ?? formulaVersion, parseExact(factor)!)
    const { whole } = standing
    const before = version === null ? undefined : whole.signed[whole.signed.indexOf(signed) - 1]
    const { settled, goesOnFrom } = stepBasis(standing, before, path)
    const step = shownStep(settled, price, adjustmentPct)
    if (settled === null || goesOnFrom === null) return { step, ground: null }
    return { step, ground: { settled, between: [], moreBetween: 0, paidPct: step.changePct, goesOnFrom } }
  }
}
