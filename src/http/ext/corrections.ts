// `GET /pams/{pamId}/corrections`, `/corrections/{correctionId}` and its receipt, `/pams/{pamId}/settled`: effects of revisions on
// signed prices, and the settled numbers. Amounts are for keys that read `money`.

import type { Ratio } from '../../core/numbers/ratio.ts'
import { covers } from '../../core/people/key-scope.ts'
import { numberOf, type PricedPeriod } from '../../core/prices/agreement.ts'
import { onlyPrice, Pricing } from '../../core/prices/item-prices.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import { Refusal } from '../../core/refusal.ts'
import { formatDay } from '../../core/time/day.ts'
import { dayOfInstant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { formatFactor } from '../../read/agreements/agreement-row.ts'
import type { CorrectionWithoutMoney, ShownCorrection } from '../../read/agreements/correction-view.ts'
import type { TrueUp } from '../../read/agreements/true-up.ts'
import type { PriceTime } from '../../read/prices.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor, date, knownAt, period, readKnownAt, refuseBoth } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import type { Parameters } from '../frame/parameters.ts'
import { refused } from '../frame/sealed-cursor.ts'
import { noSuchPam } from '../v1/agreements.ts'
import { correctionSchemas } from './description/correction-schemas.ts'

export const correctionsParameters = { knownAt, limit: pageLimit(limits.ext.corrections), cursor, format }
export const correctionParameters = { knownAt }
export const settledParameters = { period, date, knownAt }

type WithKnownAt = Parameters & Pick<typeof correctionParameters, 'knownAt'>

/** Time of the request, once nothing at or before the cut can still be recorded. */
async function timeOf({ query, now, today, parts, workspaceId }: ApiRequest<WithKnownAt>): Promise<PriceTime> {
  const at = readKnownAt(query.knownAt, now)
  if (at === null) return { knownAt: null, until: today }
  await parts.settle(workspaceId, at)
  return { knownAt: at, until: Math.min(today, dayOfInstant(at)) }
}

function readsMoney({ scope }: Pick<ApiRequest<Parameters>, 'scope'>): boolean {
  return covers(scope, 'money')
}

export async function listCorrections(request: ApiRequest<typeof correctionsParameters>): Promise<Answer> {
  const { query, parts, workspaceId, id } = request
  const limit = query.limit ?? limits.ext.corrections
  const filters = `ext corrections ${id} ${query.knownAt?.text ?? ''}`
  const after = query.cursor === null ? null : placeOf(parts.cursors.open(workspaceId, filters, query.cursor))
  const { corrections } = parts.library
  const time = await timeOf(request)
  const all: readonly (ShownCorrection | CorrectionWithoutMoney)[] | null = readsMoney(request)
    ? await corrections.list(workspaceId, id, time)
    : await corrections.listWithoutMoney(workspaceId, id, time)
  if (all === null) throw noSuchPam()
  const rest = after === null ? all : all.filter(each => each.id < after)
  const rows = rest.slice(0, limit)
  const hasMore = rest.length > rows.length
  const nextCursor = hasMore ? parts.cursors.sign(workspaceId, filters, `1 ${rows.at(-1)!.id}`) : null
  return listAnswer(request, correctionSchemas.Correction, { rows, limit, hasMore, nextCursor })
}

/** Place after an id. Ids sort by the time they were made. */
function placeOf(opened: string): string {
  const id = /^1 (cor_[0-9a-z]{26})$/.exec(opened)?.[1]
  if (id === undefined) throw refused()
  return id
}

function noSuchCorrection(): Refusal {
  return new Refusal('not-found', 'there is no such correction')
}

function answer(value: unknown): Answer {
  const body = JSON.stringify(value)
  return jsonAnswer(body, contentTag(body))
}

export async function showOneCorrection(request: ApiRequest<typeof correctionParameters>): Promise<Answer> {
  const { parts, workspaceId, id } = request
  const { corrections } = parts.library
  const time = await timeOf(request)
  const shown = readsMoney(request)
    ? await corrections.show(workspaceId, id, time)
    : await corrections.showWithoutMoney(workspaceId, id, time)
  if (shown === null) throw noSuchCorrection()
  return answer(shown)
}

export async function showCorrectionReceipt(request: ApiRequest<typeof correctionParameters>): Promise<Answer> {
  const { parts, workspaceId, id } = request
  const { corrections } = parts.library
  const found = await corrections.find(workspaceId, id, await timeOf(request))
  if (found === null) throw noSuchCorrection()
  return answer(parts.seal.issueCorrection(await corrections.receipt(workspaceId, found)))
}

export async function showSettled(request: ApiRequest<typeof settledParameters>): Promise<Answer> {
  const { query, parts, workspaceId, id } = request
  if (query.period !== null && query.date !== null) refuseBoth('period', 'date')
  const trueUp = await parts.library.trueUps.find(workspaceId, id, await timeOf(request))
  if (trueUp === null) throw noSuchPam()
  return answer(settledOf(trueUp, findPeriod(trueUp, query.period, query.date)))
}

/** The named period, the one in force on a day, or the newest that both have signed. */
function findPeriod({ agreement }: TrueUp, label: string | null, day: number | null): PricedPeriod {
  const dated = agreement.periods.filter(each => each.period !== startLabel)
  const isAgreed = (each: PricedPeriod) => numberOf(each)?.status === 'AGREED'
  const found =
    label !== null
      ? dated.find(each => each.period === label)
      : day !== null
        ? dated.findLast(each => each.date <= day)
        : dated.findLast(isAgreed)
  if (found === undefined)
    throw new Refusal(
      'not-found',
      `nothing is settled${label === null ? '' : ` for ${label}`}: there is no such period`,
    )
  if (!isAgreed(found)) throw new Refusal('not-found', `${found.period} is not signed by both parties`)
  return found
}

function settledOf(trueUp: TrueUp, { period: label, date: day, number }: PricedPeriod) {
  const settled = numberOf({ number } as PricedPeriod)!
  const signed = trueUp.signed.find(each => each.period === label)!
  const corrected = trueUp.standing.corrected.get(label)
  return {
    agreement: trueUp.slug,
    period: label,
    adjustmentDate: formatDay(day),
    factor: formatFactor(settled.factor),
    signedFactor: formatFactor(signed.factor),
    price: priceAt(trueUp, label, settled.factor),
    signedPrice: priceAt(trueUp, label, signed.factor),
    currency: trueUp.currency,
    receiptHash: settled.receiptHash!,
    correction: corrected?.correctionId ?? null,
    agreedAt: settled.agreedAt!,
  }
}

/** Price of the only item there is, at a factor of the period. */
function priceAt({ agreement }: TrueUp, label: string, factor: Ratio): string | null {
  const place = agreement.periods.findIndex(each => each.period === label)
  const periods = agreement.periods.map((each, i) => {
    const number = numberOf(each)
    return i !== place || number === null ? each : { ...each, number: { ...number, factor } }
  })
  return onlyPrice(new Pricing({ ...agreement, periods }), place)
}
