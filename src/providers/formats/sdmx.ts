// The common part of the SDMX formats: readers pass on one observation after another, and a collector builds series from them
// by the provider's rules. The readers know no provider, the collector knows no format.

import type { VersionTag } from '../../core/series/series.ts'
import { isSameValue } from '../../core/series/vintage.ts'
import type { Day } from '../../core/time/day.ts'
import { type Frequency, firstDayOf, formatPeriod, type Period } from '../../core/time/period.ts'
import type { AnswerProblem, MissingObservation, ParsedAnswer, ParsedObservation, ParsedSeries } from '../provider.ts'
import { missingMarker, readFigure } from './figure.ts'
import { excerpt, problem } from './problem.ts'
import { isSameSeries, type SdmxCode, type SdmxFlow } from './sdmx-code.ts'
import { frequencyOfLetter, readTimePeriod } from './time-period.ts'

export interface SdmxValue {
  readonly code: string
  readonly label: string | null
}

/** The reader's current observation. The reader reuses the object, so keep its texts, never the cursor itself. */
export interface SdmxCursor {
  /** One object as long as the flow does not change. */
  readonly flow: SdmxFlow | null
  /** The codes of the dimensions in key order, without time, joined by dots. */
  readonly key: string
  /** The letter of the frequency dimension, if there is one. */
  readonly frequency: string | null
  readonly period: string
  /** The literal; `null` if the message says null. */
  readonly value: string | null
  /** The message deletes this observation. */
  readonly isDeleted: boolean
  /** A dimension or attribute by its id, case-sensitive; `null` if absent or empty. */
  find(id: string): SdmxValue | null
}

export type SdmxSink = (cursor: SdmxCursor) => void

export type Verdict = VersionTag | 'forecast' | 'missing'

/** One provider's way to write and use the common parts of SDMX messages. */
export interface SdmxDialect {
  writeCode(flow: SdmxFlow | null, key: string): string
  parseCode(code: string): SdmxCode | null
  readonly hMeansHalfYear: boolean
  /** Attributes that hold the status of an observation; the first one with a value counts. */
  readonly flagIds: readonly string[]
  judge(flag: string, id: string): Verdict
  readonly nameIds: readonly string[]
  readonly unitIds: readonly string[]
  /** Attributes that hold the base period, if it means anything in this flow. */
  baseIds(flow: SdmxFlow | null): readonly string[]
  /** Why a value is missing, if something other than the status says so. */
  missingReason?(cursor: SdmxCursor): string | null
  /** The periods of a series that are forecasts although they are not marked one by one. */
  forecastsOf?(flow: SdmxFlow | null, cursor: SdmxCursor): ForecastRule
}

/** All periods of a series, its periods that begin after a day, or none. */
export type ForecastRule = 'all' | 'none' | { readonly after: Day }

/** No real answer has more rows; any beyond this are left out and reported. */
const maxObservations = 1_000_000

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

/** The common list of OBS_STATUS. Codes may be combined; the least certain one counts. */
export function judgeCommonStatus(flag: string): Verdict {
  if (flag.length === 1) return commonStatuses[flag] ?? 'FINAL'
  const verdicts = flag
    .split(/[,;|]/)
    .map(code => (Object.hasOwn(commonStatuses, code) ? commonStatuses[code]! : 'FINAL'))
  const order: readonly Verdict[] = ['missing', 'forecast', 'PRELIMINARY']
  return order.find(verdict => verdicts.includes(verdict)) ?? 'FINAL'
}

/** Items with the ordinals of their periods; two lists, because there may be a million of them. */
class OrdinalList<T> {
  ordinals: number[] = []
  items: T[] = []

  add(ordinal: number, item: T): void {
    this.ordinals.push(ordinal)
    this.items.push(item)
  }

  sort(): void {
    const { ordinals, items } = this
    if (ordinals.every((ordinal, at) => at === 0 || ordinals[at - 1]! <= ordinal)) return
    const order = ordinals.map((_, at) => at).sort((a, b) => ordinals[a]! - ordinals[b]!)
    this.ordinals = order.map(at => ordinals[at]!)
    this.items = order.map(at => items[at]!)
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
  /** Set by the first period if no dimension gives it; `null` before. */
  frequency: Frequency | null
  /** True if its frequency is not supported. */
  readonly isRefused: boolean
  readonly forecasts: ForecastRule
  readonly observations: OrdinalList<ParsedObservation>
  readonly missing: OrdinalList<MissingObservation>
  troubles: number
  firstTrouble: string
}

interface CollectorOptions {
  readonly dialect: SdmxDialect
  /** The requested codes, as written. */
  readonly asked: readonly string[]
  /** The flow of the address, for messages that do not name theirs. */
  readonly askedFlow: SdmxFlow | null
  /** The date of the answer, if later days are announcements and not observations. */
  readonly notAfter: Day | null
}

/** Accepts observations in any order, series interleaved or not. */
export class SdmxCollector {
  readonly #dialect: SdmxDialect
  readonly #options: CollectorOptions
  readonly #slots = new Map<string, Slot>()
  /** Periods repeat in every series, so each is parsed and formatted once. */
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

  finish(): ParsedAnswer {
    const slots = [...this.#slots.values()]
    const problems: AnswerProblem[] = []
    const series: ParsedSeries[] = []
    for (const slot of slots) {
      const read = this.#finishSlot(slot)
      if (read !== null) series.push(read)
      if (slot.troubles > 0) problems.push(problem('unreadable', this.#describeTrouble(slot)))
    }
    if (this.#count > maxObservations) {
      problems.push(problem('too-large', `${this.#count} observations were sent, ${maxObservations} were read`))
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
    // `_Z` and the like mean that no frequency applies; it is then taken from the periods.
    const isRefused = frequency === null && letter !== null && !letter.startsWith('_')
    const slot: Slot = {
      flow,
      key: cursor.key,
      name: textFor(firstOf(cursor, this.#dialect.nameIds)),
      unit: formatUnit(cursor, this.#dialect, flow),
      frequency,
      isRefused,
      forecasts: this.#dialect.forecastsOf?.(flow, cursor) ?? 'none',
      observations: new OrdinalList(),
      missing: new OrdinalList(),
      troubles: 0,
      firstTrouble: '',
    }
    if (isRefused) addTrouble(slot, `frequency "${letter}" is not supported`)
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
      found = period === null ? null : { period, written: formatPeriod(period) }
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
    const marker = cursor.isDeleted ? 'withdrawn by the provider' : missingMarker(cursor.value)
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

  #finishSlot(slot: Slot): ParsedSeries | null {
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

  /** The code as requested, if it was; else in the provider's notation. */
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

/** A repeated row counts once. Two different values for one period are a problem, and neither is used. */
function believedObservations(slot: Slot): readonly ParsedObservation[] {
  slot.observations.sort()
  const { ordinals, items } = slot.observations
  const conflicting = new Set<number>()
  const isRepeat = (at: number) => at > 0 && ordinals[at] === ordinals[at - 1]
  if (!ordinals.some((_, at) => isRepeat(at))) return items
  items.forEach(({ period, value }, at) => {
    const before = items[at - 1]
    if (!isRepeat(at) || isSameValue(before!.value, value)) return
    if (!conflicting.has(ordinals[at]!)) addTrouble(slot, `${period} has two values, ${before!.value} and ${value}`)
    conflicting.add(ordinals[at]!)
  })
  return items.filter((_, at) => !isRepeat(at) && !conflicting.has(ordinals[at]!))
}

/** A period with a value is not missing, even if another row says so. */
function trulyMissing(slot: Slot): readonly MissingObservation[] {
  slot.missing.sort()
  const { ordinals, items } = slot.missing
  if (ordinals.length === 0) return items
  const held = new Set(slot.observations.ordinals)
  return items.filter((_, at) => !held.has(ordinals[at]!) && (at === 0 || ordinals[at] !== ordinals[at - 1]))
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
function formatUnit(cursor: SdmxCursor, dialect: SdmxDialect, flow: SdmxFlow | null): string | null {
  const unit = applicable(firstOf(cursor, dialect.unitIds))
  const base = applicable(firstOf(cursor, dialect.baseIds(flow)))
  const power = cursor.find('UNIT_MULT')?.code ?? '0'
  const exponent = multiplierPattern.test(power) ? Number.parseInt(power, 10) : 0
  const named = [unit, base === null ? null : `base ${base}`].filter(part => part !== null).join(', ')
  const written = exponent === 0 ? named : `${named} (x10^${exponent})`.trim()
  return written === '' ? null : written
}

/** `_Z` means "not applicable". */
function applicable(value: SdmxValue | null): string | null {
  return value?.code === '_Z' ? null : textFor(value)
}

function textFor(value: SdmxValue | null): string | null {
  return value === null ? null : (value.label ?? value.code)
}
