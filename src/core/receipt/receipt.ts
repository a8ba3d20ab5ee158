// A receipt: everything needed to recompute one adjustment offline, years later, to the last digit, and to know whose it is.
// The hash covers the whole body. It depends on the number alone: neither the cuts asked for nor the time of issue are
// in it, so the same request gives the same bytes from any process on any day.
import type { Adjustment, BoundVersion, Carried } from '../calculation/adjustment.ts'
import { type CalculationEntry, presentAdjustment } from '../calculation/calculation.ts'
import type { TakenReading, UsedObservation } from '../calculation/reading.ts'
import { historiesOf } from '../formula/bind.ts'
import { seriesOf } from '../formula/check/check-inputs.ts'
import { formulaEdition, type PartySide, type ResultKind } from '../formula/formula.ts'
import { type Ratio, type Rounding, type RoundingMode, writeExact } from '../numbers/ratio.ts'
import type { SeriesHeader, VersionTag } from '../series/series.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { sha256 } from '../text/sha256.ts'
import { writeDay } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { type Frequency, writePeriod } from '../time/period.ts'
import type { PartyObjection } from './objection.ts'
import type { PartySignature } from './party-signature.ts'

export const receiptFormat = 'assize-receipt/2'

/** No longer issued; see receipt-older.ts. */
export const olderFormat = 'assize-receipt/1'

/** Who issues a receipt. */
export interface Issuer {
  readonly installation: { readonly id: string; readonly name: string | null }
  readonly workspace: { readonly id: string; readonly slug: string; readonly name: string }
  /** What the party with a slug is called; null where there is none. */
  readonly companyName: (slug: string) => string | null
}

/**
 * Where a figure comes from: read from its provider by us, or from a file. `uploadedBy` is null if the figure was never
 * imported into an installation; all three are null if it was imported before origins were recorded.
 */
export type Origin =
  | { readonly provider: string }
  | {
      readonly uploadedBy: string | null
      readonly file: string | null
      /** Of the file's bytes, 64 hexadecimal digits. */
      readonly sha256: string | null
      readonly recorded: Instant | null
    }

/** The origin of a series' value that was recorded at that instant; `null`: it was never recorded. */
export type OriginOf = (series: string, recordedAt: Instant | null) => Origin

export type WrittenRounding =
  | { readonly dp: number; readonly mode: RoundingMode }
  | { readonly multiple: string; readonly mode: RoundingMode }

/** Whose it is: the head of everything that both parties sign. */
export interface SignedHead {
  /** Of the rules that it was computed by. */
  readonly edition: number
  /** Both null for what was computed from files alone. */
  readonly installation: Issuer['installation'] | null
  readonly workspace: Issuer['workspace'] | null
  readonly pam: string
  /** The contract's name. */
  readonly name: string
  /** As they are written: e-mail addresses, a party's slug, or null where nobody is named. */
  readonly parties: WrittenParties
  /** What the parties named by slug are called; left out where there are none. */
  readonly companies?: CompanyNames
}

/** What is hashed. Plain JSON throughout, so that it can be stored, sent and compared as text. */
export interface ReceiptBody extends SignedHead {
  readonly format: typeof receiptFormat
  readonly period: string
  readonly adjustmentDate: string
  readonly formulaVersion: number
  /**
   * The documents of the governing version and of those whose values it continues from, without their descriptions:
   * each as JSON text, because the order of its inputs is the order of its lines.
   */
  readonly documents: { readonly [version: string]: string }
  /** With `version=X`: only values with that tag for this period. */
  readonly dataVersionAsked: VersionTag | null
  readonly carriedIn: Json
  readonly series: readonly { readonly series: string; readonly name: string; readonly frequency: Frequency }[]
  /** Every observation used, with its vintage, its origin and the input that read it. */
  readonly observations: readonly ObservationLine[]
  /** How the lines become the answer. */
  readonly rules: ReceiptRules
  readonly steps: readonly ReceiptStep[]
  readonly result: ReceiptResult
}

export interface WrittenParties {
  readonly buyer: PartySide
  readonly supplier: PartySide
}

/** By slug. */
export type CompanyNames = { readonly [slug: string]: string }

export interface ReceiptRules {
  readonly kind: ResultKind
  /** The step that is the result. */
  readonly step: string
  /** How percentages are reported. */
  readonly show: WrittenRounding
  readonly priceRound: WrittenRounding | null
  /** Whether components and controls add up to the adjustment. */
  readonly addsUp: boolean
}

export interface ReceiptStep {
  readonly name: string
  readonly expr: string
  readonly round: WrittenRounding | null
  readonly show: WrittenRounding | null
  readonly value: string
  readonly shown: string | null
}

export type ReceiptResult = Omit<CalculationEntry, 'steps' | 'observations'> & { readonly factor: string }

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
  readonly origin: Origin
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
  /** Of the parties, by the time they signed. */
  readonly signatures: readonly PartySignature[]
  /** Every objection to this period, by the time it was made; left out where there is none. */
  readonly objections?: readonly PartyObjection[]
  /** The installation's, over `sealedHash`; null where the receipt was made without a server's secret. */
  readonly seal: Signature | null
}

/** What a receipt says besides the calculation. */
export interface ReceiptSurroundings {
  readonly issuer: Issuer | null
  readonly pam: string
  readonly name: string
  readonly parties: WrittenParties
  readonly documents: ReadonlyMap<number, string>
  readonly dataVersionAsked: VersionTag | null
  readonly originOf: OriginOf
}

export function buildBody(
  adjustment: Adjustment,
  versions: readonly BoundVersion[],
  surroundings: ReceiptSurroundings,
  entry: CalculationEntry = presentAdjustment(adjustment),
): ReceiptBody {
  const { issuer, pam, name, parties, documents, dataVersionAsked, originOf } = surroundings
  const { carriedIn } = adjustment
  const governing = versions.find(version => version.number === adjustment.formulaVersion)!
  const numbers = [adjustment.formulaVersion, carriedIn.version, carriedIn.last.version].filter(
    number => number !== null,
  )
  const { steps: _steps, observations: _observations, ...result } = entry
  const references = [...new Set(seriesOf(governing.bound.formula.inputs).map(({ series }) => series))]
  return {
    format: receiptFormat,
    edition: formulaEdition,
    installation: issuer?.installation ?? null,
    workspace: issuer?.workspace ?? null,
    pam,
    name,
    parties: { buyer: parties.buyer, supplier: parties.supplier },
    ...companiesOf(parties, issuer),
    period: adjustment.period,
    adjustmentDate: writeDay(adjustment.date),
    formulaVersion: adjustment.formulaVersion,
    documents: Object.fromEntries(
      [...new Set(numbers)].map(number => [number.toString(), documents.get(number) ?? '']),
    ),
    dataVersionAsked,
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
      value: writeExact(value),
      shown: entry.steps[i]!.shown ?? null,
    })),
    result: { ...result, factor: writeExact(adjustment.factor) },
  }
}

function companiesOf({ buyer, supplier }: WrittenParties, issuer: Issuer | null): Pick<ReceiptBody, 'companies'> {
  const names = [buyer, supplier].flatMap(side => {
    const name = typeof side === 'string' ? (issuer?.companyName(side) ?? null) : null
    return name === null ? [] : [[side as string, name] as const]
  })
  return names.length === 0 ? {} : { companies: Object.fromEntries(names) }
}

function rulesOf(adjustment: Adjustment, { bound }: BoundVersion): ReceiptRules {
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
  return 'dp' in rounding ? { dp: rounding.dp, mode } : { multiple: writeExact(rounding.multiple), mode }
}

function headerOf({ bound }: BoundVersion, reference: string): SeriesHeader {
  const found = bound.inputs.flatMap(historiesOf).find(history => history.reference === reference)
  if (found !== undefined) return found
  throw new Error(`${reference} is not bound`)
}

export function vintageLine({ series, period, vintage }: UsedObservation): VintageLine {
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
export function hashOf(body: object): string {
  return sha256(canonicalJson(body as Json))
}

/** What the installation seals: the body by its hash, and the signatures and objections next to it. */
export function sealedHash({ hash, signatures, objections }: Omit<Receipt, 'body' | 'seal'>): string {
  const beside = { signatures, ...(objections === undefined ? {} : { objections }) }
  return sha256(canonicalJson({ hash, ...(beside as unknown as { readonly [key: string]: Json }) }))
}

/** What a period passes on, as JSON with exact numbers; with the origins of what it read, if they are asked for. */
export function carriedToJson(carried: Carried, originOf: OriginOf | null = null): Json {
  const numbers = (map: ReadonlyMap<string, Ratio>) =>
    Object.fromEntries([...map].map(([key, value]) => [key, writeExact(value)]))
  const line = (used: UsedObservation) => ({
    ...vintageLine(used),
    ...(originOf === null ? {} : { origin: originOf(used.series, used.vintage.recordedAt) }),
  })
  const readings = (map: ReadonlyMap<string, TakenReading>) =>
    Object.fromEntries(
      [...map].map(([key, { value, used, substituted }]) => [
        key,
        { value: writeExact(value), substituted, used: used.map(line) as unknown as Json },
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

/** The body without the names people may change: two that are equal here agree on the number and on whose it is. */
export function withoutNames(body: ReceiptBody): Json {
  const { name: _name, companies: _companies, installation, workspace, series, ...rest } = body
  return {
    ...(rest as unknown as { readonly [key: string]: Json }),
    installation: installation?.id ?? null,
    workspace: workspace?.id ?? null,
    series: series.map(({ name: _seriesName, ...each }) => each),
  }
}
