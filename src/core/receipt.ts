// A receipt: everything needed to recompute one adjustment offline, years later, to the last digit. The hash covers the
// calculation and leaves out what was merely asked (the cuts) and when it was issued.

import type { Adjustment, BoundVersion, Carried } from './adjustment.ts'
import { type CalculationEntry, presentAdjustment } from './calculation.ts'
import { canonicalJson, type Json } from './canonical-json.ts'
import { writeDay } from './day.ts'
import { seriesOf } from './formula/check-inputs.ts'
import { type Frequency, writePeriod } from './period.ts'
import { type Ratio, writeExact } from './ratio.ts'
import type { TakenReading, UsedObservation } from './reading.ts'
import type { VersionTag } from './series.ts'
import { sha256 } from './sha256.ts'

export const receiptFormat = 'assize-receipt/1'

/** What is hashed. Plain JSON throughout, so that it can be kept, sent and compared as text. */
export interface ReceiptBody {
  readonly format: typeof receiptFormat
  readonly pam: string
  readonly period: string
  readonly adjustmentDate: string
  readonly formulaVersion: number
  /**
   * The documents of the governing version and of those whose values it goes on from, without their descriptions: each
   * as JSON text, because the order of its inputs is the order of its lines.
   */
  readonly documents: { readonly [version: string]: string }
  /** With `version=X`: nothing but that tag for this period. */
  readonly dataVersionAsked: VersionTag | null
  readonly carriedIn: Json
  readonly series: readonly { readonly series: string; readonly frequency: Frequency }[]
  /** Every observation used, with its vintage and the input that read it. */
  readonly observations: readonly ObservationLine[]
  readonly result: Omit<CalculationEntry, 'steps' | 'observations'> & { readonly factor: string }
  readonly steps: readonly {
    readonly name: string
    readonly expr: string
    readonly value: string
    readonly shown: string | null
  }[]
}

export interface VintageLine {
  readonly series: string
  readonly period: string
  readonly value: string
  readonly version: VersionTag
  readonly flag: string | null
  readonly published: string
  readonly recorded: string | null
}

export interface ObservationLine extends VintageLine {
  readonly input: string
}

export interface Signature {
  readonly algorithm: 'Ed25519'
  /** Base64url. */
  readonly publicKey: string
  readonly value: string
}

export interface Receipt {
  readonly hash: string
  readonly body: ReceiptBody
  readonly issuedAt: string | null
  readonly cuts: { readonly asOf: string | null; readonly knownAt: string | null }
  /** Over the hash; null where the receipt was made without a server's secret. */
  readonly signature: Signature | null
}

export function buildBody(
  pam: string,
  adjustment: Adjustment,
  versions: readonly BoundVersion[],
  documents: ReadonlyMap<number, string>,
  dataVersionAsked: VersionTag | null,
  entry: CalculationEntry = presentAdjustment(adjustment),
): ReceiptBody {
  const { carriedIn } = adjustment
  const governing = versions.find(version => version.number === adjustment.formulaVersion)!
  const numbers = [adjustment.formulaVersion, carriedIn.version, carriedIn.last.version].filter(
    number => number !== null,
  )
  const { steps: _steps, observations: _observations, ...result } = entry
  const references = [...new Set(seriesOf(governing.bound.formula.inputs).map(({ series }) => series))]
  return {
    format: receiptFormat,
    pam,
    period: adjustment.period,
    adjustmentDate: writeDay(adjustment.date),
    formulaVersion: adjustment.formulaVersion,
    documents: Object.fromEntries(
      [...new Set(numbers)].map(number => [number.toString(), documents.get(number) ?? '']),
    ),
    dataVersionAsked,
    carriedIn: carriedToJson(carriedIn),
    series: references.map(reference => ({ series: reference, frequency: frequencyOf(governing, reference) })),
    observations: adjustment.breakdown.observations.map(used => ({ input: used.input, ...vintageLine(used) })),
    result: { ...result, factor: writeExact(adjustment.factor) },
    steps: adjustment.steps.map(({ step, value }, i) => ({
      name: step.name,
      expr: step.expr,
      value: writeExact(value),
      shown: entry.steps[i]!.shown ?? null,
    })),
  }
}

function frequencyOf({ bound }: BoundVersion, reference: string): Frequency {
  for (const { series, links, fx, fallback } of bound.inputs) {
    const all = [
      series,
      ...links.map(link => link.series),
      ...(fx === null ? [] : [fx.series]),
      ...(fallback === null ? [] : [fallback]),
    ]
    const found = all.find(history => history.reference === reference)
    if (found !== undefined) return found.frequency
  }
  throw new Error(`${reference} is not bound`)
}

function vintageLine({ series, period, vintage }: UsedObservation): VintageLine {
  return {
    series,
    period: writePeriod(period),
    value: vintage.value,
    version: vintage.tag,
    flag: vintage.flag,
    published: vintage.publishedAt,
    recorded: vintage.recordedAt,
  }
}

/** SHA-256, 64 hexadecimal digits. */
export function hashOf(body: ReceiptBody): string {
  return sha256(canonicalJson(body as unknown as Json))
}

/** What a period hands on, as JSON with exact numbers. */
export function carriedToJson(carried: Carried): Json {
  const numbers = (map: ReadonlyMap<string, Ratio>) =>
    Object.fromEntries([...map].map(([key, value]) => [key, writeExact(value)]))
  const readings = (map: ReadonlyMap<string, TakenReading>) =>
    Object.fromEntries(
      [...map].map(([key, { value, used, substituted }]) => [
        key,
        { value: writeExact(value), substituted, used: used.map(vintageLine) as unknown as Json },
      ]),
    )
  const day = (date: number | null) => (date === null ? null : writeDay(date))
  return {
    date: day(carried.date),
    version: carried.version,
    factor: writeExact(carried.factor),
    steps: numbers(carried.steps),
    readings: readings(carried.readings),
    last: {
      date: day(carried.last.date),
      version: carried.last.version,
      steps: numbers(carried.last.steps),
      readings: readings(carried.last.readings),
    },
    ...(carried.origin === null ? {} : { origin: day(carried.origin) }),
    ...(carried.factors.length === 0
      ? {}
      : { factors: carried.factors.map(each => ({ date: day(each.date), factor: writeExact(each.factor) })) }),
  }
}
