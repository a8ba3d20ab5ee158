// The document in the words of a clause. Sentences only say what is written; they compute nothing.

import { successorMethodKey, vintageKey, weekKey } from '../../../../../src/core/formula/check/input-keys.ts'
import type { ChoiceKey } from '../../../../../src/core/formula/check/keys.ts'
import type { Using } from '../../../../../src/core/formula/formula.ts'
import type { Raw } from '../../../../../src/core/formula/raw.ts'
import { type RoundingPlace, roundingPlaces } from '../../../../../src/core/formula/terms.ts'
import type { RoundingMode } from '../../../../../src/core/numbers/ratio.ts'
import { andList, formatDate } from '../../../../../src/core/text/words.ts'
import { parsePeriod } from '../../../../../src/core/time/period.ts'
import { formatFigure } from '../../../../components/words/words.ts'
import { formatPath, hasAt, keysAt, knownKeys, listAt, type Path, rawAt, textAt } from '../document/document.ts'
import {
  type RoundingShape,
  readBase,
  readLag,
  readMissing,
  readPassThrough,
  readRounding,
  readSpan,
  readWindow,
} from '../document/shapes.ts'
import { formatShare } from '../document/weights.ts'

const numbers = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `one month`, `two quarters`, `49 days`. */
export function formatCountInWords(count: string, unit: string): string {
  return `${formatNumberInWords(count)} ${unit}${count === '1' ? '' : 's'}`
}

function formatNumberInWords(count: string): string {
  return /^\d{1,2}$/.test(count) ? (numbers[Number.parseInt(count, 10)] ?? count) : count
}

/** `December 2023`, `2023-Q4`, `15 Jul 2023`. */
function formatPeriodInWords(text: string): string {
  const period = parsePeriod(text)
  if (period === null) return text
  if (period.frequency === 'DAILY') return formatDate(text)
  if (period.frequency !== 'MONTHLY') return text
  return `${monthNames[Number.parseInt(text.slice(5), 10) - 1]} ${text.slice(0, 4)}`
}

/** `3 %`, or the name of a param. */
function formatPctInWords(text: string): string {
  return /\d/.test(text) && !/^[\p{L}_]/u.test(text) ? `${formatFigure(text)}\u202f%` : text
}

const modeWords: Readonly<Record<'' | RoundingMode, string>> = {
  '': '',
  HALF_UP: ', half up',
  HALF_EVEN: ', half to even',
  HALF_DOWN: ', half down',
  UP: ', away from zero',
  DOWN: ', cut off',
  CEILING: ', always up',
  FLOOR: ', always down',
}

function isMode(text: string): text is keyof typeof modeWords {
  return Object.hasOwn(modeWords, text)
}

export function formatRoundingInWords({ kind, amount, mode }: RoundingShape): string {
  if (kind === 'LEFT_OUT' || kind === 'NONE') return 'not rounded'
  const how = isMode(mode) ? modeWords[mode] : `, ${mode}`
  if (kind === 'MULTIPLE') return `rounded to multiples of ${amount === '' ? '…' : amount}${how}`
  const tens = /^-(\d{1,2})$/.exec(amount)
  if (tens) return `rounded to whole ${formatTensInWords(Number.parseInt(tens[1]!, 10))}${how}`
  return `rounded to ${amount === '' ? '…' : amount} ${amount === '1' ? 'decimal' : 'decimals'}${how}`
}

/** The name for this many digits before the decimal point: `thousands`. */
function formatTensInWords(places: number): string {
  const group = ['', 'thousands', 'millions', 'billions', 'trillions', 'quadrillions'][Math.floor(places / 3)] ?? ''
  const head = ['', 'tens', 'hundreds'][places % 3]!
  if (group === '') return head === '' ? 'numbers' : head
  return head === '' ? group : `${head} of ${group}`
}

export function formatDayInWords(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parsePeriod(text) !== null ? formatDate(text) : text
}

/** Reading of an input: `read one month before the adjustment date, against December 2023`. */
export function formatReadingInWords(input: Raw | undefined): string {
  const window = formatWindowInWords(rawAt(input, ['window']), textAt(input, ['using']))
  const week = wordsFor(weekKey, textAt(input, ['week']))
  return [
    formatWhenInWords(input),
    textAt(input, ['expand']) === 'MONTHLY' ? 'month by month' : '',
    window,
    week === '' ? '' : `each week counted by its ${week}`,
    formatBaseInWords(input),
    formatVintageInWords(input),
    ...formatTreatmentInWords(input),
    formatMissingInWords(input),
    formatSuccessorInWords(input),
  ]
    .filter(words => words !== '')
    .join(', ')
}

function formatWhenInWords(input: Raw | undefined): string {
  const when = formatLagInWords(rawAt(input, ['lag']))
  if (textAt(input, ['pick']) === 'LATEST_PUBLISHED') return `the newest value published ${when}`
  return textAt(input, ['interpolate']) === 'DAILY' ? `read ${when} and interpolated to the day` : `read ${when}`
}

/** `two weeks before the adjustment date`, `one month after the adjustment date`. */
function formatLagInWords(raw: Raw | undefined): string {
  const { count, unit, isAfter } = readLag(raw)
  if (count === '' || count === '0') return 'at the adjustment date'
  return `${formatCountInWords(count, unit)} ${isAfter ? 'after' : 'before'} the adjustment date`
}

/** The words for the chosen value from its table; empty if none is written. */
export function wordsFor({ value }: ChoiceKey<string>, written: string): string {
  return written === '' ? '' : (value.choices.find(choice => choice.value === written)?.words ?? written)
}

const usingWords: Readonly<Record<'' | Using, string>> = {
  '': 'averaged over',
  MEAN: 'averaged over',
  LAST: 'the last of',
  FIRST: 'the first of',
  MIN: 'the lowest of',
  MAX: 'the highest of',
  SUM: 'summed over',
  COMPOUND: 'compounded over',
}

function isUsing(text: string): text is keyof typeof usingWords {
  return Object.hasOwn(usingWords, text)
}

function formatWindowInWords(raw: Raw | undefined, using: string): string {
  const { kind, span } = readWindow(raw)
  const how = isUsing(using) ? usingWords[using] : 'over'
  const of = (key: string) => (textAt(raw, [key]) === '' ? '…' : textAt(raw, [key]))
  const least = textAt(raw, ['least'])
  const fewest = least === '' ? '' : ` (missing with fewer than ${formatNumberInWords(least)})`
  if (kind === 'SPAN') return `${how} ${formatCountInWords(span.count, span.unit)}`
  if (kind === 'LAST') return `${how} the newest ${formatCountInWords(of('last'), 'observation')}${fewest}`
  if (kind !== 'DAYS') return ''
  const [from, to] = [of('from'), of('to')]
  const isBefore = /^\d+$/.test(from) && /^\d+$/.test(to) && Number.parseInt(from, 10) > Number.parseInt(to, 10)
  return `${how} the days from the ${formatOrdinalInWords(from)}${isBefore ? ' of the month before' : ''} to the ${formatOrdinalInWords(to)}${fewest}`
}

/** `21st`, `3rd`; text that is not a day is returned unchanged. */
function formatOrdinalInWords(day: string): string {
  if (!/^\d{1,2}$/.test(day)) return day
  const ends = /^1\d$/.test(day) ? 'th' : ({ '1': 'st', '2': 'nd', '3': 'rd' }[day.at(-1)!] ?? 'th')
  return `${day}${ends}`
}

function formatBaseInWords(input: Raw | undefined): string {
  const { kind, text } = readBase(rawAt(input, ['base']))
  if (text === '') return hasAt(input, ['base']) ? 'against a value still to be written' : ''
  if (kind === 'VALUE') return `against the value ${formatFigure(text)}`
  const [from, to] = text.split('..')
  return to === undefined
    ? `against ${formatPeriodInWords(from!)}`
    : `against ${formatPeriodInWords(from!)} to ${formatPeriodInWords(to)}`
}

function formatVintageInWords(input: Raw | undefined): string {
  const words = { FIRST: 'as first published', FINAL: 'final values only', AT_DATE: wordsFor(vintageKey, 'AT_DATE') }
  return words[textAt(input, ['vintage']) as keyof typeof words] ?? ''
}

function formatTreatmentInWords(input: Raw | undefined): string[] {
  const fx = textAt(input, ['convert', 'fx'])
  const scale = textAt(input, ['convert', 'scale'])
  const links = listAt(input, ['links']).length
  const round = readRounding(rawAt(input, ['round']))
  return [
    fx === '' ? '' : `converted with ${fx}${formatRateInWords(input)}`,
    scale === '' ? '' : `times ${formatFigure(scale)}`,
    links === 0 ? '' : `joined with ${formatCountInWords(links.toString(), 'other base')}`,
    round.kind === 'LEFT_OUT' ? '' : formatRoundingInWords(round),
  ]
}

/** Words for a conversion rate that is not read like the input. */
function formatRateInWords(input: Raw | undefined): string {
  const convert = rawAt(input, ['convert'])
  const [using, own] = [textAt(convert, ['using']), rawAt(input, ['window'])]
  const isOther = hasAt(convert, ['window']) || using !== ''
  const words = [
    hasAt(convert, ['lag']) ? formatLagInWords(rawAt(convert, ['lag'])) : '',
    isOther
      ? formatWindowInWords(rawAt(convert, ['window']) ?? own, using === '' ? textAt(input, ['using']) : using)
      : '',
    textAt(convert, ['each']) === 'true' ? 'each observation at its own rate' : '',
  ].filter(text => text !== '')
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

function formatMissingInWords(input: Raw | undefined): string {
  const { kind, trend, fallback, agreed } = readMissing(rawAt(input, ['missing']))
  switch (kind) {
    case 'LAST_KNOWN':
      return 'the last known value where one is missing'
    case 'YOY_ESTIMATE':
      return 'estimated from the year before where one is missing'
    case 'TREND': {
      const { count, unit } = readSpan(trend.over)
      return `the last known value moved on by the trend of ${formatCountInWords(count, unit)} where one is missing`
    }
    case 'FALLBACK':
      return `${fallback === '' ? 'another series' : fallback} where one is missing`
    case 'AGREED':
      return agreed.length === 0
        ? ''
        : `with agreed values for ${andList(agreed.map(([period]) => formatPeriodInWords(period)))}`
    default:
      return ''
  }
}

function formatSuccessorInWords(input: Raw | undefined): string {
  if (!hasAt(input, ['successor'])) return ''
  const of = (key: string) => textAt(input, ['successor', key])
  const series = of('series') === '' ? 'a series still to be named' : of('series')
  const method = of('method') === '' ? '' : `, joined by ${wordsFor(successorMethodKey, of('method'))}`
  const window = of('window') === '' ? '' : ` (${formatNumberInWords(of('window'))} of them)`
  const automatic = of('automatic') === 'true' ? ', without further signatures' : ''
  return `followed by ${series} when it ends${method}${window}${automatic}`
}

/** `35 %`, or `The share w` for the name of a param. */
export function formatShareInWords(text: string): string {
  const words = formatShare(text)
  return words === text ? `The share ${text}` : words
}

export function formatFixedInWords(root: Raw): string {
  const fixed = textAt(root, ['clause', 'fixed'])
  return fixed === '' || /^0(?:\.0*)?$/.test(fixed) ? 'Nothing is fixed.' : `${formatShareInWords(fixed)} never moves.`
}

export function formatBasisInWords(root: Raw): string {
  const isChained = textAt(root, ['clause', 'basis']) === 'CHAINED'
  const against = isChained
    ? 'Each period is compared with the last applied adjustment'
    : 'Every period is compared with the base'
  const isRatioOfSums = textAt(root, ['clause', 'combine']) === 'RATIO_OF_SUMS'
  const combine = isRatioOfSums ? 'one ratio of the weighted levels' : 'the weighted ratios are summed'
  const adder = textAt(root, ['clause', 'adder'])
  const more = adder === '' ? '' : `, and ${formatFigure(adder)} percentage points are added`
  return `${against}; ${combine}${more}.`
}

export function formatThresholdInWords(root: Raw): string {
  if (!hasAt(root, ['clause', 'threshold'])) return 'Every movement counts, however small.'
  const of = (key: string) => textAt(root, ['clause', 'threshold', key])
  const pct = of('pct') === '' ? '…' : formatPctInWords(of('pct'))
  const returns = of('inside') === 'RETURN' ? ' Back inside the band the price is the base price again.' : ''
  if (of('pays') === 'EXCESS')
    return `Movements within ${pct} are not paid; of a larger movement only the part above ${pct} is paid.`
  const test = of('test') === 'REACHES' ? `at least ${pct}` : `more than ${pct}`
  const since = of('since') === 'BASE' ? 'from the base' : 'since it last moved'
  return `The price moves only when it would move by ${test} ${since}; then the whole movement is paid.${returns}`
}

export function formatSharingInWords(root: Raw): string {
  const { kind, share, bands } = readPassThrough(rawAt(root, ['clause', 'passThrough']))
  if (kind === 'ALL') return 'All of the movement is passed on.'
  if (kind === 'SHARE') return `${share === '' ? '…' : formatShare(share)} of the movement is passed on.`
  const parts = bands.map(({ upTo, share: part }, i) =>
    upTo === ''
      ? `${formatShare(part)} of the rest`
      : `${formatShare(part)} ${i === 0 ? 'of the first' : 'up to'} ${formatPctInWords(upTo)}`,
  )
  return `Passed on: ${andList(parts)}.`
}

const yearWords: Readonly<Record<string, string>> = {
  CONTRACT: 'per contract year',
  CALENDAR: 'per calendar year',
  ROLLING: 'in any twelve months',
}

export function formatLimitsInWords(root: Raw): string {
  const of = (side: 'cap' | 'floor', key: string) => textAt(root, ['clause', side, key])
  const sides = (['cap', 'floor'] as const).map(side => {
    const say = side === 'cap' ? formatCapInWords : formatFloorInWords
    return [
      say(of(side, 'periodPct'), 'per period'),
      say(of(side, 'yearPct'), yearWords[of(side, 'year')] ?? 'per year'),
      say(of(side, 'cumulativePct'), 'in all'),
    ]
  })
  const words = sides.flat().filter(text => text !== '')
  if (words.length === 0) return 'No cap and no floor.'
  const carried = (['cap', 'floor'] as const).filter(side => of(side, 'carryForward') === 'true')
  const [held, verb] = [andList(carried.map(side => `the ${side}`)), carried.length === 1 ? 'holds' : 'hold']
  const text = `${andList(words)}${carried.length === 0 ? '' : `; a movement that ${held} ${verb} back is carried forward`}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `+4 %`, `−4 %`, `0 %`; the name of a param is returned unchanged. */
function formatLimitInWords(pct: string): string {
  return /^[1-9]|^0\.?0*[1-9]/.test(pct) ? `+${formatPctInWords(pct)}` : formatPctInWords(pct)
}

function formatCapInWords(pct: string, scope: string): string {
  return pct === '' ? '' : `at most ${formatLimitInWords(pct)} ${scope}`
}

function formatFloorInWords(pct: string, scope: string): string {
  return pct === '' ? '' : `at least ${formatLimitInWords(pct)} ${scope}`
}

const roundingNames: Readonly<Record<RoundingPlace, string>> = {
  ratio: 'ratios are',
  factor: 'the factor is',
  total: 'the percent since the base is',
  percent: 'the percent of each step is',
  price: 'the price is',
}

export function formatRoundingsInWords(root: Raw): string {
  const written = roundingPlaces.flatMap(place => {
    const rounding = readRounding(rawAt(root, ['clause', 'rounding', place]))
    return rounding.kind === 'LEFT_OUT' ? [] : [`${roundingNames[place]} ${formatRoundingInWords(rounding)}`]
  })
  if (written.length === 0) return 'The clause rounds nothing: every value is carried exactly.'
  const text = `${andList(written)}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Parts that the form has no field for: kept as they are, and named so that nobody overlooks them. */
export function formatNotShownInWords(root: Raw): string[] {
  const mappings: readonly Path[] = [
    [],
    ['contract'],
    ['contract', 'price'],
    ['parties'],
    ['corrections'],
    ...keysAt(root, ['inputs']).map(name => ['inputs', name]),
    ['clause'],
    ['result'],
    ...['threshold', 'cap', 'floor', 'rounding'].map(key => ['clause', key]),
  ]
  const unknown = mappings.flatMap(path =>
    keysAt(root, path)
      .filter(key => !knownKeys(path).includes(key))
      .map(key => `“${formatPath([...path, key])}”`),
  )
  const tables = keysAt(root, ['tables'])
  const steps = listAt(root, ['steps']).length
  return [
    ...(tables.length === 0 ? [] : [`${tables.length === 1 ? 'the table' : 'the tables'} ${andList(tables)}`]),
    ...(steps === 0 ? [] : [steps === 1 ? 'a step' : `${steps} steps`]),
    ...unknown,
  ]
}
