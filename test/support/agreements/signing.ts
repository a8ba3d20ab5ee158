// A workspace with a formula on steel that can be signed, and the requests to it.
import type { Receipt } from '../../../src/core/receipt/receipt.ts'
import type { Api, Tenant } from '../houses/api.ts'
import { steelDocument, steelTable } from '../houses/sample.ts'

export interface Adjustment {
  readonly period: string
  readonly adjustmentPct: number
  readonly cumulativeAdjustmentPct: number
  readonly dataVersion: string
  readonly formulaVersion: number
  readonly confirmed: { readonly buyer: string | null; readonly supplier: string | null }
}

export async function readyToSign(api: Api, document = steelDocument()): Promise<Tenant> {
  const tenant = await api.tenant()
  await tenant.import(steelTable)
  await tenant.apply(document)
  return tenant
}

export const ask = (tenant: Tenant, query = '') => tenant.json<Adjustment>(`/pams/steel/adjustment${query}`)
export const hashOf = async (tenant: Tenant, query: string) =>
  (await tenant.json<Receipt>(`/pams/steel/adjustment/receipt${query}`)).hash
export const revise = (tenant: Tenant, period: string, value: string, published: string) =>
  tenant.import(`series,period,value,version,published\nCUSTOM/steel,${period},${value},REVISED,${published}\n`)
export const today = () => new Date().toISOString().slice(0, 10)
