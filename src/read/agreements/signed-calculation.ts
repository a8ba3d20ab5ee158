// The content of a signed receipt, in the shape of a calculation.
import { formatCarried, parseExact } from '../../core/numbers/ratio.ts'
import type { CalculationEntry } from '../../core/receipt/calculation.ts'
import type { ReceiptBody } from '../../core/receipt/receipt.ts'
import { formatPublished } from '../../core/time/instant.ts'

export function calculationOf({ result, steps, observations }: ReceiptBody): CalculationEntry {
  const { factor: _factor, ...plain } = result
  return {
    ...plain,
    steps: steps.map(({ name, value, shown }) => ({
      name,
      value: formatCarried(parseExact(value)!),
      ...(shown === null ? {} : { shown }),
    })),
    observations: observations.map(({ flag: _flag, origin: _origin, published, recorded, ...observation }) => ({
      ...observation,
      published: formatPublished(published),
      ...(recorded === null ? {} : { recorded }),
    })),
  }
}
