// Twenty agreements, sixty mistakes in lines that bill them, and right lines as well. What is billed is computed here
// from edited documents and tables and by whole numbers, not by the code that finds the mistakes.

import type { BookedAgreement } from '../../../src/core/invoices/agreement-book.ts'
import { type ReasonCode, reasonCodes } from '../../../src/core/invoices/hypotheses.ts'
import type { LineTexts } from '../../../src/core/invoices/invoice-line.ts'
import { type RoundingMode, ratio } from '../../../src/core/numbers/ratio.ts'
import type { Calculation } from '../../../src/core/receipt/calculation.ts'
import { type Day, formatDay, parseDay } from '../../../src/core/time/day.ts'
import { formatPeriod, parsePeriod, shift } from '../../../src/core/time/period.ts'
import { Chance, suiteSeed } from '../../faults/chance.ts'
import { evaluateVersions, lineOf } from './evaluate-text.ts'
import { formulaAgreement } from './invoice-check.ts'
import { listVersion } from './priced-agreement.ts'

export interface Observation {
  readonly series: string
  readonly period: string
  readonly value: string
  readonly version: string
  readonly published: string
}

export interface Case {
  readonly slug: string
  readonly documents: readonly string[]
  readonly rows: readonly Observation[]
  readonly booked: BookedAgreement
  /** When each period was signed by both, in days after its date. */
  readonly signedAfter: number
}

const today = '2025-06-01'
export const quarters = ['2024-Q2', '2024-Q3', '2024-Q4', '2025-Q1', '2025-Q2']
export const dateOf: Readonly<Record<string, Day>> = Object.fromEntries(
  quarters.map(label => [
    label,
    parseDay(`${label.slice(0, 4)}-${{ Q1: '01', Q2: '04', Q3: '07', Q4: '10' }[label.slice(5)]}-01`)!,
  ]),
)

/** Months that drift upward, each printed twice; and a rate of exchange. */
function makeRows(chance: Chance): Observation[] {
  const first = parsePeriod('2023-10')!
  let [level, rate] = [1000 + chance.int(0, 500), 1080]
  return Array.from({ length: 22 }, (_, i) => {
    const period = shift(first, i)
    const next = parseDay(`${formatPeriod(shift(period, 1))}-01`)!
    level += chance.int(11, 39)
    rate += chance.int(-9, 7)
    const tenth = (value: number) => `${Math.floor(value / 10)}.${value % 10}`
    const row = { series: 'CUSTOM/steel', period: formatPeriod(period) }
    return [
      { ...row, value: tenth(level + chance.int(3, 9)), version: 'PRELIMINARY', published: formatDay(next + 4) },
      { ...row, value: tenth(level), version: 'FINAL', published: formatDay(next + 39) },
      {
        series: 'CUSTOM/fx',
        period: row.period,
        value: `${Math.floor(rate / 1000)}.${rate % 1000}`,
        version: 'FINAL',
        published: formatDay(next),
      },
    ]
  }).flat()
}

export const tableOf = (rows: readonly Observation[]) =>
  `series,period,value,version,published\n${rows.map(row => Object.values(row).join()).join('\n')}\n`

const clauses = [
  '{ fixed: 0.2, cap: { periodPct: 2 } }',
  '{ fixed: 0.2, basis: CHAINED, cap: { periodPct: 3 }, threshold: { pct: 1, test: REACHES, pays: ALL } }',
  '{ fixed: 0.2, floor: { periodPct: 9 } }',
  '{ fixed: 0.2 }',
]

function documentOf(slug: string, clause: string, more: string): string {
  return `slug: ${slug}
name: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2025-06-30, frequency: QUARTERLY, price: { amount: 500, currency: EUR, unit: piece } }
inputs: { steel: { series: CUSTOM/steel, weight: 0.8, base: 2023-12, lag: 1 month${more} } }
clause: ${clause}
`
}

const convert = ', convert: { fx: CUSTOM/fx, operation: DIVIDE }'

/** Of an item: base price, its share that moves, its base, and the quantity from which it counts. */
const items = {
  'FIX-1': { price: '812.3456', share: '0.85', base: 'start', from: '0' },
  'FIX-1 many': { price: '799.1357', share: '0.85', base: 'start', from: '500' },
  'NEW-1': { price: '95.1234', share: '1', base: '2024-Q2', from: '0' },
  'ALT-1': { price: '613.0077', share: '0.6', base: 'start', from: '0' },
} as const
type Item = keyof typeof items

export const list = `item,price,currency,share,base,from_quantity,round\n${Object.entries(items)
  .map(([key, { price, share, base, from }]) => `${key.replace(' many', '')},${price},EUR,${share},${base},${from},4\n`)
  .join('')}`

function makeCase(number: number): Case {
  const chance = new Chance(suiteSeed + number)
  const slug = `agreement-${number}`
  const rows = makeRows(chance)
  const clause = clauses[number % clauses.length]!
  const plain = documentOf(slug, clause, number % 5 === 4 ? convert : '')
  const changed = `${documentOf(slug, clause.replace('0.2', '0.3'), number % 5 === 4 ? convert : '').replace('0.8', '0.7')}effectiveFrom: 2024-10-01\n`
  const documents = number % 3 === 0 ? [plain, changed] : [plain]
  const signedAfter = number % 2 === 0 ? 20 : 60
  const agreed = Object.fromEntries(
    quarters.slice(0, -1).map(label => [label, formatDay(dateOf[label]! + signedAfter)]),
  )
  const booked = formulaAgreement({
    versions: documents.map(text => ({ text })),
    table: tableOf(rows),
    today,
    lists: [listVersion(list)],
    agreed,
  })
  return { slug, documents, rows, booked, signedAfter }
}

export const cases = Array.from({ length: 20 }, (_, i) => makeCase(i))

const calculations = new Map<string, Calculation>()

/** The factor of a period by documents and rows alone, with what was published by a day. */
function factorOf(documents: readonly string[], rows: readonly Observation[], label: string, by: Day): string {
  if (label === 'start') return '1'
  const table = tableOf(rows.filter(({ published }) => published <= formatDay(by)))
  const key = [by, table, ...documents].join('\n')
  const calculation = calculations.get(key) ?? evaluateVersions(documents, table, { asOf: formatDay(by) })
  calculations.set(key, calculation)
  return lineOf(calculation, label, 'applied').replace('…', '')
}

interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

function fraction(text: string): Fraction {
  const [whole, part = ''] = text.split('.') as [string, string?]
  return { n: BigInt(whole + part), d: 10n ** BigInt(part.length) }
}

const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n })

/** Positive numbers only: half up, or cut. */
function rounded({ n, d }: Fraction, dp: number, mode: Extract<RoundingMode, 'HALF_UP' | 'DOWN'> = 'HALF_UP'): string {
  const scaled = n * 10n ** BigInt(dp)
  const units = mode === 'DOWN' ? scaled / d : (2n * scaled + d) / (2n * d)
  const text = units.toString().padStart(dp + 1, '0')
  return dp === 0 ? text : `${text.slice(0, -dp)}.${text.slice(-dp)}`
}

function moved(item: Item, movement: Fraction): Fraction {
  const [price, share] = [fraction(items[item].price), fraction(items[item].share)]
  // price × ((1 − share) + share × movement)
  const all = share.d * movement.d
  return times(price, { n: (share.d - share.n) * movement.d + share.n * movement.n, d: all })
}

/** F(period) ÷ F(base) of an item as both signed it. */
class Signed {
  readonly #of: Case

  constructor(of: Case) {
    this.#of = of
  }

  factor(label: string, documents = this.#of.documents, rows = this.#of.rows, by?: Day): Fraction {
    const { signedAfter } = this.#of
    const signed = label === 'start' || label === quarters.at(-1) ? parseDay(today)! : dateOf[label]! + signedAfter
    return fraction(factorOf(documents, rows, label, by ?? signed))
  }

  /** As computed on one day from edited documents or rows. */
  read(item: Item, label: string, documents: readonly string[], rows: readonly Observation[], by: Day): Fraction {
    return over(this.factor(label, documents, rows, by), this.factor(items[item].base, documents, rows, by))
  }

  movement(item: Item, label: string): Fraction {
    return over(this.factor(label), this.factor(items[item].base))
  }
}

export interface Planted {
  readonly line: LineTexts
  readonly booked?: BookedAgreement
}

/** What is billed under a mistake for an item in 2024-Q4; null where this agreement cannot make it. */
function plant(code: ReasonCode, of: Case, item: Item): Planted | null {
  const signed = new Signed(of)
  const label = '2024-Q4'
  const [before, after] = ['2024-Q3', '2025-Q1']
  const movement = signed.movement(item, label)
  const own = over(signed.factor(label), signed.factor(before))
  const right = rounded(moved(item, movement), 4)
  const by = dateOf[label]! + of.signedAfter
  const line = (unitPrice: string, more: LineTexts = {}): Planted | null =>
    unitPrice === right ? null : { line: { unitPrice, quantity: '300', ...more } }
  const priced = (by: Fraction) => line(rounded(moved(item, by), 4))
  const edited = (edit: (text: string) => string) => {
    const documents = of.documents.map(edit)
    if (documents.join() === of.documents.join()) return null
    return priced(signed.read(item, label, documents, of.rows, by))
  }
  switch (code) {
    case 'PERIOD_BEFORE':
      return priced(signed.movement(item, before))
    case 'PERIOD_AFTER':
      return priced(signed.movement(item, after))
    case 'BEFORE_CORRECTION':
      return corrected(of, label, price => line(price), item, signed)
    case 'NO_ADJUSTMENT':
      return line(items[item].price)
    case 'STEP_ONLY':
      return priced(own)
    case 'TWICE':
      return priced(times(movement, own))
    case 'ROUNDING':
      return line(rounded(moved(item, movement), 4, 'DOWN')) ?? line(rounded(moved(item, movement), 3))
    case 'VINTAGE': {
      const isLate = of.signedAfter === 20
      const rows = of.rows.filter(
        ({ series, version }) => series === 'CUSTOM/fx' || version === (isLate ? 'FINAL' : 'PRELIMINARY'),
      )
      return priced(signed.read(item, label, of.documents, rows, parseDay(today)!))
    }
    case 'CONTROL_LEFT_OUT':
      return edited(text => text.replace(/(?:cap|floor): \{ periodPct: \d+ \},? ?/, '').replace(', }', ' }'))
    case 'LAG':
      return edited(text => text.replace('lag: 1 month', 'lag: 2 months'))
    case 'BASIS':
      return edited(text =>
        text.includes('basis: CHAINED, ')
          ? text.replace('basis: CHAINED, ', '')
          : text.replace('{ fixed', '{ basis: CHAINED, fixed'),
      )
    case 'PER':
      return line(rounded(times(fraction(right), { n: 100n, d: 1n }), 2))
    case 'UNIT':
      return { line: { unitPrice: right, quantity: '3', unit: 'crate' } }
    case 'QUANTITY_STEP':
      return item === 'FIX-1' ? line(rounded(moved('FIX-1 many', movement), 4)) : null
    case 'OTHER_ITEM':
      return line(rounded(moved('ALT-1', signed.movement('ALT-1', label)), 4))
    case 'CURRENCY':
      return edited(text => text.replace(convert, ''))
    case 'VERSION_BEFORE':
      return of.documents.length === 1 ? null : priced(signed.read(item, label, of.documents.slice(0, 1), of.rows, by))
  }
}

/** The same agreement with a correction agreed for a period: before it, the factor was another one. */
function corrected(
  { booked }: Case,
  label: string,
  line: (price: string) => Planted | null,
  item: Item,
  signed: Signed,
): Planted | null {
  const beforeCorrection = ratio('1.0123')
  const periods = booked.agreement.periods.map(period =>
    period.period === label && 'factor' in period.number
      ? { ...period, number: { ...period.number, beforeCorrection } }
      : period,
  )
  const planted = line(rounded(moved(item, over({ n: 10_123n, d: 10_000n }, signed.factor(items[item].base))), 4))
  return planted === null ? null : { ...planted, booked: { ...booked, agreement: { ...booked.agreement, periods } } }
}

export const units = [{ unit: 'crate', other: 'piece', factor: ratio('48') }]

export interface PlantedMistake {
  readonly of: Case
  readonly code: ReasonCode
  readonly item: string
  readonly planted: Planted
}

/** Three in each agreement, every mistake of these in turn wherever it can be made. */
export function plantAll(wanted: readonly ReasonCode[]): PlantedMistake[] {
  const counts = new Map(wanted.map(code => [code, 0]))
  return cases.flatMap((of, number) => {
    const item: Item = number % 2 === 0 ? 'FIX-1' : 'NEW-1'
    const rarest = [...wanted].sort((a, b) => counts.get(a)! - counts.get(b)!)
    const found: PlantedMistake[] = []
    for (const code of rarest) {
      const planted = found.length === 3 ? null : plant(code, of, item)
      if (planted === null || isAmbiguous(code, of, item, planted)) continue
      counts.set(code, counts.get(code)! + 1)
      found.push({ of, code, item, planted })
    }
    return found
  })
}

/** If an earlier mistake gives exactly the same price, it is right to name that one. */
function isAmbiguous(code: ReasonCode, of: Case, item: Item, { line }: Planted): boolean {
  const earlier = reasonCodes.slice(0, reasonCodes.indexOf(code)).filter(each => each !== 'BEFORE_CORRECTION')
  return earlier.some(each => line.unit === undefined && plant(each, of, item)?.line.unitPrice === line.unitPrice)
}

/** A thousand lines that bill what was agreed, in several ways of writing it. */
export function rightLines(): LineTexts[] {
  const chance = new Chance(suiteSeed)
  return Array.from({ length: 1_000 }, (_, i) => {
    const of = cases[i % cases.length]!
    const label = chance.pick(['start', ...quarters.slice(0, -1)])
    const item = chance.pick(['FIX-1', 'NEW-1', 'ALT-1'] as const)
    const price = rounded(moved(item, new Signed(of).movement(item, label)), 4)
    const quantity = chance.int(1, 499)
    const amount = rounded(times(fraction(price), { n: BigInt(quantity), d: 1n }), 2)
    const date = formatDay((label === 'start' ? parseDay('2024-01-01')! : dateOf[label]!) + chance.int(0, 89))
    const texts: LineTexts = { agreement: of.slug, item, date, quantity: `${quantity}`, unitPrice: price, amount }
    const { unitPrice: _price, ...byAmount } = texts
    const { amount: _amount, ...byPrice } = texts
    return chance.pick([texts, byAmount, byPrice, { ...texts, unit: 'PIECE', currency: 'EUR', per: '1.0' }])
  })
}
