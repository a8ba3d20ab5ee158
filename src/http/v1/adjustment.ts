// `GET /pams/:id/values`, `/adjustment` and `/adjustment/receipt`: computed numbers, each with its sources.
import { isProofPending } from '../../core/receipt/party-signature.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import type { AdjustmentRequest, Adjustments, PeriodEntry } from '../../read/agreements/adjustments.ts'
import { viewCalculation } from '../../read/agreements/calculation-view.ts'
import { metadataAt } from '../../read/lists/agreement-series.ts'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag, keepAnswer } from '../api/encoded-answers.ts'
import {
  asOf,
  type CutText,
  calculationView,
  checkRange,
  date,
  from,
  knownAt,
  period,
  readAsOf,
  readKnownAt,
  refuseBoth,
  to,
  version,
} from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { findPam, noSuchPam } from './agreements.ts'

export const pamValuesParameters = { from, to, asOf, knownAt }
export const adjustmentParameters = { period, date, version, asOf, knownAt, view: calculationView }
export const receiptParameters = { period, date, version, asOf, knownAt }

/** The cuts of a request and the last day whose date has come inside them. */
function wantedFrom(
  { now, today }: { readonly now: Instant; readonly today: Day },
  query: { readonly asOf: CutText | null; readonly knownAt: CutText | null },
  tag: AdjustmentRequest['version'],
): AdjustmentRequest {
  const cuts = { asOf: readAsOf(query.asOf, now), knownAt: readKnownAt(query.knownAt, now) }
  const days = [today, ...[cuts.asOf, cuts.knownAt].filter(cut => cut !== null).map(dayOfInstant)]
  return { ...cuts, version: tag, until: Math.min(...days) }
}

type AnyRequest = Pick<
  ApiRequest<Record<string, never>>,
  'parts' | 'workspaceId' | 'id' | 'address' | 'routeName' | 'now'
>

/** A body and its headers. */
interface Encoded {
  readonly body: string
  readonly headers: readonly string[]
  /** True for an answer that may have more in a minute: it is not cached. */
  readonly isPassing?: boolean
}

/** Links to an agreed correction of the period; the signed number stays as it is. */
function withCorrection(body: string, { period: label, isSigned }: PeriodEntry, adjustments: Adjustments): Encoded {
  const id = isSigned ? adjustments.correctionOf(label) : null
  return { body, headers: id === null ? [] : ['link', `</ext/v1/corrections/${id}>; rel="related"`] }
}

/** Computes, encodes and caches the answer until midnight, when the next date may have come. */
async function fromAdjustments(
  request: AnyRequest,
  wanted: AdjustmentRequest,
  encode: (adjustments: Adjustments, index: CachedIndex, cached: CachedAgreement) => string | Encoded,
): Promise<Answer> {
  const { parts, workspaceId } = request
  if (wanted.knownAt !== null) await parts.settle(workspaceId, wanted.knownAt)
  const [cached, index] = await findPam(request)
  const adjustments = await parts.library.adjustments(workspaceId, cached, wanted)
  if (adjustments === null) throw noSuchPam()
  const encoded = encode(adjustments, index, cached)
  const { body, headers, isPassing } = typeof encoded === 'string' ? { body: encoded, headers: [] } : encoded
  const answer = jsonAnswer(body, contentTag(body), headers)
  if (isPassing === true) return answer
  return keepAnswer(request, index, cached, answer, request.now.slice(0, 10))
}

export function listPamValues(request: ApiRequest<typeof pamValuesParameters>): Promise<Answer> {
  const { query } = request
  checkRange(query.from, query.to)
  return fromAdjustments(request, wantedFrom(request, query, null), adjustments => {
    const data = adjustments
      .summaries()
      .filter(({ date: day }) => isWithin(parseDay(day)!, query.from, query.to))
      .map(({ date: day, adjustmentPct, cumulativePct }) => ({
        adjustmentDate: `${day}T00:00:00.000Z`,
        adjustmentPct,
        cumulativePct,
      }))
    return JSON.stringify({ data })
  })
}

function isWithin(day: Day, fromDay: Day | null, toDay: Day | null): boolean {
  return (fromDay === null || day >= fromDay) && (toDay === null || day <= toDay)
}

export function showAdjustment(request: ApiRequest<typeof adjustmentParameters>): Promise<Answer> {
  return answerAdjustment(request, request.query.view !== null)
}

export function showCalculation(request: ApiRequest<typeof receiptParameters>): Promise<Answer> {
  return answerAdjustment(request, true)
}

function answerAdjustment(request: ApiRequest<typeof receiptParameters>, isCalculation: boolean): Promise<Answer> {
  const { query } = request
  if (query.period !== null && query.date !== null) refuseBoth('period', 'date')
  const wanted = wantedFrom(request, query, query.version)
  return fromAdjustments(request, wanted, (adjustments, index, { snapshot }) => {
    const entry = adjustments.find(query.period, query.date)
    if (!isCalculation) return withCorrection(formatAdjustment(entry, index, wanted.knownAt), entry, adjustments)
    const { formula } = snapshot.versions.find(({ number }) => number === entry.calculation.formulaVersion)!
    const idOf = (reference: string) => index.findByReference(reference)?.id ?? null
    const calculation = {
      pam: snapshot.slug,
      formulaVersion: adjustments.formulaVersion,
      adjustments: [viewCalculation(entry, formula.contract.price, idOf)],
      blocked: [],
    }
    return withCorrection(JSON.stringify(calculation), entry, adjustments)
  })
}

export function showReceipt(request: ApiRequest<typeof receiptParameters>): Promise<Answer> {
  const { query, parts } = request
  if (query.period !== null && query.date !== null) refuseBoth('period', 'date')
  const wanted = wantedFrom(request, query, query.version)
  return fromAdjustments(request, wanted, adjustments => {
    const entry = adjustments.find(query.period, query.date)
    const receipt = parts.seal.issue(entry)
    const isPassing = isProofPending(receipt.signatures)
    return { ...withCorrection(JSON.stringify(receipt), entry, adjustments), isPassing }
  })
}

/** Numbers are written as their decimal literals; a conversion to float would change them. */
function formatAdjustment(
  { period: label, calculation, confirmed }: PeriodEntry,
  index: CachedIndex,
  known: Instant | null,
): string {
  const components = calculation.components.map(component => {
    const series = index.findByReference(component.series)
    const name = series === undefined ? component.series : metadataAt(series, known).name
    return `{"series":${JSON.stringify(name)},"weight":${literal(component.weight)},"change":${literal(component.change)}}`
  })
  const fields = [
    `"period":${JSON.stringify(label)}`,
    `"adjustmentPct":${calculation.adjustmentPct === null ? null : literal(calculation.adjustmentPct)}`,
    `"cumulativeAdjustmentPct":${literal(calculation.cumulativePct)}`,
    `"dataVersion":${JSON.stringify(calculation.dataVersion)}`,
    `"formulaVersion":${calculation.formulaVersion}`,
    `"confirmed":${JSON.stringify(confirmed)}`,
    `"components":[${components.join(',')}]`,
  ]
  return `{${fields.join(',')}}`
}

/** A decimal for JSON, which knows no plus sign and no leading zeros. */
function literal(decimal: string): string {
  return decimal.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')
}
