// `GET /pams/{pamId}/readings`: numbers of an agreement if its contract were read differently in one respect, in one period. It
// explains why two honest people come to two numbers; none of them is a price.
import type { Adjustment } from '../../core/calculation/adjustment.ts'
import { tryOut } from '../../core/calculation/try-out.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { decimalDifference } from '../../core/numbers/decimal-difference.ts'
import { formatRoundedShort } from '../../core/numbers/ratio.ts'
import { otherReadings } from '../../core/prices/other-readings.ts'
import { tryReading } from '../../core/prices/reading-trial.ts'
import { formatPct, formatPrice } from '../../core/receipt/calculation.ts'
import { Refusal } from '../../core/refusal.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { period } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { findPam, noSuchPam } from '../v1/agreements.ts'
import type { ExtWire } from './description/schemas.ts'

export const readingsParameters = {
  period: {
    ...period,
    description: 'The label of the period that is compared: 2026-Q1, 2026-03; the newest with a number unless given',
  },
}

type Numbers = Pick<ExtWire<'Reading'>, 'period' | 'adjustmentPct' | 'cumulativePct' | 'price'>

const noNumbers = { period: null, adjustmentPct: null, cumulativePct: null, price: null, points: null, money: null }

export async function listReadings(request: ApiRequest<typeof readingsParameters>): Promise<Answer> {
  const { parts, workspaceId, query, today: until } = request
  const [{ snapshot }] = await findPam(request)
  const stored = snapshot.kept.versions.at(-1)
  if (stored === undefined) throw noSuchPam()
  const { formula, document } = checkDocument(stored.documentText)
  if (formula === null) throw noSuchPam()
  const data = await parts.library.data(workspaceId, snapshot, null)
  const own = tryOut({ formula, data, tag: null, until })?.adjustments ?? []
  const shown = query.period === null ? own.at(-1) : own.find(each => each.period === query.period)
  if (shown === undefined) throw noNumber(query.period)
  const written = numbersOf(shown)
  const others = otherReadings(formula, document, data).map(other => {
    const { notApplicable, evaluation } = tryReading(other, data, until)
    const same = evaluation?.adjustments.find(({ date }) => date === shown.date)
    const { id, title, words } = other
    return { id, title, words, notApplicable, ...(same === undefined ? noNumbers : beside(written, numbersOf(same))) }
  })
  const asWritten = { id: 'as-written', title: 'As written', words: 'The document as it is.', notApplicable: null }
  const answer: ExtWire<'ReadingList'> = {
    currency: formula.contract.price?.currency ?? null,
    data: [{ ...asWritten, ...beside(written, written) }, ...others],
  }
  const body = JSON.stringify(answer)
  return jsonAnswer(body, contentTag(body))
}

function noNumber(label: string | null): Refusal {
  return new Refusal(
    'not-found',
    label === null ? 'no period has a number as written' : `${label} has no number as written`,
  )
}

function numbersOf({ period: label, adjustmentPct, cumulativePct, price, show }: Adjustment): Numbers {
  return {
    period: label,
    adjustmentPct: formatPct(adjustmentPct, show),
    cumulativePct: formatRoundedShort(cumulativePct, show),
    price: price === null ? null : formatPrice(price),
  }
}

/** The other reading's numbers, with the differences in displayed figures. */
function beside(written: Numbers, other: Numbers) {
  const hasPrices = written.price !== null && other.price !== null
  return {
    ...other,
    points: decimalDifference(written.cumulativePct!, other.cumulativePct!),
    money: hasPrices ? decimalDifference(written.price!, other.price!) : null,
  }
}
