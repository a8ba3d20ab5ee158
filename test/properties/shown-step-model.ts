// What every place has to show of the steps of an agreement, from receipts, agreed corrections and declared quantities alone. It
// computes with whole numbers of its own, and has the words of decision 0830 written out once more.

/** A fraction; the denominator is positive. */
interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

/** What is known of a period without any page that shows it. */
export interface PeriodFacts {
  readonly period: string
  /** Of its receipt, exact: a decimal or `n/d`. */
  readonly factor: string
  /** What its receipt goes on from. */
  readonly factorBefore: string
  /** Of the last agreed correction of it. */
  readonly corrected: string | null
  readonly signedBy: readonly string[]
  /** Declared for it. */
  readonly quantity: string | null
}

export interface AgreementFacts {
  readonly price: string
  readonly decimals: number
  /** The only item of its price list; the agreement itself has no other. */
  readonly item: { readonly price: string; readonly decimals: number }
  readonly level: string
  readonly periods: readonly PeriodFacts[]
}

/** All of it as texts. */
export interface ExpectedStep {
  readonly period: string
  readonly isAgreed: boolean
  readonly priceBefore: string
  readonly price: string
  readonly changePct: string | null
  /** Of an open period. */
  readonly settled: string
  readonly paidPct: string | null
  readonly effect: string | null
  readonly paidEffect: string | null
  /** Left out where a correction made another receipt of it. */
  readonly words: string | null | undefined
}

function fraction(text: string): Fraction {
  const [n, d] = text.split('/') as [string, string?]
  if (d !== undefined) return { n: BigInt(n), d: BigInt(d) }
  const [whole, decimals = ''] = n.split('.') as [string, string?]
  return { n: BigInt(`${whole}${decimals}`), d: 10n ** BigInt(decimals.length) }
}

const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
const less = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d })

/** Half up, away from zero. */
function write({ n, d }: Fraction, decimals: number): string {
  const scaled = (n < 0n ? -n : n) * 10n ** BigInt(decimals)
  const digits = ((2n * scaled + d) / (2n * d)).toString().padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return n < 0n && /[1-9]/.test(text) ? `-${text}` : text
}

function changeOf(before: string, after: string): string | null {
  const [from, to] = [fraction(before), fraction(after)]
  if (from.n === 0n) return null
  return write({ n: (to.n * from.d - from.n * to.d) * 100n, d: to.d * from.n }, 2)
}

const readable = (figure: string) => figure.replace('-', '−')
const pct = (figure: string | null) =>
  figure === null ? '–' : `${/^[^-].*[1-9]|^[1-9]/.test(figure) ? '+' : ''}${readable(figure)}\u202f%`

const mostBetween = 2

export function expectedSteps(facts: AgreementFacts, viewer: 'buyer' | 'supplier' | null): readonly ExpectedStep[] {
  const own = (factor: string) => write(times(fraction(facts.price), fraction(factor)), facts.decimals)
  const ofItem = (factor: string) => write(times(fraction(facts.item.price), fraction(factor)), facts.item.decimals)
  const standing = facts.periods.map(({ factor, corrected, signedBy }) => {
    const isAgreed = signedBy.length === 2
    return { isAgreed, factor: isAgreed ? (corrected ?? factor) : factor }
  })
  const newest = standing.findLastIndex(({ isAgreed }) => isAgreed)
  const settledFactor = newest < 0 ? '1' : standing[newest]!.factor
  const money = (quantity: string | null, from: string, to: string) =>
    quantity === null ? null : write(times(fraction(quantity), less(fraction(ofItem(to)), fraction(ofItem(from)))), 2)
  return facts.periods.map(({ period, quantity, factorBefore, corrected }, i): ExpectedStep => {
    const { isAgreed, factor } = standing[i]!
    const before = i === 0 ? '1' : standing[i - 1]!.factor
    const settled = own(isAgreed ? before : settledFactor)
    const [priceBefore, price] = [own(before), own(factor)]
    const changePct = changeOf(priceBefore, price)
    const paidPct = changeOf(settled, price)
    const between = isAgreed ? [] : facts.periods.slice(newest + 1, i)
    const told = between.slice(-mostBetween).map(each => {
      return `${readable(own(each.factor))} (${each.period}, ${signedWords(each.signedBy, viewer)})`
    })
    const more = between.length - told.length
    const path = own(isAgreed ? factorBefore : facts.periods[newest + 1]!.factorBefore)
    const isHealed = path !== settled
    const way = [
      `${readable(settled)} settled`,
      ...(more === 0 ? [] : [`${more} more period${more === 1 ? '' : 's'}`]),
      ...told,
      readable(price),
    ].join(' → ')
    const said =
      between.length === 0
        ? `${way}: ${pct(changePct)}`
        : `${way} · ${pct(changePct)} on ${between.at(-1)!.period}, ${pct(paidPct)} on what is paid`
    const why = facts.level === 'HEAL' ? ' (HEAL)' : ''
    const healed = isHealed ? `. The path goes on from ${readable(path)} as the contract says${why}.` : ''
    return {
      period,
      isAgreed,
      priceBefore,
      price,
      changePct,
      settled,
      paidPct,
      effect: isAgreed ? null : money(quantity, before, factor),
      paidEffect: isAgreed ? null : money(quantity, settledFactor, factor),
      words: corrected !== null ? undefined : between.length === 0 && !isHealed ? null : `${said}${healed}`,
    }
  })
}

function signedWords(signedBy: readonly string[], viewer: string | null): string {
  if (viewer !== null && !signedBy.includes(viewer)) return 'part of this signature'
  const [signer] = signedBy
  if (signer === undefined) return 'signed by nobody'
  return signer === viewer ? 'signed by you' : `signed by the ${signer}`
}
