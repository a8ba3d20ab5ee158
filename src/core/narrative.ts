// Why an adjustment is what it is, in two or three sentences for somebody who has to agree to it. It follows the lines of
// the calculation in their order and mentions what made a difference; it computes nothing that is not there.
import type { Adjustment } from './adjustment.ts'
import { writePrice } from './calculation.ts'
import type { Day } from './day.ts'
import { type Component, isClauseResult } from './explain.ts'
import { isOne } from './formula/clause.ts'
import type { Clause, ClauseNumber, Formula } from './formula/formula.ts'
import {
  absolute,
  add,
  compare,
  divide,
  equal,
  hundred,
  multiply,
  one,
  type Ratio,
  type Rounding,
  ratio,
  roundTo,
  subtract,
  sum,
  writeCarried,
  writeRoundedShort,
  writeShort,
  zero,
} from './ratio.ts'
import { cutDecimals, signed } from './words.ts'

export interface NarrativeQuestion {
  readonly formula: Formula
  readonly adjustment: Adjustment
}

export function narrate(question: NarrativeQuestion): string {
  const { formula } = question
  if (formula.clause === null || !isClauseResult(formula)) return narrateSteps(question)
  return new ClauseNarrative(question, formula.clause).tell()
}

/** More are told together. */
const mostNamed = 6
const shortDecimals = 6
const mostDecimals = 12

class ClauseNarrative {
  readonly #question: NarrativeQuestion
  readonly #clause: Clause
  readonly #lines: ReadonlyMap<string, Ratio>
  readonly #sentences: string[] = []
  /** In which percentages are told: those in which the percent is carried. */
  readonly #decimals: number
  /** The figures of threshold, caps and floors, without their signs. */
  readonly #limits: readonly Ratio[]
  /** The figure that was told last. */
  #said = ''

  constructor(question: NarrativeQuestion, clause: Clause) {
    this.#question = question
    this.#clause = clause
    this.#lines = new Map(question.adjustment.steps.map(({ step, value }) => [step.name, value]))
    const { threshold, cap, floor, rounding } = clause
    this.#decimals = decimalsOf(rounding.percent)
    const limits = [threshold?.pct, cap?.periodPct, cap?.cumulativePct, floor?.periodPct, floor?.cumulativePct]
    const { formula, adjustment } = question
    this.#limits = limits
      .filter(limit => limit != null)
      .map(limit => absolute(numberAt(limit, formula, adjustment.date)))
  }

  tell(): string {
    this.#tellMovement()
    this.#tellExcess()
    this.#tellSharing()
    if (this.#clause.basis === 'CHAINED') this.#tellChainedTarget()
    else this.#tellFixedTarget()
    this.#tellResult()
    return this.#sentences.join(' ')
  }

  #line(name: string): Ratio {
    return this.#lines.get(name)!
  }

  /** A percentage that is told. */
  #pct(value: Ratio): string {
    this.#said = this.#write(value)
    return this.#said
  }

  #write(value: Ratio): string {
    return `${signed(this.#digits(value))} %`
  }

  /** More of them than usual where fewer would make a figure look like a limit. */
  #digits(value: Ratio): string {
    const looksLikeLimit = (dp: number) =>
      this.#limits.some(limit => equal(roundTo(absolute(value), dp), limit) && !equal(absolute(value), limit))
    let dp = this.#decimals
    while (dp < mostDecimals && looksLikeLimit(dp)) dp++
    return twoDecimals(writeShort(value, dp))
  }

  #fraction(value: Ratio): string {
    return this.#pct(multiply(value, hundred))
  }

  #limit(number: ClauseNumber): string {
    const { formula, adjustment } = this.#question
    return `${writeLimit(numberAt(number, formula, adjustment.date))} %`
  }

  #tellMovement(): void {
    const moved = subtract(this.#line('factor'), one)
    const adder = subtract(this.#line('movement'), moved)
    const points = signed(writeShort(multiply(adder, hundred), shortDecimals))
    const told = this.#movement(moved)
    const added = adder.n === 0n ? '' : `; with the adder of ${points} points ${this.#fraction(this.#line('movement'))}`
    this.#sentences.push(`${capital(told)}${added}.`)
  }

  #movement(moved: Ratio): string {
    const { adjustment } = this.#question
    const { components } = adjustment.breakdown
    const all = this.#fraction(moved)
    const first = components[0]
    if (first === undefined) return `the movement is ${all}`
    const since = adjustment.carriedIn.last.date === null ? '' : sinceWords[this.#clause.basis]
    const isAlone = components.length === 1
    const isWhole = isAlone && equal(ratio(first.weight), one)
    const told = `${since}${tellComponents(components, value => this.#digits(value), !isWhole)}`
    if (isWhole && equal(first.changePct, multiply(moved, hundred))) return told
    const byLevels = this.#clause.combine === 'RATIO_OF_SUMS' && !isAlone ? ' by their weighted levels' : ''
    return `${told}${isAlone ? ', which makes' : '; together'}${byLevels} ${all}${this.#roundingWords(all)}`
  }

  /** Where the clause rounds ratios or the factor, what was told does not make the sum by itself. */
  #roundingWords(all: string): string {
    const { rounding, combine } = this.#clause
    if ((rounding.factor === null && rounding.ratio === null) || combine === 'RATIO_OF_SUMS') return ''
    const { components } = this.#question.adjustment.breakdown
    const exact = sum(components.map(({ weight, changePct }) => multiply(ratio(weight), changePct)))
    return this.#write(exact) === all ? '' : ' after rounding'
  }

  #tellExcess(): void {
    const { threshold } = this.#clause
    if (threshold?.pays !== 'EXCESS') return
    const [movement, payable] = [this.#line('movement'), this.#line('payable')]
    if (movement.n === 0n) return
    const band = this.#limit(threshold.pct)
    const paid = this.#fraction(payable)
    if (payable.n === 0n) this.#sentences.push(`That stays inside the threshold of ${band}, so nothing of it is paid.`)
    else this.#sentences.push(`Only what exceeds the threshold of ${band} is paid: ${paid}.`)
  }

  #tellSharing(): void {
    const { passThrough } = this.#clause
    const [payable, shared] = [this.#line('payable'), this.#line('shared')]
    if (passThrough === null || equal(payable, shared)) return
    const { formula, adjustment } = this.#question
    const part = Array.isArray(passThrough)
      ? 'By the bands of sharing, a part of it'
      : `${writeShort(multiply(numberAt(passThrough as ClauseNumber, formula, adjustment.date), hundred), shortDecimals)} % of it`
    this.#sentences.push(`${part} is passed on: ${this.#fraction(shared)}.`)
  }

  /** Against the base: where the price should stand, and how far that is from where it stands. */
  #tellFixedTarget(): void {
    const { cap, floor } = this.#clause
    const over = subtract(subtract(this.#line('target'), one), this.#line('shared'))
    const target = subtract(this.#line('target'), one)
    if (over.n < 0n)
      this.#sentences.push(
        `The cumulative cap of ${this.#limit(cap!.cumulativePct!)} holds it at ${this.#fraction(target)}.`,
      )
    if (over.n > 0n)
      this.#sentences.push(
        `The cumulative floor of ${this.#limit(floor!.cumulativePct!)} ${stopped(target)} ${this.#fraction(target)}.`,
      )
    const inForce = this.#question.adjustment.carriedIn.steps.get('applied') ?? one
    const before = this.#write(multiply(subtract(inForce, one), hundred))
    if (before === '0 %') return
    const step = this.#line('step')
    const left = step.n === 0n ? 'nothing is left to do' : `${this.#fraction(step)} is left`
    this.#sentences.push(`With ${before} since the start in the price already, ${left}.`)
  }

  #tellChainedTarget(): void {
    const { cap, floor } = this.#clause
    const heldBack = this.#question.adjustment.carriedIn.steps.get('held_back') ?? one
    const grown = subtract(multiply(add(one, this.#line('shared')), heldBack), one)
    if (!equal(heldBack, one))
      this.#sentences.push(`With what the cap held back before it comes to ${this.#fraction(grown)}.`)
    const step = this.#line('step')
    const over = compare(step, grown)
    if (over < 0)
      this.#sentences.push(`The cumulative cap of ${this.#limit(cap!.cumulativePct!)} leaves ${this.#fraction(step)}.`)
    if (over > 0)
      this.#sentences.push(
        `The cumulative floor of ${this.#limit(floor!.cumulativePct!)} makes it ${this.#fraction(step)}.`,
      )
  }

  #tellResult(): void {
    const { threshold } = this.#clause
    const met = this.#lines.get('threshold_met')
    if (threshold === null || met === undefined) {
      this.#tellPercent('')
      return
    }
    const limit = `The threshold of ${this.#limit(threshold.pct)}`
    if (met.n !== 0n) this.#tellPercent(`${limit} is ${threshold.test === 'EXCEEDS' ? 'exceeded' : 'reached'}`)
    else this.#sentences.push(`${limit} was ${this.#howNotMet(threshold.pct)}, so nothing is applied.`)
  }

  #howNotMet(pct: ClauseNumber): string {
    const tested = this.#tested()
    if (tested === null) return 'not met'
    const { formula, adjustment } = this.#question
    const order = compare(multiply(absolute(tested), hundred), numberAt(pct, formula, adjustment.date))
    return order < 0 ? 'not reached' : 'reached but not exceeded'
  }

  /** What the threshold is asked of; null where a dated share decides. */
  #tested(): Ratio | null {
    const { threshold, passThrough, basis } = this.#clause
    if (threshold?.since === 'BASE') return this.#line('movement')
    const shares =
      passThrough === null ? [] : Array.isArray(passThrough) ? passThrough.map(band => band.share) : [passThrough]
    if (shares.some(share => share.param !== null)) return null
    if (shares.every(share => isOne(share))) return this.#line('step')
    if (basis === 'CHAINED') return this.#line('movement')
    const then = this.#question.adjustment.carriedIn.steps.get('movement_applied') ?? zero
    return subtract(divide(add(one, this.#line('movement')), add(one, then)), one)
  }

  #tellPercent(opening: string): void {
    const { cap, floor, carryForward, basis } = this.#clause
    const step = multiply(this.#line('step'), hundred)
    const held = this.#lines.get('pct_held') ?? step
    const over = compare(held, step)
    if (over !== 0 && opening !== '') this.#sentences.push(`${opening}.`)
    const rest = carryForward ? '; what is held back is carried forward' : '; the rest is left for later'
    const later = carryForward || basis === 'FIXED_BASE' ? rest : ''
    if (over < 0)
      this.#sentences.push(
        `The cap of ${this.#limit(cap!.periodPct!)} a period holds it at ${this.#pct(held)}${later}.`,
      )
    if (over > 0)
      this.#sentences.push(
        `The floor of ${this.#limit(floor!.periodPct!)} a period ${stopped(held)} ${this.#pct(held)}.`,
      )
    this.#tellApplied(held, over === 0 ? opening : '')
  }

  #tellApplied(held: Ratio, opening: string): void {
    const pct = this.#line('pct')
    const before = this.#said
    const applied = this.#pct(pct)
    const so = opening === '' ? '' : `${opening}, so `
    if (pct.n === 0n) this.#sentences.push(capital(`${so}the price stays as it is.`))
    else if (so === '' && applied === before) this.#sentences.push('That is applied.')
    else if (equal(pct, held) || applied === before) this.#sentences.push(`${so}${applied} is applied.`)
    else this.#sentences.push(capital(`${so}rounded, ${applied} is applied.`))
  }
}

const sinceWords = { FIXED_BASE: 'since the base, ', CHAINED: 'since the last adjustment, ' } as const

function stopped(at: Ratio): string {
  return at.n < 0n ? 'stops it at' : 'lifts it to'
}

/** The figure of a param is the one in force on the day. */
function numberAt({ value, param }: ClauseNumber, { params }: Formula, date: Day): Ratio {
  if (value !== null) return value
  const values = params.find(({ name }) => name === param)?.values ?? []
  return values.findLast(({ from }) => from === null || from <= date)?.value ?? zero
}

function writeLimit(value: Ratio): string {
  return trueMinus(writeCarried(value))
}

function trueMinus(decimal: string): string {
  return decimal.replace('-', '−')
}

/** Of a percentage rounded so: two at least, four at most. */
function decimalsOf(rounding: Rounding): number {
  const decimals = 'dp' in rounding ? rounding.dp : rounding.multiple.d.toString().length - 1
  return Math.min(Math.max(decimals, 2), 4)
}

/** `2.1` reads as `2.10` beside `6.71`. */
function twoDecimals(text: string): string {
  const [whole, part = ''] = text.split('.') as [string, string?]
  return `${whole}.${part.padEnd(2, '0')}`
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1)
}

type Digits = (value: Ratio) => string

function tellComponents(components: readonly Component[], digits: Digits, withWeights: boolean): string {
  const sorted = components.toSorted((a, b) => compare(absolute(b.contribution), absolute(a.contribution)))
  const named = components.length <= mostNamed ? components : sorted.slice(0, mostNamed - 1)
  const others = components.length - named.length
  const told = named.map(({ input, weight, changePct }) => {
    const carries = withWeights ? ` and carries ${writeShort(multiply(ratio(weight), hundred), shortDecimals)} %` : ''
    return `${input.replaceAll('_', ' ')} ${moved(changePct, digits)}${carries}`
  })
  return [...told, ...(others === 0 ? [] : [`${others} others counted for less`])].join(', ')
}

function moved(changePct: Ratio, digits: Digits): string {
  if (changePct.n === 0n) return 'did not move'
  return `${changePct.n < 0n ? 'fell' : 'rose'} ${digits(absolute(changePct))} %`
}

/** With steps the document says how; the sentence says what came out. */
function narrateSteps({ formula, adjustment }: NarrativeQuestion): string {
  const { result, steps, contract } = formula
  const { name } = steps[result.step]!
  const value = adjustment.steps[result.step]!.value
  const decimals = decimalsOf(adjustment.show)
  const list = tellComponents(adjustment.breakdown.components, each => twoDecimals(writeShort(each, decimals)), true)
  const opening = list === '' ? '' : `${capital(list)}. `
  const change = signed(twoDecimals(writeRoundedShort(adjustment.adjustmentPct, adjustment.show)))
  const stays = adjustment.adjustmentPct.n === 0n
  const short = (each: Ratio) => trueMinus(cutDecimals(writeCarried(each), shortDecimals))
  if (result.kind === 'CHANGE_PCT')
    return `${opening}The step ${name} comes to ${short(value)}: ${stays ? 'the price stays as it is' : `${change} % on the price before`}.`
  if (result.kind === 'PRICE') {
    const { currency, unit } = contract.price!
    const amount = adjustment.price === null ? short(value) : trueMinus(writePrice(adjustment.price))
    const money = andUnit(amount, currency, unit)
    return `${opening}The step ${name} makes the price ${money}: ${stays ? 'as it was before' : `${change} % on the price before`}.`
  }
  const before = adjustment.carriedIn
  const then = before.date === null ? 'at the start' : 'before'
  const against = stays ? `as ${then}` : `${change} % against ${short(before.factor)} ${then}`
  return `${opening}The step ${name} makes the price factor ${short(adjustment.factor)}: ${against}.`
}

function andUnit(amount: string, currency: string, unit: string): string {
  return [amount, currency, unit === '' ? '' : `per ${unit}`].filter(part => part !== '').join(' ')
}
