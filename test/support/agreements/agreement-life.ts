// An agreement lived through day by day: periods are signed, corrections agreed, and what is signed after a correction with
// REBASE continues from its state. Pure, as the product computes it from stored facts.
import {
  type BoundVersion,
  type Carried,
  nothingCarried,
  stateAfter,
} from '../../../src/core/calculation/adjustment.ts'
import { evaluate, scheduleOf } from '../../../src/core/calculation/evaluate.ts'
import type { BilledLine, DeclaredQuantity } from '../../../src/core/invoices/billed-line.ts'
import { one } from '../../../src/core/numbers/ratio.ts'
import type { ListVersion } from '../../../src/core/prices/price-list.ts'
import type { SeriesHistory } from '../../../src/core/series/series.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { dayOfInstant, endOfDay } from '../../../src/core/time/instant.ts'
import { type Assessment, assess, type Draft } from '../../../src/core/true-up/correction.ts'
import type { RebasedState, SignedState } from '../../../src/core/true-up/signed-state.ts'
import { bindText } from './evaluate-text.ts'
import { signedStateOf, signingInstant } from './signed-path.ts'
import { agree, groundOn, type Settled } from './true-up.ts'

export interface LifePlan {
  /** Versions of the document, numbered from 1; each is known from a day on, the first from the beginning. */
  readonly documents: readonly string[]
  readonly knownFrom?: readonly (string | null)[]
  readonly series: readonly SeriesHistory[]
  readonly lines?: readonly BilledLine[]
  readonly quantities?: readonly DeclaredQuantity[]
  readonly lists?: readonly ListVersion[]
}

export class AgreementLife {
  readonly #plan: LifePlan
  readonly #versions: readonly BoundVersion[]
  readonly signed: SignedState[] = []
  settled: Settled = new Map()
  #rebased: RebasedState | null = null
  /** Whether nothing was signed since the state was agreed: what is signed next continues from it. */
  #isRebasedSince = false

  constructor(plan: LifePlan) {
    this.#plan = plan
    const data = new Map(plan.series.map(history => [history.reference, history]))
    this.#versions = plan.documents.map((document, i) => ({ number: i + 1, bound: bindText(document, data) }))
  }

  get lines(): readonly BilledLine[] {
    return this.#plan.lines ?? []
  }

  get lists(): readonly ListVersion[] {
    return this.#plan.lists ?? []
  }

  /** The versions that were there on a day, everything signed, and the dates that have come without being signed. */
  path(day: string) {
    const versions = this.#versions.filter((_, i) => (this.#plan.knownFrom?.[i] ?? '') <= day)
    const last = this.signed.at(-1)
    const open = scheduleOf(versions, parseDay(day)!)
      .filter(({ date }) => last === undefined || date > last.date)
      .map(({ date, label }): SignedState => {
        const nothing = { hash: '', factor: one, carried: nothingCarried, used: [], version: 1 }
        return { ...nothing, period: label, date, agreedAt: '9999-12-31T00:00:00.000000Z' }
      })
    return { versions, signed: [...this.signed, ...open], adjustments: [] }
  }

  /** Both sign the next period on a day. */
  sign(day: string): SignedState {
    const agreedAt = signingInstant(parseDay(day)!)
    const { versions } = this.path(day)
    const { adjustments } = evaluate({
      versions,
      cuts: { asOf: null, knownAt: agreedAt },
      tag: null,
      after: this.#continuesFrom(),
      until: parseDay(day)!,
      today: dayOfInstant(agreedAt),
    })
    const wentOnFrom = this.#isRebasedSince ? this.#rebased : null
    const signed = { ...signedStateOf(adjustments[0]!, agreedAt), wentOnFrom }
    this.signed.push(signed)
    this.#isRebasedSince = false
    return signed
  }

  #continuesFrom(): Carried | null {
    if (this.#rebased === null) return stateAfter(this.signed)
    const { carried } = this.#rebased
    return stateAfter(
      this.signed.filter(({ date }) => date > carried.date!),
      carried,
    )
  }

  ground(day: string) {
    const { lines, lists } = this
    const { quantities = [] } = this.#plan
    return groundOn({ path: this.path(day), lines, quantities, lists }, day, this.settled)
  }

  assess(day: string): Assessment {
    return assess(this.ground(day))
  }

  /** Both agree on what is due on a day; null where nothing is. */
  agree(day: string): Draft | null {
    const ground = this.ground(day)
    const { draft } = assess(ground)
    if (draft === null) return null
    this.settled = agree(draft, this.settled, day)
    if (draft.level === 'REBASE') {
      this.#rebased = { carried: ground.restated.at(-1)!.carried, knownBy: endOfDay(parseDay(day)!) }
      this.#isRebasedSince = true
    }
    return draft
  }
}
