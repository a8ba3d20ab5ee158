// The demo: what is in it.
import { describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { dayOfInstant, parseInstant } from '../../src/core/time/instant.ts'
import { readFormula } from '../../src/demo/agreements.ts'
import { newestPublication } from '../../src/demo/content.ts'
import { demoInvoices } from '../../src/demo/prices.ts'
import { demoSeries } from '../../src/demo/series.ts'
import { movingReleases, movingSeries } from '../../src/demo/waits/moving-series.ts'
import { readInvoiceFile } from '../../src/import/invoice-lines.ts'
import { providerHabits } from '../../src/providers/catalogue/catalogue.ts'
import { Library } from '../../src/read/library.ts'
import { loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { loadNewestSeen } from '../../src/storage/log/visible-entries.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { demoFormulas, demoHouse } from '../support/houses/demo-house.ts'

const house = demoHouse()

const ask = async (path: string) => {
  const { status, text } = await house.api.ask(`/v1${path}`, { headers: { authorization: `Bearer ${house.demo.key}` } })
  expect(status, `${path}: ${text}`).toBe(200)
  return JSON.parse(text)
}
const seriesId = async (code: string): Promise<string> => {
  const { data } = await ask('/series?limit=200')
  return data.find((each: { seriesCode: string }) => each.seriesCode === code).id
}

describe('the series of the demo', () => {
  test('are more than a dozen, each with all of its publications', async () => {
    const { data } = await ask('/series?limit=200')
    const all = [...demoSeries, ...movingSeries(house.madeAt)]
    expect(data).toHaveLength(all.length)
    const vintages = await withWorkspace(
      house.place.sql,
      house.demo.workspace.id,
      tx => tx`select count(*)::int as n from vintage`,
    )
    expect(vintages[0]!.n).toBe(all.flatMap(series => series.vintages).length)
    for (const { name } of data) expect(name).not.toBe('')
  })

  test('say in their names if the figures are invented', () => {
    const all = [...demoSeries, ...movingSeries(house.madeAt)]
    const invented = all.filter(({ description }) => description.startsWith('Invented'))
    expect(invented).not.toHaveLength(0)
    for (const { name } of all)
      expect(name.includes('(illustrative)')).toBe(invented.some(series => series.name === name))
  })

  test('answer with what was known on a day', async () => {
    const steel = await seriesId('WPU101')
    const august = '&from=2025-08-01&to=2025-08-01'
    const valueAt = async (day: string) => (await ask(`/series/${steel}/values?asOf=${day}${august}`)).data
    expect(await valueAt('2025-09-09')).toEqual([])
    expect(await valueAt('2025-12-31')).toMatchObject([{ value: '321.090', versionTag: 'PRELIMINARY' }])
    expect(await valueAt('2026-01-30')).toMatchObject([{ value: '320.719', versionTag: 'FINAL' }])
  })

  test('go from preliminary to final to revised, have gaps for unpublished figures and lose withdrawn ones', async () => {
    const labour = await seriesId('labour-metal')
    const { data } = await ask(`/series/${labour}/vintages?from=2025-01-01&to=2025-01-01`)
    expect(data.map((each: { versionTag: string }) => each.versionTag)).toEqual(['PRELIMINARY', 'FINAL', 'REVISED'])
    expect((await ask(`/series/${labour}/values?from=2026-04-01`)).data).toEqual([])
    expect((await ask(`/series/${labour}/values?from=2026-04-01&asOf=2026-09-20`)).data).toHaveLength(1)
    const consumers = await seriesId('CUUR0000SA0')
    expect((await ask(`/series/${consumers}/values?from=2025-09-01&to=2025-11-30`)).data).toMatchObject([
      { asOfDate: '2025-09-01T00:00:00.000Z', value: '324.800' },
      { asOfDate: '2025-11-01T00:00:00.000Z', value: '324.122' },
    ])
  })
})

describe('what the demo waits for', () => {
  const due = async (state: string) => {
    const { status, text } = await house.api.ask(`/ext/v1/due?within=90d&state=${state}`, {
      headers: { authorization: `Bearer ${house.demo.key}` },
    })
    expect(status, text).toBe(200)
    return JSON.parse(text).data as { agreement: string; [field: string]: unknown }[]
  }

  test('is a late release, one that comes after the date, and one that comes in time', async () => {
    expect(await due('LATE')).toContainEqual(
      expect.objectContaining({
        agreement: 'long-haul',
        readyOn: null,
        waitsFor: expect.objectContaining({ series: 'FRED/DEMO-TRUCKLOAD', basis: 'DATE_ONLY' }),
      }),
    )
    expect((await due('AT_RISK')).map(({ agreement }) => agreement)).toContain('cold-storage')
  })

  test('is a cancelled month with what the trend gives in its place', async () => {
    expect(await due('READY')).toContainEqual(
      expect.objectContaining({
        agreement: 'cleaning-services',
        period: '2026',
        provisional: true,
        cancelled: [{ series: 'BLS/CUUR0000SA0', period: '2025-10', rule: 'TREND', instead: '325.604' }],
      }),
    )
  })

  test('is an index that ended, whose successor the buyer has signed and the supplier has not', async () => {
    expect((await due('BLOCKED')).map(({ agreement }) => agreement)).toContain('bonded-warehouse')
    const kept = await withWorkspace(house.place.sql, house.demo.workspace.id, tx =>
      loadAgreementHistory(tx, house.demo.workspace.id, 'bonded-warehouse'),
    )
    expect(kept!.changes).toMatchObject([
      { kind: 'SPLICE', ground: 'EVENT', signatures: [{ party: 'buyer', signedBy: 'ann@buyer.test' }] },
    ])
  })

  test('is late on any day, with releases ahead', () => {
    for (let day = 1; day <= 31; day++) {
      const at = parseInstant(`2027-03-${String(day).padStart(2, '0')}T12:00:00Z`)!
      const [truckload] = movingSeries(at)
      const [first, ...ahead] = movingReleases(at).filter(({ release }) => release === 'demo-truckload')
      expect(truckload!.vintages.at(-1)!.publishedAt < at).toBe(true)
      expect(first!.at < at.slice(0, 10), `${first!.at} on ${at}`).toBe(true)
      expect(ahead.some(release => release.at > at.slice(0, 10))).toBe(true)
    }
  })
})

describe('the formulas of the demo', () => {
  test('are valid: applied again they change nothing, and there are no warnings', async () => {
    for (const name of demoFormulas) {
      const text = await readFormula(name)
      const today = dayOfInstant(newestPublication())
      const request = { workspaceId: house.demo.workspace.id, text, by: 'a test', today, habits: providerHabits }
      const applied = await applyDocument(house.place.sql, request)
      expect(applied, name).toMatchObject({ outcome: 'unchanged', warnings: [] })
    }
  })

  test('compute every period up to the newest figures, and the newest waits to be signed', async () => {
    const newest: Readonly<Record<string, object>> = {
      'steel-brackets': { period: '2026-Q3', adjustmentPct: 3.23, dataVersion: 'PRELIMINARY', formulaVersion: 1 },
      'bridge-engineering': { period: '2026', cumulativeAdjustmentPct: 5.6, dataVersion: 'FINAL' },
      'freight-surcharge': { period: '2026-10', cumulativeAdjustmentPct: 38, dataVersion: 'FINAL' },
      'office-lease': { period: '2026', adjustmentPct: 3.15, dataVersion: 'FINAL', formulaVersion: 2 },
    }
    const counts: Readonly<Record<string, number>> = {
      'steel-brackets': 6,
      'bridge-engineering': 3,
      'freight-surcharge': 20,
      'office-lease': 5,
    }
    for (const name of demoFormulas) {
      const adjustment = await ask(`/pams/${name}/adjustment`)
      expect(adjustment, name).toMatchObject({ ...newest[name], confirmed: { buyer: null, supplier: null } })
      expect((await ask(`/pams/${name}/values`)).data, name).toHaveLength(counts[name]!)
    }
  })

  test('show threshold, cap, floor and ceiling at work', async () => {
    const controls = async (name: string, period: string) => {
      const { adjustments } = await ask(`/pams/${name}/adjustment?period=${period}&view=calculation`)
      return adjustments[0].controls.map((each: { control: string }) => each.control)
    }
    expect(await controls('steel-brackets', '2025-Q2')).toContain('threshold')
    expect(await controls('steel-brackets', '2025-Q3')).toContain('periodCap')
    expect(await controls('office-lease', '2022')).toContain('periodCap')
    expect(await controls('office-lease', '2025')).toContain('periodFloor')
    const { adjustments } = await ask('/pams/bridge-engineering/adjustment?period=2024&view=calculation')
    expect(adjustments[0].steps).toContainEqual({ name: 'factor', value: '1.022' })
    expect(adjustments[0].price).toBe('190092.00')
  })

  test('keep what both signed although a later figure gives another number', async () => {
    const path = '/pams/steel-brackets/adjustment?period=2025-Q4'
    const signed = await ask(path)
    expect(signed).toMatchObject({ adjustmentPct: 2.51, dataVersion: 'PRELIMINARY' })
    expect(signed.confirmed.buyer).toMatch(/^\d{4}-/)
    expect(signed.confirmed.supplier).toBe(signed.confirmed.buyer)
    expect(await ask(`${path}&asOf=2026-06-30`)).toMatchObject({ adjustmentPct: 2.46, dataVersion: 'FINAL' })
  })

  test('have a period that only the buyer has signed', async () => {
    const { confirmed } = await ask('/pams/steel-brackets/adjustment?period=2026-Q2')
    expect(confirmed).toEqual({ buyer: expect.any(String), supplier: null })
  })
})

describe('the invoices of the demo', () => {
  test('have five mistakes among right lines, each of which the check finds', async () => {
    const options = { bounds: null, sheet: null, mostLines: 1_000 }
    const { lines, problems } = await readInvoiceFile(demoInvoices, options)
    expect(problems).toEqual([])
    const library = new Library(house.place.sql, 64 * 1024 * 1024, {
      seals: new Seal(house.place.ring).rows,
      report: () => {},
    })
    const until = dayOfInstant(newestPublication())
    const { data, summary } = await library.prices.check(house.demo.workspace.id, lines, { knownAt: null, until })
    const wrong = data.filter(({ outcome }) => outcome !== 'OK')
    expect(wrong.map(({ item, outcome, reason }) => [item, outcome, reason?.code])).toEqual([
      ['BR-100', 'OVER', 'PERIOD_BEFORE'],
      ['BR-100', 'OVER', 'QUANTITY_STEP'],
      ['BR-120', 'OVER', 'LAG'],
      ['BR-300', 'OVER', 'PER'],
      ['SAV-ATL', 'OVER', 'OTHER_ITEM'],
    ])
    expect(summary).toEqual({
      lines: 22,
      outcomes: { OK: 17, OVER: 5 },
      over: { EUR: '44794.60', USD: '52.46' },
      under: {},
    })
    // In addition, the lines of the two agreements that are corrected.
    expect(await library.prices.lines(house.demo.workspace.id, { agreementIds: null, most: 100 })).toHaveLength(
      lines.length + 3,
    )
  })
})

describe('the corrections of the demo', () => {
  test('are of two agreements that a final figure affected: one is signed by both, one waits for the supplier', async () => {
    const library = new Library(house.place.sql, 64 * 1024 * 1024, {
      seals: new Seal(house.place.ring).rows,
      report: () => {},
    })
    const time = { knownAt: null, until: dayOfInstant(newestPublication()) }
    const list = async (agreement: string) =>
      (await library.corrections.list(house.demo.workspace.id, agreement, time))!
    // Of two parts the first is billed, by a note that everybody who receives it takes: the second can be issued.
    expect(await list('steel-tubes')).toMatchObject([
      { state: 'AGREED', net: '-200.00', notes: [{ number: 'OF-CN-26-0031', part: 1, amount: '-100.00' }] },
    ])
    expect(await list('rack-frames')).toMatchObject([{ state: 'SIGNED_BY_BUYER', net: '-55.68' }])
    const until = await withWorkspace(house.place.sql, house.demo.workspace.id, tx =>
      loadNewestSeen(tx, house.demo.workspace.id),
    )
    const question = { since: '2026-01-01T00:00:00.000000Z', until, day: time.until, agreementId: null }
    const rows = (await library.radar.read(house.demo.workspace.id, question)).map(({ row }) => row)
    const corrected = rows.filter(({ amount }) => amount !== null)
    expect(corrected.map(({ kind, agreement, amount }) => `${kind} ${agreement} ${amount}`)).toEqual([
      'SIGNED_MOVED steel-tubes -200.00',
      'SIGNED_MOVED rack-frames -55.68',
    ])
  })
})
