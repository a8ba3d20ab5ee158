// The series of the demo. Figures are those that were published, with their days of publication; invented ones have
// "illustrative" in their name.
import { consumerPrices } from './consumer-prices.ts'
import { economy } from './economy.ts'
import { energyPrices } from './energy-prices.ts'
import { illustrative } from './illustrative.ts'
import { producerPrices } from './producer-prices.ts'
import type { DemoSeries } from './vintages.ts'

export const demoSeries: readonly DemoSeries[] = [
  ...producerPrices,
  ...consumerPrices,
  ...energyPrices,
  ...economy,
  ...illustrative,
]
