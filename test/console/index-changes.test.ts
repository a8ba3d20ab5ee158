// Changes of indices for the pages: what is known and suspected about the indices of the agreements that somebody sees, what is
// proposed, and what might take the place of a series.
import { beforeAll, describe, expect, test } from 'vitest'
import type { IndexEvent } from '../../src/core/index-changes/index-event.ts'
import { addIndexEvent } from '../../src/storage/series/index-events.ts'
import type {
  IndexChanges,
  SeriesIndexChanges,
  SpliceOfferPreview,
  Successors,
  TermsChangePage,
  TermsProposed,
} from '../../src/views/shapes/index-changes.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

const console = consoleHouse()
const slug = 'steel-brackets'
const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`

const splice = {
  old: 'CUSTOM/old',
  successor: 'CUSTOM/new',
  method: 'OVERLAP',
  ground: { kind: 'BY_HAND', sentence: 'The office stopped it.' },
}

/** Once every agreement is computed. */
function changesFor(browser: Browser): Promise<IndexChanges> {
  return eventually(
    () => browser.json<IndexChanges>('/index-changes'),
    ({ pending }) => pending === 0,
  )
}

async function idOf(reference: string): Promise<string> {
  const rows = await console.as.buyer.json<SeriesRow[]>('/series')
  return rows.find(({ provider, code }) => `${provider}/${code}` === reference)!.id
}

beforeAll(async () => {
  const { tenant, as } = console
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  expect((await changesFor(as.buyer)).agreements).toBe(0)
  await tenant.import(twoIndices)
  await tenant.import('series,period,value,name\nCUSTOM/secret,2023-12,100,Secret\n')
  await tenant.apply(oldIndexDocument({ parties }))
  await tenant.apply(oldIndexDocument({ slug: 'second', parties }))
  const hidden = oldIndexDocument({ slug: 'hidden', parties: '{ supplier: [fay@fennel.test] }' })
  await tenant.apply(hidden.replace('CUSTOM/old', 'CUSTOM/secret'))
  await tenant.signBoth(slug, '2024-Q2')
})

describe('index changes', () => {
  test('are shown for all before they are offered: what cannot have it is named with the reason, and nothing is stored', async () => {
    const { as } = console
    const agreements = ['hidden', 'second', slug]
    const { json, status } = await as.editor.post('/splices/offer/preview', { ...splice, agreements })
    const { preview, ...rest } = json as SpliceOfferPreview
    expect([status, rest]).toEqual([
      200,
      { slug, count: 2, refused: [{ slug: 'hidden', why: expect.stringMatching(/^no input of hidden reads/) }] },
    ])
    expect(preview!.body.new.series).toBe('CUSTOM/new')
    const none = (await as.editor.post('/splices/offer/preview', { ...splice, agreements: ['hidden'] })).json
    expect(none).toMatchObject({ slug: null, preview: null, count: 0, refused: [{ slug: 'hidden' }] })
    expect((await as.supplier.post('/splices/offer/preview', splice)).status).toBe(403)
    expect((await changesFor(as.buyer)).mine).toEqual([])
  })

  test('are told to each person for the indices of the agreements that they see', async () => {
    const { as } = console
    const all = await changesFor(as.viewer)
    expect(all.indices.map(({ series, agreements, facts }) => [series.reference, agreements, facts[0]?.kind])).toEqual([
      ['CUSTOM/old', 2, 'ENDED'],
      ['CUSTOM/secret', 1, 'ENDED'],
    ])
    expect(all.indices[0]!.facts[0]).toMatchObject({
      ground: 'SUSPECT',
      id: null,
      sentence: 'It seems to have ended with 2024-06.',
    })
    const own = await changesFor(as.supplier)
    expect(own.indices.map(({ series }) => series.reference)).toEqual(['CUSTOM/old'])
    expect([own.mayOffer, all.mayOffer, own.agreements]).toEqual([false, false, 2])
    const secret = await idOf('CUSTOM/secret')
    for (const path of ['index-changes', 'successors'])
      expect((await as.supplier.get(`/series/${secret}/${path}`)).status).toBe(404)
  })

  test('name what is published about an index, and what takes its place', async () => {
    const { as, tenant, api } = console
    await makeSeries(api.sql, tenant.id, 'PR01/PAGE15_2200', 'BOJ')
    await tenant.apply(`
slug: pumps
status: ACTIVE
contract: { start: 2024-01-01, frequency: QUARTERLY }
parties: ${parties}
inputs: { a: { series: BOJ/PR01/PAGE15_2200, weight: 1, base: { value: 100 } } }
clause: {}
`)
    const event: IndexEvent = {
      id: 'page-cgpi-2020',
      provider: 'BOJ',
      codes: 'PR01/PAGE15_*',
      kind: 'SUPERSEDED',
      day: '2022-06-10',
      successor: 'PR01/PAGE20_*',
      sentence: 'It moved to another base.',
      source: 'BOJ',
      coefficient: { direction: 'NEW_TO_OLD', digits: '1.0820' },
    }
    await addIndexEvent(api.sql, event, 'ann@installation.test')
    const { indices } = await changesFor(as.supplier)
    const { id, kind, day, coefficient, source } = event
    expect(indices.find(({ series }) => series.reference === 'BOJ/PR01/PAGE15_2200')!.facts).toEqual([
      {
        ground: 'EVENT',
        id,
        kind,
        day,
        coefficient,
        source,
        sentence: event.sentence,
        evidence: [],
        successor: { id: null, reference: 'BOJ/PR01/PAGE20_2200', name: 'BOJ/PR01/PAGE20_2200' },
      },
    ])
  })

  test('are called in the advice of an agreement what was published of them', async () => {
    const { as, tenant, api } = console
    const code = 'PR01/ADVICE15_1'
    const series = await makeSeries(api.sql, tenant.id, code, 'BOJ')
    await publishRows(api.sql, tenant.id, series, [{ period: 2022 * 12 + 4, value: '100' }])
    await tenant.apply(`
slug: valves
contract: { start: 2022-01-01, frequency: QUARTERLY }
inputs: { a: { series: BOJ/${code}, weight: 1, base: { value: 100 } } }
clause: {}
`)
    const advice = async () => (await as.editor.get('/agreements/valves')).text
    const silent = `BOJ/${code} has no value after 2022-05: it `
    expect(await advice()).toContain(`${silent}seems to have ended`)
    const event: IndexEvent = {
      ...{ id: 'advice-2020', provider: 'BOJ', codes: 'PR01/ADVICE15_*', kind: 'SUPERSEDED', day: '2022-06-10' },
      ...{ successor: null, sentence: 'It moved to another base.', source: 'BOJ', coefficient: null },
    }
    await addIndexEvent(api.sql, event, 'ann@installation.test')
    expect(await advice()).toContain(`${silent}was replaced`)
  })

  test('go from a proposal that waits, with its effect, to a join that the series says', async () => {
    const { as } = console
    const old = await idOf('CUSTOM/old')
    const successors = await as.editor.json<Successors>(`/series/${old}/successors`)
    expect(successors).toMatchObject({ mayOffer: true, agreements: [{ slug: 'second' }, { slug }] })
    const { json } = await as.editor.post(`/agreements/${slug}/splices`, splice)
    const { id } = json as TermsProposed
    const waiting = await changesFor(as.supplier)
    expect(waiting.mine).toMatchObject([{ id, as: 'supplier', coefficient: '0.500000', effect: { period: '2024-Q3' } }])
    expect(waiting.indices[0]).toMatchObject({ agreements: 2, proposed: 1, changed: 0 })
    expect((await changesFor(as.viewer)).others.map(each => each.id)).toEqual([id])
    const page = await as.supplier.json<TermsChangePage>(`/terms-changes/${id}`)
    expect(page.lines).toMatchObject({ old: { id: old }, new: { id: null } })
    expect(page.lines!.new.points.at(-1)).toEqual({ period: '2024-09', value: '55.0' })
    expect(page.differences.map(({ path }) => path)).toContain('inputs.metal.series')
    for (const party of ['buyer', 'supplier'] as const)
      await as[party].post('/terms-changes/sign', { changes: [{ id, hash: page.change.hash, party }] })
    const after = await changesFor(as.supplier)
    expect([after.mine, after.indices[0]]).toMatchObject([[], { agreements: 2, proposed: 0, changed: 1 }])
    const series = await as.supplier.json<SeriesIndexChanges>(`/series/${old}/index-changes`)
    expect(series.joins).toMatchObject([{ id, join: '2024-06', coefficient: '0.500000', version: 2 }])
  })
})
