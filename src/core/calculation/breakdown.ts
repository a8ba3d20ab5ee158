// The parts of an adjustment: what each component and each control contributed. Data only.
import type { ControlPoints } from '../formula/controls/control-points.ts'
import type { Ratio } from '../numbers/ratio.ts'

export interface Component {
  readonly input: string
  /** `PROVIDER/code`. */
  readonly series: string
  readonly seriesName: string
  /** The weight as written in the formula; for a param, its value on the date. */
  readonly weight: string
  readonly changePct: Ratio
  readonly contribution: Ratio
  /**
   * Given for a clause that counts from its base, once an adjustment was applied: change and points from the same two readings.
   */
  readonly since: ComponentSince | null
}

interface ComponentSince {
  /** The change since the reading of the last adjustment: `contribution` is its effect on the price of that time. */
  readonly lastPct: Ratio
  /** The effect of its change since the base on the price at the base, in points. */
  readonly basePoints: Ratio
}

export interface Explanation {
  readonly components: Component[]
  readonly controls: ControlPoints[]
  /** Whether components and controls add up to the adjustment. */
  readonly addsUp: boolean
  /** Whether some input's reading at the last adjustment, by the present terms, is unknown. */
  readonly lacksLast: boolean
}
