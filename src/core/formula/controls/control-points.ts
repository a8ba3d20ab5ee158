// Collects the points of one period: each control reports the points it took or gave, of the price in force. With a fixed base
// the lines say where the price stands against the base, and the adjustment is the change since the last applied one; so every
// line is compared with its value at that time.
import { add, greatest, least, multiply, one, type Ratio, subtract, zero } from '../../numbers/ratio.ts'
import { isMoving } from './clause-facts.ts'
import { type LineParts, PeriodLines } from './lines.ts'

interface ExplainingParts extends LineParts {
  /** A line at the last applied adjustment; with a chained basis, as if nothing had moved. */
  readonly before: (line: string) => Ratio
  /** Converts a fraction of the factor to points. */
  readonly scale: Ratio
  /** The factor's movement by all components together, in points. */
  readonly moved: Ratio
  /** The part of the last applied price that came from rounding the percent, as a part of the factor. */
  readonly roundedThen: Ratio
}

export interface ControlPoints {
  readonly control: string
  readonly points: Ratio
}

export class Explaining extends PeriodLines {
  readonly isMoving: boolean
  readonly #parts: ExplainingParts
  readonly #points = new Map<string, Ratio>()

  constructor(parts: ExplainingParts) {
    super(parts)
    this.#parts = parts
    this.isMoving = isMoving(parts.lines)
  }

  now(line: string): Ratio {
    return this.line(line)
  }

  give(control: string, points: Ratio): void {
    this.#points.set(control, add(this.#points.get(control) ?? zero, points))
  }

  /** The distance from the value at the last applied adjustment, in points. */
  difference(pick: (at: (line: string) => Ratio) => Ratio): Ratio {
    const { before, scale } = this.#parts
    return multiply(subtract(pick(this.line), pick(before)), scale)
  }

  /** The distance between the line of a control and the line before it. */
  giveLink(control: string, line: string): void {
    const place = this.chain.indexOf(line)
    const before = this.chain[place - 1]
    this.give(
      control,
      this.difference(at => subtract(at(line), before === undefined ? subtract(at('factor'), one) : at(before))),
    )
  }

  /** The points by which the limits of a control changed the step. */
  giveLimited(name: string, cap: string, floor: string): void {
    if (!this.isMoving || this.isFree) return
    const points = subtract(this.limitedPct, this.stepPct)
    if (this.isLimitedBy(name, 'cap')) this.give(cap, least(points, zero))
    if (this.isLimitedBy(name, 'floor')) this.give(floor, greatest(points, zero))
  }

  /** The movement of the factor that does not come from components: rounding of ratios and of the factor. */
  get factorRounding(): Ratio {
    return subtract(
      this.difference(at => at('factor')),
      this.#parts.moved,
    )
  }

  get roundedThen(): Ratio {
    return multiply(this.#parts.roundedThen, this.#parts.scale)
  }

  /** The part that the last applied adjustment left open, apart from mere rounding. */
  get leftOpen(): Ratio {
    const { before, scale } = this.#parts
    return subtract(multiply(subtract(before('target'), this.inForce), scale), this.roundedThen)
  }

  /** Points in the order of the controls; zeros are left out. */
  list(): ControlPoints[] {
    return this.controls
      .flatMap(({ points }) => Object.keys(points))
      .map(control => ({ control, points: this.#points.get(control) ?? zero }))
      .filter(({ points }) => points.n !== 0n)
  }
}
