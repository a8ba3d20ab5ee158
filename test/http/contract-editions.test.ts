// The second edition of the formula over real HTTP: numbered labels, weeks and listed dates, a missing percent, a
// renegotiated price, and keys that make no new version (decisions 21, 23, 29).
import { beforeAll, describe, expect, test } from 'vitest'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { house } from '../support/houses/house.ts'

const { tenant } = house()
beforeAll(async () => {
  const months = ['2024-01', '2024-04', '2024-07', '2024-09', '2024-12', '2025-03']
  await tenant.importValues(
    'CUSTOM/index',
    Object.fromEntries(months.map((month, i) => [month, `${100 + i}`])),
    '2025-04-01',
  )
})

function document(slug: string, contract: string, more = ''): string {
  return `slug: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2025-03-31, ${contract} }
inputs: { index: { series: CUSTOM/index, weight: 1, base: 2024-01 } }
clause: {}
${more}`
}

const adjustment = (slug: string, query = '') => tenant.get(`/pams/${slug}/adjustment${query}`)

describe('labels', () => {
  test('have a number where two dates of an agreement fall into one quarter, and are requested by it', async () => {
    await tenant.apply(document('labels', 'frequency: QUARTERLY'))
    await tenant.apply(
      document('labels', 'frequency: QUARTERLY, firstAdjustment: 2024-09-15', 'effectiveFrom: 2024-08-01'),
    )
    const asked = async (period: string) => JSON.parse((await adjustment('labels', `?period=${period}`)).text)
    expect(await asked('2024-Q3')).toMatchObject({ period: '2024-Q3', cumulativeAdjustmentPct: 2 })
    expect(await asked('2024-Q3.2')).toMatchObject({ period: '2024-Q3.2', cumulativeAdjustmentPct: 3 })
    expect((await adjustment('labels', '?period=2024-Q3.3')).status).toBe(404)
    expect((await adjustment('labels', '?period=2024-Q3.x')).status).toBe(400)
    expect(JSON.parse((await adjustment('labels', '?date=2024-10-01')).text)).toMatchObject({ period: '2024-Q3.2' })
  })

  test('are the dates themselves where they are listed', async () => {
    await tenant.apply(document('listed', 'dates: [2024-04-15, 2024-12-24]'))
    expect(JSON.parse((await adjustment('listed', '?period=2024-12-24')).text)).toMatchObject({ adjustmentPct: 2.9703 })
    const { text } = await tenant.get('/pams/listed')
    expect(text).toContain('"adjustmentFrequency":"DATES"')
    expect(problemsOf('pam', text)).toEqual([])
  })
})

describe('a price of 0', () => {
  test('has no percent after it: null in the adjustment and in the list', async () => {
    await tenant.importValues('CUSTOM/zero', { '2024-02': '0', '2024-03': '50' }, '2025-04-01')
    await tenant.apply(`slug: zero
contract: { start: 2024-01-01, end: 2024-03-31, frequency: MONTHLY }
inputs: { index: { series: CUSTOM/zero, weight: 1, base: { value: 100 } } }
clause: {}`)
    const { text } = await adjustment('zero', '?period=2024-03')
    expect(text).toContain('"adjustmentPct":null,"cumulativeAdjustmentPct":-50')
    const { data } = await tenant.json<{ data: { adjustmentPct: string | null }[] }>('/pams/zero/values')
    expect(data.map(({ adjustmentPct }) => adjustmentPct)).toEqual(['-100', null])
  })
})

describe('a new version', () => {
  const priced = (amount: string, more: string, restart = '') =>
    document(
      'priced',
      `dates: [2024-04-15, 2024-07-15, 2024-12-15], price: { amount: ${amount}, currency: EUR, round: { dp: 2 } }${restart}`,
      more,
    )

  test('with another price is refused, unless it says that the price was renegotiated', async () => {
    await tenant.apply(priced('100', ''))
    const refused = await tenant.apply(priced('200', 'effectiveFrom: 2024-09-01')).catch((error: Error) => error)
    expect(String(refused instanceof Error ? refused.message : JSON.stringify(refused))).toContain('restart: true')
    await tenant.apply(priced('200', 'effectiveFrom: 2024-09-01', ', restart: true'))
    const price = async (period: string) =>
      JSON.parse((await adjustment('priced', `?period=${period}&view=calculation`)).text).adjustments[0].price
    expect(await price('2024-07-15')).toBe('102.00')
    expect(await price('2024-12-15')).toBe('208.00')
  })

  test('is not made by keys that only invoices use', async () => {
    const outcome = await tenant.apply(priced('100', '').replace('slug: priced', 'slug: billed'))
    expect(outcome).toMatchObject({ outcome: 'created', version: 1 })
    const billed = priced('100', '', ', references: [FA-17], priceDate: INVOICE, prorate: DAYS')
    const again = await tenant.apply(billed.replace('slug: priced', 'slug: billed'))
    expect(again).toMatchObject({ outcome: 'changed', version: 1 })
  })
})
