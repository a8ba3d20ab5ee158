// The document in the words of a clause. Sentences only say what is written; they compute nothing.
import type { Raw } from '../../../src/core/formula/raw.ts'
import { parsePeriod } from '../../../src/core/period.ts'
import { andList } from '../../../src/core/words.ts'
import { writeFrequency as frequencyWords, writeDay, writeFigure, writeMoney } from '../../components/words.ts'
import { hasAt, keysAt, knownKeys, listAt, type Path, rawAt, textAt, writePath } from './document.ts'
import {
  type RoundingShape,
  readBase,
  readEmails,
  readFrequency,
  readMissing,
  readPassThrough,
  readRounding,
  readSpan,
} from './shapes.ts'
import { writeShare } from './weights.ts'

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
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** `one month`, `two quarters`, `49 days`. */
function sayCount(count: string, unit: string): string {
  const words = /^\d{1,2}$/.test(count) ? (numbers[Number.parseInt(count, 10)] ?? count) : count
  return `${words} ${unit}${count === '1' ? '' : 's'}`
}

/** `December 2023`, `2023-Q4`, `15 Jul 2023`. */
function sayPeriod(text: string): string {
  const period = parsePeriod(text)
  if (period === null) return text
  if (period.frequency === 'DAILY') return writeDay(text)
  if (period.frequency !== 'MONTHLY') return text
  return `${monthNames[Number.parseInt(text.slice(5), 10) - 1]} ${text.slice(0, 4)}`
}

/** `3 %`, or the name of a param. */
function sayPct(text: string): string {
  return /\d/.test(text) && !/^[\p{L}_]/u.test(text) ? `${writeFigure(text)}\u202f%` : text
}

const modeWords: Readonly<Record<string, string>> = {
  '': '',
  HALF_UP: ', half up',
  HALF_EVEN: ', half to even',
  HALF_DOWN: ', half down',
  UP: ', away from zero',
  DOWN: ', cut off',
  CEILING: ', always up',
  FLOOR: ', always down',
}

export function sayRounding({ kind, amount, mode }: RoundingShape): string {
  if (kind === 'NONE') return 'not rounded'
  const how = modeWords[mode] ?? `, ${mode}`
  if (kind === 'MULTIPLE') return `rounded to multiples of ${amount === '' ? '…' : amount}${how}`
  return `rounded to ${amount === '' ? '…' : amount} ${amount === '1' ? 'decimal' : 'decimals'}${how}`
}

/** `From 1 Mar 2025, quarterly, first on 1 Jun 2025; open-ended.` */
export function sayCalendar(root: Raw): string {
  const [start, end, first] = ['start', 'end', 'firstAdjustment'].map(key => textAt(root, ['contract', key]))
  const { kind, months } = readFrequency(rawAt(root, ['contract', 'frequency']))
  const often =
    kind === 'MONTHS'
      ? `every ${sayCount(months, 'month')}`
      : kind === 'ONCE'
        ? 'adjusted once'
        : kind === ''
          ? 'no frequency yet'
          : `adjusted ${frequencyWords(kind)}`
  const from = start === '' ? 'No start yet' : `From ${sayDay(start!)}`
  const firstWords = first === '' ? '' : kind === 'ONCE' ? ` on ${sayDay(first!)}` : `, first on ${sayDay(first!)}`
  const until = end === '' ? '' : `, until ${sayDay(end!)}`
  return `${from}${until}, ${often}${firstWords}.`
}

function sayDay(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parsePeriod(text) !== null ? writeDay(text) : text
}

export function sayPrice(root: Raw): string {
  if (!hasAt(root, ['contract', 'price'])) return 'No price: only percentages are computed.'
  const of = (key: string) => textAt(root, ['contract', 'price', key])
  const amount = of('amount') === '' ? 'no amount yet' : writeMoney(of('amount'), of('currency'))
  const unit = of('unit') === '' ? '' : ` per ${of('unit')}`
  return `The price is ${amount}${unit}, ${sayRounding(readRounding(rawAt(root, ['contract', 'price', 'round'])))}.`
}

export function sayParties(root: Raw): string {
  const side = (party: 'buyer' | 'supplier') => {
    const emails = readEmails(rawAt(root, ['parties', party]))
    if (emails === null) return party === 'buyer' ? 'every member who is a buyer' : 'nobody yet'
    return emails.length === 0 ? 'nobody' : andList(emails)
  }
  return `Signed for the buyer by ${side('buyer')}, for the supplier by ${side('supplier')}.`
}

/** How an input is read: `read one month before the adjustment date, against December 2023`. */
export function sayReading(input: Raw | undefined): string {
  const missing = sayMissing(input)
  return [sayWhen(input), sayWindow(input), sayBase(input), sayVintage(input), ...sayTreatment(input), missing]
    .filter(words => words !== '')
    .join(', ')
}

function sayWhen(input: Raw | undefined): string {
  const { count, unit } = readSpan(rawAt(input, ['lag']))
  const isNone = count === '' || count === '0'
  const when = isNone ? 'at the adjustment date' : `${sayCount(count, unit)} before the adjustment date`
  if (textAt(input, ['pick']) === 'LATEST_PUBLISHED') return `the newest value published ${when}`
  return textAt(input, ['interpolate']) === 'DAILY' ? `read ${when} and interpolated to the day` : `read ${when}`
}

const usingWords: Readonly<Record<string, string>> = {
  '': 'averaged over',
  MEAN: 'averaged over',
  LAST: 'the last of',
  FIRST: 'the first of',
  MIN: 'the lowest of',
  MAX: 'the highest of',
  SUM: 'summed over',
  COMPOUND: 'compounded over',
}

function sayWindow(input: Raw | undefined): string {
  const { count, unit } = readSpan(rawAt(input, ['window']))
  return count === '' ? '' : `${usingWords[textAt(input, ['using'])] ?? 'over'} ${sayCount(count, unit)}`
}

function sayBase(input: Raw | undefined): string {
  const { kind, text } = readBase(rawAt(input, ['base']))
  if (text === '') return hasAt(input, ['base']) ? 'against a value still to be written' : ''
  if (kind === 'VALUE') return `against the value ${writeFigure(text)}`
  const [from, to] = text.split('..')
  return to === undefined ? `against ${sayPeriod(from!)}` : `against ${sayPeriod(from!)} to ${sayPeriod(to)}`
}

function sayVintage(input: Raw | undefined): string {
  return { FIRST: 'as first published', FINAL: 'final values only' }[textAt(input, ['vintage'])] ?? ''
}

function sayTreatment(input: Raw | undefined): string[] {
  const fx = textAt(input, ['convert', 'fx'])
  const scale = textAt(input, ['convert', 'scale'])
  const links = listAt(input, ['links']).length
  const round = readRounding(rawAt(input, ['round']))
  return [
    fx === '' ? '' : `converted with ${fx}`,
    scale === '' ? '' : `times ${writeFigure(scale)}`,
    links === 0 ? '' : `joined with ${sayCount(links.toString(), 'other base')}`,
    round.kind === 'NONE' ? '' : sayRounding(round),
  ]
}

function sayMissing(input: Raw | undefined): string {
  const { kind, fallback, agreed } = readMissing(rawAt(input, ['missing']))
  switch (kind) {
    case 'LAST_KNOWN':
      return 'the last known value where one is missing'
    case 'YOY_ESTIMATE':
      return 'estimated from the year before where one is missing'
    case 'FALLBACK':
      return `${fallback === '' ? 'another series' : fallback} where one is missing`
    case 'AGREED':
      return agreed.length === 0 ? '' : `with agreed values for ${andList(agreed.map(([period]) => sayPeriod(period)))}`
    default:
      return ''
  }
}

export function sayFixed(root: Raw): string {
  const fixed = textAt(root, ['clause', 'fixed'])
  return fixed === '' || /^0(?:\.0*)?$/.test(fixed) ? 'Nothing is fixed.' : `${writeShare(fixed)} never moves.`
}

export function sayBasis(root: Raw): string {
  const isChained = textAt(root, ['clause', 'basis']) === 'CHAINED'
  const against = isChained
    ? 'Each period is compared with the last applied adjustment'
    : 'Every period is compared with the base'
  const isRatioOfSums = textAt(root, ['clause', 'combine']) === 'RATIO_OF_SUMS'
  const combine = isRatioOfSums ? 'one ratio of the weighted levels' : 'the weighted ratios are summed'
  const adder = textAt(root, ['clause', 'adder'])
  const more = adder === '' ? '' : `, and ${writeFigure(adder)} percentage points are added`
  return `${against}; ${combine}${more}.`
}

export function sayThreshold(root: Raw): string {
  if (!hasAt(root, ['clause', 'threshold'])) return 'Every movement counts, however small.'
  const of = (key: string) => textAt(root, ['clause', 'threshold', key])
  const pct = of('pct') === '' ? '…' : sayPct(of('pct'))
  if (of('pays') === 'EXCESS') return `Movements within ${pct} are not paid; beyond, only what exceeds it.`
  const test = of('test') === 'REACHES' ? `at least ${pct}` : `more than ${pct}`
  const since = of('since') === 'BASE' ? 'from the base' : 'since it last moved'
  return `The price moves only when it would move by ${test} ${since}; then all of it is paid.`
}

export function saySharing(root: Raw): string {
  const { kind, share, bands } = readPassThrough(rawAt(root, ['clause', 'passThrough']))
  if (kind === 'ALL') return 'All of the movement is passed on.'
  if (kind === 'SHARE') return `${share === '' ? '…' : writeShare(share)} of the movement is passed on.`
  const parts = bands.map(({ upTo, share: part }, i) =>
    upTo === ''
      ? `${writeShare(part)} of the rest`
      : `${writeShare(part)} ${i === 0 ? 'of the first' : 'up to'} ${sayPct(upTo)}`,
  )
  return `Passed on: ${andList(parts)}.`
}

export function sayLimits(root: Raw): string {
  const of = (side: 'cap' | 'floor', key: string) => textAt(root, ['clause', side, key])
  const isCarried = of('cap', 'carryForward') === 'true'
  const words = [
    sayCap(of('cap', 'periodPct'), 'per period'),
    sayCap(of('cap', 'cumulativePct'), 'in all'),
    sayFloor(of('floor', 'periodPct'), 'per period'),
    sayFloor(of('floor', 'cumulativePct'), 'in all'),
  ].filter(text => text !== '')
  if (words.length === 0) return 'No cap and no floor.'
  const text = `${andList(words)}${isCarried ? '; what the cap holds back is carried forward' : ''}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `+4 %`, `−4 %`, `0 %`; the name of a param as it is. */
function sayLimit(pct: string): string {
  return /^[1-9]|^0\.?0*[1-9]/.test(pct) ? `+${sayPct(pct)}` : sayPct(pct)
}

function sayCap(pct: string, scope: string): string {
  return pct === '' ? '' : `at most ${sayLimit(pct)} ${scope}`
}

function sayFloor(pct: string, scope: string): string {
  return pct === '' ? '' : `at least ${sayLimit(pct)} ${scope}`
}

const roundingNames = { ratio: 'ratios', factor: 'the factor', percent: 'the percent', price: 'the price' } as const

export function sayRoundings(root: Raw): string {
  const written = Object.entries(roundingNames).flatMap(([key, name]) => {
    const rounding = readRounding(rawAt(root, ['clause', 'rounding', key]))
    return rounding.kind === 'NONE' ? [] : [`${name} ${sayRounding(rounding)}`]
  })
  if (written.length === 0) return 'No rounding is written: the percent is carried with 4 decimals, half up.'
  const isPercentWritten = hasAt(root, ['clause', 'rounding', 'percent'])
  const text = `${andList(written)}${isPercentWritten ? '' : '; the percent carried with 4 decimals'}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What the form has no field for: kept as it is, named so that nobody misses it. */
export function sayNotShown(root: Raw): string[] {
  const mappings: readonly Path[] = [
    ...[[], ['contract'], ['contract', 'price'], ['parties'], ['corrections']],
    ...keysAt(root, ['inputs']).map(name => ['inputs', name]),
    ...[['clause'], ['result']],
    ...['threshold', 'cap', 'floor', 'rounding'].map(key => ['clause', key]),
  ]
  const unknown = mappings.flatMap(path =>
    keysAt(root, path)
      .filter(key => !knownKeys(path).includes(key))
      .map(key => `“${writePath([...path, key])}”`),
  )
  const tables = keysAt(root, ['tables'])
  const steps = listAt(root, ['steps']).length
  const dated = keysAt(root, ['params']).filter(name => typeof rawAt(root, ['params', name]) === 'object')
  return [
    ...(tables.length === 0 ? [] : [`${tables.length === 1 ? 'the table' : 'the tables'} ${andList(tables)}`]),
    ...(dated.length === 0 ? [] : [`dated values of ${andList(dated)}`]),
    ...(steps === 0 ? [] : [steps === 1 ? 'a step' : `${steps} steps`]),
    ...unknown,
  ]
}
