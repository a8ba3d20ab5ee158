// Values of a document that are more than one text, split into the form's fields and put together again. A written value reads
// back as the same fields, whatever a person has typed into them.
import { isRawList, isRawMap, type Raw } from '../../../../../src/core/formula/raw.ts'
import type { Plain } from './document.ts'

const asText = (raw: Raw | undefined): string => (typeof raw === 'string' ? raw : '')

/** Keeps written values, leaves out empty ones. */
function mapOf(entries: Readonly<Record<string, Plain | null>>): Plain | null {
  const kept = Object.entries(entries).filter((entry): entry is [string, Plain] => entry[1] !== null && entry[1] !== '')
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

// Frequency

interface FrequencyShape {
  /** A named frequency, `months` or `weeks` for every few of them, or whatever else was written. */
  readonly kind: string
  readonly count: string
}

export function readFrequency(raw: Raw | undefined): FrequencyShape {
  const text = asText(raw)
  const every = /^(\S*) ?(month|week)s?$/.exec(text)
  return every ? { kind: `${every[2]!}s`, count: every[1]! } : { kind: text, count: '' }
}

export function writeFrequency({ kind, count }: FrequencyShape): Plain | null {
  if (kind !== 'months' && kind !== 'weeks') return kind === '' ? null : kind
  return `${count} ${count === '1' ? kind.slice(0, -1) : kind}`
}

// A length of time: a lag, a window

export const spanUnits = ['day', 'week', 'month', 'quarter', 'year'] as const

interface SpanShape {
  readonly count: string
  readonly unit: string
}

export function readSpan(raw: Raw | undefined, unit = 'month'): SpanShape {
  const text = asText(raw)
  const match = /^(.*?) ?(day|week|month|quarter|year)s?$/.exec(text)
  return match ? { count: match[1]!, unit: match[2]! } : { count: text, unit }
}

export function writeSpan({ count, unit }: SpanShape): Plain | null {
  if (count === '') return null
  return `${count} ${unit}${count === '1' ? '' : 's'}`
}

/** A lag as people say it: this long before the adjustment date, or after it. */
export interface LagShape extends SpanShape {
  readonly isAfter: boolean
}

export function readLag(raw: Raw | undefined): LagShape {
  const { count, unit } = readSpan(raw)
  const isAfter = count.startsWith('-')
  return { count: isAfter ? count.slice(1) : count, unit, isAfter }
}

/** A typed minus sign also sets the direction. */
export function writeLag({ count, unit, isAfter }: LagShape): Plain | null {
  const bare = count.replace(/^[-−]/, '')
  const signed = bare !== '' && bare !== '0' && (isAfter || bare !== count) ? `-${bare}` : bare
  const written = writeSpan({ count: signed, unit })
  return typeof written === 'string' ? written.replace(/^(-1 \w+)s$/, '$1') : written
}

// Window

interface WindowShape {
  /** A length of time, the newest observations, from one day of the month to another, or anything else that was written. */
  readonly kind: 'LEFT_OUT' | 'SPAN' | 'LAST' | 'DAYS' | 'OTHER'
  readonly span: SpanShape
}

const newWindows: Readonly<Record<WindowShape['kind'], Plain | null>> = {
  LEFT_OUT: null,
  SPAN: '3 months',
  LAST: { last: '5' },
  DAYS: { from: '21', to: '20' },
  OTHER: null,
}

export function readWindow(raw: Raw | undefined): WindowShape {
  const span = readSpan(raw)
  if (raw === undefined || raw === null) return { kind: 'LEFT_OUT', span }
  if (typeof raw === 'string') return { kind: 'SPAN', span }
  if (!isRawMap(raw)) return { kind: 'OTHER', span }
  if (raw.has('last')) return { kind: 'LAST', span }
  return { kind: raw.has('from') || raw.has('to') ? 'DAYS' : 'OTHER', span }
}

/** The starting value for a kind of window. */
export function beginWindow(kind: string): Plain | null {
  return newWindows[kind as WindowShape['kind']] ?? null
}

// Base

export interface BaseShape {
  /** A period, a range or a date, or a fixed figure. */
  readonly kind: 'PERIOD' | 'VALUE'
  readonly text: string
}

export function readBase(raw: Raw | undefined): BaseShape {
  if (isRawMap(raw)) return { kind: 'VALUE', text: asText(raw.get('value')) }
  return { kind: 'PERIOD', text: asText(raw) }
}

export function writeBase({ kind, text }: BaseShape): Plain | null {
  if (kind === 'VALUE') return { value: text }
  return text === '' ? null : text
}

// Missing values

export type MissingKind = 'BLOCK' | 'LAST_KNOWN' | 'YOY_ESTIMATE' | 'TREND' | 'FALLBACK' | 'AGREED' | 'OTHER'

export interface MissingShape {
  readonly kind: MissingKind
  readonly capPct: string
  readonly trend: { readonly over: string; readonly dp: string }
  readonly fallback: string
  readonly agreed: readonly (readonly [period: string, value: string])[]
}

const blocking: MissingShape = { kind: 'BLOCK', capPct: '', trend: { over: '', dp: '' }, fallback: '', agreed: [] }

export function readMissing(raw: Raw | undefined): MissingShape {
  if (raw === undefined || raw === null || raw === 'BLOCK') return blocking
  if (raw === 'LAST_KNOWN') return { ...blocking, kind: 'LAST_KNOWN' }
  if (!isRawMap(raw) || raw.size !== 1) return { ...blocking, kind: 'OTHER' }
  const [key, value] = [...raw][0]!
  if (key === 'fallback') return { ...blocking, kind: 'FALLBACK', fallback: asText(value) }
  if (key === 'yoyEstimate')
    return { ...blocking, kind: 'YOY_ESTIMATE', capPct: isRawMap(value) ? asText(value.get('capPct')) : '' }
  if (key === 'trend' && isRawMap(value))
    return { ...blocking, kind: 'TREND', trend: { over: asText(value.get('over')), dp: asText(value.get('dp')) } }
  if (key === 'agreed' && isRawMap(value))
    return { ...blocking, kind: 'AGREED', agreed: [...value].map(([period, figure]) => [period, asText(figure)]) }
  return { ...blocking, kind: 'OTHER' }
}

export function writeMissing({ kind, capPct, trend, fallback, agreed }: MissingShape): Plain | null {
  if (kind === 'LAST_KNOWN') return 'LAST_KNOWN'
  if (kind === 'FALLBACK') return { fallback }
  if (kind === 'YOY_ESTIMATE') return { yoyEstimate: mapOf({ capPct }) ?? {} }
  if (kind === 'TREND') return { trend: mapOf(trend) ?? {} }
  return kind === 'AGREED' ? { agreed: Object.fromEntries(agreed) } : null
}

// Rounding

export interface RoundingShape {
  /** `NONE` is written in the document; `LEFT_OUT` means that nothing is. */
  readonly kind: 'LEFT_OUT' | 'NONE' | 'DP' | 'MULTIPLE'
  /** The number of decimals, or the number that results are multiples of. */
  readonly amount: string
  /** Empty if the document leaves it out: half up. */
  readonly mode: string
}

export function readRounding(raw: Raw | undefined): RoundingShape {
  if (!isRawMap(raw)) return { kind: raw === 'NONE' ? 'NONE' : 'LEFT_OUT', amount: '', mode: '' }
  const mode = asText(raw.get('mode'))
  if (raw.has('multiple')) return { kind: 'MULTIPLE', amount: asText(raw.get('multiple')), mode }
  return { kind: 'DP', amount: asText(raw.get('dp')), mode }
}

export function writeRounding({ kind, amount, mode }: RoundingShape): Plain | null {
  if (kind === 'LEFT_OUT') return null
  if (kind === 'NONE') return 'NONE'
  const how = mode === '' ? {} : { mode }
  return kind === 'MULTIPLE' ? { multiple: amount, ...how } : { dp: amount, ...how }
}

// Bands of a movement

export interface BandShape {
  readonly upTo: string
  readonly share: string
}

export interface PassThroughShape {
  readonly kind: 'ALL' | 'SHARE' | 'BANDS'
  readonly share: string
  readonly bands: readonly BandShape[]
}

export function readPassThrough(raw: Raw | undefined): PassThroughShape {
  if (isRawList(raw)) {
    const bands = raw.map(band => ({
      upTo: isRawMap(band) ? asText(band.get('upTo')) : '',
      share: isRawMap(band) ? asText(band.get('share')) : '',
    }))
    return { kind: 'BANDS', share: '', bands }
  }
  return raw === undefined || raw === null
    ? { kind: 'ALL', share: '', bands: [] }
    : { kind: 'SHARE', share: asText(raw), bands: [] }
}

export function writePassThrough({ kind, share, bands }: PassThroughShape): Plain | null {
  if (kind === 'BANDS')
    return bands.map(({ upTo, share: part }) => (upTo === '' ? { share: part } : { upTo, share: part }))
  return kind === 'SHARE' ? share : null
}

// Sides

/** A list of texts, or a single text; null if nothing is written. */
export function readSide(raw: Raw | undefined): readonly string[] | null {
  if (typeof raw === 'string') return raw === '' ? null : [raw]
  return isRawList(raw) ? raw.map(asText) : null
}

/** A party by its slug, people by their addresses, or nobody. */
export type SideShape =
  | { readonly kind: 'none' }
  | { readonly kind: 'party'; readonly slug: string }
  | { readonly kind: 'people'; readonly emails: readonly string[] }

export function readSideShape(raw: Raw | undefined): SideShape {
  if (isRawList(raw)) return { kind: 'people', emails: raw.map(asText) }
  return typeof raw === 'string' && raw !== '' ? { kind: 'party', slug: raw } : { kind: 'none' }
}

/** Nobody is named: no slug, and no address. */
export function isNobody(shape: SideShape): boolean {
  return shape.kind === 'none' || (shape.kind === 'people' && shape.emails.length === 0)
}

// Settlement of corrections

export function readSettle(raw: Raw | undefined): string {
  if (isRawMap(raw)) return raw.has('spread') ? 'SPREAD' : 'OTHER'
  return asText(raw)
}

export function writeSettle(kind: string): Plain | null {
  if (kind === 'SPREAD') return { spread: '3' }
  return kind === '' ? null : kind
}
