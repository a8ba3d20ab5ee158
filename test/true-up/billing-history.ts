// Random histories of what is billed under one agreement: invoice lines, corrections that are agreed, notes, correction lines and
// lines that undo others, with few numbers, suppliers, currencies and amounts, so that they meet often. Money is in cents.
import type { Chance } from '../faults/chance.ts'

/** Numbers of documents in several spellings each: what stands in one row is one number. */
export const spellings = [
  ['CN-1', 'cn-1', 'CN-01', 'ＣＮ-１', 'CN\u20111', 'C\u200bN-1 ', 'CN-1.', 'ＣN-٠١'],
  ['4711', '04711', '４７１１', '47\u00ad11', '\u202e4711', ' 4711'],
  ['CN1', 'cn01', 'CＮ1'],
  ['CN-10', 'cn-010'],
] as const

/** `nobody` is a name that no company has. */
export const suppliers = ['ohio-forge', 'graz-metal', 'nobody'] as const
export type Supplier = (typeof suppliers)[number]

export const currencies = ['EUR', 'USD'] as const
export type Currency = (typeof currencies)[number]

export interface DrawnLine {
  readonly id: string
  readonly day: number
  readonly isCorrection: boolean
  readonly supplier: Supplier
  /** Which number, and in which spelling. */
  readonly number: number
  readonly spelling: string
  readonly currency: Currency
  readonly cents: number
  /** Of an invoice line: pieces at 10.00 EUR. */
  readonly pieces: number
  /** The id of the line that it undoes. */
  readonly undoes: string | null
}

export interface DrawnNote {
  readonly id: string
  readonly day: number
  readonly supplier: Supplier
  readonly number: number
  readonly spelling: string
  readonly currency: Currency
  readonly cents: number
}

export interface DrawnCorrection {
  readonly id: string
  readonly day: number
  readonly isWaiver: boolean
  /** Amounts by item; those of an item may come to nothing. */
  readonly lines: readonly { readonly item: string; readonly cents: number }[]
}

export interface BillingHistory {
  readonly lines: readonly DrawnLine[]
  readonly notes: readonly DrawnNote[]
  readonly corrections: readonly DrawnCorrection[]
  readonly lastDay: number
}

export function drawBilling(chance: Chance): BillingHistory {
  const lastDay = 6
  const amounts = [-25_000, -25_000, -10_000, -15_000, 25_000, 10_000, 0, 9_999_900]
  const named = () => {
    const number = chance.chance(60) ? 0 : chance.int(0, spellings.length - 1)
    const supplier = chance.chance(75) ? suppliers[0] : chance.pick(suppliers)
    const currency = chance.chance(85) ? currencies[0] : currencies[1]
    return { number, spelling: chance.pick(spellings[number]!), supplier, currency, cents: chance.pick(amounts) }
  }
  const notes = Array.from({ length: chance.int(0, 4) }, (_, i) => ({
    ...named(),
    id: `note ${i}`,
    day: chance.int(1, lastDay),
  }))
  // Every other line has the number of a note, and half of those its amount.
  const underNote = () => {
    if (notes.length === 0 || chance.chance(50)) return named()
    const { number, supplier, currency, cents } = chance.pick(notes)
    const own = { ...named(), number, supplier, currency, spelling: chance.pick(spellings[number]!) }
    return chance.chance(50) ? { ...own, cents } : own
  }
  const lines: DrawnLine[] = Array.from({ length: chance.int(0, 10) }, (_, i) => ({
    ...underNote(),
    id: `line ${`${i}`.padStart(2, '0')}`,
    day: chance.int(0, lastDay),
    isCorrection: chance.chance(80),
    pieces: chance.int(-20, 30),
    undoes: null,
  }))
  // Documents of two lines that come together, or one after the other.
  for (const { supplier, number, currency, cents } of notes.filter(() => chance.chance(30))) {
    const [first, day] = [chance.pick([-100, 5_000, -10_000]), chance.int(0, lastDay)]
    for (const part of [first, cents - first])
      lines.push({
        id: `line ${`${lines.length}`.padStart(2, '0')}`,
        day: chance.chance(70) ? day : chance.int(0, lastDay),
        isCorrection: true,
        supplier,
        number,
        spelling: chance.pick(spellings[number]!),
        currency,
        cents: part,
        pieces: 1,
        undoes: null,
      })
  }
  const undone = lines
    .filter(({ day }) => day < lastDay && chance.chance(25))
    .map(line => ({
      ...line,
      id: `undo ${line.id}`,
      day: chance.int(line.day + 1, lastDay),
      undoes: line.id,
      cents: -line.cents,
      pieces: -line.pieces,
    }))
  const corrections = Array.from({ length: chance.int(0, 2) }, (_, i) => ({
    id: `correction ${i}`,
    day: chance.int(0, lastDay),
    isWaiver: chance.chance(20),
    lines: Array.from({ length: chance.int(1, 4) }, () => ({
      item: chance.pick(['A', 'B']),
      cents: chance.pick([-100, 100, 50]),
    })),
  }))
  return { lines: [...lines, ...undone], notes, corrections, lastDay }
}
