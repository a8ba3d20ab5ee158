// The schema of a splice: the proposal that another series takes the place of one that ends, as both parties sign it. Types,
// the strict reader and the description follow from it. Neither a clock nor an id is in it, so that equal facts always make
// equal proposals. judge-splice.ts checks whether its figures follow from each other.
import { headFields, rounding, vintageFields } from '../receipt/receipt-schema.ts'
import {
  checked,
  day,
  decimal,
  exactText,
  hexHash,
  listOf,
  literal,
  mapping,
  oneOf,
  orNull,
  text,
  truth,
  versionNumber,
  type Written,
} from '../text/exact-shape.ts'
import { frequencies } from '../time/period.ts'
import { directions, eventKinds } from './index-event.ts'

export const spliceFormat = 'assize-splice/1'

export const spliceMethods = ['OVERLAP', 'POINT', 'PUBLISHED', 'SAME_LEVEL', 'RELEVEL'] as const
export type SpliceMethod = (typeof spliceMethods)[number]

const series = (which: string) =>
  mapping(`The ${which} series.`, {
    series: text('As formulas name it: `PROVIDER/code`'),
    name: text('Its name'),
    unit: text('Its unit'),
    frequency: oneOf(frequencies, 'How often it has a value'),
  })

const ground = mapping('Why it is proposed.', {
  kind: oneOf(['EVENT', 'SUSPECT', 'BY_HAND'], 'A published fact, what our figures show, or somebody’s own reason'),
  event: orNull(text(), 'The id of the event; null for the others'),
  change: orNull(oneOf(eventKinds, 'What happened to the index'), 'Null where it is only a reason'),
  sentence: text('In a sentence'),
})

const vintage = mapping('A figure as it was published.', vintageFields)
const figures = (which: string) => listOf(vintage, `Of the ${which} series; several where it is averaged`)
const common = mapping('A period that both series have.', {
  period: text('The period'),
  old: figures('old'),
  new: figures('new'),
  ratio: exactText('The new value divided by the old one, exact'),
})

const percent = (what: string) => decimal(`${what}, in percent with four decimals`)
const none = '; null where too few periods are common'
const closeness = {
  spreadPct: orNull(percent('Largest ratio ÷ smallest − 1'), `Spread of the ratios${none}`),
  correlation: orNull(decimal('From -1 to 1, four decimals'), `Of the changes from period to period${none}`),
  differencePct: orNull(percent('Mean absolute difference'), `Once they are on one level${none}`),
}

const evidence = mapping('What both series say about the same periods.', {
  overlap: listOf(common, 'The periods of the window, by time; empty where there are none'),
  worst: orNull(text(), 'The period whose ratio is furthest from the coefficient; null where there is none'),
  ...closeness,
  hash: hexHash('SHA-256 of the canonical JSON of `overlap`'),
})

const window = mapping('The periods that the coefficient rests on.', {
  from: text('The first period'),
  until: text('The last period'),
  averaged: orNull(oneOf(['OLD', 'NEW'], 'Which'), 'The finer series, averaged to the other’s periods; null: neither'),
  leftOut: listOf(
    mapping('A period that does not count.', { period: text('The period'), why: text('Why') }),
    'Inside the window, by time',
  ),
})

const coefficient = mapping('What connects the levels of the two series.', {
  direction: oneOf(directions, 'OLD_TO_NEW: an old value times it is on the new level'),
  exact: exactText('Exact'),
  written: decimal('As it is written in the document'),
  rounding: orNull(rounding, 'How it was rounded; null: not at all'),
  source: orNull(text(), 'Who published it; null where it was computed'),
})

const base = mapping('A base reading that takes the place of another.', {
  input: text('Name of the input'),
  before: text('As it was written'),
  beforeReading: exactText('What it read, exact'),
  after: text('As it is written now'),
  afterReading: exactText('What it reads, exact'),
})

const outcome = (what: string) =>
  mapping(what, {
    factor: orNull(exactText('Exact'), 'Price ÷ price at the start; null where there is a gap'),
    price: orNull(exactText('Price'), 'Null where the contract has none, or there is a gap'),
    gap: orNull(text(), 'Why there is no number; null where there is one'),
  })

const effect = mapping('What it does to the agreement.', {
  signed: listOf(
    mapping('A date that both signed. It is untouched.', {
      period: text('Label of the period'),
      adjustmentDate: day('The day it takes effect'),
      factor: exactText('Exact'),
      receipt: hexHash('Hash of its receipt'),
    }),
    'By date',
  ),
  next: listOf(
    mapping('A date that is not signed by both.', {
      period: text('Label of the period'),
      adjustmentDate: day('The day it takes effect'),
      old: outcome('With the old series.'),
      new: outcome('With the new series.'),
      others: listOf(outcome('With the coefficient of another window.'), 'In the order of `windows`'),
    }),
    'The next four at most, by date',
  ),
  windows: listOf(
    mapping('Another window, to compare.', {
      from: text('The first period'),
      until: text('The last period'),
      coefficient: decimal('As it would be written'),
    }),
    'Neighbouring ones: half as long and twice as long; with POINT, other periods',
  ),
})

const alternative = mapping('Another series that might take its place.', {
  series: text('As formulas name it'),
  name: text('Its name'),
  why: text('Why it is a candidate'),
  common: orNull(text(), 'The common periods that are compared; null where there are none'),
  ...closeness,
})

export const spliceBody = mapping('What both parties sign.', {
  format: literal(spliceFormat, 'The form of this proposal'),
  ...headFields,
  version: versionNumber('The formula version that it changes'),
  effectiveFrom: day('The first adjustment date that is not signed by both'),
  inputs: listOf(text(), 'The inputs that read the new series from then on'),
  old: series('old'),
  new: series('new'),
  ground,
  method: oneOf(spliceMethods, 'How the levels are connected'),
  window: orNull(window, 'Null where no periods are common'),
  coefficient: orNull(coefficient, 'Null where a new base is read in the new series'),
  bases: listOf(base, 'With RELEVEL; else empty'),
  join: text('The last period read from the old series'),
  waitedForFinal: truth('Whether it was asked that all values of the window be final'),
  effect,
  evidence,
  alternatives: listOf(alternative),
  document: text('The whole new formula document'),
})

export type SpliceBody = Written<typeof spliceBody>
type SpliceEvidence = SpliceBody['evidence']
export type SpliceReason = SpliceBody['ground']
export type CommonLine = SpliceEvidence['overlap'][number]

/** Refuses anything but a splice, to the last key. */
export function readSpliceBody(value: unknown): SpliceBody {
  return checked(spliceBody, value, 'body')
}

/** For the description of the API. */
export const spliceBodySchema = spliceBody.schema
