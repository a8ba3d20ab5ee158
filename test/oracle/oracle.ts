// An independent opinion on the engine: from a document and observations to every period's percent, price and data
// version, computed on fraction.js directly from the sentences of formula.md. It has no explanations and no checks.
import {
  type Frequency,
  moveMonths,
  parseDate,
  parts,
  startOf,
  wholeMonths,
  writeDate,
  writeLabel,
} from './calendar.ts'
import { atStart, type Carried, computeClause } from './clause.ts'
import type { DataModel, DocumentModel, Tag } from './document.ts'
import { type Environment, NotComputable, numberOf, quotient } from './expression.ts'
import { holdAll, weakest } from './held.ts'
import { decimal, Fraction, hundred, one, roundAs } from './numbers.ts'
import { Reader, type Reading } from './readings.ts'

export interface OpinionEntry {
  readonly period: string
  readonly date: string
  readonly adjustmentPct: Fraction
  readonly cumulativePct: Fraction
  readonly price: Fraction | null
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

export interface Question {
  readonly document: DocumentModel
  readonly data: DataModel
  /** Only what was published by this day. */
  readonly asOf: string | null
  /** No adjustment date after this day. */
  readonly until: string
}

const namedMonths: Readonly<Record<string, number>> = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUAL: 6, ANNUAL: 12 }

function monthsBetween(frequency: string): number {
  return namedMonths[frequency] ?? Number.parseInt(frequency, 10)
}

export function adjustmentDates({ contract, effectiveFrom }: DocumentModel, until: string): number[] {
  const { start, end, frequency, firstAdjustment } = contract
  const last = Math.min(parseDate(until), end === undefined ? Number.POSITIVE_INFINITY : parseDate(end))
  const governs = parseDate(effectiveFrom ?? start)
  const dates: number[] = []
  if (frequency === 'ONCE') dates.push(parseDate(firstAdjustment!))
  else {
    const months = monthsBetween(frequency)
    const from = parseDate(firstAdjustment ?? start)
    for (let i = firstAdjustment === undefined ? 1 : 0; moveMonths(from, i * months) <= last; i++)
      dates.push(moveMonths(from, i * months))
  }
  return dates.filter(date => date >= governs && date <= last)
}

export function labelOf(frequency: string, date: number): string {
  const label: Frequency = frequency in namedMonths ? (frequency as Frequency) : 'MONTHLY'
  return writeLabel(label, startOf(label, date))
}

/** What is known when a period begins: everything that passes from one computed period to the next. */
interface Past {
  readonly previousDate: number | null
  readonly lastApplied: number | null
  readonly factor: Fraction
  readonly steps: ReadonlyMap<string, Fraction> | null
  readonly carried: Carried
}

export function giveOpinion(question: Question): Opinion {
  const { document } = question
  const held = holdAll(question.data, question.asOf)
  const readers = new Map(Object.entries(document.inputs).map(([name, input]) => [name, new Reader(name, input, held)]))
  const entries: OpinionEntry[] = []
  const blocked: { period: string; reason: string; names: readonly string[] }[] = []
  let past: Past = { previousDate: null, lastApplied: null, factor: one, steps: null, carried: atStart }
  for (const date of adjustmentDates(document, question.until)) {
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
    const factor =
      kind === 'FACTOR' ? value : kind === 'PRICE' ? value.div(amount!) : previous.mul(one.add(value.div(hundred)))
    const unrounded = amount === null ? null : kind === 'PRICE' ? value : amount.mul(factor)
    const isApplied = outcome === null ? !factor.equals(previous) : outcome.applied
    const entry: OpinionEntry = {
      period,
      isApplied,
      date: writeDate(this.#date),
      adjustmentPct: quotient(factor, previous).sub(one).mul(hundred),
      cumulativePct: factor.sub(one).mul(hundred),
      price: unrounded === null ? null : roundAs(unrounded, clause?.rounding?.price ?? contract.price?.round),
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
      },
      this.#past.carried,
    )
    for (const [name, value] of outcome.lines) this.#lines.set(name, value)
    return outcome
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
    const { year, month } = parts(this.#date)
    switch (name) {
      case 'year':
        return new Fraction(year)
      case 'month':
        return new Fraction(month)
      case 'quarter':
        return new Fraction(Math.ceil(month / 3))
      case 'periodsSinceStart':
        return new Fraction(Math.floor(wholeMonths(start, this.#date) / monthsBetween(contract.frequency)))
      case 'yearsSinceStart':
        return new Fraction(Math.floor(wholeMonths(start, this.#date) / 12))
      case 'daysSinceLast':
        return new Fraction(this.#date - (this.#past.lastApplied ?? start))
      case 'price':
        return decimal(contract.price!.amount)
      default:
        throw new Error(`unknown name ${name}`)
    }
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
