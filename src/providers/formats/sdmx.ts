// What the SDMX formats have in common: readers hand over one observation after the other, and a collector makes series
// of them by the provider's own rules. The readers know no provider, the collector knows no format.
import type { Day } from '../../core/day.ts'
import { type Frequency, firstDayOf, type Period, writePeriod } from '../../core/period.ts'
import type { VersionTag } from '../../core/series.ts'
import { isSameValue } from '../../core/vintage.ts'
import type { MissingReading, ObservationReading, Reading, ReadingProblem, SeriesReading } from '../provider.ts'
import { missingMarker, readFigure } from './figure.ts'
import { excerpt, problem } from './problem.ts'
import { isSameSeries, type SdmxCode, type SdmxFlow } from './sdmx-code.ts'
import { frequencyOfLetter, readTimePeriod } from './time-period.ts'

export interface SdmxValue {
  readonly code: string
  readonly label: string | null
}

/** One observation where a reader stands. The reader goes on with the same object: keep the texts, never the cursor. */
export interface SdmxCursor {
  /** The same object for as long as the flow is the same. */
  readonly flow: SdmxFlow | null
  /** The codes of the dimensions in key order, without time, joined by dots. */
  readonly key: string
  /** The letter of the frequency dimension, where there is one. */
  readonly frequency: string | null
  readonly period: string
  /** The literal; `null` where the message says null. */
  readonly value: string | null
  /** The message takes this observation back. */
  readonly isDeleted: boolean
  /** A dimension or an attribute by its id, with its case; `null` where it is absent or empty. */
  find(id: string): SdmxValue | null
}

export type SdmxSink = (cursor: SdmxCursor) => void

export type Verdict = VersionTag | 'forecast' | 'missing'

/** How one provider writes and means what all SDMX messages hold. */
export interface SdmxDialect {
  writeCode(flow: SdmxFlow | null, key: string): string
  parseCode(code: string): SdmxCode | null
  readonly hMeansHalfYear: boolean
  /** Where the status of an observation stands; the first that is filled counts. */
  readonly flagIds: readonly string[]
  judge(flag: string, id: string): Verdict
  readonly nameIds: readonly string[]
  readonly unitIds: readonly string[]
  /** Where the base period stands, if this flow's means anything. */
  baseIds(flow: SdmxFlow | null): readonly string[]
  /** Why a value is missing, where something beside the status says so. */
  missingReason?(cursor: SdmxCursor): string | null
  /** Which days of a series are forecasts although nothing marks them one by one. */
  forecastsOf?(flow: SdmxFlow | null, cursor: SdmxCursor): ForecastRule
}

/** All of a series, its periods that begin after a day, or none. */
export type ForecastRule = 'all' | 'none' | { readonly after: Day }

/** No answer of a provider has more rows than this; what is over it is left out and said. */
export const maxObservations = 1_000_000

const commonStatuses: Readonly<Record<string, Verdict>> = {
  P: 'PRELIMINARY',
  E: 'PRELIMINARY',
  V: 'PRELIMINARY',
  F: 'forecast',
  H: 'missing',
  L: 'missing',
  M: 'missing',
  Q: 'missing',
}

/** The common list of OBS_STATUS. Several codes may be joined; the one that promises least counts. */
export function judgeCommonStatus(flag: string): Verdict {
  if (flag.length === 1) return commonStatuses[flag] ?? 'FINAL'
  const verdicts = flag
    .split(/[,;|]/)
    .map(code => (Object.hasOwn(commonStatuses, code) ? commonStatuses[code]! : 'FINAL'))
  const order: readonly Verdict[] = ['missing', 'forecast', 'PRELIMINARY']
  return order.find(verdict => verdicts.includes(verdict)) ?? 'FINAL'
}

/** Readings with the running numbers of their periods; two lists, since there may be a million. */
class Kept<T> {
  ordinals: number[] = []
  readings: T[] = []

  add(ordinal: number, reading: T): void {
    this.ordinals.push(ordinal)
    this.readings.push(reading)
  }

  sort(): void {
    const { ordinals, readings } = this
    if (ordinals.every((ordinal, at) => at === 0 || ordinals[at - 1]! <= ordinal)) return
    const order = ordinals.map((_, at) => at).sort((a, b) => ordinals[a]! - ordinals[b]!)
    this.ordinals = order.map(at => ordinals[at]!)
    this.readings = order.map(at => readings[at]!)
  }
}

interface WrittenPeriod {
  readonly period: Period
  readonly written: string
}

interface Slot {
  readonly flow: SdmxFlow | null
  readonly key: string
  name: string | null
  unit: string | null
  /** Fixed by the first period where no dimension says it; `null` before. */
  frequency: Frequency | null
  /** Its frequency is none of ours. */
  readonly isRefused: boolean
  readonly forecasts: ForecastRule
  readonly observations: Kept<ObservationReading>
  readonly missing: Kept<MissingReading>
  troubles: number
  firstTrouble: string
}

export interface CollectorOptions {
  readonly dialect: SdmxDialect
  /** The codes that were asked for, as they were written. */
  readonly asked: readonly string[]
  /** The flow of the address, for messages that do not name theirs. */
  readonly askedFlow: SdmxFlow | null
  /** The day of the answer, where days after it are announcements and no observations. */
  readonly notAfter: Day | null
}

/** Takes observations in any order, series interleaved or not. */
export class SdmxCollector {
  readonly #dialect: SdmxDialect
  readonly #options: CollectorOptions
  readonly #slots = new Map<string, Slot>()
  /** Periods come again in every series, so each is read and written once. */
  readonly #periods = new Map<Frequency | null, Map<string, WrittenPeriod | null>>()
  #last: Slot | null = null
  #lastFlow: SdmxFlow | null = null
  #count = 0

  constructor(options: CollectorOptions) {
    this.#options = options
    this.#dialect = options.dialect
  }

  readonly sink: SdmxSink = cursor => {
    this.#count++
    if (this.#count > maxObservations) return
    const slot = this.#slotOf(cursor)
    if (slot.isRefused || slot.forecasts === 'all') return
    const period = this.#periodOf(slot, cursor)
    if (period !== null) this.#keep(slot, period, cursor)
  }

  finish(): Reading {
    const slots = [...this.#slots.values()]
    const problems: ReadingProblem[] = []
    const series: SeriesReading[] = []
    for (const slot of slots) {
      const read = this.#finishSlot(slot)
      if (read !== null) series.push(read)
      if (slot.troubles > 0) problems.push(problem('unreadable', this.#describeTrouble(slot)))
    }
    if (this.#count > maxObservations) {
      problems.push(problem('too-large', `${this.#count} observations came, ${maxObservations} were read`))
    }
    return { series, problems }
  }

  #slotOf(cursor: SdmxCursor): Slot {
    const last = this.#last
    if (last !== null && last.key === cursor.key && this.#lastFlow === cursor.flow) return last
    const flow = cursor.flow ?? this.#options.askedFlow
    const id = flow === null ? cursor.key : `${flow.agency},${flow.id},${flow.version}/${cursor.key}`
    let slot = this.#slots.get(id)
    if (slot === undefined) {
      slot = this.#begin(flow, cursor)
      this.#slots.set(id, slot)
    }
    this.#last = slot
    this.#lastFlow = cursor.flow
    return slot
  }

  #begin(flow: SdmxFlow | null, cursor: SdmxCursor): Slot {
    const letter = cursor.frequency
    const frequency = letter === null ? null : frequencyOfLetter(letter, this.#dialect.hMeansHalfYear)
    // `_Z` and the like say that no frequency applies; the periods speak for themselves then.
    const isRefused = frequency === null && letter !== null && !letter.startsWith('_')
    const slot: Slot = {
      flow,
      key: cursor.key,
      name: textFor(firstOf(cursor, this.#dialect.nameIds)),
      unit: describeUnit(cursor, this.#dialect, flow),
      frequency,
      isRefused,
      forecasts: this.#dialect.forecastsOf?.(flow, cursor) ?? 'none',
      observations: new Kept(),
      missing: new Kept(),
      troubles: 0,
      firstTrouble: '',
    }
    if (isRefused) addTrouble(slot, `frequency "${letter}" is not one we keep`)
    return slot
  }

  #periodOf(slot: Slot, cursor: SdmxCursor): WrittenPeriod | null {
    let known = this.#periods.get(slot.frequency)
    if (known === undefined || known.size > 20_000) {
      known = new Map()
      this.#periods.set(slot.frequency, known)
    }
    let found = known.get(cursor.period)
    if (found === undefined) {
      const period = readTimePeriod(cursor.period, slot.frequency)
      found = period === null ? null : { period, written: writePeriod(period) }
      known.set(cursor.period, found)
    }
    if (found === null) {
      const kind = slot.frequency === null ? 'a period' : `a period of a ${slot.frequency} series`
      addTrouble(slot, `"${excerpt(cursor.period, 40)}" is not ${kind}`)
      return null
    }
    slot.frequency ??= found.period.frequency
    return found
  }

  #keep(slot: Slot, { period, written }: WrittenPeriod, cursor: SdmxCursor): void {
    const { ordinal } = period
    const flag = firstWithId(cursor, this.#dialect.flagIds)
    const verdict = flag === null ? 'FINAL' : this.#dialect.judge(flag.value.code, flag.id)
    const marker = cursor.isDeleted ? 'taken back by the provider' : missingMarker(cursor.value)
    const code = flag?.value.code ?? null
    if (marker !== null || verdict === 'missing') {
      const words = verdict === 'missing' ? flag?.value.label : null
      const reason = words ?? this.#dialect.missingReason?.(cursor) ?? marker ?? `status "${code}"`
      slot.missing.add(ordinal, { period: written, flag: code, reason })
      return
    }
    if (verdict === 'forecast' || this.#isLater(slot, period)) return
    const value = readFigure(cursor.value!)
    if (value === null) {
      addTrouble(slot, `"${excerpt(cursor.value!, 40)}" of ${written} is not a decimal number`)
      return
    }
    slot.observations.add(ordinal, { period: written, value, version: verdict, flag: code, published: null })
  }

  #isLater(slot: Slot, period: Period): boolean {
    const { notAfter } = this.#options
    const { forecasts } = slot
    if (typeof forecasts === 'object' && firstDayOf(period) > forecasts.after) return true
    return notAfter !== null && period.frequency === 'DAILY' && period.ordinal > notAfter
  }

  #finishSlot(slot: Slot): SeriesReading | null {
    if (slot.frequency === null) return null
    return {
      code: this.#codeOf(slot),
      name: slot.name,
      unit: slot.unit,
      frequency: slot.frequency,
      observations: believedObservations(slot),
      missing: trulyMissing(slot),
    }
  }

  /** The code as it was asked for, where it was; else as the provider's codes are written. */
  #codeOf(slot: Slot): string {
    const matching = this.#options.asked.filter(code => {
      const parsed = this.#dialect.parseCode(code)
      return parsed !== null && isSameSeries(parsed, slot.flow, slot.key)
    })
    return matching.length === 1 ? matching[0]! : this.#dialect.writeCode(slot.flow, slot.key)
  }

  #describeTrouble(slot: Slot): string {
    const more = slot.troubles > 1 ? ` (and ${slot.troubles - 1} more like it)` : ''
    return `${this.#codeOf(slot)}: ${slot.firstTrouble}${more}`
  }
}

function addTrouble(slot: Slot, message: string): void {
  if (slot.troubles === 0) slot.firstTrouble = message
  slot.troubles++
}

/** A row that comes twice counts once. Two values for one period are a trouble, and neither is believed. */
function believedObservations(slot: Slot): readonly ObservationReading[] {
  slot.observations.sort()
  const { ordinals, readings } = slot.observations
  const conflicting = new Set<number>()
  const isRepeat = (at: number) => at > 0 && ordinals[at] === ordinals[at - 1]
  if (!ordinals.some((_, at) => isRepeat(at))) return readings
  readings.forEach(({ period, value }, at) => {
    const before = readings[at - 1]
    if (!isRepeat(at) || isSameValue(before!.value, value)) return
    if (!conflicting.has(ordinals[at]!)) addTrouble(slot, `${period} has two values, ${before!.value} and ${value}`)
    conflicting.add(ordinals[at]!)
  })
  return readings.filter((_, at) => !isRepeat(at) && !conflicting.has(ordinals[at]!))
}

/** A period with a value is not missing, whatever another row says. */
function trulyMissing(slot: Slot): readonly MissingReading[] {
  slot.missing.sort()
  const { ordinals, readings } = slot.missing
  if (ordinals.length === 0) return readings
  const held = new Set(slot.observations.ordinals)
  return readings.filter((_, at) => !held.has(ordinals[at]!) && (at === 0 || ordinals[at] !== ordinals[at - 1]))
}

function firstWithId(
  cursor: SdmxCursor,
  ids: readonly string[],
): { readonly id: string; readonly value: SdmxValue } | null {
  for (const id of ids) {
    const value = cursor.find(id)
    if (value !== null) return { id, value }
  }
  return null
}

function firstOf(cursor: SdmxCursor, ids: readonly string[]): SdmxValue | null {
  return firstWithId(cursor, ids)?.value ?? null
}

const multiplierPattern = /^[+-]?\d{1,2}$/

/** The label, else the code; then the base; then the multiplier, which is never applied to the digits. */
function describeUnit(cursor: SdmxCursor, dialect: SdmxDialect, flow: SdmxFlow | null): string | null {
  const unit = applicable(firstOf(cursor, dialect.unitIds))
  const base = applicable(firstOf(cursor, dialect.baseIds(flow)))
  const power = cursor.find('UNIT_MULT')?.code ?? '0'
  const exponent = multiplierPattern.test(power) ? Number.parseInt(power, 10) : 0
  const named = [unit, base === null ? null : `base ${base}`].filter(part => part !== null).join(', ')
  const written = exponent === 0 ? named : `${named} (x10^${exponent})`.trim()
  return written === '' ? null : written
}

/** `_Z` says "not applicable". */
function applicable(value: SdmxValue | null): string | null {
  return value?.code === '_Z' ? null : textFor(value)
}

function textFor(value: SdmxValue | null): string | null {
  return value === null ? null : (value.label ?? value.code)
}
