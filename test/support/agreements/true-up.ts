// Signed paths as agreements with prices, lines that were billed at them, and corrections that are agreed one after the
// other: what tests of corrections and of the ledger begin with.

import { priceRounding } from '../../../src/core/formula/clause.ts'
import { labelOf, nextDateAfter } from '../../../src/core/formula/schedule.ts'
import type { BilledLine, DeclaredQuantity } from '../../../src/core/invoices/billed-line.ts'
import { amountOf } from '../../../src/core/numbers/money.ts'
import { type Ratio, ratio } from '../../../src/core/numbers/ratio.ts'
import { type PricedAgreement, type PricedPeriod, startNumber } from '../../../src/core/prices/agreement.ts'
import type { ListVersion } from '../../../src/core/prices/price-list.ts'
import { formatDay, parseDay } from '../../../src/core/time/day.ts'
import { endOfDay } from '../../../src/core/time/instant.ts'
import { type Assessment, assess, type Draft, withFactors } from '../../../src/core/true-up/correction.ts'
import type { SettledReceipt } from '../../../src/core/true-up/signed-state.ts'
import { restateOn, type SignedPath } from './signed-path.ts'

/** The agreement of a signed path at the end of a day: signed periods as they were signed, later ones open. */
export function agreementOf(path: SignedPath, day: string, lists: readonly ListVersion[] = []): PricedAgreement {
  const { formula } = path.versions.at(-1)!.bound
  const { contract, clause, billing, slug } = formula
  const terms = { price: contract.price, rounding: priceRounding(clause, contract.price?.round ?? null) }
  const start = { period: 'start', date: contract.start, formulaVersion: 1, number: startNumber, terms }
  const today = parseDay(day)!
  const periods = path.signed
    .filter(({ date }) => date <= today)
    .map(({ period, date, version, factor, hash, agreedAt }): PricedPeriod => {
      const isAgreed = agreedAt.slice(0, 10) <= day
      const agreed = { status: 'AGREED', receiptHash: hash, agreedAt } as const
      const open = { status: 'OPEN', receiptHash: null, agreedAt: null } as const
      const number = { factor, beforeCorrection: null, ...(isAgreed ? agreed : open) }
      return { period, date, formulaVersion: version, number, terms }
    })
  const after = periods.at(-1)?.date ?? contract.start
  const upcoming = nextDateAfter([{ number: 1, formula }], after)
  const next = upcoming === null ? null : { period: labelOf(contract, upcoming), date: upcoming }
  const { start: from, end } = contract
  const named = { id: `pam_${slug}`, slug, status: 'ACTIVE' as const, supplier: null, start: from, end, next }
  return { ...named, suppliers: [], billing, today, periods: [start, ...periods], lists }
}

export interface LineWords {
  readonly invoice?: string
  readonly line?: string
  readonly item?: string
  readonly quantity: string
  readonly day: string
  readonly to?: string
  /** The billed amount; left out: quantity times this price. */
  readonly billed?: string
  readonly price?: string
  readonly imported?: string
}

export function billedLine(slug: string, words: LineWords): BilledLine {
  const { invoice = '4711', line = '1', item = slug, quantity, day, to, price = '0', imported = day } = words
  const billed =
    words.billed === undefined
      ? amountOf({ quantity: ratio(quantity), price: ratio(price), per: ratio('1') }, 'EUR')
      : ratio(words.billed)
  const date = parseDay(day)!
  return {
    id: `${invoice}/${line}`,
    supplier: 'ohio-forge',
    company: 'ohio-forge',
    invoice,
    line,
    kind: 'INVOICE',
    item,
    quantity: ratio(quantity),
    day: date,
    serviceFrom: date,
    serviceTo: to === undefined ? null : parseDay(to)!,
    date,
    billed,
    currency: 'EUR',
    importedAt: `${imported}T15:00:00.000000Z`,
    reverses: null,
  }
}

/** The receipts with which agreed corrections replaced signed ones. */
export type Settled = ReadonlyMap<string, SettledReceipt>

export function factorsOf(settled: Settled): ReadonlyMap<string, Ratio> {
  return new Map([...settled].map(([period, { factor }]) => [period, factor]))
}

export interface TrueUp {
  readonly path: SignedPath
  readonly lines?: readonly BilledLine[]
  readonly quantities?: readonly DeclaredQuantity[]
  readonly lists?: readonly ListVersion[]
}

export function assessOn(
  { path, lines = [], quantities = [], lists = [] }: TrueUp,
  day: string,
  settled: Settled = new Map(),
): Assessment {
  return assess(groundOn({ path, lines, quantities, lists }, day, settled))
}

export function groundOn(
  { path, lines = [], quantities = [], lists = [] }: TrueUp,
  day: string,
  settled: Settled = new Map(),
) {
  const agreement = withFactors(agreementOf(path, day, lists), factorsOf(settled))
  const known = lines.filter(({ importedAt }) => importedAt.slice(0, 10) <= day)
  const restated = restateOn(path, day, settled)
  return { agreement, restated, covered: new Set(settled.keys()), lines: known, quantities, today: parseDay(day)! }
}

/** What is settled once both have signed a draft that was made on a day; left out: when its newest figure came. */
export function agree(draft: Draft, settled: Settled = new Map(), day: string | null = null): Settled {
  const receipts = draft.periods.map(({ restated }) => restated.adjustment!)
  const recorded = receipts.flatMap(({ breakdown }) =>
    breakdown.observations.map(({ vintage }) => vintage.recordedAt ?? ''),
  )
  const knownBy = day === null ? recorded.sort().at(-1)! : endOfDay(parseDay(day)!)
  const made = receipts.map(({ period, factor, carriedIn, breakdown }) => {
    const replaced = settled.get(period) ?? null
    const { level } = draft
    return [period, { factor, carriedIn, used: breakdown.observations, knownBy, level, replaced }] as const
  })
  return new Map([...settled, ...made])
}

export function dayAfter(day: string, days: number): string {
  return formatDay(parseDay(day)! + days)
}
