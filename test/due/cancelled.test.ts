// A figure whose release was cancelled is named as that wherever its absence or its substitute is told, with what the clause gives:
// a rule, a value that both agreed on, or nothing.
import { beforeAll, describe, expect, test } from 'vitest'
import { parseInstant } from '../../src/core/time/instant.ts'
import { formatPeriod, parsePeriod, shift } from '../../src/core/time/period.ts'
import { adjustmentSheet } from '../../src/formats/print/adjustment-sheet.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import type { AdjustmentPage, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { DuePage } from '../../src/views/shapes/due.ts'
import { unpackEvidence } from '../support/files/evidence-package.ts'
import { follow } from '../support/houses/api.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

const code = `CANCELLED${process.pid}`
const reference = `FRED/${code}`
const cancelled = '2024-07'
const rules = { agreed: '{ agreed: { 2024-07: 130 } }', known: 'LAST_KNOWN', ruleless: 'BLOCK' } as const
const words = 'its release was cancelled, and the clause has no rule for that'

let seriesId: string

const console = consoleHouse()
beforeAll(async () => {
  const { api, tenant } = console
  seriesId = await makeSeries(api.sql, publicScope, code, 'FRED')
  await follow(api.sql, tenant.id, seriesId)
  await saveSeriesReleases(api.sql, publicScope, [{ seriesId, release: code }])
  const first = parsePeriod('2023-12')!
  const months = Array.from({ length: 10 }, (_, i) => shift(first, i)).filter(each => formatPeriod(each) !== cancelled)
  const rows = months.map((period, i) => ({
    period: period.ordinal,
    value: `${100 + i}`,
    publishedAt: parseInstant(`${formatPeriod(shift(period, 1))}-13T00:00:00Z`),
  }))
  await publishRows(api.sql, publicScope, seriesId, rows)
  for (const [slug, rule] of Object.entries(rules))
    await tenant.apply(`slug: ${slug}
name: ${slug}
status: ACTIVE
contract: { start: 2024-05-01, end: 2024-08-31, frequency: MONTHLY, price: { amount: 100, currency: EUR, round: { dp: 2 } } }
inputs: { x: { series: ${reference}, weight: 1, base: 2023-12, lag: 1 month, missing: ${rule} } }
clause: {}
parties: { supplier: [sam@supplier.test] }
`)
})

const adjustment = (slug: string) => console.tenant.get(`/pams/${slug}/adjustment?period=2024-08`)
const pageOf = (slug: string) => `/agreements/${slug}/periods/2024-08`

describe('a cancelled release', () => {
  test('is told in a number’s place as soon as it is announced, where nothing stands in for its figure', async () => {
    const { buyer } = console.as
    expect((await adjustment('ruleless')).text).not.toContain('cancelled')
    await publishReleases(console.api.sql, [
      {
        provider: 'FRED',
        release: code,
        title: 'Producer prices',
        period: cancelled,
        zone: 'America/Chicago',
        at: '2024-08-12T12:30:00.000000Z',
        status: 'CANCELLED',
        sourceId: `${code}-07`,
      },
    ])
    await expect.poll(async () => (await adjustment('ruleless')).text).toContain(words)
    expect((await adjustment('ruleless')).status).toBe(404)
    const page = await buyer.get(pageOf('ruleless'))
    expect([page.status, page.text]).toEqual([404, expect.stringContaining(words)])
    const { blocked } = await buyer.json<AgreementPage>('/agreements/ruleless')
    expect(blocked).toMatchObject([{ period: '2024-08', reason: expect.stringContaining(words) }])
  })

  test('is told in a walk over all agreements, which is pinned to the newest publication', async () => {
    const path = '/adjustments?ids=ruleless&period=2024-08'
    const rows = async () => (await console.tenant.extJson<ExtWire<'AdjustmentList'>>(path)).data
    const publishedAt = parseInstant('2024-11-13T00:00:00Z')
    await publishRows(console.api.sql, publicScope, seriesId, [
      { period: parsePeriod('2024-10')!.ordinal, value: '110', publishedAt },
    ])
    await expect.poll(async () => (await rows())[0]?.reason).toContain(words)
    expect(await rows()).toMatchObject([{ status: 'BLOCKED' }])
  })

  test('is named beside a number that stands on a rule, or on the value that both agreed on', async () => {
    const figure = { period: cancelled, series: { reference } }
    for (const [slug, instead] of [
      ['agreed', { rule: 'AGREED', instead: '130' }],
      ['known', { rule: 'LAST_KNOWN', instead: '106' }],
    ] as const) {
      const page = await console.as.supplier.json<AdjustmentPage>(pageOf(slug))
      expect(page.cancelled).toMatchObject([{ ...figure, ...instead }])
      const { facts } = adjustmentSheet(page, 'de')
      const told = facts.filter(({ label }) => label === 'Abgesagte Veröffentlichung')
      expect(told).toMatchObject([
        { value: expect.stringMatching(new RegExp(`, ${cancelled}: .*: ${instead.instead}$`)) },
      ])
      // As it was recorded here: on a day before, nobody knew of it.
      const then = await console.as.buyer.json<AdjustmentPage>(`${pageOf(slug)}?asOf=2024-09-01`)
      expect(then.cancelled).toEqual([])
    }
  })

  test('is named in an evidence package beside the number that stands without its figure', async () => {
    for (const [slug, gives] of [
      ['agreed', 'AGREED gives 130'],
      ['known', 'LAST_KNOWN gives 106'],
    ] as const) {
      const reply = await console.as.supplier.get(`/agreements/${slug}/evidence`, {
        headers: { 'accept-encoding': 'identity' },
      })
      expect(reply.status, reply.text.slice(0, 200)).toBe(200)
      const told = unpackEvidence(reply.body).files.get('README.txt')!.split('\n')
      expect(told.filter(line => line.includes('cancelled:'))).toEqual([
        `2024-08: the release of ${reference} ${cancelled} was cancelled: ${gives}`,
      ])
    }
  })

  test('is named in the row of its period, whatever the clause gives', async () => {
    const due = async () => (await console.tenant.extJson<ExtWire<'DueList'>>('/due')).data
    await expect.poll(async () => (await due()).filter(({ cancelled: of }) => of.length > 0).length).toBe(3)
    const told = (await due()).filter(({ period }) => period === '2024-08')
    expect(
      told.map(({ agreement, state, provisional, cancelled: of }) => [agreement, state, provisional, ...of]).sort(),
    ).toEqual([
      ['agreed', 'READY', false, { series: reference, period: cancelled, rule: 'AGREED', instead: '130' }],
      ['known', 'READY', true, { series: reference, period: cancelled, rule: 'LAST_KNOWN', instead: '106' }],
      ['ruleless', 'BLOCKED', false, { series: reference, period: cancelled, rule: 'BLOCK', instead: null }],
    ])
    const page = await console.as.buyer.json<DuePage>('/due')
    const rows = page.rows.filter(({ period }) => period === '2024-08')
    expect(rows.map(({ slug, cancelled: of }) => [slug, of.length]).sort()).toEqual([
      ['agreed', 1],
      ['known', 1],
      ['ruleless', 1],
    ])
    // What the contract agrees on keeps nobody waiting.
    const other = (await due()).filter(({ agreement, period }) => agreement === 'agreed' && period !== '2024-08')
    expect(other.every(({ late, cancelled: of }) => late.length + of.length === 0)).toBe(true)
  })
})
