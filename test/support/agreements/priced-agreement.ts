// Agreements with settled numbers, for tests of prices and invoices: periods and lists in a few words, no formula behind
// them.

import { otherGap } from '../../../src/core/calculation/gap.ts'
import type { ContractPrice, Status } from '../../../src/core/formula/formula.ts'
import { parseExact, type Rounding, ratio } from '../../../src/core/numbers/ratio.ts'
import {
  type PricedAgreement,
  type PricedPeriod,
  type PriceStatus,
  startNumber,
} from '../../../src/core/prices/agreement.ts'
import { ListTable, type PlacedRow } from '../../../src/core/prices/list-table.ts'
import { type ListVersion, makePriceList } from '../../../src/core/prices/price-list.ts'
import type { RowProblem } from '../../../src/core/series/table-problems.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { splitCsv } from '../../../src/providers/formats/csv.ts'

export interface PeriodWords {
  readonly period: string
  readonly date: string
  /** An exact number such as `1.0235` or `1/3`; left out: blocked. */
  readonly factor?: string
  readonly status?: PriceStatus
  readonly blocked?: string
  readonly agreedAt?: string
  readonly beforeCorrection?: string
  readonly price?: ContractPrice | null
  readonly rounding?: Rounding | null
  readonly formulaVersion?: number
}

export interface AgreementWords {
  readonly slug?: string
  readonly status?: Status
  readonly start?: string
  readonly end?: string | null
  readonly today?: string
  readonly price?: ContractPrice | null
  readonly rounding?: Rounding | null
  readonly periods?: readonly PeriodWords[]
  readonly next?: { readonly period: string; readonly date: string } | null
  readonly lists?: readonly ListVersion[]
  readonly billing?: Partial<PricedAgreement['billing']>
}

export const cents: Rounding = { dp: 2, mode: 'HALF_UP' }

export function contractPrice(text: string, currency = 'EUR', unit = 'piece'): ContractPrice {
  return { amount: ratio(text), text, currency, unit, round: cents }
}

const quarters: readonly PeriodWords[] = [
  { period: 'start', date: '2024-01-01' },
  { period: '2024-Q2', date: '2024-04-01', factor: '1.0235' },
  { period: '2024-Q3', date: '2024-07-01', factor: '1.05' },
  { period: '2024-Q4', date: '2024-10-01', factor: '1.1', status: 'OPEN' },
]

/** From 12.40 EUR the piece, adjusted every quarter of 2024; the last one is not signed. */
export function makeAgreement(words: AgreementWords = {}): PricedAgreement {
  const { slug = 'steel-brackets', start = '2024-01-01', end = null, lists = [], periods = quarters } = words
  const terms = {
    price: words.price === undefined ? contractPrice('12.40') : words.price,
    rounding: words.rounding === undefined ? cents : words.rounding,
  }
  const next = words.next === undefined ? { period: '2025-Q1', date: '2025-01-01' } : words.next
  return {
    id: `pam_${slug}`,
    slug,
    status: words.status ?? 'ACTIVE',
    supplier: null,
    suppliers: [],
    start: parseDay(start)!,
    end: end === null ? null : parseDay(end),
    billing: { references: [], priceDate: 'SERVICE', prorate: 'NONE', ...words.billing },
    today: parseDay(words.today ?? '2024-12-31')!,
    periods: periods.map(each => makePeriod(each, terms)),
    next: next === null ? null : { period: next.period, date: parseDay(next.date)! },
    lists,
  }
}

function makePeriod(words: PeriodWords, terms: PricedPeriod['terms']): PricedPeriod {
  const { period, date, factor, status = 'AGREED', agreedAt, beforeCorrection, blocked = 'a value is missing' } = words
  const number: PricedPeriod['number'] =
    period === 'start'
      ? startNumber
      : factor === undefined
        ? { gap: otherGap('terms', blocked) }
        : {
            factor: parseExact(factor)!,
            status,
            receiptHash: period.padEnd(64, '0'),
            agreedAt: status === 'AGREED' ? (agreedAt ?? `${date}T12:00:00.000000Z`) : null,
            beforeCorrection: beforeCorrection === undefined ? null : parseExact(beforeCorrection)!,
          }
  return {
    period,
    date: parseDay(date)!,
    formulaVersion: words.formulaVersion ?? 1,
    number,
    terms: {
      price: words.price === undefined ? terms.price : words.price,
      rounding: words.rounding === undefined ? terms.rounding : words.rounding,
    },
  }
}

export function readList(csv: string): { rows: readonly PlacedRow[]; problems: readonly RowProblem[] } {
  const table = new ListTable()
  splitCsv([csv], (cells, line) => table.take(cells, line))
  return table.finish()
}

/** A version of a list, from CSV that has no problems. */
export function listVersion(csv: string, number = 1, from = 'start', fromDate = '2024-01-01'): ListVersion {
  const { rows, problems } = readList(csv)
  if (problems.length > 0) throw new Error(`the list is refused: ${JSON.stringify(problems)}`)
  return { number, from, fromDate: parseDay(fromDate)!, ownPriceUntil: null, list: makePriceList(rows) }
}
