// A workspace with a bit of everything, small enough to remember: three series with vintages, a quarterly
// formula over one of them, a period signed by both.
import type { Tenant } from './api.ts'

export const steelTable = `series,period,value,version,published,flag,name,unit,dataType
CUSTOM/steel,2023-12,100.00,FINAL,2024-01-15,,Steel billets,2020 = 100,PRICE
CUSTOM/steel,2024-03,110.50,PRELIMINARY,2024-04-11,P,Steel billets,2020 = 100,PRICE
CUSTOM/steel,2024-03,110.00,FINAL,2024-05-11,,Steel billets,2020 = 100,PRICE
CUSTOM/steel,2024-06,120.00,PRELIMINARY,2024-07-11,P,Steel billets,2020 = 100,PRICE
CUSTOM/steel,2024-06,114.50,FINAL,2024-08-11,,Steel billets,2020 = 100,PRICE
CUSTOM/steel,2024-06,115.00,REVISED,2024-09-11,R,Steel billets,2020 = 100,PRICE
CUSTOM/steel,2024-09,130.00,PRELIMINARY,2024-10-11,P,Steel billets,2020 = 100,PRICE
`

export const wageTable = `series,period,value,published
EUROSTAT/lci/Q.DE,2023-Q4,112.20,2024-03-15
EUROSTAT/lci/Q.DE,2024-Q1,113.10,2024-06-14
EUROSTAT/lci/Q.DE,2024-Q2,114.0,2024-09-13
`

export interface SteelChanges {
  readonly slug?: string
  readonly status?: string
  readonly weight?: string
  readonly more?: string
}

/** Half of the price follows steel, with a lag of a month; the first adjustment is that of 2024-Q2. */
export function steelDocument({
  slug = 'steel',
  status = 'ACTIVE',
  weight = '0.5',
  more = '',
}: SteelChanges = {}): string {
  return `slug: ${slug}
name: Steel brackets
description: Quarterly adjustment of the bracket price
status: ${status}
contract:
  start: 2024-01-01
  end: 2024-12-31
  frequency: QUARTERLY
inputs:
  steel: { series: CUSTOM/steel, weight: ${weight}, base: 2023-12, lag: 1 month }
clause: { fixed: ${(1 - Number.parseFloat(weight)).toString()} }
${withSupplier(more)}`
}

/** A supplier has to be named to sign: the usual one, where the text names no parties itself. */
export function withSupplier(text: string): string {
  return /^parties:/m.test(text) ? text : `${text}parties: { supplier: [sam@supplier.test] }\n`
}

export interface Sample {
  readonly steel: string
  readonly wages: string
  readonly agreement: string
}

/** The ids of what is in it. 2024-Q2 is signed by both parties. */
export async function fillSample(tenant: Tenant): Promise<Sample> {
  await tenant.import(steelTable)
  await tenant.import(wageTable)
  const { id } = await tenant.apply(steelDocument())
  await tenant.signBoth('steel', '2024-Q2')
  return {
    steel: await tenant.seriesId('CUSTOM/steel'),
    wages: await tenant.seriesId('EUROSTAT/lci/Q.DE'),
    agreement: id,
  }
}

/** Every route of the API under the sample's ids, without its prefix. */
export function everyRoute({ steel, agreement }: Pick<Sample, 'steel' | 'agreement'>): readonly string[] {
  return [
    '/series',
    `/series/${steel}/values`,
    `/series/${steel}/vintages`,
    '/pams',
    `/pams/${agreement}`,
    `/pams/${agreement}/values`,
    `/pams/${agreement}/adjustment`,
    `/pams/${agreement}/adjustment/receipt`,
  ]
}
