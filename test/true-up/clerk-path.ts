// The clerk's numbers: what was signed, what it comes to with other figures, and which figures are to blame. Every state keeps
// the one it went on from and the prints it read, so that anything can be worked out again with one figure put back. It shares
// no code with src, is slow and tries everything.
import { decimal, Fraction, one, zero } from '../oracle/numbers.ts'
import { dateOfPeriod, type History, type Kind, monthStart, type Print } from './history.ts'

/** What a period read and came to. */
interface Worked {
  readonly reading: Print
  readonly ratio: Fraction
  readonly before: Fraction
  readonly applied: Fraction
}

export interface State extends Worked {
  readonly period: number
  /** What it was compared with: the base, or the reading of the last period that was applied; null for the value 100. */
  readonly against: Print | null
  /** The print of the base, where it read the base itself. */
  readonly base: Print | null
  /** The last period whose adjustment was applied; null: none yet. */
  readonly last: State | null
  readonly from: State | null
  /** The day whose figures it read. */
  readonly knownOn: number
}

const base100: Print = { day: -9999, tag: 'F', tenths: 1000 }

/** Prints of a period that replace those it would read. */
type PutBack = (period: number, figure: string) => Print | null | undefined

export class ClerksPath {
  readonly #history: History
  readonly signed: State[] = []
  /** Signed when it was known that an earlier period had moved, or after a correction that put the level right. */
  readonly #knowing: boolean[] = []
  readonly #settled = new Map<number, State>()
  #rebased: State | null = null

  constructor(history: History) {
    this.#history = history
  }

  #signDay(i: number): number {
    return dateOfPeriod(this.#history, i) + this.#history.signAfter
  }

  // ——— the formula

  #work(kind: Kind, period: number, reading: Print, base: Print, from: State | null, knownOn: number): State {
    const before = from?.applied ?? one
    const last = from === null ? null : from.last
    const isChained = kind.startsWith('CHAINED')
    const isOnLast = isChained && last !== null
    const against = isOnLast ? last.reading : base
    const ratio = value(reading).div(value(against))
    const target = isChained ? before.mul(ratio) : ratio
    let step = target.div(before).sub(one)
    let isApplied = true
    if (kind.endsWith('THRESHOLD')) isApplied = step.abs().compare(decimal('0.03')) > 0
    if (kind.endsWith('CAP') && step.compare(decimal('0.04')) > 0) step = decimal('0.04')
    if (kind.endsWith('FLOOR') && step.compare(zero) < 0) step = zero
    const applied = isApplied ? before.mul(step.add(one)) : before
    const isOwnBase = !isOnLast && base !== base100
    const worked = {
      period,
      reading,
      against: against === base100 ? null : against,
      ratio,
      before,
      applied,
      from,
      knownOn,
    }
    const state: { -readonly [K in keyof State]: State[K] } = { ...worked, base: isOwnBase ? base : null, last }
    if (isApplied) state.last = state
    return state
  }

  sign(i: number): void {
    const { kind, figures, base } = this.#history
    const day = this.#signDay(i)
    const newest = (prints: readonly Print[]) => prints.findLast(print => print.day <= day)!
    const from = this.#rebased ?? this.signed.at(-1) ?? null
    this.#knowing.push(this.#rebased !== null || this.#haveMoved(i, day))
    this.#rebased = null
    const ownBase = base === null ? base100 : newest(base)
    this.signed.push(this.#work(kind, i, newest(figures[i]!), ownBase, from, day))
  }

  #haveMoved(i: number, day: number): boolean {
    const path = this.#path(day, { isBoundary: true, heals: true })
    return path.some((now, k) => k < i && now !== null && !isSame(now, this.signed[k]!))
  }

  // ——— restating

  #heals(day: number): boolean {
    const { policy, healsFrom } = this.#history
    return policy?.level !== 'REBASE' || (healsFrom !== null && healsFrom <= day)
  }

  restate(day: number): (State | null)[] {
    return this.#path(day, { isBoundary: false, heals: this.#heals(day) })
  }

  /** `putBack` has prints that replace others; it is asked for periods from `first` on. */
  #path(day: number, how: { readonly isBoundary: boolean; readonly heals: boolean }): (State | null)[] {
    const path: (State | null)[] = []
    for (const i of this.signed.keys()) {
      const previous = i === 0 ? null : path[i - 1]!
      const goesOn = i > 0 && previous !== null && !(how.heals && this.#knowing[i])
      const receipt = how.isBoundary ? this.signed[i]! : this.stateOf(i)
      path.push(this.#again(i, goesOn ? previous : receipt.from, day, how.isBoundary))
    }
    return path
  }

  #again(i: number, from: State | null, day: number, isBoundary: boolean, putBack?: PutBack): State | null {
    const { kind, figures, base } = this.#history
    const signed = this.signed[i]!
    const choose = (figure: string, prints: readonly Print[], floor: Print | null) => {
      const other = putBack?.(i, figure)
      return other === undefined ? this.#choose(prints, floor, day, isBoundary) : other
    }
    const reading = choose(`figure ${i}`, figures[i]!, signed.reading)
    // A base that the receipt did not read cannot be used as a floor.
    const ownBase = base === null ? base100 : choose('base', base, signed.base)
    const needsBase = !kind.startsWith('CHAINED') || from === null || from.last === null
    if (reading === null || (needsBase && ownBase === null)) return null
    return this.#work(kind, i, reading, ownBase ?? base100, from, day)
  }

  #choose(prints: readonly Print[], floor: Print | null, day: number, isBoundary: boolean): Print | null {
    const by = isBoundary ? day : Math.min(day, this.#publishedBy(day))
    const from = floor === null ? 0 : prints.indexOf(floor)
    const known = prints.filter((print, at) => print === floor || (at >= from && print.day <= by))
    const newest = known.at(-1)
    if (newest === undefined || newest.tenths === null) return null
    const isFinal = this.#history.policy?.when === 'FINAL'
    return (isFinal ? known.findLast(({ tag, tenths }) => tag === 'F' && tenths !== null) : undefined) ?? newest
  }

  /** YEARLY on 31 March; END 60 days after the last day of the second month after the last date. */
  #publishedBy(day: number): number {
    const { policy, isEnding } = this.#history
    if (policy?.when === 'YEARLY') {
      const marches = Array.from({ length: 12 }, (_, year) => monthStart(12 * year - 12 + 3) - 1)
      return Math.max(...marches.filter(march => march < day))
    }
    if (policy?.when !== 'END') return day
    const patience = endDay(this.#history) + 60
    return isEnding && patience < day ? patience : -99_999
  }

  // ——— settling

  /** By the last correction, else as it was signed. */
  stateOf(i: number): State {
    return this.#settled.get(i) ?? this.signed[i]!
  }

  /** Both agree on new numbers; with REBASE what is signed next goes on from the newest of the path. */
  settle(states: readonly State[], path: readonly (State | null)[], day: number): void {
    for (const state of states) this.#settled.set(state.period, state)
    if (!this.#heals(day)) this.#rebased = path.at(-1) ?? this.stateOf(path.length - 1)
  }

  // ——— who is to blame

  /** The figures behind the difference of a period to what is settled, each as it was and as it is. */
  causes(path: readonly (State | null)[], i: number, day: number): Map<string, readonly [Print | null, Print]> {
    const settled = this.stateOf(i)
    const own = this.#changes(path[i]!, settled, i)
    const first = this.#firstOf(path, i, day)
    const earlier = new Map<string, readonly [Print | null, Print]>()
    for (let k = first; k < i; k++)
      for (const [figure, change] of this.#changes(path[k]!, settled, k))
        if (!own.has(figure) && !earlier.has(figure)) earlier.set(figure, change)
    const moves = (figures: ReadonlySet<string>) => this.#moves(path, first, i, day, settled, figures)
    const single = [...earlier].filter(([figure]) => moves(new Set([figure])))
    const isJoint = single.length === 0 && (own.size === 0 || moves(new Set(earlier.keys())))
    const found = new Map([...own, ...(isJoint ? earlier : single)])
    if (found.size > 0) return found
    const { base } = path[i]!
    return base === null || settled.base !== null ? found : new Map([['base', [null, base] as const]])
  }

  /** The first period from which on each goes on from the one before it, up to this one. */
  #firstOf(path: readonly (State | null)[], i: number, day: number): number {
    let first = i
    while (first > 0 && path[first - 1] !== null && !(this.#heals(day) && this.#knowing[first])) first--
    return first
  }

  #changes(now: State, settled: State, k: number): Map<string, readonly [Print | null, Print]> {
    const found = new Map<string, readonly [Print | null, Print]>()
    for (const [figure, print] of readBy(now)) {
      const before = this.#asSettled(settled, k, figure)
      if (before === null || before.tenths !== print.tenths) found.set(figure, [before, print])
    }
    return found
  }

  /** What the settled number rests on: the print its chain read in a period, else the newest there was. */
  #asSettled(settled: State, k: number, figure: string): Print | null {
    let node: State | null = settled
    while (node !== null && node.period !== k) node = node.from
    const read = node === null ? undefined : readBy(node).get(figure)
    if (read !== undefined) return read
    const prints = figure === 'base' ? this.#history.base! : this.#history.figures[k]!
    const newest = prints.findLast(print => print.day <= (node ?? settled).knownOn)
    return newest === undefined || newest.tenths === null ? null : newest
  }

  /** Whether the number comes out differently with some figures as they were. */
  #moves(
    path: readonly (State | null)[],
    first: number,
    i: number,
    day: number,
    settled: State,
    figures: ReadonlySet<string>,
  ): boolean {
    let state: State | null = path[first]!.from
    for (let k = first; k <= i; k++) {
      const putBack = (_: number, figure: string) =>
        figures.has(figure) ? this.#asSettled(settled, k, figure) : undefined
      state = this.#again(k, state, day, false, putBack)
      if (state === null) return true
    }
    return !state!.applied.equals(path[i]!.applied)
  }
}

/** What a period read itself, without what it went on from. */
function readBy({ period, reading, base }: State): Map<string, Print> {
  return new Map([[`figure ${period}`, reading], ...(base === null ? [] : [['base', base] as const])])
}

/** The contract's last day, where it ends. */
export function endDay(history: Pick<History, 'months' | 'figures'>): number {
  return dateOfPeriod(history, history.figures.length - 1) + 20
}

function value({ tenths }: Print): Fraction {
  return new Fraction(BigInt(tenths!), 10n)
}

function isSame(a: State, b: State): boolean {
  const worked = (x: Worked, y: Worked) =>
    value(x.reading).equals(value(y.reading)) &&
    x.ratio.equals(y.ratio) &&
    x.before.equals(y.before) &&
    x.applied.equals(y.applied)
  if (!worked(a, b)) return false
  if (a.last === null || b.last === null) return a.last === b.last
  return a.last.period === b.last.period && worked(a.last, b.last)
}
