// Writes the narrative of one adjustment. Figures get enough decimals that none of them looks equal to a limit when it
// is not. It remembers the figure it wrote last. The sentences come from the controls.
import {
  absolute,
  equal,
  formatCarried,
  formatShort,
  hundred,
  multiply,
  type Ratio,
  type Rounding,
  roundTo,
} from '../../numbers/ratio.ts'
import { signed } from '../../text/words.ts'
import type { ClauseNumber, LimitSide } from '../terms.ts'
import { carriedSides, mayStayStill } from './clause-facts.ts'
import { type LineParts, PeriodLines } from './lines.ts'

export const shortDecimals = 6
const mostDecimals = 12

export class Narrator extends PeriodLines {
  readonly sentences: string[] = []
  /** The decimals of percentages: those in which the percent is carried. */
  readonly #decimals: number
  /** The figures of threshold, caps and floors, without their signs. */
  readonly #limits: readonly Ratio[]
  /** The figure that was written last. */
  #said = ''

  constructor(parts: LineParts) {
    super(parts)
    const { threshold, period, year, cumulative, rounding } = this.clause
    this.#decimals = decimalsOf(rounding.percent ?? rounding.total)
    const limits = [
      threshold?.pct,
      ...Object.values(period),
      year.cap?.pct,
      year.floor?.pct,
      ...Object.values(cumulative),
    ]
    this.#limits = limits.filter(limit => limit != null).map(limit => absolute(this.number(limit)))
  }

  say(sentence: string): void {
    this.sentences.push(sentence)
  }

  get said(): string {
    return this.#said
  }

  /** A percentage as it is written. */
  pct(value: Ratio): string {
    this.#said = this.write(value)
    return this.#said
  }

  write(value: Ratio): string {
    return `${signed(this.digits(value))} %`
  }

  /** Uses more decimals than usual if fewer would make a figure look equal to a limit. */
  readonly digits = (value: Ratio): string => {
    const looksLikeLimit = (dp: number) =>
      this.#limits.some(limit => equal(roundTo(absolute(value), dp), limit) && !equal(absolute(value), limit))
    let dp = this.#decimals
    while (dp < mostDecimals && looksLikeLimit(dp)) dp++
    return twoDecimals(formatShort(value, dp))
  }

  fraction(value: Ratio): string {
    return this.pct(multiply(value, hundred))
  }

  limit(number: ClauseNumber): string {
    return `${trueMinus(formatCarried(this.number(number)))} %`
  }

  get held(): Ratio {
    return this.limitedPct
  }

  stopped(at: Ratio): string {
    return at.n < 0n ? 'stops it at' : 'lifts it to'
  }

  /** The fate of the part that a limit holds back. */
  laterWords(side: LimitSide): string {
    const carried = this.carriedWords(side)
    if (carried !== '' || this.clause.basis === 'CHAINED') return carried
    return mayStayStill(this.clause) ? '; the rest waits for the threshold' : '; the rest is left for later'
  }

  carriedWords(side: LimitSide): string {
    return carriedSides(this.clause).includes(side) ? '; what is held back is carried forward' : ''
  }
}

export function trueMinus(decimal: string): string {
  return decimal.replace('-', '−')
}

/** The decimals of a percentage rounded like this: at least two, at most four. */
export function decimalsOf(rounding: Rounding | null): number {
  if (rounding === null) return 4
  const decimals = 'dp' in rounding ? rounding.dp : rounding.multiple.d.toString().length - 1
  return Math.min(Math.max(decimals, 2), 4)
}

/** `2.1` reads as `2.10` beside `6.71`. */
export function twoDecimals(text: string): string {
  const [whole, part = ''] = text.split('.') as [string, string?]
  return `${whole}.${part.padEnd(2, '0')}`
}
