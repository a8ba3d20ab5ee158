// The reason for an adjustment, in two or three sentences for somebody who has to agree to it. It follows the lines of the
// calculation in their order and mentions those that made a difference; the sentence of a control is in its file.
import type { Adjustment } from '../calculation/adjustment.ts'
import type { Component } from '../calculation/breakdown.ts'
import { isClauseResult } from '../calculation/explain.ts'
import type { NarrationPlace } from '../formula/controls/control.ts'
import { decimalsOf, Narrator, shortDecimals, trueMinus, twoDecimals } from '../formula/controls/narrator.ts'
import { explainTest } from '../formula/controls/threshold.ts'
import type { Clause, Formula } from '../formula/formula.ts'
import { numberAt } from '../formula/terms.ts'
import {
  absolute,
  compare,
  equal,
  formatCarried,
  formatRoundedShort,
  formatShort,
  hundred,
  multiply,
  one,
  type Ratio,
  ratio,
  subtract,
  sum,
  zero,
} from '../numbers/ratio.ts'
import { cutDecimals, signed } from '../text/words.ts'
import { formatPrice } from './calculation.ts'
import { signs } from './step-words.ts'
import type { WorkedLine } from './worked-steps.ts'

interface NarrativeRequest {
  readonly formula: Formula
  readonly adjustment: Adjustment
  /** The lines with their numbers, if the document is written as steps. */
  readonly lines?: readonly WorkedLine[]
}

export function narrate(request: NarrativeRequest): string {
  const { formula } = request
  if (formula.clause === null || !isClauseResult(formula)) return narrateSteps(request)
  return new ClauseNarrative(request, formula.clause).tell()
}

/** Further components are summarized. */
const mostNamed = 6

class ClauseNarrative {
  readonly #adjustment: Adjustment
  readonly #clause: Clause
  readonly #narrator: Narrator

  constructor({ formula, adjustment }: NarrativeRequest, clause: Clause) {
    this.#adjustment = adjustment
    this.#clause = clause
    this.#narrator = new Narrator({
      clause,
      controls: clause.controls,
      lines: new Map(adjustment.steps.map(({ step, value }) => [step.name, value])),
      carriedSteps: adjustment.carriedIn.steps,
      number: number => numberAt(number, formula.params, adjustment.date) ?? zero,
    })
  }

  tell(): string {
    this.#tellMovement()
    for (const place of ['payable', 'shared', 'grown', 'target'] as const) this.#narrateAt(place)
    if (this.#clause.basis === 'FIXED_BASE') this.#tellWhatIsLeft()
    if (this.#adjustment.adjustmentPct === null) this.#tellFromNothing()
    else this.#tellResult()
    return this.#narrator.sentences.join(' ')
  }

  #narrateAt(place: NarrationPlace): void {
    for (const { tell } of this.#clause.controls) tell?.[place]?.(this.#narrator)
  }

  #tellMovement(): void {
    const narrator = this.#narrator
    const moved = subtract(narrator.line('factor'), one)
    const adder = subtract(narrator.line('movement'), moved)
    const points = signed(formatShort(multiply(adder, hundred), shortDecimals))
    const told = this.#movement(moved)
    const added =
      adder.n === 0n ? '' : `; with the adder of ${points} points ${narrator.fraction(narrator.line('movement'))}`
    narrator.say(`${capital(told)}${added}.`)
  }

  #movement(moved: Ratio): string {
    const { breakdown, carriedIn } = this.#adjustment
    const { components } = breakdown
    const all = this.#narrator.fraction(moved)
    const first = components[0]
    if (first === undefined) return `the movement is ${all}`
    const since = carriedIn.last.date === null ? '' : sinceWords[this.#clause.basis]
    const isAlone = components.length === 1
    const isWhole = isAlone && equal(ratio(first.weight), one)
    const told = `${since}${formatComponents(components, this.#narrator.digits, !isWhole)}`
    if (isWhole && equal(first.changePct, multiply(moved, hundred))) return told
    const byLevels = this.#clause.combine === 'RATIO_OF_SUMS' && !isAlone ? ' by their weighted levels' : ''
    return `${told}${isAlone ? ', which makes' : '; together'}${byLevels} ${all}${this.#roundingWords(all)}`
  }

  /** If the clause rounds ratios or the factor, the figures do not add up exactly. */
  #roundingWords(all: string): string {
    const { rounding, combine } = this.#clause
    if ((rounding.factor === null && rounding.ratio === null) || combine === 'RATIO_OF_SUMS') return ''
    const { components } = this.#adjustment.breakdown
    const exact = sum(components.map(({ weight, changePct }) => multiply(ratio(weight), changePct)))
    return this.#narrator.write(exact) === all ? '' : ' after rounding'
  }

  /** Against the base the target says where the price should stand: how far is that from where it stands? */
  #tellWhatIsLeft(): void {
    const narrator = this.#narrator
    const before = narrator.write(multiply(subtract(narrator.inForce, one), hundred))
    if (before === '0 %' || narrator.inForce.n === 0n) return
    const step = narrator.line('step')
    const left = step.n === 0n ? 'nothing is left to do' : `${narrator.fraction(step)} is left`
    narrator.say(`With ${before} since the start in the price already, ${left}.`)
  }

  #tellFromNothing(): void {
    const since = this.#narrator.pct(this.#adjustment.cumulativePct)
    this.#narrator.say(`The previous price was 0, so there is no percentage; since the start it is ${since}.`)
  }

  #tellResult(): void {
    const tested = explainTest(this.#narrator)
    if (tested !== null && !tested.met) this.#narrator.say(`${tested.words}, so nothing is applied.`)
    else this.#tellPercent(tested?.words ?? '')
  }

  #tellPercent(opening: string): void {
    const narrator = this.#narrator
    if (!narrator.isFree && opening !== '') narrator.say(`${opening}.`)
    this.#narrateAt('held')
    this.#tellApplied(narrator.isFree ? opening : '')
  }

  #tellApplied(opening: string): void {
    const narrator = this.#narrator
    const pct = this.#adjustment.adjustmentPct!
    const before = narrator.said
    const applied = narrator.pct(pct)
    const so = opening === '' ? '' : `${opening}, so `
    if (pct.n === 0n) narrator.say(capital(`${so}the price stays as it is.`))
    else if (so === '' && applied === before) narrator.say('That is applied.')
    else if (equal(pct, narrator.limitedPct) || applied === before) narrator.say(`${so}${applied} is applied.`)
    else narrator.say(capital(`${so}rounded, ${applied} is applied.`))
  }
}

const sinceWords = { FIXED_BASE: 'since the base, ', CHAINED: 'since the last adjustment, ' } as const

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1)
}

type Digits = (value: Ratio) => string

function formatComponents(components: readonly Component[], digits: Digits, withWeights: boolean): string {
  const sorted = components.toSorted((a, b) => compare(absolute(b.contribution), absolute(a.contribution)))
  const named = components.length <= mostNamed ? components : sorted.slice(0, mostNamed - 1)
  const others = components.length - named.length
  const told = named.map(({ input, weight, changePct }) => {
    const carries = withWeights ? ` and carries ${formatShort(multiply(ratio(weight), hundred), shortDecimals)} %` : ''
    return `${input.replaceAll('_', ' ')} ${moved(changePct, digits)}${carries}`
  })
  return [...told, ...(others === 0 ? [] : [`${others} others counted for less`])].join(', ')
}

function moved(changePct: Ratio, digits: Digits): string {
  if (changePct.n === 0n) return 'did not move'
  return `${changePct.n < 0n ? 'fell' : 'rose'} ${digits(absolute(changePct))} %`
}

/** Longer calculations are left to the lines. */
const longestNumbers = 60

/** The choices of the steps, and the numbers of the one that gives the result. */
function explainSteps(
  lines: readonly WorkedLine[],
  name: string,
): { readonly chosen: string; readonly numbers: string } {
  const all = lines.flatMap(({ told }) => told)
  const told = all.length <= mostNamed ? all : all.slice(0, mostNamed)
  const more = all.length - told.length
  const chosen = [...told, ...(more === 0 ? [] : [`${more} more choices are in the lines below`])]
  const numbers = signs(lines.find(({ step }) => step.name === name)?.numbers ?? '')
  const isPlain = numbers.length <= longestNumbers && /^[\d.…()\s+−×÷]*[+−×÷][\d.…()\s+−×÷]*$/.test(numbers)
  return { chosen: chosen.map(each => `${capital(each)}. `).join(''), numbers: isPlain ? `, ${numbers},` : '' }
}

/** The narrative of steps: the document itself says how it is computed; the sentences give choices and result. */
function narrateSteps({ formula, adjustment, lines = [] }: NarrativeRequest): string {
  const { result, steps, contract } = formula
  const { name } = steps[result.step]!
  const value = adjustment.steps[result.step]!.value
  const decimals = decimalsOf(adjustment.show)
  const list = formatComponents(adjustment.breakdown.components, each => twoDecimals(formatShort(each, decimals)), true)
  const { chosen, numbers } = explainSteps(lines, name)
  const opening = `${list === '' ? '' : `${capital(list)}. `}${chosen}`
  const { adjustmentPct } = adjustment
  const stays = adjustmentPct?.n === 0n
  const change =
    adjustmentPct === null ? '' : `${signed(twoDecimals(formatRoundedShort(adjustmentPct, adjustment.show)))} %`
  const onBefore = stays
    ? 'the price stays as it is'
    : adjustmentPct === null
      ? 'the previous price was 0, so there is no percentage'
      : `${change} on the price before`
  const short = (each: Ratio) => trueMinus(cutDecimals(formatCarried(each), shortDecimals))
  if (result.kind === 'CHANGE_PCT') return `${opening}The step ${name}${numbers} comes to ${short(value)}: ${onBefore}.`
  if (result.kind === 'PRICE' || result.kind === 'SURCHARGE') {
    const { currency, unit } = contract.price!
    const amount = adjustment.price === null ? short(value) : trueMinus(formatPrice(adjustment.price))
    const money = andUnit(amount, currency, unit)
    const how = result.kind === 'PRICE' ? 'makes the price' : `is ${short(value)} on top, which makes the price`
    return `${opening}The step ${name}${numbers} ${how} ${money}: ${stays ? 'as it was before' : onBefore}.`
  }
  const before = adjustment.carriedIn
  const then = before.date === null ? 'at the start' : 'before'
  const against =
    adjustmentPct === null ? onBefore : stays ? `as ${then}` : `${change} against ${short(before.factor)} ${then}`
  return `${opening}The step ${name}${numbers} makes the price factor ${short(adjustment.factor)}: ${against}.`
}

function andUnit(amount: string, currency: string, unit: string): string {
  return [amount, currency, unit === '' ? '' : `per ${unit}`].filter(part => part !== '').join(' ')
}
