// Shares of 1 as people write them: as percentages or fractions, digit for digit, and their exact sum.
import { formatWeights } from '../../../../../src/core/formula/check/weights-total.ts'
import { isRawList, isRawMap, type Raw } from '../../../../../src/core/formula/raw.ts'
import {
  absolute,
  add,
  compare,
  formatCarried,
  one,
  parseRatio,
  type Ratio,
  subtract,
  sum,
  zero,
} from '../../../../../src/core/numbers/ratio.ts'
import type { WeightsTotal } from '../../../../../src/core/refusal.ts'
import { keysAt, rawAt, textAt } from './document.ts'

export type ShareUnit = 'percent' | 'fraction'

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?$/

/** Moves the decimal point; null if the text is not a decimal. */
function shiftPoint(text: string, places: number): string | null {
  const match = decimal.exec(text)
  if (!match || (match[2] === '' && (match[3] ?? '') === '')) return null
  const [, sign, whole, part = ''] = match
  const digits = whole! + part
  const at = whole!.length + places
  const padded = at <= 0 ? '0'.repeat(1 - at) + digits : digits.padEnd(at, '0')
  const point = Math.max(at, 1)
  const [left, right] = [padded.slice(0, point).replace(/^0+(?=\d)/, ''), padded.slice(point)]
  return `${sign === '-' ? '-' : ''}${left}${right === '' ? '' : `.${right}`}`
}

/** `0.35` → `35`, `0.3550` → `35.50`; the name of a param, or other text, is returned unchanged. */
export function shownShare(text: string, unit: ShareUnit): string {
  return unit === 'percent' ? (shiftPoint(text, 2) ?? text) : text
}

/** Typed text as the document stores it: `35` or `35 %` → `0.35`. A percent sign counts in either unit. */
export function takenShare(typed: string, unit: ShareUnit): string {
  const text = typed.trim().replace(',', '.')
  const isSigned = text.endsWith('%')
  const bare = isSigned ? text.slice(0, -1).trimEnd() : text
  return isSigned || unit === 'percent' ? (shiftPoint(bare, -2) ?? text) : text
}

/** Share for sentences: `35 %`; other text is returned unchanged. */
export function formatShare(text: string): string {
  const percent = shiftPoint(text, 2)
  return percent === null ? text : `${percent.replace('-', '−')}\u202f%`
}

interface Noted {
  readonly path: string
  readonly message: string
  readonly weights?: WeightsTotal
}

/** Keys whose values are shares of 1. */
const shareKeys = /(?:^|\.)(?:weight|fixed|tolerance|passThrough|share)(?:\.\d+)?$/

/** Messages about shares in the unit that is shown: `0.95, not 1` or `95 %, not 100 %`. */
export function inUnit<T extends Noted>(notes: readonly T[], unit: ShareUnit): readonly T[] {
  if (unit === 'fraction') return notes
  return notes.map(note => {
    if (note.weights !== undefined) return { ...note, message: formatWeights(note.weights, formatCutShare) }
    return shareKeys.test(note.path) ? { ...note, message: formatSharesIn(shareWords(note.message, unit)) } : note
  })
}

/** Text about shares: `a fraction of 1` or `a percentage`, and what the total must be. */
export function shareWords(text: string, unit: ShareUnit): string {
  if (unit === 'fraction') return text
  return text
    .replace(/(a) fraction of 1(?: \(0\.35 for 35 %\))?/i, (_, article: string) => `${article} percentage`)
    .replace(/\b(makes?|miss) 1\b/g, `$1 ${whole}`)
}

const whole = '100\u202f%'

/** Rewrites every decimal in a message, unless it belongs to a name, a period or a percentage. */
function formatSharesIn(message: string): string {
  return message.replace(/(?<![\w.-])-?\d+(?:\.\d+)?…?(?![\w-]|\.\d|\s%|\u202f%)/g, formatCutShare)
}

function formatCutShare(fraction: string): string {
  return formatShare(fraction.replace('…', ''))
}

interface WeightSum {
  readonly weights: Ratio
  /** Fixed share; null if it is not a number: a param whose value changes over time, or something unreadable. */
  readonly fixed: Ratio | null
  readonly total: Ratio | null
  readonly isWhole: boolean
  /** Fixed share that the total needs; null if the weights add up to more than 1. */
  readonly rest: string | null
  /** Inputs whose weight is not a number yet. */
  readonly unread: readonly string[]
  /** Whether a share changes over time: then there is no single sum, and the check adds up the shares at each date. */
  readonly isDated: boolean
}

export function sumWeights(root: Raw | undefined): WeightSum {
  const names = keysAt(root, ['inputs'])
  const written = names.map(name => textAt(root, ['inputs', name, 'weight']))
  const read = names.map((name, i) => [name, shareOf(root, written[i]!)] as const)
  const isDated = [...written, textAt(root, ['clause', 'fixed'])].some(text => isDatedParam(root, text))
  const weights = sum(read.map(([, weight]) => weight ?? zero))
  const fixed = fixedShare(root)
  const total = fixed === null || isDated ? null : add(weights, fixed)
  const tolerance = parseRatio(textAt(root, ['clause', 'tolerance'])) ?? zero
  const rest = subtract(one, weights)
  return {
    weights,
    fixed,
    total,
    isWhole: total !== null && compare(absolute(subtract(total, one)), tolerance) <= 0,
    rest: compare(rest, zero) < 0 || isDated ? null : formatCarried(rest),
    unread: read.flatMap(([name, weight], i) => (weight === null && !isDatedParam(root, written[i]!) ? [name] : [])),
    isDated,
  }
}

function fixedShare(root: Raw | undefined): Ratio | null {
  const raw = rawAt(root, ['clause', 'fixed'])
  if (raw === undefined || raw === null) return zero
  if (typeof raw !== 'string') return null
  return shareOf(root, raw)
}

/** A number, or the value of a param. */
function shareOf(root: Raw | undefined, text: string): Ratio | null {
  return parseRatio(text) ?? parseRatio(textAt(root, ['params', text]))
}

function isDatedParam(root: Raw | undefined, name: string): boolean {
  return name !== '' && isRawList(rawAt(root, ['params', name]))
}

/** Params the form can show: plain ones with their number, dated ones with their name. */
export function paramsOf(root: Raw | undefined): { readonly name: string; readonly value: string | null }[] {
  const params = rawAt(root, ['params'])
  if (!isRawMap(params)) return []
  return [...params].map(([name, raw]) => ({ name, value: isRawList(raw) || isRawMap(raw) ? null : (raw ?? '') }))
}
