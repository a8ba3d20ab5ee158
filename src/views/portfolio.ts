// Money effect of adjustments over all agreements that a person sees: by supplier and by index, amounts owed by corrections, and
// late signatures. Added up from digests; nothing is opened. Money is added per currency, and never across units: where no quantity
// is known, changes are averaged instead.
import { formatMinorUnits } from '../core/numbers/money.ts'
import {
  absolute,
  add,
  compare,
  divide,
  formatFixed,
  ofInteger,
  type Ratio,
  ratio,
  subtract,
  zero,
} from '../core/numbers/ratio.ts'
import { type Day, formatDay } from '../core/time/day.ts'
import { formatPeriod, ordinalAt } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import type { Movement } from '../read/agreements/adjustment-money.ts'
import { unpackPeriod } from '../read/agreements/open-periods.ts'
import type { DueEntry } from '../read/due.ts'
import { Slices } from '../read/memory/slices.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import type { AgreementGlance } from './agreements/opened-agreement.ts'
import { waitingAgreements } from './agreements/waiting-counts.ts'
import { isHeldUp } from './due.ts'
import type { Portfolio, PortfolioRow, PortfolioRows } from './shapes/portfolio.ts'
import type { Seat } from './sight/seat.ts'
import { companyNames, supplierOf } from './sight/sides.ts'
import { sightOf, stateFor } from './sight/visibility.ts'

export async function readPortfolio(
  seat: Seat,
  glance: AgreementGlance,
  entries: readonly DueEntry[],
  today: Day,
): Promise<Portfolio> {
  const { rows, digests, index } = glance
  const nameOf = companyNames(index)
  const by = seat.role === 'supplier' ? 'agreement' : 'supplier'
  const [all, parties, indices] = [new Tally(), new Tally(), new Tally()]
  const owed = new Map<string, { toSupplier: Ratio; toBuyer: Ratio }>()
  const counts = { unsigned: 0, unpriced: 0, notYet: 0, leftOut: 0 }
  const slices = new Slices()
  for (const row of rows) {
    await slices.rest()
    const state = stateFor(seat, row)
    const digest = digests.get(row.id)
    if (state?.status !== 'ACTIVE' || digest === undefined) continue
    const { money } = digest
    if (money === null || !isWholeOf(seat, row)) {
      counts.leftOut++
      continue
    }
    const { year, nextQuarter, currency } = money
    counts.unsigned += year.unsigned
    counts.unpriced += year.adjustments - year.priced
    counts.notYet += money.notYet
    for (const each of money.owed) note(owed, each.currency, ratio(each.amount))
    const moved = partOf(currency, year, nextQuarter)
    if (moved === null) continue
    const party =
      by === 'supplier' ? supplierOf(state.parties.supplier, nameOf) : { value: row.slug, label: state.name }
    all.add('all', '', moved)
    parties.add(party.value, party.label, moved)
    for (const share of sharesOf(moved, year, nextQuarter)) {
      const series = index.findByReference(share.reference)
      const name = ofNoIndex.get(share.reference) ?? series?.metadata.at(-1)?.name ?? share.reference
      indices.add(series?.id ?? share.reference, name, share)
    }
  }
  const sums = all.rows()
  return {
    year: formatPeriod({ frequency: 'ANNUAL', ordinal: ordinalAt('ANNUAL', today) }),
    nextQuarter: formatPeriod({ frequency: 'QUARTERLY', ordinal: ordinalAt('QUARTERLY', today) + 1 }),
    totals: sums.flatMap(({ money }) => money ?? []),
    without: sums.find(({ without }) => without !== null)?.without ?? null,
    by,
    parties: firstOf(parties.rows()),
    indices: firstOf(indices.rows()),
    unsigned: counts.unsigned,
    unpriced: counts.unpriced,
    notYet: counts.notYet,
    leftOut: counts.leftOut,
    owed: [...owed].map(([currency, { toSupplier, toBuyer }]) => {
      return {
        currency,
        toSupplier: formatMinorUnits(toSupplier, currency),
        toBuyer: formatMinorUnits(toBuyer, currency),
      }
    }),
    late: lateOf(seat, glance, entries, today),
  }
}

/** Whether the whole agreement is theirs: sums with another supplier are not. */
export function isWholeOf(seat: Seat, row: AgreementRecord): boolean {
  const tenure = sightOf(seat, row)?.tenure ?? null
  return tenure === null || tenure.isWhole
}

/** Contribution of one agreement to a row. */
interface Moved {
  /** Null where no quantity is known. */
  readonly currency: string | null
  readonly year: Ratio | null
  readonly nextQuarter: Ratio | null
}

interface Share extends Moved {
  /** Name of the series in the formula, or the reason why it belongs to none. */
  readonly reference: string
}

/** Shares without an index, under names that no series has. */
const byLimits = 'limits'
const bySteps = 'steps'
const ofNoIndex: ReadonlyMap<string, string> = new Map([
  [byLimits, 'Limits and roundings'],
  [bySteps, 'Agreements without weights'],
])

/** An agreement's contribution; null where no adjustment was made or is to come. */
function partOf(currency: string | null, year: Movement, nextQuarter: Movement): Moved | null {
  if (year.adjustments + nextQuarter.adjustments === 0) return null
  const isPriced = currency !== null && (year.amount !== null || nextQuarter.amount !== null)
  const read = (of: Movement) => (isPriced ? of.amount : of.pct)
  return { currency: isPriced ? currency : null, year: orNull(read(year)), nextQuarter: orNull(read(nextQuarter)) }
}

/** Shares by series; with amounts, the remainder is the effect of limits and roundings. */
function sharesOf(moved: Moved, year: Movement, nextQuarter: Movement): readonly Share[] {
  const { currency } = moved
  const references = new Set([...year.byIndex, ...nextQuarter.byIndex].map(({ series }) => series))
  const of = ({ byIndex }: Movement, reference: string) => {
    const share = byIndex.find(({ series }) => series === reference)
    return share === undefined ? null : orNull(currency === null ? share.points : share.amount)
  }
  const shares = [...references].map((reference): Share => {
    return { reference, currency, year: of(year, reference), nextQuarter: of(nextQuarter, reference) }
  })
  if (currency === null) return shares
  const rest = (key: 'year' | 'nextQuarter') =>
    shares.reduce((left, share) => subtract(left, share[key] ?? zero), moved[key] ?? zero)
  const [ofYear, ofNext] = [rest('year'), rest('nextQuarter')]
  if (ofYear.n === 0n && ofNext.n === 0n) return shares
  return [
    ...shares,
    { reference: shares.length === 0 ? bySteps : byLimits, currency, year: ofYear, nextQuarter: ofNext },
  ]
}

function orNull(text: string | null): Ratio | null {
  return text === null ? null : ratio(text)
}

interface Sums {
  agreements: number
  year: Ratio
  nextQuarter: Ratio
}

interface Averages {
  agreements: number
  readonly year: Ratio[]
  readonly nextQuarter: Ratio[]
}

interface Group {
  readonly name: string
  readonly money: Map<string, Sums>
  readonly without: Averages
}

/** Sums of money by key and currency, and changes to be averaged. */
class Tally {
  readonly #groups = new Map<string, Group>()

  add(key: string, name: string, { currency, year, nextQuarter }: Moved): void {
    const empty: Group = { name, money: new Map(), without: { agreements: 0, year: [], nextQuarter: [] } }
    const group = this.#groups.get(key) ?? empty
    this.#groups.set(key, group)
    if (currency === null) {
      group.without.agreements++
      if (year !== null) group.without.year.push(year)
      if (nextQuarter !== null) group.without.nextQuarter.push(nextQuarter)
      return
    }
    const known = group.money.get(currency) ?? { agreements: 0, year: zero, nextQuarter: zero }
    group.money.set(currency, {
      agreements: known.agreements + 1,
      year: add(known.year, year ?? zero),
      nextQuarter: add(known.nextQuarter, nextQuarter ?? zero),
    })
  }

  /** Rows with money first: the currency of most agreements, and in it the largest amounts of the year. */
  rows(): readonly PortfolioRow[] {
    const inCurrency = new Map<string, number>()
    for (const { money } of this.#groups.values())
      for (const [currency, { agreements }] of money)
        inCurrency.set(currency, (inCurrency.get(currency) ?? 0) + agreements)
    const rows = [...this.#groups].flatMap(([key, group]) => rowsOf(key, group))
    return rows.sort((a, b) => {
      const ofCurrency = (row: PortfolioRow) => (row.money === null ? -1 : inCurrency.get(row.money.currency)!)
      return ofCurrency(b) - ofCurrency(a) || compare(sizeOf(b), sizeOf(a)) || b.agreements - a.agreements
    })
  }
}

function rowsOf(key: string, { name, money, without }: Group): PortfolioRow[] {
  const common = { key: ofNoIndex.has(key) ? null : key, name }
  const told = without.agreements === 0 ? null : averagesOf(without)
  if (money.size === 0) return [{ ...common, agreements: 0, money: null, without: told }]
  return [...money].map(([currency, { agreements, year, nextQuarter }], i) => ({
    ...common,
    agreements,
    money: { currency, year: formatMinorUnits(year, currency), nextQuarter: formatMinorUnits(nextQuarter, currency) },
    without: i === 0 ? told : null,
  }))
}

function averagesOf({ agreements, year, nextQuarter }: Averages): NonNullable<PortfolioRow['without']> {
  return { agreements, yearPct: averageOf(year), nextQuarterPct: averageOf(nextQuarter) }
}

const pctDigits = 2

function averageOf(values: readonly Ratio[]): string | null {
  if (values.length === 0) return null
  const total = values.reduce((sum, each) => add(sum, each), zero)
  return formatFixed(divide(total, ofInteger(values.length)), pctDigits)
}

function sizeOf({ money, without }: PortfolioRow): Ratio {
  return absolute(ratio(money?.year ?? without?.yearPct ?? '0'))
}

function firstOf(rows: readonly PortfolioRow[]): PortfolioRows {
  const { rows: most } = limits.portfolio
  return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) }
}

function note(owed: Map<string, { toSupplier: Ratio; toBuyer: Ratio }>, currency: string, amount: Ratio): void {
  const known = owed.get(currency) ?? { toSupplier: zero, toBuyer: zero }
  if (amount.n > 0n) known.toSupplier = add(known.toSupplier, amount)
  else known.toBuyer = subtract(known.toBuyer, amount)
  owed.set(currency, known)
}

/** Late signatures and figures: a provisional number has no late signature, one that waits in time no late figure. */
function lateOf(seat: Seat, glance: AgreementGlance, entries: readonly DueEntry[], today: Day): Portfolio['late'] {
  const { lateDays: days } = limits.portfolio
  const before = formatDay(today - days)
  const provisional = new Set(
    entries
      .filter(({ now }) => now.isProvisional)
      .map(({ agreement, due }) => `${agreement.id} ${formatDay(due.date)}`),
  )
  const late = (id: string, periods: readonly number[]) =>
    periods.map(each => unpackPeriod(each).date).filter(date => date < before && !provisional.has(`${id} ${date}`))
  const heldUp = entries.filter(({ due, now }) => due.date <= today && due.gap === null && isHeldUp(now.state))
  let [periods, mine] = [0, 0]
  let oldest: string | null = null
  for (const waiting of waitingAgreements(seat, glance)) {
    const { id } = waiting.agreement
    const [own, others] = [late(id, waiting.periods.mine), late(id, waiting.periods.others)]
    mine += own.length
    periods += own.length + others.length
    for (const date of [own[0], others[0]]) if (date !== undefined && (oldest === null || date < oldest)) oldest = date
  }
  return { periods, mine, oldest, days, missing: new Set(heldUp.map(({ agreement }) => agreement)).size }
}
