// The course of a price over time: settled steps, proposed steps, prices signed before a correction, and prices by today's
// figures. Every figure in text comes from its string; floats are only positions on the screen.
import type { AgreementListRow, ContractView, PeriodRow, SettledView } from '../../../../src/views/shapes/agreements.ts'
import { isContractPrice, isOtherToday } from '../../../components/agreements/settled-numbers.ts'
import { formatFactor } from '../../../components/words/price-words.ts'
import { formatMoney } from '../../../components/words/words.ts'

export type ShownFigure = 'price' | 'factor'

export interface Course {
  readonly entries: readonly PeriodRow[]
  /** Settled price in force now. */
  readonly settled: SettledView | null
  readonly price: AgreementListRow['price']
  readonly contract: ContractView
  readonly shown: ShownFigure
  /** Whether the first entry goes on from a price that was agreed with another supplier: nothing is drawn before it. */
  readonly isLater: boolean
  /** `YYYY-MM-DD`: how far the last step is drawn. */
  readonly today: string
}

interface Reported {
  readonly factor: string
  readonly price: string | null
}

/** One measure of the price: the position of each number on the axis, and its text. */
export interface Measure {
  readonly label: string
  readonly start: { readonly place: number; readonly text: string }
  readonly place: (number: Reported) => number
  readonly text: (number: Reported) => string
}

export interface Step {
  readonly date: string
  readonly place: number
}

export interface PriceLines {
  readonly settled: readonly Step[]
  readonly proposed: readonly Step[]
  readonly signed: readonly Step[]
  readonly today: readonly Step[]
}

export const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

export function measureOf({ price, shown }: Pick<Course, 'price' | 'shown'>): Measure {
  if (shown === 'factor' || price === null)
    return {
      label: 'Factor',
      start: { place: 1, text: '1' },
      place: ({ factor }) => Number.parseFloat(factor),
      text: ({ factor }) => formatFactor(factor),
    }
  return {
    label: 'Price',
    start: { place: Number.parseFloat(price.amount), text: formatMoney(price.amount, price.currency) },
    place: number => Number.parseFloat(number.price ?? 'NaN'),
    text: number => formatMoney(number.price ?? '', price.currency),
  }
}

export function drawnOf(course: Course): PriceLines {
  const { entries, settled: now, contract, isLater, shown } = course
  const { start, place } = measureOf(course)
  const agreed = entries.flatMap(({ adjustmentDate, settled }) =>
    settled === null ? [] : [{ date: adjustmentDate, place: place(settled) }],
  )
  const isRenegotiated = now !== null && isContractPrice(now) && now.date > contract.start
  const proposed = entries
    .filter(({ isSigned }) => !isSigned)
    .map(entry => ({ date: entry.adjustmentDate, place: place(entry) }))
  return {
    settled: [
      ...(isLater || now === null ? [] : [{ date: contract.start, place: start.place }]),
      ...agreed,
      ...(isRenegotiated ? [{ date: now.date, place: place(now) }] : []),
    ],
    proposed,
    signed: entries
      .filter(({ settled }) => settled?.correction != null)
      .map(entry => ({ date: entry.adjustmentDate, place: place(entry) })),
    today: entries.flatMap(entry => {
      const price = shown === 'price' && isOtherToday(entry) ? entry.today!.price : null
      return price === null ? [] : [{ date: entry.adjustmentDate, place: Number.parseFloat(price) }]
    }),
  }
}
