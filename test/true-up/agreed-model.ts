// An agreement of one item as somebody would keep it by hand: what was printed, signed, billed and corrected, in the order in
// which it happened, and what radar, revisions, ledger and corrections have to say. Shares no code with src: whole cents alone.

export const basePrice = 3_741n

interface Print {
  readonly at: number
  readonly tenths: bigint
}

interface Unit {
  readonly hundredths: bigint
  readonly billed: bigint
  readonly at: number
}

interface Period {
  readonly label: string
  readonly prints: Print[]
  readonly units: Unit[]
  signedAt: number | null
  settled: bigint
  /** What is posted as owed for its lines. */
  owed: bigint
}

export interface ModelCorrection {
  readonly at: number
  readonly isWaiver: boolean
  readonly periods: readonly {
    readonly label: string
    readonly before: bigint
    readonly after: bigint
    readonly amount: bigint | null
  }[]
}

export interface ModelRow {
  readonly label: string
  readonly kind: 'SIGNED_MOVED' | 'OPEN_MOVED'
  readonly priceBefore: bigint
  readonly priceAfter: bigint
  readonly amount: bigint | null
  readonly agreed: bigint
  readonly waived: bigint
  /** Null where nothing is left to agree on. */
  readonly left: { readonly amount: bigint | null } | null
}

export class AgreedModel {
  readonly periods: readonly Period[]
  readonly corrections: ModelCorrection[] = []
  #at = 0

  constructor(labels: readonly string[]) {
    this.periods = labels.map(label => ({ label, prints: [], units: [], signedAt: null, settled: 0n, owed: 0n }))
  }

  /** The place of what happened last. */
  get at(): number {
    return this.#at
  }

  print(place: number, tenths: bigint): void {
    this.periods[place]!.prints.push({ at: ++this.#at, tenths })
  }

  sign(place: number): void {
    const period = this.periods[place]!
    period.signedAt = ++this.#at
    period.settled = newest(period)
    period.owed = sum(period.units.map(unit => amountAt(unit, period.settled)))
  }

  bill(place: number, hundredths: bigint, billed: bigint): void {
    const period = this.periods[place]!
    const unit = { at: ++this.#at, hundredths, billed }
    period.units.push(unit)
    if (period.signedAt !== null) period.owed += amountAt(unit, period.settled)
  }

  /** What would be proposed now; empty where nothing is due. */
  due(): ModelCorrection['periods'] {
    return this.periods.flatMap(({ label, prints, units, signedAt, settled }) => {
      if (signedAt === null) return []
      const after = prints.at(-1)!.tenths
      if (price(settled) === price(after)) return []
      const moved = sum(units.map(unit => amountAt(unit, after) - amountAt(unit, settled)))
      return [{ label, before: settled, after, amount: units.length === 0 ? null : moved }]
    })
  }

  agree(isWaiver: boolean): ModelCorrection {
    const correction = { at: ++this.#at, isWaiver, periods: this.due() }
    for (const { label, after, amount } of correction.periods) {
      const period = this.periods.find(each => each.label === label)!
      period.settled = after
      period.owed += amount ?? 0n
    }
    this.corrections.push(correction)
    return correction
  }

  /** What was printed after something that happened did to prices. */
  radar(since: number): readonly ModelRow[] {
    return this.periods.flatMap((period): ModelRow[] => {
      const { label, prints, units, signedAt, settled } = period
      // A period that was signed later reads nothing older than what was signed.
      const known = Math.max(since, signedAt ?? 0)
      const before = prints.findLast(({ at }) => at <= known)?.tenths
      const after = prints.at(-1)?.tenths
      if (before === undefined || after === undefined || price(before) === price(after)) return []
      const settling = this.corrections.flatMap(({ at, isWaiver, periods }) => {
        const own = periods.find(each => each.label === label)
        return at > since && own !== undefined && own.after !== before ? [{ ...own, isWaiver }] : []
      })
      const from = settling.length > 0 ? settled : before
      const moved = sum(units.map(unit => amountAt(unit, after) - amountAt(unit, from)))
      const isLeft = settling.length === 0 || price(settled) !== price(after)
      const left = isLeft ? { amount: units.length === 0 ? null : moved } : null
      const parts = [...settling.map(({ amount }) => amount), ...(left === null ? [] : [left.amount])]
      const told = parts.filter(each => each !== null)
      return [
        {
          label,
          kind: signedAt === null ? 'OPEN_MOVED' : 'SIGNED_MOVED',
          priceBefore: price(before),
          priceAfter: price(after),
          amount: told.length === 0 ? null : sum(told),
          agreed: sum(settling.map(({ isWaiver, amount }) => (isWaiver ? 0n : (amount ?? 0n)))),
          waived: sum(settling.map(({ isWaiver, amount }) => (isWaiver ? (amount ?? 0n) : 0n))),
          left,
        },
      ]
    })
  }

  /** The sides of the ledger's equation, and what is due. */
  books(): Readonly<Record<'entitled' | 'provisional' | 'billed' | 'agreed' | 'waived' | 'due', bigint>> {
    const lines = (isSigned: boolean) =>
      this.periods.filter(({ signedAt }) => (signedAt !== null) === isSigned).flatMap(({ units }) => units)
    const billed = (units: readonly Unit[]) => sum(units.map(unit => unit.billed))
    const nets = (isWaiver: boolean) =>
      this.corrections
        .filter(each => each.isWaiver === isWaiver)
        .flatMap(({ periods }) => periods.map(({ amount }) => amount ?? 0n))
    return {
      entitled: sum(this.periods.map(({ owed }) => owed)),
      provisional: billed(lines(false)),
      billed: billed([...lines(true), ...lines(false)]),
      agreed: sum(nets(false)),
      waived: sum(nets(true)),
      due: sum(this.due().map(({ amount }) => amount ?? 0n)),
    }
  }

  price(place: number, which: 'settled' | 'newest'): bigint {
    const period = this.periods[place]!
    return price(which === 'settled' ? period.settled : newest(period))
  }
}

const newest = ({ prints }: Period) => prints.at(-1)!.tenths
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

/** Half away from nothing. */
function round(n: bigint, d: bigint): bigint {
  const half = n < 0n ? -d / 2n : d / 2n
  return (n + half) / d
}

/** In cents, under a figure in tenths of a point on a base of 100. */
function price(tenths: bigint): bigint {
  return round(basePrice * tenths, 1_000n)
}

function amountAt({ hundredths }: Unit, tenths: bigint): bigint {
  return round(hundredths * price(tenths), 100n)
}

export function writeCents(cents: bigint): string {
  const digits = `${cents < 0n ? -cents : cents}`.padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
