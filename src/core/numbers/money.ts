// Amounts of money: quantity × price ÷ per, exact until the one rounding to the currency's minor unit. A difference of
// money is the difference of two rounded amounts, so that old + difference = new to the cent.
import { divide, formatFixed, multiply, type Ratio, type Rounding, round, roundTo } from './ratio.ts'

/** Currencies of ISO 4217 whose minor unit is not the hundredth. */
const otherMinorUnits: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG'].map(code => [code, 0] as const),
  ...['RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map(code => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(code => [code, 3] as const),
  ...['CLF', 'UYW'].map(code => [code, 4] as const),
])

const usualMinorUnits = 2

/** Decimals of the currency's minor unit: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorUnits(currency: string): number {
  return otherMinorUnits.get(currency) ?? usualMinorUnits
}

/** An amount as money: rounded half up to the minor unit, unless the contract sets another rounding. */
export function roundMoney(amount: Ratio, currency: string, rounding: Rounding | null = null): Ratio {
  return rounding === null ? roundTo(amount, minorUnits(currency)) : round(amount, rounding)
}

/** The cost of a quantity before it is rounded. */
export function exactAmount(quantity: Ratio, price: Ratio, per: Ratio): Ratio {
  return divide(multiply(quantity, price), per)
}

interface Charge {
  readonly quantity: Ratio
  readonly price: Ratio
  /** The quantity that the price is for; more than 0. */
  readonly per: Ratio
}

/** The cost of a quantity: rounded once, at the end. */
export function amountOf({ quantity, price, per }: Charge, currency: string, rounding: Rounding | null = null): Ratio {
  return roundMoney(exactAmount(quantity, price, per), currency, rounding)
}

/** An amount with the currency's decimals: `1269.00`, `1269` for JPY. For amounts that are rounded already. */
export function formatMinorUnits(amount: Ratio, currency: string): string {
  return formatFixed(amount, minorUnits(currency))
}

/** Half of the smallest amount there is in a currency. */
export function halfMinorUnit(currency: string): Ratio {
  return { n: 1n, d: 2n * 10n ** BigInt(minorUnits(currency)) }
}
