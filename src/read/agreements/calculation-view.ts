// An adjustment as `view=calculation` and `adjustment --json` show it: its calculation, and the other facts for a system that posts
// the price: currency, unit and quantity of the price, signatures, and the series that were read.

import type { ContractPrice } from '../../core/formula/formula.ts'
import type { CalculationEntry } from '../../core/receipt/calculation.ts'
import type { PeriodEntry } from './adjustments.ts'

type Component = CalculationEntry['components'][number]
type Observation = CalculationEntry['observations'][number]

interface CalculationView extends Omit<CalculationEntry, 'components' | 'observations'> {
  readonly currency?: string
  /** Unit of the price and its quantity: `kg` and `100` for a price per 100 kg. */
  readonly unit?: string
  readonly per?: string
  readonly confirmed: PeriodEntry['confirmed']
  readonly components: readonly (Component & { readonly seriesId: string | null })[]
  readonly observations: readonly (Observation & { readonly seriesId: string | null })[]
}

/** `seriesIdOf` gives null for a series that is no longer visible. */
export function viewCalculation(
  { calculation, confirmed }: Pick<PeriodEntry, 'calculation' | 'confirmed'>,
  price: ContractPrice | null,
  seriesIdOf: (reference: string) => string | null,
): CalculationView {
  const withId = <T extends { readonly input: string; readonly series: string }>({ input, series, ...rest }: T) => ({
    input,
    series,
    seriesId: seriesIdOf(series),
    ...rest,
  })
  const { components, observations, steps, controls, ...result } = calculation
  return {
    ...result,
    ...(result.price === undefined || price === null ? {} : { currency: price.currency, ...pricingUnit(price.unit) }),
    confirmed,
    components: components.map(withId) as unknown as CalculationView['components'],
    steps,
    observations: observations.map(withId) as unknown as CalculationView['observations'],
    controls,
  }
}

/** A unit may be written with its number, as in `100 kg`. */
export function pricingUnit(text: string): { readonly unit: string; readonly per: string } {
  const [, per, unit] = /^(\d+(?:\.\d+)?)\s+(\S.*)$/.exec(text) ?? [null, '1', text]
  return { unit: unit!, per: per! }
}
