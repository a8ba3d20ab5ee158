// A step of a price in a cell: the price before, softly, and the price after.
import type { ShownStep } from '../../../src/core/prices/shown-step.ts'
import { formatMoney, formatPrice } from '../words/words.ts'

interface PriceWayProps {
  readonly step: Pick<ShownStep, 'priceBefore' | 'price'>
  readonly currency: string | null
  readonly unit: string | null
}

export function PriceWay({ step: { priceBefore, price }, currency, unit }: PriceWayProps) {
  if (price === null) return <span className="soft">no price</span>
  return (
    <span className="figures">
      {priceBefore !== null && <span className="soft">{formatMoney(priceBefore, null)} → </span>}
      {formatPrice(price, currency, unit)}
    </span>
  )
}
