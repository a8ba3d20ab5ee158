// F14: readers under mutation. Every mutated body must be read without an exception, and every figure read from it must
// occur in it: none is invented, no missing one becomes zero, none has passed through a float. A read that does not end is
// found by who runs them.

import type { ProviderName } from '../../src/core/series/series.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { Answer, ParsedAnswer, ParsedObservation } from '../../src/providers/provider.ts'
import { Chance } from '../faults/chance.ts'
import { canonical } from '../stand-in/numbers.ts'
import { type Specimen, specimensOf } from './mutation-bodies.ts'
import { blanks, mutators } from './mutators.ts'

export interface MutationOutcome {
  readonly mutations: number
  /** Figures read from mutated bodies. */
  readonly figures: number
  /** In words, with the number of the mutation, at most twenty. */
  readonly failures: readonly string[]
}

export interface MutationOptions {
  readonly count: number
  readonly seed: number
  /** Called before each mutation, to report progress. */
  readonly onMutation?: (at: number) => void
}

export function runMutations(provider: ProviderName, { count, seed, onMutation }: MutationOptions): MutationOutcome {
  const specimens = specimensOf(provider).map(specimen => withTruth(provider, specimen))
  const failures: string[] = []
  let figures = 0
  for (let at = 0; at < count && failures.length < 20; at++) {
    onMutation?.(at)
    const chance = new Chance(seed + at * 7919)
    const specimen = chance.pick(specimens)
    const isBlanking = at % 4 === 0
    const mutated = isBlanking ? blankFigure(specimen, chance) : mutate(specimen, chance)
    const trouble = attempt(provider, specimen, mutated, isBlanking)
    figures += trouble.figures
    if (trouble.words !== null) failures.push(`${provider} mutation ${at}: ${trouble.words}`)
  }
  return { mutations: count, figures, failures }
}

interface KnownSpecimen extends Specimen {
  /** What is read from the unchanged body. */
  readonly truth: ReadonlySet<string>
  readonly values: ReadonlySet<string>
}

function withTruth(provider: ProviderName, specimen: Specimen): KnownSpecimen {
  const { series } = providers[provider].read(specimen.answer)
  const observations = series.flatMap(each => each.observations.map(observation => ({ code: each.code, observation })))
  return {
    ...specimen,
    truth: new Set(observations.map(({ code, observation }) => keyOf(code, observation))),
    values: new Set(observations.map(({ observation }) => observation.value)),
  }
}

function mutate({ answer }: Specimen, chance: Chance): Answer {
  let body = answer.body
  for (let times = chance.int(1, 3); times > 0 && body !== ''; times--) body = chance.pick(mutators)(body, chance)
  return { ...answer, body }
}

/** Replaces one figure, found by its digits, with a mark and leaves the rest unchanged. */
function blankFigure({ answer }: Specimen, chance: Chance): Answer {
  const found = [...answer.body.matchAll(/"?(?:71\.384|82\.617|83\.1|84\.0072|19\.93)"?(?=[,\]}\n])/g)]
  if (found.length === 0) return answer
  const match = chance.pick(found)
  const isTable = !/^\s*[[{]/.test(answer.body)
  const blank = chance.pick(blanks)
  const mark = isTable ? blank.replaceAll('"', '') : blank
  return {
    ...answer,
    body: answer.body.slice(0, match.index) + mark + answer.body.slice(match.index + match[0].length),
  }
}

interface Trouble {
  readonly figures: number
  readonly words: string | null
}

function attempt(provider: ProviderName, specimen: KnownSpecimen, answer: Answer, isBlanking: boolean): Trouble {
  try {
    const parsed = providers[provider].read(answer)
    providers[provider].next?.(specimen.request, answer)
    const figures = parsed.series.reduce((sum, { observations }) => sum + observations.length, 0)
    return { figures, words: faultOf(parsed, provider, answer, specimen, isBlanking) }
  } catch (error) {
    const place = error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1]}` : String(error)
    return { figures: 0, words: `threw ${place}` }
  }
}

/** What is wrong with a parsed answer; `null` if nothing is. */
function faultOf(
  parsed: ParsedAnswer,
  provider: ProviderName,
  answer: Answer,
  { truth, values }: KnownSpecimen,
  isBlanking: boolean,
): string | null {
  for (const { code, frequency, observations, missing } of parsed.series) {
    for (const { period } of [...observations, ...missing]) {
      if (parsePeriod(period)?.frequency !== frequency) return `period "${period}" of a ${frequency} series`
    }
    for (const observation of observations) {
      const fault = values.has(observation.value) ? null : faultOfFigure(observation, provider, answer.body)
      if (fault !== null) return `${code} ${observation.period}: ${fault}`
      if (isBlanking && !truth.has(keyOf(code, observation))) {
        return `${code} ${observation.period}: ${observation.value} came out of a blank`
      }
    }
  }
  return parsed.problems.some(({ message }) => message === '') ? 'a problem without words' : null
}

function keyOf(code: string, { period, value }: ParsedObservation): string {
  return `${code} ${period} ${value}`
}

function figuresIn(body: string): ReadonlySet<string> {
  const literals = body.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? []
  return new Set(literals.map(literal => canonical(literal)).filter(figure => figure !== null))
}

function faultOfFigure({ value }: ParsedObservation, provider: ProviderName, body: string): string | null {
  if (!/^[+-]?\d{1,60}(?:\.\d{1,60})?$/.test(value)) return `"${value.slice(0, 80)}" is not a plain decimal`
  const written = figuresIn(body)
  const figure = canonical(value)
  if (figure !== null && written.has(figure)) return null
  // Its figures are written with the decimals that the point states, which a mutation may lower.
  if (provider === 'STATCAN' && [...written].some(other => isRounded(other, value))) return null
  return `${value} does not occur in the body`
}

/** Whether a figure is another one rounded to fewer decimals. */
function isRounded(figure: string, value: string): boolean {
  const [digits = '0', power = '0'] = figure.split('e')
  const decimals = (value.split('.')[1] ?? '').length
  const shift = 40 + Number.parseInt(power, 10)
  if (shift < 0 || shift > 120) return false
  const exact = BigInt(digits) * 10n ** BigInt(shift)
  const rounded = BigInt(value.replace('.', '')) * 10n ** BigInt(40 - Math.min(decimals, 40))
  const gap = exact > rounded ? exact - rounded : rounded - exact
  return gap <= 10n ** BigInt(40 - Math.min(decimals, 40))
}
