// An independent true-up ledger: a clerk who goes through the days one by one with a book of balances. It shares no code with
// src: its own clauses, its own restating, its own money, on fractions of another library. It is slow and explains
// nothing.
import { Fraction, one, roundWhole } from '../oracle/numbers.ts'
import { ClerksPath, endDay, type State } from './clerk-path.ts'
import { dateOfPeriod, dayText, type History, type Line } from './history.ts'

type Account = 'entitled' | 'provisional' | 'billed' | 'billingDifferences' | 'agreed' | 'waived'
export type Book = Readonly<Record<Account, bigint>>
export type Open = Readonly<Record<'due' | 'waitingForFinal' | 'underMinimum' | 'lapsed', bigint>>

export interface ClerksReport {
  readonly signed: readonly Fraction[]
  /** At the end: null where a period cannot be restated. */
  readonly restated: readonly (Fraction | null)[]
  readonly corrections: readonly {
    readonly day: number
    readonly periods: readonly number[]
    readonly net: bigint | null
    readonly waived: boolean
  }[]
  /** At the end of each day that was looked at, and of the last. */
  readonly books: ReadonlyMap<number, Book>
  readonly open: Open
  /** The figures behind what had moved, on the days on which both agreed, before they did, and on the last. */
  readonly blamed: ReadonlyMap<number, string>
}

const decimalsOf = { EUR: 2, JPY: 0, KWD: 3 } as const

export class Clerk {
  readonly #history: History
  /** Of the adjustments, and of the one that follows. */
  readonly #dates: readonly number[]
  readonly #path: ClerksPath
  readonly #covered = new Set<number>()
  readonly #owed = new Map<number, bigint>()
  readonly #book: Record<Account, bigint> = {
    entitled: 0n,
    provisional: 0n,
    billed: 0n,
    billingDifferences: 0n,
    agreed: 0n,
    waived: 0n,
  }

  constructor(history: History) {
    this.#history = history
    this.#path = new ClerksPath(history)
    this.#dates = Array.from({ length: history.figures.length + 1 }, (_, i) => dateOfPeriod(history, i))
  }

  keep(): ClerksReport {
    const { lastDay, lines, agreeOn, lookOn, noteAfter, figures } = this.#history
    const books = new Map<number, Book>()
    const corrections: ClerksReport['corrections'][number][] = []
    const notes: { day: number; units: bigint }[] = []
    const blamed = new Map<number, string>()
    for (let day = 0; day <= lastDay; day++) {
      for (const i of figures.keys()) if (this.#signDay(i) === day) this.#path.sign(i)
      for (const line of lines) if (line.imported === day) this.#receive(line)
      for (const i of figures.keys()) if (this.#signDay(i) === day) this.#confirm(i)
      if (agreeOn.includes(day)) {
        blamed.set(day, this.#blame(day))
        const agreed = this.#agree(day)
        if (agreed !== null) {
          corrections.push(agreed)
          if (!agreed.waived && agreed.net !== null)
            for (const [i, units] of this.#parts(agreed.net).entries())
              notes.push({ day: day + noteAfter * (i + 1), units })
        }
      }
      for (const note of notes) {
        if (note.day !== day) continue
        this.#book.billed += note.units
        this.#book.agreed -= note.units
      }
      if (lookOn.includes(day) || day === lastDay) books.set(day, { ...this.#book })
    }
    const restated = this.#path.restate(lastDay).map(each => (each === null ? null : each.applied))
    return {
      signed: this.#path.signed.map(({ applied }) => applied),
      restated,
      corrections,
      books,
      open: this.#open(lastDay),
      blamed,
    }
  }

  #signDay(i: number): number {
    return this.#dates[i]! + this.#history.signAfter
  }

  // ——— money

  #units(line: Pick<Line, 'item' | 'quantity'>, factor: Fraction): bigint {
    const { currency } = this.#history
    const scale = new Fraction(10n ** BigInt(decimalsOf[currency]))
    return roundWhole(
      new Fraction(BigInt(line.quantity), 100n).mul(this.#price(line.item, factor)).mul(scale),
      'HALF_UP',
    )
  }

  #price(item: number, factor: Fraction): Fraction {
    const { hundredths, share } = this.#history.items[item]!
    const part = new Fraction(BigInt(share), 10n)
    const moved = new Fraction(BigInt(hundredths), 100n).mul(one.sub(part).add(part.mul(factor)))
    return new Fraction(roundWhole(moved.mul(new Fraction(100n)), 'HALF_UP'), 100n)
  }

  /** -1 before the first adjustment. */
  #periodOf(day: number): number {
    return this.#history.figures.findLastIndex((_, i) => this.#dates[i]! <= day)
  }

  #factorOf(period: number): Fraction {
    return period < 0 ? one : this.#path.stateOf(period).applied
  }

  /** Whether a line lies before the end of the last period that has a price. */
  #isPriced({ day }: Line): boolean {
    const { isEnding } = this.#history
    return day < this.#dates.at(-1)! && !(isEnding && day > endDay(this.#history))
  }

  #receive(line: Line): void {
    const billed = BigInt(line.billed)
    this.#book.billed += billed
    if (line.isCorrection) {
      this.#book.billingDifferences -= billed
      return
    }
    const period = this.#periodOf(line.day)
    if (period < this.#path.signed.length && this.#isPriced(line)) this.#owe(line, billed, period)
    else this.#book.provisional += billed
  }

  /** A period was signed in the morning: what waited for it is owed now. */
  #confirm(i: number): void {
    for (const line of this.#history.lines) {
      const isWaiting = !line.isCorrection && line.imported < this.#signDay(i) && this.#periodOf(line.day) === i
      if (!isWaiting || !this.#isPriced(line)) continue
      this.#book.provisional -= BigInt(line.billed)
      this.#owe(line, BigInt(line.billed), i)
    }
  }

  #owe(line: Line, billed: bigint, period: number): void {
    const units = this.#units(line, this.#factorOf(period))
    this.#owed.set(line.number, units)
    this.#book.entitled += units
    this.#book.billingDifferences += units - billed
  }

  // ——— what the contract says about it

  #moved(day: number) {
    const path = this.#path.restate(day)
    const { policy, items } = this.#history
    return path.flatMap((now, i) => {
      if (now === null) return []
      const settled = this.#factorOf(i)
      if (settled.equals(now.applied)) return []
      if (items.every((_, item) => this.#price(item, settled).equals(this.#price(item, now.applied)))) return []
      const causes = this.#path.causes(path, i, day)
      const newest = causes.size === 0 ? null : Math.max(...causes.values().map(([, after]) => after.day))
      const state = policy === null ? 'DUE' : this.#stateOf(i, now, newest, day)
      return [{ period: i, factor: now.applied, now, causes, state }]
    })
  }

  /** As it is told: each period, and the figures behind it from the settled to the new value. */
  #blame(day: number): string {
    const told = this.#moved(day).map(({ period, causes }) => {
      const figures = [...causes].map(([figure, [before, after]]) => `${figure} ${before?.tenths} ${after.tenths}`)
      return `${period}: ${figures.sort().join(', ')}`
    })
    return told.join('; ')
  }

  #stateOf(i: number, now: State, cause: number | null, day: number): keyof Open | 'none' | 'DUE' {
    const { policy, figures, base } = this.#history
    if (policy!.when === 'NONE') return 'none'
    if (policy!.when === 'FINAL' && this.#covered.has(i)) return 'none'
    if (this.#hasLapsed(i, cause, day)) return 'lapsed'
    const isWaiting = [now.reading, now.against].some(print => {
      if (print === null || print.tag !== 'P') return false
      const all = [...figures, ...(base === null ? [] : [base])].find(prints => prints.includes(print))!
      return !all.some(({ tag, tenths, day: out }) => tag !== 'P' && tenths !== null && out <= day)
    })
    return policy!.when === 'FINAL' && isWaiting ? 'waitingForFinal' : 'DUE'
  }

  #hasLapsed(i: number, cause: number | null, day: number): boolean {
    const within = this.#history.policy!.within
    if (within === null) return false
    if (within.of === 'PERIOD') return isOver(this.#dates[i]!, within.months, day)
    if (within.of === 'PUBLICATION') return cause !== null && isOver(cause, within.months, day)
    // Which period a line counts for: the one in force among those whose date has come.
    const own = this.#known(day).filter(line => Math.min(this.#periodOf(line.day), this.#periodOf(day)) === i)
    if (own.length === 0) return isOver(this.#dates[i]!, within.months, day)
    return own.every(line => this.#isGone(line, day))
  }

  #known(day: number): Line[] {
    return this.#history.lines.filter(line => !line.isCorrection && line.imported <= day)
  }

  #isGone({ day: billedOn }: Line, day: number): boolean {
    const within = this.#history.policy?.within ?? null
    return within?.of === 'INVOICE' && isOver(billedOn, within.months, day)
  }

  /** Of a period: its lines, else its declared quantity. */
  #differences(period: number, factor: Fraction, day: number, isGone: boolean): bigint[] {
    const settled = this.#factorOf(period)
    const all = this.#known(day).filter(line => this.#periodOf(line.day) === period && this.#isPriced(line))
    const between = (line: Pick<Line, 'item' | 'quantity'>) => this.#units(line, factor) - this.#units(line, settled)
    const lines = all.filter(line => this.#isGone(line, day) === isGone).map(between)
    if (isGone) return lines
    const declared = this.#history.quantities.filter(
      each => each.period === period && !all.some(line => line.item === each.item),
    )
    return [...lines, ...declared.map(between)]
  }

  #agree(day: number): ClerksReport['corrections'][number] | null {
    const { policy } = this.#history
    if (policy === null) return null
    const due = this.#moved(day).filter(({ state }) => state === 'DUE')
    if (due.length === 0) return null
    const amounts = due.flatMap(({ period, factor }) => this.#differences(period, factor, day, false))
    const net = amounts.length === 0 ? null : amounts.reduce((a, b) => a + b, 0n)
    const isUnder = this.#isUnder(net)
    if (isUnder && policy.min!.below === 'KEEP') return null
    for (const { period, factor } of due) {
      const settled = this.#factorOf(period)
      for (const line of this.#known(day))
        if (this.#periodOf(line.day) === period && this.#isPriced(line) && !this.#isGone(line, day))
          this.#owed.set(
            line.number,
            this.#owed.get(line.number)! + this.#units(line, factor) - this.#units(line, settled),
          )
    }
    const settled = due.map(({ now }) => now)
    this.#path.settle(settled, this.#path.restate(day), day)
    for (const { period } of due) this.#covered.add(period)
    this.#book.entitled += net ?? 0n
    this.#book[isUnder ? 'waived' : 'agreed'] += net ?? 0n
    return { day, periods: due.map(({ period }) => period), net, waived: isUnder }
  }

  #isUnder(net: bigint | null): boolean {
    const min = this.#history.policy?.min ?? null
    return min !== null && net !== null && (net < 0n ? -net : net) < BigInt(min.units)
  }

  #parts(net: bigint): bigint[] {
    const { spread } = this.#history.policy!
    if (spread === null) return [net]
    const parts = Array.from({ length: spread }, () => net / BigInt(spread))
    parts[spread - 1] = net - (net / BigInt(spread)) * BigInt(spread - 1)
    return parts
  }

  #open(day: number): Open {
    const open = { due: 0n, waitingForFinal: 0n, underMinimum: 0n, lapsed: 0n }
    const moved = this.#moved(day)
    const sumOf = (each: (typeof moved)[number], isGone: boolean) =>
      this.#differences(each.period, each.factor, day, isGone).reduce((a, b) => a + b, 0n)
    const due = moved.filter(({ state }) => state === 'DUE')
    const amounts = due.flatMap(({ period, factor }) => this.#differences(period, factor, day, false))
    const net = amounts.length === 0 ? null : amounts.reduce((a, b) => a + b, 0n)
    const isKept = this.#isUnder(net) && this.#history.policy!.min!.below === 'KEEP'
    for (const each of moved) {
      if (each.state === 'none') continue
      open[each.state === 'DUE' ? (isKept ? 'underMinimum' : 'due') : each.state] += sumOf(each, false)
      open.lapsed += sumOf(each, true)
    }
    for (const line of this.#known(day)) {
      const owed = this.#owed.get(line.number)
      if (owed !== undefined) open.lapsed += this.#units(line, this.#factorOf(this.#periodOf(line.day))) - owed
    }
    return open
  }
}

/** So many months after a day, clipped to the length of the month, to the end of that day. */
function isOver(from: number, months: number, day: number): boolean {
  const [year, month, date] = dayText(from)
    .split('-')
    .map(part => Number.parseInt(part, 10)) as [number, number, number]
  const length = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  const last = new Date(Date.UTC(year, month - 1 + months, Math.min(date, length))).toISOString().slice(0, 10)
  return last < dayText(day)
}

export function writeUnits(units: bigint, currency: History['currency']): string {
  const decimals = decimalsOf[currency]
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const sign = units < 0n ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
