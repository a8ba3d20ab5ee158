// An agreement that changes its supplier (T31): the new one sees what came since, the one before keeps what it signed, and
// neither learns anything of the other, on any route and in any status.
import { webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decodeUtf8 as textOf } from '../../src/core/text/utf8.ts'
import { checkPackage } from '../../src/formats/evidence/check.ts'
import { copyPath } from '../../src/formats/evidence/manifest.ts'
import { changeMember } from '../../src/storage/people/member-changes.ts'
import { lookAround } from '../../src/views/mail-lookout.ts'
import type { AdjustmentPage, AgreementList, AgreementPage, SearchHits } from '../../src/views/shapes/agreements.ts'
import type { ProposalHistory } from '../../src/views/shapes/history.ts'
import type { InvoiceResult } from '../../src/views/shapes/imports.ts'
import type { RecentlySigned } from '../../src/views/shapes/inbox.ts'
import type { AgreementPriceRows } from '../../src/views/shapes/invoices.ts'
import type { PersonRow } from '../../src/views/shapes/settings.ts'
import type { CorrectionPage, LedgerPage, Revisions } from '../../src/views/shapes/true-up.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import {
  newSupplier,
  oldSupplier,
  openChanged,
  openUnchanged,
  shared,
  sharedDocument,
  signCorrection,
  signThrough,
  thirdSupplier,
} from '../support/agreements/changed-supplier.ts'
import { findWords, foreignTo } from '../support/agreements/changed-supplier-routes.ts'
import { unzip } from '../support/files/unzip.ts'
import { askUntilKnown, type Browser, emails, linesOf, partsOfConsole } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { applyList } from '../support/houses/priced-tenant.ts'
import { isLong, someOf } from '../support/run/long-form.ts'
import { madeOnce } from '../support/run/made-once.ts'

const console = consoleHouse()

/** For the tests that change nothing in it: they read, or are refused. */
const unchanged = madeOnce(() => openChanged(console))
/** For those that change it, and change it back. */
const restored = madeOnce(() => openChanged(console))
/** For those that each go on from what the one before them signed. */
const continued = madeOnce(() => openChanged(console))
/** For those that must not meet what every address of every route was asked in the long form. */
const apartInLongForm = (shared: typeof unchanged) => (isLong('every-status') ? openChanged(console) : shared())

const periodsOf = async (browser: Browser) =>
  (await browser.json<AgreementPage>(`/agreements/${shared}`)).entries.map(({ period }) => period)

describe('every route', () => {
  test('shows neither supplier anything of the other, and a third one nothing', async () => {
    const house = await unchanged()
    for (const [turn, who] of (['old', 'next', 'third'] as const).entries())
      expect([who, await findWords(console.api, house, house[who], foreignTo[who], { turn })]).toEqual([who, []])
    expect([await house.third.json('/series'), (await house.third.json<AgreementList>('/agreements')).all]).toEqual([
      [],
      0,
    ])
    // Everybody inside sees both.
    expect(await findWords(console.api, house, house.as.viewer, [oldSupplier.word], { enough: 12 })).toHaveLength(12)
  })

  test('does so in every status, also while the agreement is a draft for somebody else', async () => {
    const house = await apartInLongForm(restored)
    const statuses = [
      ['DRAFT', thirdSupplier],
      ['SUSPENDED', newSupplier],
      ['EXPIRED', newSupplier],
      ['ARCHIVED', newSupplier],
    ] as const
    // In every other status, and then as one of the three in turn; in all of both in the long form.
    for (const [turn, [status, supplier]] of someOf(
      'every-status',
      'statuses of an agreement and its suppliers',
      statuses,
      { oneIn: 2 },
    ).entries()) {
      await house.tenant.apply(sharedDocument(supplier, status))
      for (const who of someOf('every-status', 'suppliers in each of these', ['old', 'next', 'third'] as const, {
        oneIn: 3,
        from: turn,
      }))
        expect([status, who, await findWords(console.api, house, house[who], foreignTo[who], { turn })]).toEqual([
          status,
          who,
          [],
        ])
      expect(await periodsOf(house.old), status).toEqual(['2024-Q2', '2024-Q3', '2024-Q4'])
      expect(await periodsOf(house.next), status).toEqual(['2024-Q4', '2025-Q1'])
      for (const id of [house.corrections.agreed, house.corrections.late])
        expect((await house.old.get(`/corrections/${id}`)).status, status).toBe(200)
      expect((await house.next.get(`/corrections/${house.corrections.own}`)).status, status).toBe(200)
    }
    await house.tenant.apply(sharedDocument(newSupplier))
  })
})

describe('the new supplier', () => {
  test('sees the periods since it became one, and of what was before only what its first number goes on from', async () => {
    const { next } = await unchanged()
    const page = await next.json<AgreementPage>(`/agreements/${shared}`)
    expect(page.agreement).toMatchObject({ name: 'Parts of pepper', status: 'ACTIVE', asSupplier: { until: null } })
    expect(page.agreement.asSupplier!.since).toMatch(/^\d{4}-/)
    expect(page.entries.map(({ period, isSigned }) => [period, isSigned])).toEqual([
      ['2024-Q4', true],
      ['2025-Q1', false],
    ])
    const first = await next.json<AdjustmentPage>(`/agreements/${shared}/periods/2024-Q4`)
    expect(first).toMatchObject({ pathPrice: '1195.70', previousPeriod: null, objections: { list: [] } })
    // Computed again, the number goes on from there as well.
    const { events } = await next.json<ProposalHistory>(`/agreements/${shared}/periods/2024-Q4/history`)
    const proposed = events.filter(each => each.kind === 'proposed').map(({ number }) => number?.adjustmentPct)
    expect(proposed).toEqual([first.entry.adjustmentPct])
    for (const path of ['', '/receipt', '/history', '/readings'])
      expect((await next.get(`/agreements/${shared}/periods/2024-Q2${path}`)).status, path).toBe(404)
    const prices = await next.json<AgreementPriceRows>(`/agreements/${shared}/prices?date=2024-10-01`)
    expect(prices.periods.map(({ period }) => period)).toEqual(['2024-Q4', '2025-Q1'])
    expect(prices.rows.map(({ item, price }) => [item, price])).toEqual([['pepper-item', '1219.30']])
    expect(prices.lists).toHaveLength(1)
    // The stored text was written for somebody else: the rule is the same, their words are gone.
    const [version] = await next.json<readonly VersionView[]>(`/agreements/${shared}/versions`)
    expect(version!.documentText).toContain('name: Parts of pepper')
    expect(version!.documentText).not.toContain('#')
  })

  test('sees no prices by a list of the one before, until the same list is applied for it', async () => {
    const { tenant, next } = await openUnchanged(console)
    await tenant.apply(sharedDocument(newSupplier))
    const look = () => next.json<AgreementPriceRows>(`/agreements/${shared}/prices`)
    expect(await look()).toMatchObject({
      rows: [],
      lists: [],
      periods: [],
      why: 'no price list was applied since you became the supplier',
    })
    await applyList(tenant, shared, 'item,price,currency,per,unit\nfennel-item,1000.00,EUR,1,piece\n')
    expect(await look()).toMatchObject({ rows: [{ item: 'fennel-item', period: '2024-Q4' }], lists: [{ version: 2 }] })
  })

  test('is checked against its own prices alone', async () => {
    const { next } = await unchanged()
    const file = [
      'invoice,line,agreement,item,quantity,unit_price,amount,currency,date',
      `1,1,${shared},fennel-item,1,1173.10,1173.10,EUR,2024-05-10`,
      `1,2,${shared},pepper-item,1,1184.70,1184.70,EUR,2024-05-10`,
      `1,3,${shared},pepper-item,1,1195.70,1195.70,EUR,2024-11-10`,
    ]
    const path = '/import?kind=invoices&mode=preview&file=lines.csv'
    const { data: rows } = linesOf<InvoiceResult>(await next.upload(path, `${file.join('\n')}\n`)).at(-1)!
    expect(rows.map(({ outcome }) => outcome)).toEqual(['UNKNOWN', 'BLOCKED', 'UNDER'])
    // What it was billed at was the price before, and that is not told.
    expect(JSON.stringify(rows)).not.toContain('PERIOD_BEFORE')
  })

  test('has its own lines, corrections and ledger, and is told of revisions of its own periods', async () => {
    const { next, corrections } = await unchanged()
    const ledger = await next.json<LedgerPage>(`/agreements/${shared}/ledger`)
    expect(Object.values(ledger.lines)).toEqual([{ invoice: 'PEPPER-1', line: '1', supplier: 'pepper-haulage' }])
    expect(ledger.ledger.balances).toMatchObject({ billed: '12193.00' })
    expect(ledger.corrections.map(({ id, state }) => [id, state])).toEqual([[corrections.own, 'PROPOSED']])
    for (const id of [corrections.agreed, corrections.late])
      for (const path of ['', '/receipt']) expect((await next.get(`/corrections/${id}${path}`)).status).toBe(404)
    const { rows, count } = await askUntilKnown<Revisions>(next, '/revisions?since=2024-01-01')
    expect([count, rows.map(({ period, kind }) => `${kind} ${period}`)]).toEqual([
      2,
      ['SIGNED_MOVED 2024-Q4', 'NOW_COMPUTABLE 2025-Q1'],
    ])
  })

  test('neither answers nor withdraws what the one before said', async () => {
    const { next, as, objections } = await unchanged()
    const path = `/agreements/${shared}/periods/2024-Q4/objections/${objections.old}`
    for (const does of ['answers', 'withdraw']) {
      const { status, json } = await next.post(`${path}/${does}`, { words: 'no' })
      expect([status, json]).toEqual([404, { error: 'there is no such objection' }])
    }
    expect((await as.owner.json<AdjustmentPage>(`/agreements/${shared}/periods/2024-Q4`)).objections.list).toHaveLength(
      1,
    )
  })
})

describe('the supplier before', () => {
  test('keeps what it signed, and reads that it was the supplier until a day', async () => {
    const { old } = await unchanged()
    const [row] = (await old.json<AgreementList>('/agreements')).rows
    expect(row).toMatchObject({
      slug: shared,
      name: 'Parts of fennel',
      status: 'ARCHIVED',
      asSupplier: { since: null },
    })
    expect(row!.asSupplier!.until).toMatch(/^\d{4}-\d\d-\d\d$/)
    const page = await old.json<AgreementPage>(`/agreements/${shared}`)
    expect(page.entries.map(({ period, price, signatures }) => [period, price, signatures.supplier?.email])).toEqual([
      ['2024-Q2', '1173.10', oldSupplier.email],
      ['2024-Q3', '1195.70', oldSupplier.email],
      ['2024-Q4', '1219.30', oldSupplier.email],
    ])
    expect(page.documentText).toContain('# fennel comment')
    // No period waits for them, but the correction of what they signed.
    expect(await old.json('/sign-offs')).toMatchObject({
      mine: { rows: [{ kind: 'correction', slug: shared, as: 'supplier', periods: 1 }] },
      others: { rows: [] },
    })
    const { rows: recent } = await old.json<RecentlySigned>('/sign-offs/recent')
    expect(recent.map(({ entry }) => entry.period)).toEqual(['2024-Q3', '2024-Q2'])
    const { objections } = await old.json<AdjustmentPage>(`/agreements/${shared}/periods/2024-Q4`)
    expect(objections.list[0]).toMatchObject({ reason: 'fennel objection', answers: [{}, {}] })
    expect(await askUntilKnown<Revisions>(old, '/revisions?since=2024-01-01')).toMatchObject({ count: 0, kinds: {} })
    const ledger = await old.json<LedgerPage>(`/agreements/${shared}/ledger`)
    expect(Object.values(ledger.lines)).toHaveLength(2)
    expect(ledger.corrections.map(({ state }) => state)).toEqual(['PROPOSED', 'AGREED'])
  })

  test('signs nothing that is open now, and speaks about nothing', async () => {
    const { old } = await unchanged()
    const path = `/agreements/${shared}/periods/2024-Q4`
    const { signing, entry } = await old.json<AdjustmentPage>(path)
    expect([signing.as, signing.periods]).toEqual([null, []])
    const signed = await old.post(`${path}/sign`, {
      party: 'supplier',
      periods: [{ period: '2024-Q4', hash: entry.hash }],
    })
    expect([signed.status, signed.text]).toEqual([409, expect.not.stringMatching(/DRAFT|pepper/)])
    const said = { hash: entry.hash, about: { kind: 'number' }, reason: 'still', reading: null }
    const { status, text } = await old.post(`${path}/objections`, said)
    expect([status, text]).toEqual([409, expect.not.stringMatching(/pepper/)])
  })

  test('signs corrections of the periods it signed, which the new one neither sees nor signs', async () => {
    const { old, next, as, corrections } = await continued()
    const page = await old.json<CorrectionPage>(`/corrections/${corrections.late}`)
    expect(page).toMatchObject({ signing: { as: 'supplier' }, correction: { periods: [{ period: '2024-Q3' }] } })
    const { hash } = page.correction
    expect((await next.post(`/corrections/${corrections.late}/sign`, { party: 'supplier', hash })).status).toBe(404)
    expect((await next.post(`/corrections/${corrections.late}/refuse`, { hash, reason: 'no' })).status).toBe(404)
    const settled = async (browser: Browser, query = '') => {
      const { entries } = await browser.json<AgreementPage>(`/agreements/${shared}${query}`)
      return entries.find(({ period }) => period === '2024-Q3')?.settled
    }
    await signCorrection(old, 'supplier', corrections.late)
    const between = new Date().toISOString()
    expect(await settled(old)).toMatchObject({ price: '1195.70', correction: null })
    await signCorrection(as.buyer, 'buyer', corrections.late)
    // It is settled for both, wherever they read it, and only since both signed.
    const corrected = { price: '1198.30', correction: { id: corrections.late, priceBefore: '1195.70' } }
    for (const browser of [old, as.buyer]) expect(await settled(browser)).toMatchObject(corrected)
    expect(await settled(old, `?knownAt=${between}`)).toMatchObject({ price: '1195.70', correction: null })
    const prices = await old.json<AgreementPriceRows>(`/agreements/${shared}/prices?date=2024-07-01`)
    expect(prices.rows).toMatchObject([{ price: '1198.30' }])
    expect(await settled(next)).toBeUndefined()
    // The step of the next one goes on from what its receipt has: what was corrected is not for it.
    const goesFrom = async (browser: Browser) => {
      const { entry } = await browser.json<AdjustmentPage>(`/agreements/${shared}/periods/2024-Q4`)
      return [entry.step.priceBefore, entry.ground?.goesOnFrom?.price ?? null]
    }
    expect(await goesFrom(next)).toEqual(['1195.70', null])
    expect(await goesFrom(as.buyer)).toEqual(['1198.30', '1195.70'])
    expect(await old.json<CorrectionPage>(`/corrections/${corrections.late}`)).toMatchObject({
      correction: { state: 'AGREED' },
    })
    // The other one waits for its own supplier, whatever is agreed here.
    expect((await old.get(`/corrections/${corrections.own}`)).status).toBe(404)
    await signCorrection(next, 'supplier', corrections.own)
    await signCorrection(as.buyer, 'buyer', corrections.own)
    const all = await as.owner.json<LedgerPage>(`/agreements/${shared}/ledger`)
    expect(all.corrections.map(({ state }) => state)).toEqual(['AGREED', 'AGREED', 'AGREED'])
  })

  test('proposes for its own periods alone', async () => {
    const { old, tenant, as } = await continued()
    const figures = ['2024-03,118.91', '2024-06,119.97', '2024-09,124.01']
    const rows = figures.map(figure => `CUSTOM/metal,${figure},REVISED,2025-03-01\n`)
    await tenant.import(`series,period,value,version,published\n${rows.join('')}`)
    const { status, json } = await old.post(`/agreements/${shared}/corrections`, { reason: null })
    expect(status).toBe(201)
    const { correction } = await as.owner.json<CorrectionPage>(`/corrections/${(json as { id: string }).id}`)
    expect(correction.periods.map(({ period }) => period)).toEqual(['2024-Q2', '2024-Q3'])
  })
})

describe('search', () => {
  test('finds suppliers, invoices, items and people, for each what is theirs', async () => {
    const { as, old, next, third } = await unchanged()
    const found = async (browser: Browser, text: string) => {
      const { suppliers, invoices, items, people } = await browser.json<SearchHits>(
        `/find?q=${encodeURIComponent(text)}`,
      )
      return {
        suppliers: suppliers.map(({ label }) => label),
        invoices: invoices.map(({ number, agreement }) => `${number} ${agreement.slug}`),
        items: items.map(({ item, agreement }) => `${item} ${agreement.slug}`),
        people: people.map(({ email }) => email),
      }
    }
    const nothing = { suppliers: [], invoices: [], items: [], people: [] }
    expect(await found(as.viewer, 'pepper')).toEqual({
      suppliers: ['pepper Incorporated'],
      invoices: [`PEPPER-1 ${shared}`],
      items: [`pepper-item ${shared}`],
      people: [newSupplier.email],
    })
    // However the number is written, and however little of it.
    for (const text of ['FENNEL-47', 'fennel-0047', ' Fennel-47'])
      expect((await found(as.buyer, text)).invoices, text).toEqual([`FENNEL-4711 ${shared}`, `FENNEL-4712 ${shared}`])
    expect((await found(as.viewer, '4711')).invoices).toEqual([])
    expect(await found(next, 'pepper')).toEqual({
      suppliers: [],
      invoices: [`PEPPER-1 ${shared}`],
      items: [`pepper-item ${shared}`],
      people: [newSupplier.email],
    })
    expect(await found(next, 'fennel')).toEqual(nothing)
    expect(await found(old, 'fennel')).toMatchObject({
      invoices: [`FENNEL-4711 ${shared}`, `FENNEL-4712 ${shared}`],
      items: [`fennel-item ${shared}`],
      people: [oldSupplier.email],
    })
    expect(await found(old, 'pepper')).toEqual(nothing)
    for (const text of ['fennel', 'pepper', 'ann', '%', '']) expect(await found(third, text), text).toEqual(nothing)
  })
})

describe('evidence', () => {
  async function take(browser: Browser) {
    const reply = await browser.get(`/agreements/${shared}/evidence`, { headers: { 'accept-encoding': 'identity' } })
    expect(reply.status, reply.text.slice(0, 200)).toBe(200)
    const all = [...unzip(reply.body)].map(([path, body]) => [path.slice(path.indexOf('/') + 1), body] as const)
    const files = new Map(all.filter(([path]) => path !== copyPath).map(([path, body]) => [path, textOf(body)!]))
    const copy = textOf(all.find(([path]) => path === copyPath)![1])!
    return { files, checked: await checkPackage(files, webcrypto.subtle, { copy, unreadable: [] }) }
  }

  test('of each supplier has what it signed, and verifies', async () => {
    const { old, next } = await unchanged()
    for (const [browser, first, word] of [
      [old, '2024-Q2', oldSupplier.word],
      [next, '2024-Q4', newSupplier.word],
    ] as const) {
      const { files, checked } = await take(browser)
      expect(checked.parts.flatMap(({ problems }) => problems)).toEqual([])
      expect(checked.isGood).toBe(true)
      const receipts = [...files.keys()].filter(path => path.startsWith('receipts/')).sort()
      expect(receipts[0]).toBe(`receipts/${first}.json`)
      expect(files.get('sign-offs.csv')).toContain(word)
    }
  })

  test('of each supplier has the corrections of its own periods, also those that came after its time; of a reader all', async () => {
    const { old, next, as, corrections } = await unchanged()
    const idsIn = async (browser: Browser) => {
      const { files, checked } = await take(browser)
      expect(checked.isGood, JSON.stringify(checked.parts)).toBe(true)
      const listed = JSON.parse(files.get('corrections.json')!) as { readonly id: string }[]
      return listed.map(({ id }) => id)
    }
    const [former, todays, all] = [await idsIn(old), await idsIn(next), await idsIn(as.viewer)]
    expect(former).toContain(corrections.late)
    expect(former).not.toContain(corrections.own)
    expect(todays).toContain(corrections.own)
    expect(todays).not.toContain(corrections.late)
    expect(new Set(all)).toEqual(new Set([...former, ...todays]))
  })
})

describe('a company', () => {
  test('is one supplier whoever its people are, and nobody takes its part along to another', async () => {
    const { tenant, as, old, next } = await restored()
    const people = await as.owner.json<readonly PersonRow[]>('/people')
    // Companies admit their own people; by command anybody is moved.
    const move = ({ email }: { readonly email: string }, company: string | null) =>
      changeMember(console.api.sql, tenant.id, idOf(email), { company }, { who: 'operator', fromAddress: null })
    const idOf = (email: string) => people.find(each => each.email === email)!.id
    expect(people.filter(({ sees }) => sees === 1).map(({ email }) => email)).toEqual(
      expect.arrayContaining([oldSupplier.email, newSupplier.email]),
    )
    await move(newSupplier, oldSupplier.side)
    expect(await periodsOf(next)).toEqual(['2024-Q2', '2024-Q3', '2024-Q4'])
    await move(oldSupplier, null)
    expect((await old.get(`/agreements/${shared}`)).status).toBe(404)
    for (const each of [oldSupplier, newSupplier]) await move(each, each.side)
  })

  test('that comes back sees both of its times, and not the one between', async () => {
    const { tenant, as, old, next } = await continued()
    await tenant.apply(sharedDocument(oldSupplier))
    expect(await periodsOf(old)).toEqual(['2024-Q2', '2024-Q3', '2025-Q1'])
    await signThrough(as.buyer, 'buyer', '2025-Q1')
    await signThrough(old, 'supplier', '2025-Q1')
    expect(await periodsOf(old)).toEqual(['2024-Q2', '2024-Q3', '2025-Q1'])
    expect(await periodsOf(next)).toEqual(['2024-Q4', '2025-Q1'])
    const { rows: recent } = await old.json<RecentlySigned>('/sign-offs/recent')
    expect(recent.map(({ entry }) => entry.period)).toEqual(['2025-Q1', '2024-Q3', '2024-Q2'])
  })
})

describe('a status', () => {
  test('is told a supplier in the same word everywhere: what is a draft again is suspended', async () => {
    const { tenant, next, corrections, as } = await restored()
    const path = `/agreements/${shared}/periods/2025-Q1`
    const { entry } = await next.json<AdjustmentPage>(path)
    const { hash } = (await next.json<CorrectionPage>(`/corrections/${corrections.own}`)).correction
    await tenant.apply(sharedDocument(newSupplier, 'DRAFT'))
    const periods = [{ period: '2025-Q1', hash: entry.hash }]
    const said = { hash: entry.hash, about: { kind: 'number' }, reason: 'no', reading: null }
    const asks: readonly (readonly [string, object])[] = [
      [`${path}/sign`, { party: 'supplier', periods }],
      [`${path}/objections`, said],
      [`/agreements/${shared}/corrections`, { reason: null }],
      [`/corrections/${corrections.own}/sign`, { party: 'supplier', hash }],
      [`/corrections/${corrections.own}/refuse`, { hash, reason: 'no' }],
      [`/corrections/${corrections.own}/waive`, {}],
    ]
    for (const [address, body] of asks) {
      const { status, text } = await next.post(address, body)
      expect([address, status, text]).toEqual([address, 409, expect.stringContaining('is SUSPENDED')])
      expect(text).not.toContain('DRAFT')
    }
    // Among others it is not signed, and says so.
    const many = await next.post('/sign-offs/sign', { agreements: [{ slug: shared, party: 'supplier', periods }] })
    expect(many.json).toMatchObject({
      signed: [],
      refused: [{ why: expect.stringMatching(/is SUSPENDED(?!.*DRAFT)/) }],
    })
    expect(await next.json<AdjustmentPage>(path)).toMatchObject({
      agreement: { status: 'SUSPENDED' },
      signing: { whyNot: expect.stringContaining('is SUSPENDED') },
    })
    const page = await next.json<CorrectionPage>(`/corrections/${corrections.own}`)
    expect(page.signing).toMatchObject({ as: null, whyNot: expect.stringContaining('is SUSPENDED') })
    // The buyer is told what it is.
    expect((await as.buyer.json<AdjustmentPage>(path)).signing.whyNot).toContain('is DRAFT')
    await tenant.apply(sharedDocument(newSupplier))
    expect((await next.get(`${path}/history`)).text.toLowerCase()).not.toContain('draft')
  })

  test('that comes after its time is none of a former supplier’s business', async () => {
    const { tenant, old, corrections } = await restored()
    const { hash } = (await old.json<CorrectionPage>(`/corrections/${corrections.late}`)).correction
    for (const status of ['DRAFT', 'SUSPENDED', 'ARCHIVED']) {
      await tenant.apply(sharedDocument(newSupplier, status))
      const { status: code, json } = await old.post(`/corrections/${corrections.late}/sign`, {
        party: 'supplier',
        hash,
      })
      expect([code, json]).toEqual([409, { error: `prices of ${shared} are not corrected at the moment` }])
      expect((await old.json<AgreementPage>(`/agreements/${shared}`)).agreement.status).toBe('ARCHIVED')
    }
    await tenant.apply(sharedDocument(newSupplier))
  })
})

test('mail tells each supplier of its own time alone', async () => {
  const { tenant } = await apartInLongForm(unchanged)
  const now = () => `${new Date().toISOString().slice(0, -1)}000Z`
  await lookAround(partsOfConsole(console.api, { now }), tenant.id)
  const notices = await console.api.owner<{ email: string; told: string }[]>`
    select email, facts::text as told from notice where workspace_id = ${tenant.id} and kind <> 'people'`
  const toldTo = (email: string) => notices.filter(each => each.email === email).map(({ told }) => told.toLowerCase())
  expect(toldTo(newSupplier.email).some(told => told.includes('parts of pepper'))).toBe(true)
  expect(toldTo(newSupplier.email).filter(told => told.includes(oldSupplier.word))).toEqual([])
  // The one before is told of the correction of its own periods, and of nothing else.
  expect(toldTo(oldSupplier.email)).toEqual([expect.stringContaining('has a correction that waits for your signature')])
  expect(toldTo(oldSupplier.email).filter(told => told.includes(newSupplier.word))).toEqual([])
})

test('the address of a person keeps what it signed as a company does', async () => {
  const { tenant, as } = await openChanged(console)
  await tenant.apply(sharedDocument({ ...thirdSupplier, side: `[${emails.supplier}]` }))
  await as.supplier.confirm()
  await signThrough(as.buyer, 'buyer', '2025-Q1')
  await signThrough(as.supplier, 'supplier', '2025-Q1')
  await tenant.apply(sharedDocument(newSupplier))
  expect(await periodsOf(as.supplier)).toEqual(['2025-Q1'])
})
