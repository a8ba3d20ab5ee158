// Suspects: by the stored figures an index may have ended, or been put on another base, replaced, or computed differently. Each
// has its evidence; a suspect is a question to a person, never a verdict, and nothing is changed because of one.

import {
  absolute,
  add,
  compare,
  divide,
  formatFixed,
  multiply,
  ofInteger,
  one,
  powerOfTen,
  type Ratio,
  ratio,
  subtract,
  sum,
} from '../numbers/ratio.ts'
import { parseReference, type SeriesHistory, type SeriesProvider } from '../series/series.ts'
import { lastPatientDay } from '../series/silence.ts'
import { newest, selectVintage } from '../series/vintage.ts'
import { type Day, formatDay } from '../time/day.ts'
import { type Frequency, formatPeriod, lastDayOf, type Period, periodNouns } from '../time/period.ts'
import { newerFlows } from './flow-version.ts'
import type { EventKind } from './index-event.ts'
import { percentOf, roundedChange } from './movement.ts'
import { referenceOfUnit } from './unit.ts'

/** A value of a period before and after an answer of the provider rewrote it. */
export interface Rewritten {
  readonly period: string
  readonly before: string
  readonly after: string
}

export interface SeriesEvidence {
  readonly history: SeriesHistory
  /** The provider's words besides the figures: its name, its description, the state of its data set. */
  readonly statements: readonly string[]
  /** The units of the series, oldest first. */
  readonly units: readonly string[]
  /** The number of late periods in a row. */
  readonly late: number
  /** The newest periods of other series of the data set. */
  readonly siblings: readonly Period[]
  /** References of other known series. */
  readonly others: readonly string[]
  /** An answer that rewrites the history and waits for a person; null where none does. */
  readonly waiting: readonly Rewritten[] | null
  readonly today: Day
}

export interface Suspect {
  readonly series: string
  readonly kind: Exclude<EventKind, 'CANCELLED'>
  readonly sentence: string
  /** The figures behind it, each in a few words. */
  readonly evidence: readonly string[]
  /** The factor of the whole history, for REBASED. */
  readonly constant: string | null
  /** The successor, for SUPERSEDED, where the name of the series gives it. */
  readonly successor: string | null
}

export function suspectsOf(ground: SeriesEvidence): readonly Suspect[] {
  const found = [endedSuspect(ground), rebasedSuspect(ground), supersededSuspect(ground), methodSuspect(ground)]
  return found.filter(each => each !== null)
}

function suspect(
  { history }: SeriesEvidence,
  kind: Suspect['kind'],
  sentence: string,
  evidence: readonly string[],
  more: Partial<Pick<Suspect, 'constant' | 'successor'>> = {},
): Suspect {
  return { series: history.reference, kind, sentence, evidence, constant: null, successor: null, ...more }
}

const lateTwice = 2

/** Each provider's words for the end of a series. */
const lastWords: Readonly<Partial<Record<SeriesProvider, RegExp>>> = {
  FRED: /\(DISCONTINUED\)\s*$/,
  STATCAN: /\barchived\b|\binactive\b/i,
  ONS: /\bfinal release\b|\bdiscontinued\b/i,
}

function endedSuspect(ground: SeriesEvidence): Suspect | null {
  const { history, statements, late, siblings, today } = ground
  const last = newestPeriod(history)
  if (last === null) return null
  const period = formatPeriod(last)
  const evidence: string[] = []
  const pattern = lastWords[parseReference(history.reference)?.provider ?? 'CUSTOM']
  const said = statements.find(text => pattern?.test(text) === true)
  if (said !== undefined) evidence.push(`the provider says so: "${said.trim()}"`)
  const due = lastPatientDay(last)
  if (today > due)
    evidence.push(
      `no period after ${period}, which ended on ${formatDay(lastDayOf(last))}; one was due by ${formatDay(due)} at the latest`,
    )
  if (late >= lateTwice) evidence.push(`${late} periods in a row are late`)
  const ahead = siblings.filter(each => each.frequency === last.frequency && each.ordinal >= last.ordinal + 2)
  if (siblings.length >= 2 && ahead.length * 2 > siblings.length)
    evidence.push(`${ahead.length} of ${siblings.length} other series of its data set have periods after ${period}`)
  if (evidence.length === 0) return null
  return suspect(ground, 'ENDED', `It seems to have ended with ${period}.`, evidence)
}

function newestPeriod({ frequency, ordinals, periods }: SeriesHistory): Period | null {
  const ordinal = ordinals.findLast(each => selectVintage(periods.get(each)!, newest) !== undefined)
  return ordinal === undefined ? null : { frequency, ordinal }
}

function rebasedSuspect(ground: SeriesEvidence): Suspect | null {
  const { units, waiting, history } = ground
  const evidence: string[] = []
  const references = units.map(referenceOfUnit).filter(each => each !== null)
  const [first, last] = [references[0], references.at(-1)]
  if (first !== undefined && last !== undefined && first !== last)
    evidence.push(`its unit says ${last} = 100, and said ${first} = 100 before`)
  const answers = waiting === null ? rewrittenIn(history) : waiting
  const constant = constantOf(answers, waiting === null ? history.ordinals.length : answers.length)
  if (constant !== null)
    evidence.push(
      `${answers.length} values were multiplied by ${constant}, ${waiting === null ? 'within their rounding' : 'in an answer that waits for a decision'}`,
    )
  if (evidence.length === 0) return null
  return suspect(ground, 'REBASED', 'It seems to be on another base.', evidence, { constant })
}

/** The values before and after the newest publication that changed many of them. */
function rewrittenIn({ frequency, ordinals, periods }: SeriesHistory): readonly Rewritten[] {
  const byInstant = new Map<string, Rewritten[]>()
  for (const ordinal of ordinals) {
    const vintages = periods.get(ordinal)!
    const [before, after] = [vintages.at(-2), vintages.at(-1)]
    if (before?.value == null || after?.value == null) continue
    const own = byInstant.get(after.publishedAt) ?? []
    byInstant.set(after.publishedAt, own)
    own.push({ period: formatPeriod({ frequency, ordinal }), before: before.value, after: after.value })
  }
  return [...byInstant.values()].sort((a, b) => b.length - a.length)[0] ?? []
}

const leastRewritten = 6
const leastChange = ratio('0.005')

/** The factor of all values, within their rounding; null where it is not one constant, or hardly any change. */
function constantOf(rewritten: readonly Rewritten[], of: number): string | null {
  if (rewritten.length < leastRewritten || rewritten.length * 10 < of * 8) return null
  const pairs = rewritten.map(({ before, after }) => ({ before, after, old: ratio(before), now: ratio(after) }))
  if (pairs.some(({ old, now }) => old.n <= 0n || now.n <= 0n)) return null
  const constant = divide(sum(pairs.map(({ now }) => now)), sum(pairs.map(({ old }) => old)))
  if (compare(absolute(subtract(constant, one)), leastChange) < 0) return null
  const isOne = pairs.every(({ before, after, old, now }) => {
    const tolerance = add(halfStep(after), multiply(constant, halfStep(before)))
    return compare(absolute(subtract(now, multiply(old, constant))), multiply(tolerance, ofInteger(2))) <= 0
  })
  return isOne ? formatFixed(constant, 6) : null
}

/** Half of the last printed digit. */
function halfStep(digits: string): Ratio {
  const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0
  return { n: 1n, d: 2n * powerOfTen(decimals) }
}

function supersededSuspect(ground: SeriesEvidence): Suspect | null {
  const { history, others } = ground
  const newer = newerFlows(history.reference, others)
  if (newer === null) return null
  const evidence = [`${newer.flow} has version ${newer.version}, and this is ${newer.own}`]
  return suspect(ground, 'SUPERSEDED', 'There is a newer version of its data set.', evidence, {
    successor: newer.successor,
  })
}

/** Providers whose flags have a letter for a break in the series. */
const flagsBreaks: ReadonlySet<string> = new Set(['EUROSTAT', 'ECB', 'OECD', 'IMF', 'BIS', 'DBNOMICS'])
const recentPeriods: Readonly<Record<Frequency, number>> = {
  DAILY: 60,
  WEEKLY: 26,
  MONTHLY: 24,
  QUARTERLY: 8,
  SEMIANNUAL: 4,
  ANNUAL: 3,
}

function methodSuspect(ground: SeriesEvidence): Suspect | null {
  const { history } = ground
  const { frequency, ordinals, periods, reference } = history
  const recent = ordinals.slice(-recentPeriods[frequency])
  const evidence: string[] = []
  if (flagsBreaks.has(parseReference(reference)?.provider ?? ''))
    for (const ordinal of recent) {
      const flag = periods.get(ordinal)!.at(-1)?.flag
      if (flag != null && flag.length <= 3 && /b/i.test(flag))
        evidence.push(`${formatPeriod({ frequency, ordinal })} has the flag "${flag}", a break in the series`)
    }
  const step = unusualStep(history, recent[0] ?? 0)
  if (step !== null) evidence.push(step)
  if (evidence.length === 0) return null
  return suspect(
    ground,
    'METHOD',
    `Was a ${periodNouns[frequency]} computed differently from the one before?`,
    evidence,
  )
}

const unusualTimes = ofInteger(6)
const leastSteps = 12
const mostSteps = 120

/** A recent change over six times the usual one, which was not revised since, though later periods were published. */
function unusualStep({ frequency, ordinals, periods }: SeriesHistory, from: number): string | null {
  const steps: { readonly ordinal: number; readonly size: Ratio; readonly isRevised: boolean }[] = []
  let before: Ratio | null = null
  for (const ordinal of ordinals.slice(-mostSteps - 1)) {
    const vintages = periods.get(ordinal)!
    const vintage = selectVintage(vintages, newest)
    const value = vintage === undefined ? null : ratio(vintage.value)
    if (before !== null && value !== null && before.n > 0n)
      steps.push({ ordinal, size: absolute(roundedChange(before, value, 9)), isRevised: vintages.length > 1 })
    before = value
  }
  if (steps.length < leastSteps) return null
  const total = sum(steps.map(({ size }) => size))
  const last = steps.at(-1)!
  const found = steps.findLast(step => {
    if (step.ordinal < from || step === last || step.isRevised) return false
    const usual = divide(subtract(total, step.size), ofInteger(steps.length - 1))
    return usual.n > 0n && compare(step.size, multiply(usual, unusualTimes)) > 0
  })
  if (found === undefined) return null
  const usual = divide(subtract(total, found.size), ofInteger(steps.length - 1))
  const period = formatPeriod({ frequency, ordinal: found.ordinal })
  return `the step to ${period} is ${percentOf(found.size, 2)} %, the usual one ${percentOf(usual, 2)} %, and it was not revised since`
}
