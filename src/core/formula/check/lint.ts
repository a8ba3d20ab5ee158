// Questions of a careful reader about a formula that is formally in order: warnings, each with the reason and a better way to
// write it. It uses the facts known about the series; without any it gives no warning.

import {
  compare,
  divide,
  formatCarried,
  greatest,
  least,
  multiply,
  ofInteger,
  one,
  type Ratio,
  ratio,
  sum,
} from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import type { SeriesHistory } from '../../series/series.ts'
import { lastPatientDay } from '../../series/silence.ts'
import { newest, selectVintage } from '../../series/vintage.ts'
import { type Day, formatDay } from '../../time/day.ts'
import { dayOfInstant } from '../../time/instant.ts'
import {
  type Frequency,
  firstDayOf,
  formatPeriod,
  lastDayOf,
  monthsIn,
  ordinalAt,
  ordinalsWithin,
  periodNouns,
} from '../../time/period.ts'
import type { SeriesData } from '../bind.ts'
import { weightedInputs } from '../clause.ts'
import type { Formula, Input } from '../formula.ts'
import { adjustmentDates, goBack } from '../schedule.ts'
import { isSeasonallyAdjusted, type ProviderHabits, usualDelayDays } from '../series-habits.ts'

interface LintContext {
  readonly data: SeriesData
  /** The day; null without a clock: then nothing is said about series that have ended. */
  readonly today: Day | null
  readonly habits: ProviderHabits
  /** The published end of a series; null where it goes on. Left out where nothing is known. */
  readonly howEnded?: (series: string) => 'ENDED' | 'SUPERSEDED' | null
}

/** The doubt and a better way to write: once in the keys of the document, once in plain words. */
type Warning = Required<Pick<Problem, 'message' | 'words'>>

export function lint(formula: Formula, ground: LintContext): Problem[] {
  return [
    ...formula.inputs.flatMap(input => lintInput(formula, input, ground)),
    ...lintControls(formula),
    ...lintWeights(formula),
    ...lintCorrections(formula),
  ]
}

function lintInput(
  formula: Formula,
  input: Input,
  { data, today, habits, howEnded = () => null }: LintContext,
): Problem[] {
  const series = data.get(input.series) ?? null
  const path = `inputs.${input.name}`
  const say = (key: string, warning: Warning | null): Problem[] =>
    warning === null ? [] : [{ path: `${path}.${key}`, ...warning }]
  return [
    ...say('series', adjustedWarning(input, series, habits)),
    ...say('lag', delayWarning(formula, input, series, habits)),
    ...say('convert.using', rateWarning(input)),
    ...say('vintage', aheadWarning(input)),
    ...(series === null
      ? []
      : [
          ...say('missing', gapWarning(input, series)),
          ...say('base', preliminaryWarning(input, series)),
          ...say('base', referenceWarning(input, series, data)),
          ...say('series', endedWarning({ formula, input, series, today, howEnded })),
        ]),
  ]
}

function adjustedWarning(
  { series: reference }: Input,
  series: SeriesHistory | null,
  habits: ProviderHabits,
): Warning | null {
  if (!isSeasonallyAdjusted(reference, series?.name ?? '', habits)) return null
  return alike(
    `${reference} is seasonally adjusted: such series are re-estimated every year, so settled values change; name the unadjusted series`,
  )
}

/** A warning whose message names no key. */
function alike(message: string): Warning {
  return { message, words: message }
}

function rateWarning({ convert, using }: Input): Warning | null {
  const taken = convert?.fx?.using
  if (taken !== 'SUM' && taken !== 'COMPOUND') return null
  const own = taken === using ? ', as the input’s own values are' : ''
  return {
    message: `the rates of the window are taken as ${taken}${own}: write convert.using: MEAN, or what the contract says about the rate`,
    words: `the exchange rates of several periods are ${taken === 'SUM' ? 'added up' : 'compounded'}${own}; a rate is usually averaged`,
  }
}

function aheadWarning({ vintage, lag }: Input): Warning | null {
  if (vintage !== 'AT_DATE' || lag.count >= 0) return null
  return {
    message:
      'with AT_DATE only what was published by the adjustment date counts, and the lag leads to a period after it: its value can never count',
    words:
      'only what was published by the adjustment date counts, but a period after that date is read: its value can never count',
  }
}

/** Checked at the first dates of the contract: will the value be out when it is needed? */
function delayWarning(
  { contract }: Formula,
  input: Input,
  series: SeriesHistory | null,
  habits: ProviderHabits,
): Warning | null {
  // A negative lag waits for its value on purpose.
  if (input.pick === 'LATEST_PUBLISHED' || input.lag.count < 0) return null
  const frequency = series?.frequency ?? frequencyOfBase(input)
  if (frequency === null) return null
  const delay = (series === null ? null : medianDelay(series)) ?? usualDelayDays(input.series, frequency, habits)
  if (delay === null) return null
  const horizon = contract.end ?? contract.firstAdjustment + 800
  for (const date of adjustmentDates(contract, horizon).slice(0, 12)) {
    const ordinal = ordinalAt(frequency, goBack(date, input.lag)) + (input.interpolate ? 1 : 0)
    const available = lastDayOf({ frequency, ordinal }) + delay
    if (available <= date) continue
    const period = formatPeriod({ frequency, ordinal })
    const late = `on ${formatDay(date)} the value of ${period} is not out yet (${input.series} usually comes ${delay} days after the ${periodNouns[frequency]}'s end)`
    return {
      message: `${late}; write a longer lag, or pick: LATEST_PUBLISHED`,
      words: `${late}, so the adjustment has to wait; an earlier period, or the newest value that is out, would not`,
    }
  }
  return null
}

function frequencyOfBase({ base }: Input): Frequency | null {
  return base?.kind === 'label' && base.from.frequency !== 'DAILY' ? base.from.frequency : null
}

/** Days from a period's end to its first publication, over the newest two years. */
function medianDelay({ frequency, ordinals, periods }: SeriesHistory): number | null {
  const first = ordinals.slice(-24).map(ordinal => ({ ordinal, publishedAt: periods.get(ordinal)![0]!.publishedAt }))
  // Values that were published together, such as an imported history, do not show how soon a value is usually out.
  const together = (publishedAt: string) => first.filter(other => other.publishedAt === publishedAt).length > 2
  const delays = first
    .filter(({ publishedAt }) => !together(publishedAt))
    .map(({ ordinal, publishedAt }) => dayOfInstant(publishedAt) - lastDayOf({ frequency, ordinal }))
    .filter(delay => delay >= 0)
    .sort((a, b) => a - b)
  return delays.length === 0 ? null : delays[Math.floor(delays.length / 2)]!
}

function gapWarning({ missing, series: reference }: Input, { frequency, ordinals }: SeriesHistory): Warning | null {
  if (missing.kind !== 'BLOCK' || monthsIn(frequency) === null) return null
  const gap = ordinals.find((ordinal, i) => i > 0 && ordinal !== ordinals[i - 1]! + 1)
  if (gap === undefined) return null
  const lacking = formatPeriod({ frequency, ordinal: gap - 1 })
  const gaps = `${reference} has gaps (no value for ${lacking}) and nothing says what to do then: the adjustment would be blocked`
  return {
    message: `${gaps}; write missing: LAST_KNOWN, yoyEstimate, trend, fallback or agreed`,
    words: `${gaps}; the contract could name the last known value, an estimate, another series or an agreed value`,
  }
}

function preliminaryWarning({ base, links }: Input, { frequency, periods }: SeriesHistory): Warning | null {
  if (base?.kind !== 'label' || links.length > 0) return null
  const { first, last } = ordinalsWithin(frequency, firstDayOf(base.from), lastDayOf(base.to))
  for (let ordinal = first; ordinal <= last; ordinal++) {
    const vintage = selectVintage(periods.get(ordinal) ?? [], newest)
    if (vintage?.tag !== 'PRELIMINARY') continue
    const base = `the base value of ${formatPeriod({ frequency, ordinal })} is still`
    return {
      message: `${base} PRELIMINARY: every adjustment moves when it is settled; choose a settled period, or write vintage: FIRST`,
      words: `${base} preliminary: every adjustment moves when it is settled; a settled period, or the value as first published, would not`,
    }
  }
  return null
}

const referenceYear = /(\d{4}(?:-\d{2,4})?)\s*=\s*100/

function referenceWarning(input: Input, series: SeriesHistory, data: SeriesData): Warning | null {
  const own = referenceYear.exec(series.unit)?.[1]
  for (const link of input.links) {
    const other = referenceYear.exec(data.get(link.series)?.unit ?? '')?.[1]
    if (own !== undefined && other !== undefined && own !== other && compare(link.coefficient, one) === 0)
      return alike(
        `${link.series} stands on ${other} = 100 and ${input.series} on ${own} = 100, but the link's coefficient is 1; write the coefficient between the two`,
      )
  }
  if (input.base?.kind !== 'value' || input.convert !== null) return null
  const values = series.ordinals.flatMap(ordinal => {
    const vintage = selectVintage(series.periods.get(ordinal)!, newest)
    return vintage === undefined ? [] : [ratio(vintage.value)]
  })
  if (values.length === 0) return null
  const low = values.reduce((a, b) => least(a, b))
  const high = values.reduce((a, b) => greatest(a, b))
  const far = ofInteger(3)
  if (compare(multiply(input.base.value, far), low) >= 0 && compare(divide(input.base.value, far), high) <= 0)
    return null
  return alike(
    `the base value ${input.base.text} lies far from all values of ${input.series} (${formatCarried(low)} to ${formatCarried(high)}): it may stand on another reference year; convert it, or link the old base`,
  )
}

const endingWords = { ENDED: 'has ended', SUPERSEDED: 'was replaced' } as const

interface EndedContext extends Required<Pick<LintContext, 'today' | 'howEnded'>> {
  readonly formula: Formula
  readonly input: Input
  readonly series: SeriesHistory
}

function endedWarning({ formula: { contract }, input, series, today, howEnded }: EndedContext): Warning | null {
  const last = series.ordinals.at(-1)
  if (today === null || last === undefined || input.links.some(link => link.from !== null)) return null
  const period = { frequency: series.frequency, ordinal: last }
  if (lastPatientDay(period) >= today || (contract.end !== null && contract.end <= lastDayOf(period))) return null
  const known = howEnded(input.series)
  const ended = `${input.series} has no value after ${formatPeriod(period)}: it ${known === null ? 'seems to have ended' : endingWords[known]}`
  return {
    message: `${ended}; link its successor with links: [{ series, from, coefficient }]`,
    words: `${ended}, and no successor is named`,
  }
}

function lintControls({ clause, steps, contract }: Formula): Problem[] {
  if (clause !== null) return clause.controls.flatMap(({ advise }) => advise?.(clause) ?? [])
  const roundsByCall = /\b(?:round|trunc|ceil|floor)\(/
  const rounds =
    steps.some(step => step.round !== null || roundsByCall.test(step.expr)) || contract.price?.round != null
  return rounds
    ? []
    : [
        {
          path: 'steps',
          message:
            'no step is rounded: every value is carried exactly; write round: { dp: … } where the contract rounds',
          words: 'no step is rounded: every value is carried exactly, also where the contract may round',
        },
      ]
}

function lintWeights({ clause, inputs }: Formula): Problem[] {
  const weighted = weightedInputs(inputs)
  const values = weighted.flatMap(({ weight }) => weight.value ?? [])
  if (clause !== null || weighted.length === 0 || values.length < weighted.length) return []
  const total: Ratio = sum(values)
  if (compare(total, one) === 0) return []
  return [
    {
      path: 'inputs',
      ...alike(`the weights make ${formatCarried(total)}, not 1; if the rest is a fixed share, the steps must say so`),
    },
  ]
}

function lintCorrections({ corrections, contract, inputs }: Formula): Problem[] {
  if (corrections === null) return []
  const say = (path: string, message: string): Problem => ({ path: `corrections.${path}`, message })
  if (corrections.when === 'NONE')
    return (['min', 'within'] as const)
      .filter(key => corrections[key] !== null)
      .map(key => say(key, `${key} has no effect with when: NONE: nothing is ever corrected; leave it out`))
  if (corrections.when === 'END' && contract.end === null)
    return [say('when', 'END is 60 days after the end of the contract, and no end is written; write contract.end')]
  if (inputs.length > 0 && inputs.every(({ vintage }) => vintage === 'FIRST'))
    return [say('when', 'every input is read as it was first printed (vintage: FIRST), so no revision ever counts')]
  return []
}
