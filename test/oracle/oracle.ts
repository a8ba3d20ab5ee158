// An independent opinion on the engine: from a document and observations to every period's percent, price and data
// version, computed on fraction.js directly from the sentences of docs/FORMULA.md. It has no explanations and no checks.
import {
  type Frequency,
  monthLength,
  moveMonths,
  parseDate,
  parts,
  startOf,
  wholeMonths,
  writeDate,
  writeLabel,
} from './calendar.ts'
import { atStart, type Carried, computeClause } from './clause.ts'
import type { ContractModel, DataModel, DocumentModel, Tag } from './document.ts'
import { type Environment, NotComputable, numberOf } from './expression.ts'
import { decimal, Fraction, hundred, isZero, one, roundAs } from './numbers.ts'
import { Reader, type Reading, type Sight } from './readings.ts'
import { storeAll, weakest } from './stored.ts'

export interface OpinionEntry {
  readonly period: string
  readonly date: string
  /** Null where the price before was 0. */
  readonly adjustmentPct: Fraction | null
  readonly cumulativePct: Fraction
  readonly price: Fraction | null
  readonly surcharge: Fraction | null
  readonly dataVersion: Tag
  /** The lines of the clause by their names, then the steps. */
  readonly lines: ReadonlyMap<string, Fraction>
  /** In a clause: each input's percent change against its base or last applied reading; null from a reading of 0. */
  readonly changes: ReadonlyMap<string, Fraction | null>
  /** Whether an adjustment counts as applied in this period. */
  readonly isApplied: boolean
}

export interface Opinion {
  readonly entries: readonly OpinionEntry[]
  readonly blocked: readonly { readonly period: string; readonly reason: string; readonly names: readonly string[] }[]
}

export interface Scenario {
  readonly document: DocumentModel
  readonly data: DataModel
  /** Only what was published by this day. */
  readonly asOf: string | null
  /** No adjustment date after this day. */
  readonly until: string
}

const namedMonths: Readonly<Record<string, number>> = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUAL: 6, ANNUAL: 12 }

/** The date this many periods after another, by the contract's frequency. */
function after(frequency: string, from: number, periods: number): number {
  if (frequency === 'DAILY') return from + periods
  if (frequency === 'WEEKLY') return from + 7 * periods
  const count = Number.parseInt(frequency, 10)
  if (/week/.test(frequency)) return from + 7 * count * periods
  return moveMonths(from, (namedMonths[frequency] ?? count) * periods)
}

/** The first date and how the others follow; null for dates that do not follow from a frequency. */
function rhythm({ start, frequency, firstAdjustment }: ContractModel): { from: number; first: number } | null {
  if (frequency === undefined || frequency === 'ONCE') return null
  return { from: parseDate(firstAdjustment ?? start), first: firstAdjustment === undefined ? 1 : 0 }
}

export function adjustmentDates({ contract, effectiveFrom }: DocumentModel, until: string): number[] {
  const { start, end, frequency, firstAdjustment, dates: listed } = contract
  const last = Math.min(parseDate(until), end === undefined ? Number.POSITIVE_INFINITY : parseDate(end))
  const governs = parseDate(effectiveFrom ?? start)
  const going = rhythm(contract)
  const dates: number[] = listed?.map(parseDate) ?? []
  if (going === null && listed === undefined) dates.push(parseDate(firstAdjustment!))
  if (going !== null)
    for (let i = going.first; after(frequency!, going.from, i) <= last; i++)
      dates.push(after(frequency!, going.from, i))
  return dates.filter(date => date >= governs && date <= last)
}

/** The day before which a period ends. */
function nextDate(contract: ContractModel, date: number): number | null {
  const going = rhythm(contract)
  const end = contract.end === undefined ? null : parseDate(contract.end) + 1
  if (contract.dates !== undefined) return contract.dates.map(parseDate).find(each => each > date) ?? end
  if (going === null) return end
  for (let i = going.first; ; i++) {
    const next = after(contract.frequency!, going.from, i)
    if (next > date) return next
  }
}

export function labelOf(frequency: string | undefined, date: number): string {
  const label: Frequency =
    frequency === undefined
      ? 'DAILY'
      : /week/i.test(frequency)
        ? 'WEEKLY'
        : frequency === 'DAILY' || frequency in namedMonths
          ? (frequency as Frequency)
          : 'MONTHLY'
  return writeLabel(label, startOf(label, date))
}

/** What is known when a period begins: everything that passes from one computed period to the next. */
interface Past {
  readonly previousDate: number | null
  readonly lastApplied: number | null
  readonly factor: Fraction
  readonly steps: ReadonlyMap<string, Fraction> | null
  readonly carried: Carried
  /** Every date so far with the factor that was applied. */
  readonly factors: readonly { readonly date: number; readonly applied: Fraction }[]
}

export function giveOpinion(scenario: Scenario): Opinion {
  const { document } = scenario
  const cut = scenario.asOf === null ? null : parseDate(scenario.asOf)
  const sights = new Map<number | null, Sight>()
  const look = (by: number | null) => {
    const day = by === null ? cut : cut === null ? by : Math.min(by, cut)
    const seen = sights.get(day) ?? { held: storeAll(scenario.data, day === null ? null : writeDate(day)), today: day }
    sights.set(day, seen)
    return seen
  }
  const start = parseDate(document.contract.start)
  const readers = new Map(
    Object.entries(document.inputs).map(([name, input]) => [name, new Reader(name, input, start, look)]),
  )
  const entries: OpinionEntry[] = []
  const blocked: { period: string; reason: string; names: readonly string[] }[] = []
  let past: Past = { previousDate: null, lastApplied: null, factor: one, steps: null, carried: atStart, factors: [] }
  for (const date of adjustmentDates(document, scenario.until)) {
    const period = labelOf(document.contract.frequency, date)
    try {
      const computed = new PeriodOpinion(document, readers, past, date).compute(period)
      entries.push(computed.entry)
      past = computed.past
    } catch (error) {
      if (!(error instanceof NotComputable)) throw error
      blocked.push({ period, reason: error.message, names: error.names })
    }
  }
  return { entries, blocked }
}

class PeriodOpinion implements Environment {
  readonly #document: DocumentModel
  readonly #readers: ReadonlyMap<string, Reader>
  readonly #past: Past
  readonly #date: number
  readonly #tags: Tag[] = []
  readonly #lines = new Map<string, Fraction>()

  constructor(document: DocumentModel, readers: ReadonlyMap<string, Reader>, past: Past, date: number) {
    this.#document = document
    this.#readers = readers
    this.#past = past
    this.#date = date
  }

  compute(period: string): { entry: OpinionEntry; past: Past } {
    const { clause, steps, result, contract } = this.#document
    const outcome = clause === undefined ? null : this.#clause()
    for (const step of steps ?? []) this.#lines.set(step.name, roundAs(numberOf(step.expr, this), step.round))
    const value = this.#lines.get(result?.step ?? 'applied')!
    const kind = result?.kind ?? 'FACTOR'
    const amount = contract.price === undefined ? null : decimal(contract.price.amount)
    const previous = this.#past.factor
    const factor = {
      FACTOR: () => value,
      PRICE: () => value.div(amount!),
      SURCHARGE: () => one.add(value.div(amount!)),
      CHANGE_PCT: () => previous.mul(one.add(value.div(hundred))),
    }[kind]()
    const unrounded = amount === null ? null : kind === 'PRICE' ? value : amount.mul(factor)
    const isApplied = outcome === null ? !factor.equals(previous) : outcome.applied
    const entry: OpinionEntry = {
      period,
      isApplied,
      date: writeDate(this.#date),
      adjustmentPct: isZero(previous) ? null : factor.div(previous).sub(one).mul(hundred),
      cumulativePct: factor.sub(one).mul(hundred),
      price: unrounded === null ? null : roundAs(unrounded, clause?.rounding?.price ?? contract.price?.round),
      surcharge: kind === 'SURCHARGE' ? value : null,
      dataVersion: weakest(this.#tags),
      lines: this.#lines,
      changes: this.#changes(),
    }
    return {
      entry,
      past: {
        previousDate: this.#date,
        lastApplied: isApplied ? this.#date : this.#past.lastApplied,
        factor,
        steps: this.#lines,
        carried: outcome?.carried ?? atStart,
        factors: [...this.#past.factors, { date: this.#date, applied: outcome?.carried.applied ?? one }],
      },
    }
  }

  #clause() {
    const chained = this.#document.clause!.basis === 'CHAINED'
    const outcome = computeClause(
      this.#document,
      {
        current: name => this.value(name),
        reference: name => this.value(`${name}.${chained ? 'last' : 'base'}`),
        number: text => this.value(text),
        factorOfYear: kind => this.#factorOfYear(kind),
      },
      this.#past.carried,
    )
    for (const [name, value] of outcome.lines) this.#lines.set(name, value)
    return outcome
  }

  /** Of the newest adjustment date not after the beginning of the year, else 1. */
  #factorOfYear(kind: 'CONTRACT' | 'ROLLING' | 'CALENDAR'): Fraction {
    const begins = () => {
      if (kind === 'CALENDAR') return parseDate(`${parts(this.#date).year}-01-01`)
      if (kind === 'ROLLING') return moveMonths(this.#date, -12)
      const { contract, effectiveFrom } = this.#document
      const from = parseDate(contract.restart === true ? (effectiveFrom ?? contract.start) : contract.start)
      return moveMonths(from, 12 * Math.floor(wholeMonths(from, this.#date) / 12))
    }
    const day = begins()
    return this.#past.factors.findLast(({ date }) => date <= day)?.applied ?? one
  }

  #changes(): Map<string, Fraction | null> {
    const { clause, inputs } = this.#document
    if (clause === undefined) return new Map()
    const weighted = Object.entries(inputs).filter(([, input]) => input.weight !== undefined)
    const reference = clause.basis === 'CHAINED' ? 'last' : 'base'
    return new Map(
      weighted.map(([name]) => {
        const from = this.value(`${name}.${reference}`)
        return [name, from.n === 0n ? null : this.value(name).div(from).sub(one).mul(hundred)]
      }),
    )
  }

  value(name: string): Fraction {
    if (/^[-\d]/.test(name)) return decimal(name)
    const [input, which = 'current'] = name.split('.') as [string, string?]
    const reader = this.#readers.get(input)
    if (reader !== undefined) return this.#reading(reader, which)
    const param = this.#document.params?.[name]
    if (param !== undefined) return this.#param(name)
    return this.#lines.get(name) ?? this.#everywhere(name)
  }

  #reading(reader: Reader, which: string): Fraction {
    const { previousDate, lastApplied } = this.#past
    const at =
      which === 'current' ? this.#date : which === 'prev' ? previousDate : which === 'last' ? lastApplied : null
    const reading: Reading = at === null ? reader.base() : reader.at(at)
    this.#tags.push(...reading.tags)
    return reading.value
  }

  #param(name: string): Fraction {
    const param = this.#document.params![name]!
    if (typeof param === 'string') return decimal(param)
    const entry = param.findLast(({ from }) => parseDate(from) <= this.#date)
    if (entry === undefined) throw new NotComputable(`${name} has no value yet`)
    return decimal(entry.value)
  }

  #everywhere(name: string): Fraction {
    const { contract } = this.#document
    const start = parseDate(contract.start)
    const { year, month, day } = parts(this.#date)
    switch (name) {
      case 'year':
        return new Fraction(year)
      case 'month':
        return new Fraction(month)
      case 'quarter':
        return new Fraction(Math.ceil(month / 3))
      case 'day':
        return new Fraction(day)
      case 'daysInMonth':
        return new Fraction(monthLength(year, month))
      case 'daysInYear':
        return new Fraction(parseDate(`${year + 1}-01-01`) - parseDate(`${year}-01-01`))
      case 'daysInPeriod': {
        const next = nextDate(contract, this.#date)
        if (next === null) throw new NotComputable('no date follows', ['daysInPeriod'])
        return new Fraction(next - this.#date)
      }
      case 'periodsSinceStart':
        return new Fraction(this.#periodsSince(start))
      case 'yearsSinceStart':
        return new Fraction(Math.floor(wholeMonths(start, this.#date) / 12))
      case 'daysSinceLast':
        return new Fraction(this.#date - (this.#past.lastApplied ?? this.#begins(start)))
      case 'price':
        return decimal(contract.price!.amount)
      default:
        throw new Error(`unknown name ${name}`)
    }
  }

  /** A price that was renegotiated counts from then. */
  #begins(start: number): number {
    const { contract, effectiveFrom } = this.#document
    return contract.restart === true && effectiveFrom !== undefined ? parseDate(effectiveFrom) : start
  }

  /** The largest number of periods from the start that does not pass the date. */
  #periodsSince(start: number): number {
    const { frequency, dates } = this.#document.contract
    if (dates !== undefined) return dates.filter(each => parseDate(each) <= this.#date).length
    if (frequency === 'ONCE') return 1
    let periods = 0
    while (after(frequency!, start, periods + 1) <= this.#date) periods++
    return periods
  }

  table(name: string, at: Fraction): Fraction {
    const row = this.#document.tables![name]!.find(({ below, atMost }) => {
      if (below !== undefined) return at.compare(decimal(below)) < 0
      return atMost === undefined || at.compare(decimal(atMost)) <= 0
    })
    return decimal(row!.value)
  }

  previous(step: string): Fraction | undefined {
    return this.#past.steps?.get(step)
  }
}
