// The overview: what changed that agreements read, what is due, what waits, what is wrong, and how much there is.
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import { quarantineAnswer } from '../../src/storage/series/quarantine.ts'
import { loadRecentChanges } from '../../src/storage/series/recent-changes.ts'
import { saveState } from '../../src/storage/series/series-state.ts'
import type { AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { eventually, follow } from '../support/houses/api.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

const console = consoleHouse()

async function ready(document = bracketsDocument()): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(document)
  return seats
}

const ask = (browser: Browser) => browser.json<Overview>('/overview')
const tellChange = ({ code, period, before, value, tag }: Overview['changes'][number]) =>
  `${code} ${period} ${before} → ${value} ${tag}`

const now = '2026-01-01T00:00:00.000000Z'
const noState = {
  lastAskedAt: now,
  lastAnsweredAt: null,
  lastChangedAt: null,
  rangeAskedAt: null,
  wholeAskedAt: null,
  notice: null,
  requestHash: null,
  etag: null,
  lastModified: null,
}

/** A public series with one value, followed by the workspace. */
async function followed(tenantId: string, code: string): Promise<string> {
  const id = await makeSeries(console.api.owner, publicScope, code)
  await publishRows(console.api.owner, publicScope, id, [{ period: 2023 * 12 + 11, value: '100' }])
  await follow(console.api.sql, tenantId, id)
  return id
}

describe('what a figure did', () => {
  const revised = `series,period,value,version,published\nCUSTOM/steel,2024-09,140.00,REVISED,2024-10-28\n`

  test('is shown once for all contracts it affected, with the numbers before and after', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    await tenant.apply(
      bracketsDocument({
        slug: 'second',
        name: 'Second',
        clause: '{ fixed: 0.40 }',
        steelWeight: '0.30',
        more: '',
      }).replace('weight: 0.25', 'weight: 0.30'),
    )
    const page = (slug: string) => as.buyer.json<AgreementPage>(`/agreements/${slug}`)
    const before = await page('brackets')
    expect((await ask(as.viewer)).effects).toEqual([])
    await tenant.import(revised)
    const after = await page('brackets')
    const { effects, changes } = await ask(as.viewer)
    expect(effects).toMatchObject([
      {
        recordedAt: changes[0]!.recordedAt,
        moved: 2,
        contracts: [
          {
            slug: 'brackets',
            period: '2024-Q4',
            morePeriods: 0,
            before: { adjustmentPct: before.entries.at(-1)!.adjustmentPct, price: before.entries.at(-1)!.price },
            after: { adjustmentPct: after.entries.at(-1)!.adjustmentPct, price: after.entries.at(-1)!.price },
            currency: 'EUR',
          },
          { slug: 'second' },
        ],
      },
    ])
    expect(before.entries.at(-1)!.adjustmentPct).not.toBe(after.entries.at(-1)!.adjustmentPct)
  })

  test('is nothing where the number is signed, or a figure leaves it as it was', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    await tenant.import(`series,period,value,version,published\nCUSTOM/steel,2024-10,150.00,FINAL,2024-11-28\n`)
    expect((await ask(as.viewer)).effects).toEqual([])
    for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) await tenant.signBoth('brackets', period)
    await tenant.import(revised)
    expect((await ask(as.viewer)).effects).toEqual([])
  })
})

describe('what changed', () => {
  test('is one line for a series that was just added, and a line for each value after that', async () => {
    const { as, tenant } = await ready()
    expect((await ask(as.viewer)).changes.map(tellChange).sort()).toEqual([
      'labour 2024-Q2 null → 104.00 FINAL',
      'steel 2024-09 null → 130.00 PRELIMINARY',
    ])
    await tenant.import(`series,period,value,version,published
CUSTOM/steel,2024-09,131.00,FINAL,2024-10-28
CUSTOM/steel,2024-06,118.00,REVISED,2024-10-28
CUSTOM/steel,2024-10,132.00,PRELIMINARY,2024-10-28
`)
    const { changes } = await ask(as.viewer)
    expect(changes.slice(0, 3).map(tellChange)).toEqual([
      'steel 2024-10 null → 132.00 PRELIMINARY',
      'steel 2024-09 130.00 → 131.00 FINAL',
      'steel 2024-06 116.00 → 118.00 REVISED',
    ])
    expect(changes[0]).toMatchObject({
      seriesId: await tenant.seriesId('CUSTOM/steel'),
      name: 'Steel billets',
      provider: 'CUSTOM',
      publishedAt: '2024-10-28T00:00:00.000000Z',
      agreements: [{ slug: 'brackets', name: 'Steel brackets' }],
    })
    expect(changes).toHaveLength(5)
  })

  test('is a withdrawal too', async () => {
    const { as, tenant } = await ready()
    await tenant.withdraw('CUSTOM/steel', ['2024-09'], '2024-11-01')
    expect(tellChange((await ask(as.viewer)).changes[0]!)).toBe('steel 2024-09 130.00 → null null')
  })

  test('leaves out series that no formula reads, and what came long ago', async () => {
    const { as, tenant } = await ready()
    await tenant.importValues('CUSTOM/unread', { '2024-01': '1' })
    expect((await ask(as.viewer)).changes.some(({ code }) => code === 'unread')).toBe(false)
    const id = await tenant.seriesId('CUSTOM/steel')
    const read = (since: string) =>
      withWorkspace(console.api.sql, tenant.id, tx =>
        loadRecentChanges(tx, { series: [{ owner: tenant.id, id }], since, most: 20, mostTogether: 5 }),
      )
    expect(await read('2020-01-01T00:00:00.000000Z')).toHaveLength(1)
    expect(await read('2090-01-01T00:00:00.000000Z')).toHaveLength(0)
  })

  test('names the newest of many values that came together, and no more rows than a page has', async () => {
    const { as, tenant } = await ready()
    const rows = Array.from(
      { length: 12 },
      (_, i) => `CUSTOM/steel,2025-${String(i + 1).padStart(2, '0')},${140 + i}.0,FINAL,2026-01-15\n`,
    )
    await tenant.import(`series,period,value,version,published\n${rows.join('')}`)
    const { changes } = await ask(as.viewer)
    expect(changes.slice(0, limits.overviewTogether + 1).map(({ period }) => period)).toEqual([
      '2025-12',
      '2025-11',
      '2025-10',
      '2025-09',
      '2025-08',
      expect.not.stringContaining('2025-07'),
    ])
    for (let i = 0; i < 8; i++) {
      const batch = rows.map(row => row.replace(/,(\d+)\.0,FINAL,2026-01-15/, `,$1.${i + 1},REVISED,2026-02-0${i + 1}`))
      await tenant.importUnheard(`series,period,value,version,published\n${batch.join('')}`)
    }
    expect((await ask(as.viewer)).changes).toHaveLength(limits.overviewRows)
  })

  test('reads public series that the workspace follows, as well', async () => {
    const { as, tenant } = await ready()
    const code = `public-${tenant.id.slice(-8)}`
    await followed(tenant.id, code)
    await tenant.apply(`
slug: follows
status: ACTIVE
contract: { start: 2024-01-01, frequency: ANNUAL }
inputs: { x: { series: CUSTOM/${code}, weight: 1, base: 2023-12 } }
clause: {}
`)
    expect((await ask(as.viewer)).changes.some(change => change.code === code)).toBe(true)
  })
})

describe('what is due and what waits', () => {
  test('is the next date of what is in force, the nearest first', async () => {
    const { as, tenant } = await ready()
    const contract = (slug: string, day: string, status = 'ACTIVE') =>
      bracketsDocument({ slug, status, end: '2091-12-31' }).replace('QUARTERLY', `ONCE\n  firstAdjustment: ${day}`)
    await tenant.apply(contract('later', '2091-01-01'))
    await tenant.apply(contract('sooner', '2090-01-01'))
    await tenant.apply(contract('draft', '2089-01-01', 'DRAFT'))
    const { due } = await eventually(
      () => ask(as.buyer),
      ({ pending }) => pending === 0,
    )
    expect(due.map(({ slug, date, last, currency }) => [slug, date, last, currency])).toEqual([
      ['sooner', '2090-01-01', null, 'EUR'],
      ['later', '2091-01-01', null, 'EUR'],
    ])
  })

  test('is for this person, or for anybody where this person has nothing to do', async () => {
    const { as, tenant } = await ready()
    await tenant.sign('brackets', '2024-Q4', 'buyer', { through: true })
    const supplier = await ask(as.supplier)
    expect(supplier.waiting.map(({ entry }) => entry.period)).toEqual(['2024-Q2', '2024-Q3', '2024-Q4'])
    const owner = await ask(as.owner)
    expect([supplier.waitsForMe, owner.waitsForMe]).toEqual([true, false])
    expect(owner.waiting.map(({ waitsFor }) => waitsFor)).toEqual([['supplier'], ['supplier'], ['supplier']])
  })
})

describe('what is wrong', () => {
  test('is a formula whose newest period cannot be computed, with a link', async () => {
    const { as } = await ready(bracketsDocument({ end: '2025-03-31' }))
    expect((await ask(as.viewer)).troubles).toEqual([
      {
        kind: 'agreement',
        subject: 'Steel brackets',
        words: expect.stringMatching(/^2025-Q1 cannot be computed: .*2024-12/),
        target: 'brackets',
      },
    ])
  })

  test('is not a gap that later periods have passed', async () => {
    const { as, tenant } = await ready(bracketsDocument({ end: '2025-06-30' }))
    await tenant.import('series,period,value\nCUSTOM/steel,2025-03,133\nCUSTOM/labour,2024-Q4,105\n')
    expect((await ask(as.viewer)).troubles).toEqual([])
  })

  test('is a series with a problem, or its provider if many have one', async () => {
    const { as, tenant } = await ready()
    const tag = tenant.id.slice(-8)
    const alone = await followed(tenant.id, `alone-${tag}`)
    await saveState(console.api.sql, { ...noState, seriesId: alone, trouble: 'the provider does not know this series' })
    for (const i of [1, 2, 3, 4]) {
      const id = await followed(tenant.id, `down-${i}-${tag}`)
      await saveState(console.api.sql, { ...noState, seriesId: id, trouble: 'the provider did not answer' })
    }
    expect((await ask(as.viewer)).troubles).toEqual([
      { kind: 'series', subject: `alone-${tag}`, words: 'the provider does not know this series', target: alone },
      { kind: 'provider', subject: 'CUSTOM', words: 'the provider did not answer (4 series)', target: null },
    ])
  })

  test('is an answer that waits for a decision, for everybody who sees the series', async () => {
    const { as, tenant } = await ready()
    const code = `stored-${tenant.id.slice(-8)}`
    const id = await followed(tenant.id, code)
    const reason = '3 of 10 settled values would change'
    await quarantineAnswer(console.api.sql, { seriesId: id, foundAt: now, reason, fingerprint: code, reading: '{}' })
    const expected = { kind: 'quarantine', subject: code, words: reason, target: id }
    expect((await ask(as.editor)).troubles).toEqual([expected])
    expect((await ask(as.viewer)).troubles).toEqual([expected])
    expect((await ask(as.supplier)).troubles).toEqual([])
    const { as: others } = await ready()
    expect((await ask(others.owner)).troubles).toEqual([])
  })
})

describe('how much there is', () => {
  test('counts series, agreements and live keys', async () => {
    const { as, tenant } = await ready()
    expect((await ask(as.owner)).counts).toEqual({ series: 2, agreements: 1, keys: 1 })
    await console.api.issueKey(tenant.id)
    await console.api.issueKey(tenant.id, -1_000)
    await tenant.importValues('CUSTOM/more', { '2024-01': '1' })
    expect((await ask(as.owner)).counts).toEqual({ series: 3, agreements: 1, keys: 2 })
  })

  test('is nothing at first', async () => {
    const { as } = await makeSeats(console.api)
    expect(await ask(as.owner)).toEqual({
      calendar: { alarms: [], alarmCount: 0, heldUp: 0, week: 0, weekInTime: 0, releases: 0 },
      changes: [],
      effects: [],
      due: [],
      disputed: [],
      disputedCount: 0,
      dueMonths: [],
      waitingCount: 0,
      waiting: [],
      portfolio: null,
      waits: {
        mine: { agreements: 0, periods: 0, corrections: 0, changes: 0 },
        others: { agreements: 0, periods: 0, corrections: 0, changes: 0 },
        disputed: 0,
        byCalendar: 0,
      },
      waitsForMe: false,
      troubles: [],
      moreTroubles: 0,
      counts: { series: 0, agreements: 0, keys: 1 },
      pending: 0,
      people: [],
    })
  })

  test('is limited to its own agreements for a supplier', async () => {
    const { as, tenant } = await ready(bracketsDocument({ more: `parties: { supplier: [${emails.supplier}] }\n` }))
    await tenant.importValues('CUSTOM/secret', { '2023-12': '100', '2024-03': '200' })
    await tenant.apply(`
slug: theirs
name: Somebody else's
status: ACTIVE
contract: { start: 2024-01-01, frequency: QUARTERLY }
inputs: { x: { series: CUSTOM/secret, weight: 1, base: 2023-12, lag: 1 month } }
clause: {}
parties: { supplier: [other@supplier.test] }
`)
    const seen = await ask(as.supplier)
    expect(seen.counts).toEqual({ series: 2, agreements: 1, keys: 0 })
    expect(JSON.stringify(seen)).not.toMatch(/secret|theirs|Somebody/)
    expect(JSON.stringify(await ask(as.buyer))).toMatch(/secret/)
  })
})

describe('many contracts', () => {
  test('that wait for one value are one line, and what is due is counted by month', async () => {
    const { as, tenant } = await ready(bracketsDocument({ end: '2030-12-31' }))
    await tenant.apply(bracketsDocument({ slug: 'second', end: '2030-12-31' }))
    const settled = async () => {
      let overview = await ask(as.viewer)
      while (overview.pending > 0) overview = await ask(as.viewer)
      return overview
    }
    const { troubles, dueMonths, waitingCount, waiting } = await settled()
    const missing = troubles.filter(({ kind }) => kind === 'missing')
    expect(missing).toEqual([
      {
        kind: 'missing',
        subject: expect.any(String),
        words: expect.stringMatching(/^has no value for \S+: 2 contracts wait for it$/),
        target: expect.stringMatching(/^ser_/),
      },
    ])
    expect(troubles.some(({ kind }) => kind === 'agreement')).toBe(false)
    expect(dueMonths).toEqual([{ month: expect.stringMatching(/^\d{4}-\d{2}$/), agreements: 2 }])
    expect(waitingCount).toBe(waiting.length)
  })

  const waitingFor = (slug: string, input: string) => `
slug: ${slug}
name: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs: { x: { ${input}, weight: 1, base: 2023-12 } }
clause: {}
parties: { supplier: [supplier@steel.test] }
`

  test.each([
    ['by the id and by the name of its series', 'lag: 2 months', 'has no value for 2024-02: 2 contracts wait for it'],
    [
      'only in its final stage',
      'lag: 1 month, vintage: FINAL',
      'has no FINAL value for 2024-03: 2 contracts wait for it',
    ],
    [
      'as the newest that was published',
      'lag: 6 months, pick: LATEST_PUBLISHED',
      'had nothing published by 2023-10-01: 2 contracts wait for it',
    ],
  ])('that wait for one value %s are one line', async (_, reading, words) => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable.split('\n').slice(0, 3).join('\n'))
    const [row] = await console.api.owner<{ id: string }[]>`select id from series where owner = ${tenant.id}`
    const { id } = row!
    await tenant.apply(waitingFor('by-name', `series: CUSTOM/steel, ${reading}`))
    await tenant.apply(waitingFor('by-id', `series: ${id}, ${reading}`))
    let overview = await ask(as.viewer)
    while (overview.pending > 0) overview = await ask(as.viewer)
    expect(overview.troubles).toEqual([{ kind: 'missing', subject: 'Steel billets', words, target: id }])
  })
})
