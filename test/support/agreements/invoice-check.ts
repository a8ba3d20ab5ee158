// Checks in a few words: lines as objects, agreements without a formula or with one.
import type { BoundVersion } from '../../../src/core/calculation/adjustment.ts'
import { evaluate } from '../../../src/core/calculation/evaluate.ts'
import { checkDocument } from '../../../src/core/formula/check/check.ts'
import { priceRounding } from '../../../src/core/formula/clause.ts'
import { nextDateAfter } from '../../../src/core/formula/schedule.ts'
import { AgreementBook, type BookedAgreement } from '../../../src/core/invoices/agreement-book.ts'
import { type CheckAnswer, checkLines } from '../../../src/core/invoices/check.ts'
import type { PricedRow } from '../../../src/core/invoices/check-row.ts'
import { type LineTexts, readLine } from '../../../src/core/invoices/invoice-line.ts'
import type { PathContext } from '../../../src/core/invoices/other-paths.ts'
import { type UnitFactor, UnitTable } from '../../../src/core/invoices/unit-table.ts'
import { ratio } from '../../../src/core/numbers/ratio.ts'
import { fullBudget } from '../../../src/core/numbers/work-budget.ts'
import { type PricedAgreement, type PricedPeriod, startNumber } from '../../../src/core/prices/agreement.ts'
import type { ListVersion } from '../../../src/core/prices/price-list.ts'
import type { SeriesHistory } from '../../../src/core/series/series.ts'
import { type Day, parseDay } from '../../../src/core/time/day.ts'
import { dayOfInstant, type Instant } from '../../../src/core/time/instant.ts'
import { bindText, readTable } from './evaluate-text.ts'

export interface CheckOptions {
  readonly units?: readonly UnitFactor[]
  readonly tolerancePct?: string
}

export function check(
  agreements: readonly (PricedAgreement | BookedAgreement)[],
  lines: readonly LineTexts[],
  { units = [], tolerancePct }: CheckOptions = {},
): CheckAnswer {
  const booked = agreements.map(each => ('ground' in each ? each : { agreement: each, ground: null }))
  return checkLines(
    lines.map((texts, i) => readLine(i + 1, { invoice: '4711', line: `${i + 1}`, ...texts })),
    {
      book: new AgreementBook(booked),
      units: new UnitTable(units),
      tolerances: tolerancePct === undefined ? [] : [{ pct: ratio(tolerancePct), since: '' }],
    },
  )
}

export function checkOne(
  agreement: PricedAgreement | BookedAgreement | readonly (PricedAgreement | BookedAgreement)[],
  line: LineTexts,
  options?: CheckOptions,
): PricedRow {
  return check(Array.isArray(agreement) ? agreement : [agreement], [line], options).data[0]!
}

export interface FormulaWords {
  /** Versions, numbered from 1, with the instants they were recorded. */
  readonly versions: readonly { readonly text: string; readonly recordedAt?: Instant }[]
  /** Observations; what is published is recorded at that moment. */
  readonly table: string
  readonly today: string
  readonly lists?: readonly ListVersion[]
  /** Periods that both signed, with the day of the second signature, in order; the others are open. */
  readonly agreed?: Readonly<Record<string, string>>
}

const atNoon = (day: string): Instant => `${day}T12:00:00.000000Z`

/** An agreement as its formula computes it: signed periods with what was known when they were signed. */
export function formulaAgreement(words: FormulaWords): BookedAgreement {
  const { lists = [], agreed = {} } = words
  const data = recorded(readTable(words.table))
  const today = parseDay(words.today)!
  const versions = words.versions.map(({ text, recordedAt = '2000-01-01T00:00:00.000000Z' }, i) => {
    const { formula, document } = checkDocument(text)
    return { number: i + 1, formula: formula!, document, recordedAt, bound: bindText(text, data) }
  })
  const newest = versions.at(-1)!.formula
  const periods = computePeriods(versions, today, agreed)
  const start: PricedPeriod = {
    period: 'start',
    date: newest.contract.start,
    formulaVersion: 1,
    number: startNumber,
    terms: termsOf(versions[0]!.formula),
  }
  const next = nextDateAfter(versions, today)
  const ground: PathContext = { versions, data, today, work: fullBudget }
  return {
    agreement: {
      id: `pam_${newest.slug}`,
      slug: newest.slug,
      status: newest.status,
      supplier: typeof newest.parties.supplier === 'string' ? newest.parties.supplier : null,
      suppliers: [],
      start: newest.contract.start,
      end: newest.contract.end,
      billing: newest.billing,
      today,
      periods: [start, ...periods],
      next: next === null ? null : { period: 'next', date: next },
      lists,
    },
    ground,
  }
}

type Version = PathContext['versions'][number] & { readonly bound: BoundVersion['bound'] }

function computePeriods(
  versions: readonly Version[],
  today: Day,
  agreed: Readonly<Record<string, string>>,
): PricedPeriod[] {
  const bound = versions.map(version => ({ number: version.number, bound: version.bound }))
  const evaluateAt = (knownAt: Instant | null) => {
    const known = bound.filter((_, i) => knownAt === null || versions[i]!.recordedAt <= knownAt)
    const until = knownAt === null ? today : dayOfInstant(knownAt)
    const cuts = { asOf: null, knownAt }
    return evaluate({ versions: known, cuts, tag: null, until, today: until, after: null })
  }
  const now = evaluateAt(null)
  const terms = (number: number) => termsOf(versions.find(version => version.number === number)!.formula)
  const computed = now.adjustments.map(({ period, date, factor, formulaVersion }): PricedPeriod => {
    const signed = agreed[period]
    if (signed === undefined) {
      const number = { ...startNumber, factor, status: 'OPEN' as const, receiptHash: 'open' }
      return { period, date, formulaVersion, number, terms: terms(formulaVersion) }
    }
    const then = evaluateAt(atNoon(signed)).adjustments.find(each => each.period === period)
    if (then === undefined) throw new Error(`${period} could not be computed when it was signed`)
    const number = { ...startNumber, factor: then.factor, receiptHash: 'hash', agreedAt: atNoon(signed) }
    return { period, date, formulaVersion: then.formulaVersion, number, terms: terms(then.formulaVersion) }
  })
  const blocked = now.blocked.map(({ period, date, gap }): PricedPeriod => {
    return { period, date, formulaVersion: 1, number: { gap }, terms: terms(1) }
  })
  return [...computed, ...blocked].sort((a, b) => a.date - b.date)
}

function termsOf({ contract, clause }: Version['formula']): PricedPeriod['terms'] {
  return { price: contract.price, rounding: priceRounding(clause, contract.price?.round ?? null) }
}

function recorded(series: ReadonlyMap<string, SeriesHistory>): Map<string, SeriesHistory> {
  return new Map(
    [...series].map(([reference, history]) => {
      const periods = [...history.periods].map(
        ([ordinal, vintages]) =>
          [ordinal, vintages.map(vintage => ({ ...vintage, recordedAt: vintage.publishedAt }))] as const,
      )
      return [reference, { ...history, periods: new Map(periods) }]
    }),
  )
}
