// An index that ends and the one that takes its place, on half its level: 100 and more up to June 2024, and the new one from March
// on. And an agreement by the quarter that reads the old one.
import { trueUpDocument } from '../houses/true-up-house.ts'

export const twoIndices = `series,period,value,published,name
CUSTOM/old,2023-12,100.0,2024-01-15,Old
CUSTOM/old,2024-03,104.0,2024-04-10,Old
CUSTOM/old,2024-04,105.0,2024-05-10,Old
CUSTOM/old,2024-05,106.0,2024-06-10,Old
CUSTOM/old,2024-06,108.0,2024-07-10,Old
CUSTOM/new,2024-03,52.0,2024-04-10,New
CUSTOM/new,2024-04,52.5,2024-05-10,New
CUSTOM/new,2024-05,53.0,2024-06-10,New
CUSTOM/new,2024-06,54.0,2024-07-10,New
CUSTOM/new,2024-09,55.0,2024-10-10,New
`

export function oldIndexDocument(changes: Parameters<typeof trueUpDocument>[0] = {}): string {
  const metal = 'series: CUSTOM/metal, weight: 1, base: { value: 100 }'
  return trueUpDocument(changes).replace(metal, 'series: CUSTOM/old, weight: 1, base: 2023-12')
}
