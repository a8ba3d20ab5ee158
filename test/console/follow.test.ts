// Series that come from providers, as pages add them: searching, following, what waits in quarantine, and the state of
// the providers. The providers are the stand-in.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderName } from '../../src/core/series/series.ts'
import type { OpenIngest } from '../../src/ingest/ingest-connections.ts'
import { refreshSeries } from '../../src/ingest/refresh.ts'
import { limits } from '../../src/limits.ts'
import { addOperator, removeOperator } from '../../src/storage/people/operators.ts'
import { listPublicSeries } from '../../src/storage/series/public-series.ts'
import type { InstallationPage } from '../../src/views/shapes/installation.ts'
import type {
  Followed,
  ProviderRow,
  QuarantinePage,
  SeriesPage,
  SeriesRow,
  SeriesSearch,
} from '../../src/views/shapes/series.ts'
import type { Invited } from '../../src/views/shapes/settings.ts'
import { finalMonths, ingestAt } from '../ingest/support.ts'
import { publish, type StandInSeries } from '../stand-in/model.ts'
import { standInKeys } from '../stand-in/speakers.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import {
  type Browser,
  join,
  makeSeats,
  openConsole,
  type Seats,
  signIn,
  type TestConsole,
} from '../support/houses/console.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let db: TestDatabase
let standIn: StandIn
let ingest: OpenIngest
let console: TestConsole
/** A second workspace on the same server. */
let others: Seats
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-06-15' })
  ingest = ingestAt(db, standIn, { answerMs: 2000, sleep: async () => {} })
  // EIA is left at its real address, without a key: it is never asked.
  const { ASSIZE_PROVIDER_BASE_EIA: _base, ASSIZE_KEY_EIA: _key, ...env } = standIn.environment
  console = await openConsole({ env }, db)
  others = await makeSeats(console.api)
})
afterAll(async () => {
  await ingest.close()
  await console.close()
  await standIn.close()
})
beforeEach(async () => {
  standIn.behave()
  await db.owner`delete from provider_pause`
  await db.owner`delete from provider_request`
})

const ask = (browser: Browser, provider: string, code: string) => browser.post('/series/follow', { provider, code })

async function followed(browser: Browser, provider: string, code: string): Promise<Followed> {
  const { status, json, text } = await ask(browser, provider, code)
  if (status !== 201 && status !== 200) throw new Error(`${status} ${text}`)
  return json as Followed
}

const errorOf = ({ status, json }: { status: number; json: unknown }) => [status, (json as { error: string }).error]

async function rowOf(browser: Browser, code: string): Promise<SeriesRow | undefined> {
  return (await browser.json<readonly SeriesRow[]>('/series')).find(each => each.code === code)
}

async function refresh(provider: ProviderName): Promise<void> {
  await refreshSeries(ingest, await listPublicSeries(db.sql, { provider }), 'refresh')
}

const activities = (workspaceId: string) =>
  db.owner<{ who: string; what: string; subject: string; from: string | null }[]>`
    select who, what, subject, from_address as from from activity where workspace_id = ${workspaceId}
      and (what like 'series %' or what like 'quarantine %') order by id`

/** Sixty final months. */
function steady(code: string, value = (i: number) => `${100 + i}.5`): StandInSeries {
  const model = standIn.seriesOf('BLS').find(series => series.frequency === 'MONTHLY')!
  return { ...model, code, publications: finalMonths(60, value) }
}

describe('following', () => {
  test('brings the whole history, shows it at once, and says who did it', async () => {
    const { status, json } = await ask(console.as.editor, 'BLS', ' WPU1017 ')
    expect([status, json]).toEqual([
      201,
      { id: expect.stringMatching(/^ser_/), values: expect.any(Number), wasFollowed: false },
    ])
    const { id, values } = json as Followed
    expect(values).toBeGreaterThan(12)
    expect(await rowOf(console.as.viewer, 'WPU1017')).toMatchObject({
      id,
      provider: 'BLS',
      isFollowed: true,
      lastAskedAt: expect.stringMatching(/^\d{4}-/),
      lastChangedAt: expect.stringMatching(/^\d{4}-/),
      trouble: null,
    })
    const page = await console.as.viewer.json<SeriesPage>(`/series/${id}`)
    expect(page.vintages.periods).toHaveLength(values)
    // The provider gave no dates of publication: nothing claims that all of it came out today.
    expect(page.vintages.publishedAt).toEqual(page.vintages.recordedAt)
    expect(page.series.last!.publishedAt).toBe(page.series.last!.recordedAt)
    expect(page.source).toEqual({
      name: 'US Bureau of Labor Statistics',
      shortName: 'BLS',
      terms: expect.stringContaining('US government work'),
      home: 'https://www.bls.gov/data/',
    })
    expect(await activities(console.tenant.id)).toEqual([
      { who: 'eva@editor.test', what: 'series followed', subject: 'BLS/WPU1017', from: '127.0.0.1' },
    ])
  })

  test('what is already followed stays as it is, and is not recorded twice', async () => {
    const { status, json } = await ask(console.as.owner, 'BLS', 'WPU1017')
    expect([status, json]).toMatchObject([200, { wasFollowed: true }])
    expect(await activities(console.tenant.id)).toHaveLength(1)
  })

  test('another workspace shares the series and sees nothing before it follows it', async () => {
    const { id } = await followed(console.as.owner, 'BLS', 'WPU1017')
    expect((await others.as.owner.get(`/series/${id}`)).status).toBe(404)
    expect(await followed(others.as.owner, 'BLS', 'WPU1017')).toMatchObject({ id, wasFollowed: false })
    expect((await others.as.owner.get(`/series/${id}`)).status).toBe(200)
  })

  test('an unknown code, an unknown provider and a code no provider could have are refused in words', async () => {
    const { editor } = console.as
    expect(errorOf(await ask(editor, 'BLS', 'NOSUCHSERIES'))).toEqual([
      422,
      'BLS/NOSUCHSERIES cannot be followed: the provider does not know it: Invalid Series for Series NOSUCHSERIES',
    ])
    expect(errorOf(await ask(editor, 'BLS', 'not a code'))).toEqual([422, expect.stringContaining('a BLS code is')])
    expect(errorOf(await ask(editor, 'NOBODY', 'X'))).toEqual([
      422,
      expect.stringContaining('"NOBODY" is not a provider'),
    ])
    expect(errorOf(await ask(editor, 'CUSTOM', 'X'))).toEqual([
      422,
      expect.stringContaining('"CUSTOM" is not a provider'),
    ])
    expect((await editor.post('/series/follow', { provider: 'BLS' })).status).toBe(422)
    expect(await rowOf(editor, 'NOSUCHSERIES')).toBeUndefined()
  })

  test('a provider whose key is not set is not asked', async () => {
    const code = 'petroleum/pri/gnd/EMD_EPD2D_PTE_NUS_DPG/W'
    expect(errorOf(await ask(console.as.editor, 'EIA', code))).toEqual([
      422,
      `EIA/${code} cannot be followed: EIA needs a key: set ASSIZE_KEY_EIA`,
    ])
  })

  test('a provider that cannot be reached is reported, and nothing is left behind', async () => {
    standIn.misbehave('ONS', 'connection-reset')
    const answer = await ask(console.as.editor, 'ONS', 'D7BT/MM23/M')
    expect(errorOf(answer)).toEqual([503, expect.stringContaining('the provider has a problem: ONS cannot be reached')])
    expect(answer.headers['retry-after']).toBeDefined()
    expect(await rowOf(console.as.editor, 'D7BT/MM23/M')).toBeUndefined()
    standIn.behave()
    expect(await followed(console.as.editor, 'ONS', 'D7BT/MM23/M')).toMatchObject({ wasFollowed: false })
  })

  test('a code that the workspace has imported is in conflict', async () => {
    await console.tenant.importValues('BLS/CUUR0000SA0', { '2024-01': '300' })
    expect(errorOf(await ask(console.as.editor, 'BLS', 'CUUR0000SA0'))).toEqual([
      409,
      'BLS/CUUR0000SA0 was imported into this workspace, so it cannot be followed as well',
    ])
  })
})

describe('searching', () => {
  const search = (words: string) => console.as.editor.json<SeriesSearch>(`/series/search?${words}`)

  test('finds in the built-in list and live, and says which series are followed here', async () => {
    const { id } = await followed(console.as.editor, 'FRED', 'WPU101')
    const { results, trouble } = await search('q=iron+steel&provider=FRED')
    expect(trouble).toBeNull()
    expect(results).toEqual([
      expect.objectContaining({ provider: 'FRED', code: 'WPU101', id }),
      expect.objectContaining({ provider: 'FRED', code: 'PCU331110331110', id: null }),
    ])
    expect(results[0]!.detail).toContain('monthly')
  })

  test('without a provider asks nobody', async () => {
    standIn.forgetRequests()
    const { results, trouble, sets } = await search('q=wpu')
    expect([trouble, sets, standIn.requests]).toEqual([null, [], []])
    const references = results.map(({ provider, code }) => `${provider}/${code}`)
    expect(references).toContain('BLS/WPU1017')
    expect(new Set(references).size).toBe(references.length)
    expect(results[0]!.id).not.toBeNull()
    expect((await search('q=bls/wpu1017')).results).toMatchObject([{ code: 'WPU1017' }])
  })

  test('names sets where a provider finds no series', async () => {
    const { results, sets } = await search('q=prices&provider=EUROSTAT')
    expect(sets.length).toBeGreaterThan(0)
    for (const { code } of results) expect(sets.map(each => each.code)).not.toContain(code)
  })

  test('answers with what it has if the provider cannot be asked, and says why', async () => {
    standIn.misbehave('FRED', 'connection-reset')
    const { results, trouble } = await search('q=diesel&provider=FRED')
    expect(results.map(({ code }) => code)).toContain('GASDESW')
    expect(trouble).toContain('FRED cannot be reached')
    expect((await search('q=crude&provider=EIA')).trouble).toBe(
      'EIA can only be searched with a key: set ASSIZE_KEY_EIA',
    )
  })

  test('keeps to the provider’s limits', async () => {
    await db.owner`insert into provider_pause (owner, provider, until) values ('public', 'FRED', now() + interval '1 hour')`
    standIn.forgetRequests()
    const { results, trouble } = await search('q=diesel&provider=FRED')
    expect(results.length).toBeGreaterThan(0)
    expect(trouble).toMatch(/^FRED was not asked: its limits allow the next request in \d+ s$/)
    expect(standIn.requests).toEqual([])
  })

  test('needs words and an existing provider', async () => {
    const { editor } = console.as
    expect((await editor.get('/series/search?q=+')).status).toBe(422)
    expect((await editor.get(`/series/search?q=${'x'.repeat(201)}`)).status).toBe(422)
    expect((await editor.get('/series/search?q=x&provider=NOBODY')).status).toBe(422)
  })
})

describe('the quarantine', () => {
  const quarantine = (browser: Browser) => browser.json<QuarantinePage>('/quarantine')
  const waiting = async (browser: Browser) => (await quarantine(browser)).waiting
  const rebase = async (code: string, value: (i: number) => string) => {
    standIn.put(steady(code, value))
    await refresh('BLS')
  }
  /** Is in the first workspace only, as a viewer. */
  let operator: Browser
  let id: string
  beforeAll(async () => {
    standIn.put(steady('WPUSTEADY'))
    id = (await followed(console.as.editor, 'BLS', 'WPUSTEADY')).id
    await join(console.api, console.tenant.id, 'otto@operator.test', 'viewer')
    await addOperator(db.owner, 'otto@operator.test', { workspaceId: null, by: 'operator' })
    operator = await signIn(console.api, 'otto@operator.test', console.slug)
  })

  test('shows the new values next to the stored ones, on its page too, to everybody in the workspace', async () => {
    await rebase('WPUSTEADY', i => `${50 + i}.25`)
    const rows = await waiting(console.as.editor)
    expect(rows).toMatchObject([
      {
        seriesId: id,
        provider: 'BLS',
        code: 'WPUSTEADY',
        reason: '60 of 60 final values would be rewritten',
        foundAt: expect.stringMatching(/^\d{4}-/),
      },
    ])
    expect(rows[0]!.sample).toHaveLength(8)
    expect(rows[0]!.sample.at(-1)).toEqual({ period: '2025-12', stored: '159.5', came: '109.25' })
    for (const role of ['owner', 'viewer'] as const) {
      const page = await console.as[role].json<SeriesPage>(`/series/${id}`)
      expect(page.quarantine).toEqual({ ...rows[0], mayDecide: false })
      expect(page.series.trouble).toContain('waits in the quarantine')
    }
    expect((await operator.json<SeriesPage>(`/series/${id}`)).quarantine).toMatchObject({ mayDecide: true })
  })

  test('is decided by no follower, whatever their role', async () => {
    const [entry] = await waiting(console.as.editor)
    for (const role of ['owner', 'editor', 'buyer', 'supplier', 'viewer'] as const)
      for (const decision of ['release', 'reject']) {
        const { status, json } = await console.as[role].post(`/quarantine/${entry!.id}`, { decision })
        expect([status, json]).toEqual([
          403,
          { error: 'only operators of this installation decide about public series; you see here what they decide' },
        ])
      }
    expect(await waiting(console.as.editor)).toHaveLength(1)
  })

  test('of a series that is not followed here is not shown', async () => {
    const [entry] = await waiting(console.as.editor)
    expect(await waiting(others.as.editor)).toEqual([])
    await join(console.api, others.tenant.id, 'otto@operator.test', 'viewer')
    const elsewhere = await signIn(console.api, 'otto@operator.test', others.slug)
    const foreign = await elsewhere.post(`/quarantine/${entry!.id}`, { decision: 'release' })
    const absent = await elsewhere.post('/quarantine/nothing', { decision: 'release' })
    expect([foreign.status, foreign.text]).toEqual([404, absent.text])
    expect(await waiting(console.as.editor)).toHaveLength(1)
  })

  test('rejected, it stays out; every follower sees who decided, without the address', async () => {
    await followed(others.as.editor, 'BLS', 'WPUSTEADY')
    const [entry] = await waiting(console.as.editor)
    const { status } = await operator.post(`/quarantine/${entry!.id}`, { decision: 'reject' })
    expect(status).toBe(204)
    expect(await rowOf(console.as.editor, 'WPUSTEADY')).toMatchObject({
      last: { value: '159.5' },
      trouble: 'rejected: 60 of 60 final values would be rewritten',
    })
    for (const { tenant, as } of [console, others]) {
      expect((await activities(tenant.id)).at(-1)).toEqual({
        who: 'otto@operator.test',
        what: 'quarantine rejected',
        subject: 'BLS/WPUSTEADY',
        from: null,
      })
      const { waiting: left, decided, mayDecide } = await quarantine(as.viewer)
      expect([left, mayDecide]).toEqual([[], false])
      const told = { seriesId: id, decision: 'rejected', decidedBy: 'otto@operator.test', reason: entry!.reason }
      expect(decided[0]).toMatchObject(told)
      expect((await as.viewer.json<SeriesPage>(`/series/${id}`)).decided).toMatchObject(told)
    }
    const again = await operator.post(`/quarantine/${entry!.id}`, { decision: 'release' })
    expect(again.status).toBe(404)
  })

  test('released from the installation’s page, it is published as revisions and shown at once', async () => {
    await rebase('WPUSTEADY', i => `${70 + i}.25`)
    const seen = (await operator.ask('/installation')).json as InstallationPage
    expect(seen.waiting).toMatchObject([{ seriesId: id, followers: 2 }])
    expect(seen.decided[0]).toMatchObject({ decision: 'rejected', decidedBy: 'otto@operator.test' })
    expect(seen.operators).toMatchObject([{ email: 'otto@operator.test', isMe: true, addedBy: 'operator' }])
    const bls = seen.providers.find(({ provider }) => provider === 'BLS')!
    expect([bls.series, bls.inTrouble > 0, bls.lastRun === null]).toEqual([
      (await listPublicSeries(db.sql, { provider: 'BLS' })).length,
      true,
      false,
    ])
    const path = `/installation/quarantine/${seen.waiting[0]!.id}`
    expect((await operator.send('POST', path, { decision: 'keep' })).status).toBe(422)
    expect((await operator.send('POST', path, { decision: 'release' })).status).toBe(204)
    expect(await rowOf(console.as.editor, 'WPUSTEADY')).toMatchObject({
      last: { value: '129.25', tag: 'REVISED' },
      trouble: null,
    })
    const { vintages } = await console.as.viewer.json<SeriesPage>(`/series/${id}`)
    expect(vintages.value).toHaveLength(120)
    expect((await activities(others.tenant.id)).at(-1)).toMatchObject({
      who: 'otto@operator.test',
      what: 'quarantine released',
    })
  })

  test('with answers that look different waits together; operators alone see both shapes and decide', async () => {
    await rebase('WPUSTEADY', i => `${70 + i}250`)
    const everywhere = async () => (await operator.ask('/installation')).json as InstallationPage
    const { waiting: alone, drifts } = await everywhere()
    expect(alone).toEqual([])
    expect(drifts).toMatchObject([{ provider: 'BLS', kind: 'values', held: ['WPUSTEADY'], morePlaces: 0 }])
    const [{ id: change, reason, places }] = drifts as [(typeof drifts)[number]]
    expect(reason).toContain('all figures are 1000 times as large')
    expect(places[0]!.lines.find(({ what }) => what === 'Decimals')).toEqual({
      what: 'Decimals',
      before: '2',
      after: '0',
    })
    const decide = (browser: Browser, decision: string) =>
      browser.send('POST', `/installation/drifts/${change}`, { decision })
    for (const role of ['owner', 'editor', 'viewer', 'supplier'] as const)
      expect((await decide(console.as[role], 'release')).status).toBe(403)
    expect((await decide(operator, 'release')).status).toBe(204)
    expect((await everywhere()).drifts).toEqual([])
    expect(await rowOf(console.as.editor, 'WPUSTEADY')).toMatchObject({ last: { value: '129250' } })
    expect((await activities(others.tenant.id)).at(-1)).toMatchObject({ what: 'quarantine released' })
    expect((await decide(operator, 'reject')).status).toBe(404)
  })

  test('the installation’s page is for operators only, and not for former ones', async () => {
    expect((await operator.ask('/session')).json).toMatchObject({ isOperator: true })
    expect((await console.as.owner.ask('/session')).json).toMatchObject({ isOperator: false })
    const asked = async (browser: Browser) => [
      (await browser.ask('/installation')).status,
      (await browser.send('POST', '/installation/quarantine/x', { decision: 'release' })).status,
    ]
    expect(await asked(operator)).toEqual([200, 404])
    expect(await asked(console.as.owner)).toEqual([403, 403])
    expect(await asked(console.browser())).toEqual([401, 401])
    await removeOperator(db.owner, 'otto@operator.test', 'operator')
    expect(await asked(operator)).toEqual([403, 403])
    await expect(removeOperator(db.owner, 'otto@operator.test', 'operator')).rejects.toThrow('is not an operator')
  })

  test('an operator is an account: another account with the same address is not an operator', async () => {
    const email = 'boss@operator.test'
    await join(console.api, console.tenant.id, email, 'owner')
    await addOperator(db.owner, email, { workspaceId: null, by: 'operator' })
    const invited = (await others.as.owner.post('/people', { email, name: '', role: 'owner' })).json as Invited
    const mallory = console.browser()
    const body = { token: invited.link!.split('#')[1]!, password: 'chosen by mallory' }
    expect((await mallory.send('POST', '/set-up', body)).json).toMatchObject({ isOperator: false })
    expect((await mallory.ask('/installation')).status).toBe(403)
    await expect(addOperator(db.owner, email, { workspaceId: null, by: 'operator' })).rejects.toThrow(
      `${email} has 2 accounts, in ${console.slug}; ${others.slug}: say --workspace W for the one that is meant`,
    )
    expect(await addOperator(db.owner, email, { workspaceId: console.tenant.id, by: 'operator' })).toBe(false)
  })
})

describe('the providers', () => {
  const providersOf = async (browser: Browser) => {
    const rows = await browser.json<readonly ProviderRow[]>('/providers')
    return new Map(rows.map(row => [row.provider, row]))
  }

  test('say what they need, whether a key is set, and never which', async () => {
    const rows = await providersOf(console.as.viewer)
    expect(rows.size).toBe(15)
    expect(rows.get('EIA')).toMatchObject({ key: 'required', keyVariable: 'ASSIZE_KEY_EIA', isKeySet: false })
    expect(rows.get('BLS')).toMatchObject({
      name: 'US Bureau of Labor Statistics',
      key: 'optional',
      isKeySet: true,
      limits: '30 requests a minute, 500 a day, 50 series a request',
    })
    expect(rows.get('ECB')).toMatchObject({ key: 'none', keyVariable: '', series: 0, lastRun: null })
    const { text } = await console.as.viewer.get('/providers')
    for (const key of Object.values(standInKeys)) expect(text).not.toContain(key)
  })

  test('count the series of this workspace, those in trouble, and what its last run brought', async () => {
    await refresh('BLS')
    standIn.publish('BLS', 'WPU1017', publish('2026-05', '321.000', '2026-06-14T12:30:00Z', 'PRELIMINARY'))
    standIn.put(steady('WPUTHEIRS'))
    await followed(others.as.owner, 'BLS', 'WPUTHEIRS')
    standIn.put(steady('WPUTHEIRS', i => `${50 + i}.25`))
    // A run is timed by one clock and what it records by another: two runs are distinguished when they are this far
    // apart.
    await sleep(limits.clockToleranceMs + 100)
    await refresh('BLS')
    const mine = (await providersOf(console.as.viewer)).get('BLS')!
    expect(mine).toMatchObject({ series: 2, inTrouble: 0 })
    expect(mine.lastRun).toMatchObject({ added: 1, revised: 0, withdrawn: 0, problems: [] })
    expect(mine.lastRun!.finishedAt! >= mine.lastRun!.startedAt).toBe(true)
    const theirs = (await providersOf(others.as.viewer)).get('BLS')!
    expect(theirs).toMatchObject({ series: 3, inTrouble: 1 })
    expect(theirs.lastRun!.problems).toEqual(['BLS/WPUTHEIRS: 60 of 60 final values would be rewritten'])
  })
})
