// A receipt: everything needed to recompute one adjustment offline, years later, to the last digit, and to know whose it is.
// The hash covers the whole body. It depends on the number alone: neither the requested cuts nor the time of issue are in it,
// so a request gives the same bytes from any process on any day.
import type { Adjustment, BoundVersion, Carried } from '../calculation/adjustment.ts'
import type { TakenReading, UsedObservation } from '../calculation/series-reading.ts'
import { historiesOf } from '../formula/bind.ts'
import { seriesOf } from '../formula/check/check-inputs.ts'
import { formulaEdition } from '../formula/formula.ts'
import { formatExact, type Ratio, type Rounding } from '../numbers/ratio.ts'
import type { SeriesHeader, VersionTag } from '../series/series.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import type { Written, WrittenFields } from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import { formatDay } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { formatPeriod } from '../time/period.ts'
import { type CalculationEntry, presentAdjustment } from './calculation.ts'
import {
  type headFields,
  type origin,
  type receipt,
  type receiptBody,
  receiptFormat,
  type rounding,
  type seal,
  type vintageFields,
} from './receipt-schema.ts'

export interface Issuer {
  readonly installation: NonNullable<SignedHead['installation']>
  readonly workspace: NonNullable<SignedHead['workspace']>
  /** The name of the party with a slug; null where there is none. */
  readonly companyName: (slug: string) => string | null
}

/** The origin of a series' value that was recorded at that instant; `null`: it was never recorded. */
export type OriginOf = (series: string, recordedAt: Instant | null) => Origin

export type SignedHead = WrittenFields<typeof headFields>
export type WrittenParties = SignedHead['parties']
/** Names by slug. */
export type CompanyNames = NonNullable<SignedHead['companies']>

export type WrittenRounding = Written<typeof rounding>
/** The origin of a figure: read from its provider by us, or from a file. */
export type Origin = Written<typeof origin>
/** The hashed part. Plain JSON throughout, so that it can be stored, sent and compared as text. */
export type ReceiptBody = Written<typeof receiptBody>
export type ReceiptResult = ReceiptBody['result']
type VintageLine = WrittenFields<typeof vintageFields>
export type ObservationLine = ReceiptBody['observations'][number]
/** The installation's, over `sealedHash`. */
export type Signature = Written<typeof seal>
/** A receipt with the signatures and objections beside the body, by their time. */
export type Receipt = Written<typeof receipt>

/** The parts of a receipt besides the calculation. */
export interface ReceiptSurroundings {
  readonly issuer: Issuer | null
  readonly agreement: string
  readonly name: string
  readonly parties: WrittenParties
  readonly documents: ReadonlyMap<number, string>
  /** Hash of the contract's own words, as the governing version has them; left out or null where it has none. */
  readonly wordsHash?: string | null
  readonly dataVersionAsked: VersionTag | null
  readonly originOf: OriginOf
}

export function buildBody(
  adjustment: Adjustment,
  versions: readonly BoundVersion[],
  surroundings: ReceiptSurroundings,
  entry: CalculationEntry = presentAdjustment(adjustment),
): ReceiptBody {
  const { issuer, agreement, name, parties, documents, wordsHash = null, dataVersionAsked, originOf } = surroundings
  const { carriedIn } = adjustment
  const governing = versions.find(version => version.number === adjustment.formulaVersion)!
  const numbers = [adjustment.formulaVersion, carriedIn.version, carriedIn.last.version].filter(
    number => number !== null,
  )
  const { steps: _steps, observations: _observations, ...result } = entry
  const references = [...new Set(seriesOf(governing.bound.formula.inputs).map(({ series }) => series))]
  return {
    format: receiptFormat,
    ...headOf(issuer, { pam: agreement, name, parties }),
    period: adjustment.period,
    adjustmentDate: formatDay(adjustment.date),
    formulaVersion: adjustment.formulaVersion,
    documents: Object.fromEntries(
      [...new Set(numbers)].map(number => [number.toString(), documents.get(number) ?? '']),
    ),
    dataVersionAsked,
    ...(wordsHash === null ? {} : { words: { sha256: wordsHash } }),
    carriedIn: carriedToJson(carriedIn, originOf),
    series: references.map(reference => {
      const { name: seriesName, frequency } = headerOf(governing, reference)
      return { series: reference, name: seriesName, frequency }
    }),
    observations: adjustment.breakdown.observations.map(used => ({
      input: used.input,
      ...vintageLine(used),
      origin: originOf(used.series, used.vintage.recordedAt),
    })),
    rules: rulesOf(adjustment, governing),
    steps: adjustment.steps.map(({ step, value }, i) => ({
      name: step.name,
      expr: step.expr,
      round: writeRounding(step.round),
      show: writeRounding(step.show),
      value: formatExact(value),
      shown: entry.steps[i]!.shown ?? null,
    })),
    result: { ...result, factor: formatExact(adjustment.factor) },
  }
}

/** The head, with today's names. */
export function headOf(
  issuer: Issuer | null,
  { pam, name, parties }: Pick<SignedHead, 'pam' | 'name' | 'parties'>,
): SignedHead {
  return {
    edition: formulaEdition,
    installation: issuer?.installation ?? null,
    workspace: issuer?.workspace ?? null,
    pam,
    name,
    parties: writeParties(parties),
    ...companiesOf(parties, issuer),
  }
}

function writeParties({ buyer, supplier, signWith }: WrittenParties): WrittenParties {
  return { buyer, supplier, ...(signWith === undefined ? {} : { signWith }) }
}

function companiesOf({ buyer, supplier }: WrittenParties, issuer: Issuer | null): Pick<ReceiptBody, 'companies'> {
  const names = [buyer, supplier].flatMap(side => {
    const name = typeof side === 'string' ? (issuer?.companyName(side) ?? null) : null
    return name === null ? [] : [[side as string, name] as const]
  })
  return names.length === 0 ? {} : { companies: Object.fromEntries(names) }
}

function rulesOf(adjustment: Adjustment, { bound }: BoundVersion): ReceiptBody['rules'] {
  const { result, steps } = bound.formula
  return {
    kind: result.kind,
    step: steps[result.step]!.name,
    show: writeRounding(adjustment.show)!,
    priceRound: writeRounding(adjustment.price?.rounding ?? null),
    addsUp: adjustment.breakdown.addsUp,
  }
}

export function writeRounding(rounding: Rounding | null): WrittenRounding | null {
  if (rounding === null) return null
  const { mode } = rounding
  return 'dp' in rounding ? { dp: rounding.dp, mode } : { multiple: formatExact(rounding.multiple), mode }
}

function headerOf({ bound }: BoundVersion, reference: string): SeriesHeader {
  const found = bound.inputs.flatMap(historiesOf).find(history => history.reference === reference)
  if (found !== undefined) return found
  throw new Error(`${reference} is not bound`)
}

export function vintageLine({ series, period, vintage }: UsedObservation): VintageLine {
  return {
    series,
    period: formatPeriod(period),
    value: vintage.value,
    version: vintage.tag,
    flag: vintage.flag,
    published: vintage.publishedAt,
    recorded: vintage.recordedAt,
  }
}

/** SHA-256, 64 hexadecimal digits. */
export function hashOf(body: object): string {
  return sha256(canonicalJson(body as Json))
}

/** The hash that the installation seals: the body by its hash, and the signatures and objections next to it. */
export function sealedHash({ hash, signatures, objections }: Omit<Receipt, 'body' | 'seal'>): string {
  const beside = { signatures, ...(objections === undefined ? {} : { objections }) }
  return sha256(canonicalJson({ hash, ...(beside as unknown as { readonly [key: string]: Json }) }))
}

/** The state that a period passes on, as JSON with exact numbers; with the origins of its readings, if they are asked for. */
export function carriedToJson(carried: Carried, originOf: OriginOf | null = null): Json {
  const numbers = (map: ReadonlyMap<string, Ratio>) =>
    Object.fromEntries([...map].map(([key, value]) => [key, formatExact(value)]))
  const line = (used: UsedObservation) => ({
    ...vintageLine(used),
    ...(originOf === null ? {} : { origin: originOf(used.series, used.vintage.recordedAt) }),
  })
  const readings = (map: ReadonlyMap<string, TakenReading>) =>
    Object.fromEntries(
      [...map].map(([key, { value, used, substituted }]) => [
        key,
        { value: formatExact(value), substituted, used: used.map(line) as unknown as Json },
      ]),
    )
  const day = (date: number | null) => (date === null ? null : formatDay(date))
  return {
    date: day(carried.date),
    version: carried.version,
    factor: formatExact(carried.factor),
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
      : { factors: carried.factors.map(each => ({ date: day(each.date), factor: formatExact(each.factor) })) }),
  }
}

/** The body without the names people may change: two bodies that are equal here agree on the number and on whose it is. */
export function withoutNames(body: ReceiptBody): Json {
  const { name: _name, companies: _companies, installation, workspace, series, ...rest } = body
  return {
    ...(withoutUploaders(rest as unknown as Json) as { readonly [key: string]: Json }),
    installation: installation?.id ?? null,
    workspace: workspace?.id ?? null,
    series: series.map(({ name: _seriesName, ...each }) => each),
  }
}

/** The importer of a figure may have been erased since; the file and its hash stay. */
function withoutUploaders(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutUploaders)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => key !== 'uploadedBy')
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutUploaders(each)]))
}
