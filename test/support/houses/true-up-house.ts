// A workspace of the command line with the agreement of docs/TRUE-UP.md: 100.00 EUR the piece, adjusted by the quarter on one
// index. March was printed 106.0 and signed so; 100 pieces were billed at 106.00; four months later the final value is 103.5.
import type { CommandHouse } from './command-house.ts'
import { openPriceHouse, type PriceHouse } from './price-house.ts'

export const firstPrints = `series,period,value,version,published,name
CUSTOM/metal,2023-12,100.0,FINAL,2024-01-15,Metal
CUSTOM/metal,2024-03,106.0,PRELIMINARY,2024-04-10,Metal
CUSTOM/metal,2024-06,105.0,FINAL,2024-07-10,Metal
CUSTOM/metal,2024-09,107.0,FINAL,2024-10-10,Metal
`

export const finalMarch = `series,period,value,version,published
CUSTOM/metal,2024-03,103.5,FINAL,2024-08-13
`

export interface TrueUpChanges {
  readonly slug?: string
  readonly status?: string
  readonly clause?: string
  /** Of the policy; null: the document says nothing about corrections. */
  readonly corrections?: string | null
  readonly parties?: string
  readonly contract?: string
}

export function trueUpDocument(changes: TrueUpChanges = {}): string {
  const { slug = 'steel-brackets', status = 'ACTIVE', clause = '{}', corrections = '{ when: FINAL }' } = changes
  const { parties = '{ supplier: [sam@supplier.test] }', contract = '' } = changes
  return `slug: ${slug}
name: ${slug}
status: ${status}
contract:
  start: 2024-01-01
  end: 2024-12-31
  frequency: QUARTERLY
  price: { amount: 100.00, currency: EUR, unit: piece, round: { dp: 2 } }
${contract}inputs:
  metal: { series: CUSTOM/metal, weight: 1, base: { value: 100 }, lag: 1 month }
clause: ${clause}
parties: ${parties}
${corrections === null ? '' : `corrections: ${corrections}\n`}`
}

export const billedInQ2 = `invoice,line,agreement,item,quantity,unit_price,amount,currency,date
4711,1,steel-brackets,steel-brackets,100,106.00,10600.00,EUR,2024-05-10
`

export type TrueUpHouse = PriceHouse

/** For `beforeAll`: with the agreement in it and both first periods signed, before the final value is out. */
export async function openTrueUpHouse(changes: TrueUpChanges = {}, shared?: CommandHouse): Promise<TrueUpHouse> {
  const house = await openPriceHouse(shared)
  await house.importFigures(firstPrints)
  await house.apply(trueUpDocument(changes))
  const slug = changes.slug ?? 'steel-brackets'
  await house.signBoth(slug, '2024-Q2')
  await house.signBoth(slug, '2024-Q3')
  return house
}
