// Three suppliers in one workspace (T31): each sees what names it or its party and nothing of the others, on every
// route; a change of who belongs to a party takes effect with the next request; only a side's own people sign for it.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleRoute } from '../../src/http/console/frame/route.ts'
import { changeMember } from '../../src/storage/people/member-changes.ts'
import type { AdjustmentPage, AgreementList, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import type { PartyRow } from '../../src/views/shapes/parties.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import type { Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails, join, makeSeats, type Seats, signIn, tableOfRoutes } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { isLong, someOf } from '../support/run/long-form.ts'
import { madeOnce } from '../support/run/made-once.ts'

const console = consoleHouse()

/** A supplier with its own contract; its word is in everything that belongs to it and in nothing of another. */
interface Supplier {
  readonly word: string
  readonly figure: string
  readonly email: string
  /** As `parties.supplier` names it. */
  readonly side: string
}

const suppliers: readonly Supplier[] = [
  { word: 'fennel', figure: '771.3571', email: 'fay@fennel.test', side: 'fennel-forge' },
  { word: 'pepper', figure: '882.4682', email: 'pia@pepper.test', side: 'pepper-haulage' },
  { word: 'supplier.test', figure: '993.5793', email: emails.supplier, side: `[${emails.supplier}]` },
]
const [fennel, pepper, byAddress] = suppliers as readonly [Supplier, Supplier, Supplier]
/** Appears in what names no supplier. */
const nobodys = 'nobodyscanary'

const slugOf = ({ word }: Supplier) => `${word.replace('.', '-')}-parts`
const codeOf = ({ word }: Supplier) => `CUSTOM/${word}-index`

const documentOf = (
  slug: string,
  series: string,
  parties: string,
  word: string,
  status = 'ACTIVE',
) => `# ${word} comment
slug: ${slug}
name: Parts of ${word}
description: ${word} description
status: ${status}
contract: { start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY, price: { amount: 10.00, currency: EUR, round: { dp: 2 } } }
inputs: { index: { series: ${series}, weight: 1, base: 2023-12, lag: 1 month } }
clause: {}
parties: ${parties}
`

const own = (supplier: Supplier) =>
  documentOf(slugOf(supplier), codeOf(supplier), `{ supplier: ${supplier.side} }`, supplier.word)

interface House extends Seats {
  readonly browsers: ReadonlyMap<Supplier, Browser>
}

/** Each supplier's contract, one that names nobody, and a draft that names the first. */
async function open(): Promise<House> {
  const seats = await makeSeats(console.api)
  const { tenant, as, slug } = seats
  for (const { word, side } of [fennel, pepper])
    await created(as.editor.post('/parties', { slug: side, name: `${word} Incorporated` }))
  const tables = [
    ...suppliers.map(each => [codeOf(each), each.figure, each.word]),
    [`CUSTOM/${nobodys}`, '1.5', nobodys],
  ]
  const rows = tables.flatMap(([code, figure, word]) =>
    ['2023-12', '2024-03', '2024-06'].map(period => `${code},${period},${figure},2024-01-15,${word} index\n`),
  )
  await tenant.import(`series,period,value,published,name\n${rows.join('')}`)
  for (const supplier of suppliers) await tenant.apply(own(supplier))
  await tenant.apply(documentOf('nobodys', `CUSTOM/${nobodys}`, '{ buyer: [ann@buyer.test] }', nobodys))
  await tenant.apply(documentOf('draft', `CUSTOM/${nobodys}`, `{ supplier: ${fennel.side} }`, nobodys, 'DRAFT'))
  const browsers = new Map<Supplier, Browser>([[byAddress, as.supplier]])
  for (const supplier of [fennel, pepper]) {
    const id = await join(console.api, tenant.id, supplier.email, 'supplier')
    expect((await as.owner.patch(`/people/${id}`, { party: supplier.side })).status).toBe(200)
    browsers.set(supplier, await signIn(console.api, supplier.email, slug))
  }
  return { ...seats, browsers }
}

/** For the tests that change nothing in it. */
const openUnchanged = madeOnce(open)

async function created(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  if (status !== 201) throw new Error(`${status} ${text}`)
}

const agreementsOf = async (browser: Browser, query = '') =>
  (await browser.json<AgreementList>(`/agreements${query}`)).rows.map(({ slug }) => slug)
const seriesOf = async (browser: Browser) =>
  (await browser.json<readonly SeriesRow[]>('/series')).map(({ code }) => code)

describe('every route', () => {
  let house: House
  let routes: readonly ConsoleRoute[]
  let ids: readonly string[]
  let people: readonly PersonRow[]
  beforeAll(async () => {
    house = await open()
    routes = tableOfRoutes(console.api)
    const series = await house.as.owner.json<readonly SeriesRow[]>('/series')
    people = await house.as.owner.json<readonly PersonRow[]>('/people')
    ids = [...series, ...people].map(({ id }) => id)
  })

  /** Every address of a route here, with what lists may be filtered by. */
  function addressesOf({ path, method }: ConsoleRoute): readonly string[] {
    const slugs = [...suppliers.map(slugOf), 'nobodys', 'draft', fennel.side, pepper.side]
    const choices = { ':slug': slugs, ':period': ['2024-Q2', '2024-Q3'], ':id': ids }
    let addresses = [path]
    for (const [name, values] of Object.entries(choices))
      addresses = addresses.flatMap(each =>
        each.includes(name) ? values.map(value => each.replace(name, value)) : [each],
      )
    if (method !== 'GET') return addresses
    const words = suppliers.flatMap(({ word, side }) => [`q=${word}`, `supplier=${encodeURIComponent(side)}`])
    const queries = ['', `?ids=${ids.slice(0, 4).join(',')}`, `?supplier=-`, ...words.map(each => `?${each}`)]
    return addresses.flatMap(each => (each.includes('/agreements/') ? [each] : queries.map(query => `${each}${query}`)))
  }

  /** As curious as a page can be: its own text, against what others have. */
  function bodiesOf({ path }: ConsoleRoute, supplier: Supplier): readonly object[] {
    const others = suppliers.filter(each => each !== supplier)
    const periods = [{ period: '2024-Q2', hash: '0'.repeat(64) }]
    if (path === '/agreements/preview')
      return [...others.map(slugOf), 'nobodys', 'draft'].map(against => ({ text: own(supplier), against }))
    if (path === '/agreements/compare') return [{ text: own(supplier) }]
    if (path.endsWith('/sign')) return [{ party: 'supplier', periods }]
    return [{}]
  }

  const wordsOf = ({ word, figure, email, side }: Supplier) => [word, figure, email, side.replace(/[[\]]/g, '')]

  test('shows a supplier its own, and nothing of another, of what names nobody or of a draft', async () => {
    const seen = new Map<Supplier, number>()
    let asked = 0
    for (const supplier of suppliers) {
      const browser = house.browsers.get(supplier)!
      const foreign = [...suppliers.filter(each => each !== supplier).flatMap(wordsOf), nobodys]
      for (const [at, route] of routes.entries()) {
        if (route.takes === 'file') continue
        // Who takes themselves out sees nothing at all afterwards.
        const self = people.find(({ email }) => email === supplier.email)!.id
        const addresses = addressesOf(route).filter(each => route.method !== 'DELETE' || !each.endsWith(self))
        // Each address as one of the three, in turn; of those with a query, every other; all as all of them in the long form.
        const turn = suppliers.indexOf(supplier)
        const hasQueries = addresses.some(each => each.includes('?'))
        const isLarge = hasQueries
        const some = someOf('every-status', 'addresses of every route, as each of three suppliers', addresses, {
          oneIn: isLarge ? 6 : 3,
          from: isLarge ? 2 * turn + (at % 2) : turn,
        })
        for (const address of some)
          for (const body of route.method === 'GET' ? [null] : bodiesOf(route, supplier)) {
            const reply =
              body === null
                ? await browser.get(address)
                : await browser.send(route.method, `/w/${house.slug}${address}`, body)
            asked++
            const told = foreign.find(word => reply.text.includes(word))
            expect([route.method, address, told, told && reply.text]).toEqual([
              route.method,
              address,
              undefined,
              undefined,
            ])
            if (reply.text.includes(supplier.figure)) seen.set(supplier, (seen.get(supplier) ?? 0) + 1)
          }
      }
    }
    expect(asked).toBeGreaterThan(isLong('every-status') ? 1_000 : 300)
    for (const supplier of suppliers)
      expect(seen.get(supplier), supplier.word).toBeGreaterThan(isLong('every-status') ? 4 : 1)
  })

  test('answers for what another has with the bytes for what never existed', async () => {
    for (const supplier of suppliers) {
      const browser = house.browsers.get(supplier)!
      const paths = (slug: string) =>
        ['', '/versions', '/periods/2024-Q2', '/periods/2024-Q2/receipt'].map(each => `/agreements/${slug}${each}`)
      const never = await Promise.all(paths('never-was').map(path => browser.get(path)))
      for (const slug of [...suppliers.filter(each => each !== supplier).map(slugOf), 'nobodys', 'draft'])
        for (const [i, path] of paths(slug).entries()) {
          const { status, text } = await browser.get(path)
          expect([path, status, text]).toEqual([path, 404, never[i]!.text])
        }
    }
  })

  test('shows everybody else everything', async () => {
    for (const role of ['owner', 'editor', 'buyer', 'viewer'] as const) {
      const browser = house.as[role]
      expect(await agreementsOf(browser)).toEqual(['draft', 'nobodys', ...suppliers.map(slugOf).sort()].sort())
      expect((await browser.json<readonly PartyRow[]>('/parties')).map(({ slug }) => slug)).toEqual([
        'fennel-forge',
        'pepper-haulage',
      ])
    }
  })
})

/** Companies admit their own people; by command anybody is moved. */
const moveAsOperator = ({ id: workspaceId }: Seats['tenant'], id: string, company: string | null) =>
  changeMember(console.api.sql, workspaceId, id, { company }, { who: 'operator', fromAddress: null })

describe('a person of a party', () => {
  test('sees what names the party; joining another, or none, takes effect with the next request', async () => {
    const { as, browsers, tenant } = await open()
    const fay = browsers.get(fennel)!
    expect([await agreementsOf(fay), await seriesOf(fay)]).toEqual([[slugOf(fennel)], ['fennel-index']])
    const people = await as.owner.json<readonly PersonRow[]>('/people')
    const { id, party, sees } = people.find(({ email }) => email === fennel.email)!
    expect([party, sees]).toEqual([{ slug: 'fennel-forge', name: 'fennel Incorporated' }, 1])
    await moveAsOperator(tenant, id, pepper.side)
    expect([await agreementsOf(fay), await seriesOf(fay)]).toEqual([[slugOf(pepper)], ['pepper-index']])
    await moveAsOperator(tenant, id, null)
    expect([await agreementsOf(fay), await seriesOf(fay)]).toEqual([[], []])
  })

  test('is counted on the page of people as what they are shown', async () => {
    const { as, browsers, tenant } = await open()
    await tenant.apply(
      documentOf('both', codeOf(fennel), `{ supplier: [${pepper.email}, ${emails.supplier}] }`, 'both'),
    )
    const shown = new Map<string, number>()
    for (const [{ email }, browser] of browsers) shown.set(email, (await agreementsOf(browser)).length)
    const people = await as.owner.json<readonly PersonRow[]>('/people')
    const told = people.filter(({ role }) => role === 'supplier').map(({ email, sees }) => [email, sees])
    expect(new Map(told as [string, number][])).toEqual(shown)
    expect(shown.get(pepper.email)).toBe(2)
    expect(people.filter(({ role }) => role !== 'supplier').every(({ sees }) => sees === null)).toBe(true)
  })

  test('is invited as one of it, and sees it as soon as they have joined', async () => {
    const { as, slug, browsers } = await open()
    const request = { email: 'new@fennel.test', name: '', role: 'supplier', party: 'fennel-forge' }
    expect((await as.owner.post('/people', { ...request, party: 'no-such-party' })).status).toBe(404)
    const { link, person } = (await browsers.get(fennel)!.post('/people', request)).json as Invited
    expect(person).toMatchObject({ party: { slug: 'fennel-forge' }, sees: 1, hasJoined: false })
    const token = link!.split('#')[1]
    await console.browser().send('POST', '/set-up', { token, password: 'chosen by the new one' })
    const browser = await signIn(console.api, 'new@fennel.test', slug, 'chosen by the new one')
    expect(await agreementsOf(browser)).toEqual([slugOf(fennel)])
    const parties = await as.viewer.json<readonly PartyRow[]>('/parties')
    expect(parties[0]).toMatchObject({
      slug: 'fennel-forge',
      people: ['fay', 'new'],
      agreements: { buyer: 0, supplier: 2 },
    })
  })

  test('signs for its party and for no other, and only while they belong to it', async () => {
    const { as, browsers, tenant } = await open()
    const path = `/agreements/${slugOf(fennel)}/periods/2024-Q2`
    const fay = browsers.get(fennel)!
    const { signing } = await fay.json<AdjustmentPage>(path)
    expect(signing.as).toBe('supplier')
    const body = { party: 'supplier', periods: signing.periods.map(({ period, hash }) => ({ period, hash })) }
    expect((await browsers.get(pepper)!.post(`${path}/sign`, body)).status).toBe(404)
    expect(await as.buyer.post(`${path}/sign`, body)).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining('is on the buyer') },
    })
    expect(await as.viewer.post(`${path}/sign`, body)).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining('that is for the people of fennel-forge') },
    })
    await fay.confirm()
    expect((await fay.post(`${path}/sign`, body)).status).toBe(200)
    const me = (await as.owner.json<readonly PersonRow[]>('/people')).find(({ email }) => email === fennel.email)!
    await moveAsOperator(tenant, me.id, null)
    expect((await fay.post(`${path}/sign`, body)).status).toBe(404)
    await as.buyer.confirm()
    // What was signed for the company stays, whoever leaves it.
    const last = await as.buyer.post(`${path}/sign`, { ...body, party: 'buyer' })
    expect((last.json as AdjustmentPage).entry).toMatchObject({
      isSigned: true,
      signatures: { supplier: { email: fennel.email } },
    })
  })
})

describe('lists', () => {
  test('name the supplier of each formula and can be filtered by one, and by none', async () => {
    const { as, browsers } = await openUnchanged()
    const { rows, suppliers: choices, found, all } = await as.viewer.json<AgreementList>('/agreements')
    expect(choices).toEqual([
      { value: 'fennel-forge', label: 'fennel Incorporated', agreements: 2 },
      { value: 'pepper-haulage', label: 'pepper Incorporated', agreements: 1 },
      { value: emails.supplier, label: emails.supplier, agreements: 1 },
      { value: '-', label: 'No supplier named', agreements: 1 },
    ])
    expect([found, all]).toEqual([5, 5])
    const sideOf = (slug: string) => rows.find(row => row.slug === slug)!.supplier
    expect(sideOf(slugOf(fennel))).toEqual({ slug: 'fennel-forge', name: 'fennel Incorporated' })
    expect(sideOf(slugOf(byAddress))).toEqual({ emails: [emails.supplier] })
    expect(sideOf('nobodys')).toBeNull()
    for (const { value, agreements: counted } of choices) {
      const list = await as.viewer.json<AgreementList>(`/agreements?supplier=${encodeURIComponent(value)}`)
      expect([value, list.found, list.rows.length, list.all]).toEqual([value, counted, counted, 5])
    }
    expect(await agreementsOf(as.viewer, '?supplier=-')).toEqual(['nobodys'])
    expect(await agreementsOf(as.viewer, '?supplier=no-such-party')).toEqual([])
    expect((await browsers.get(fennel)!.json<AgreementList>('/agreements')).suppliers).toEqual([])
    const page = await as.viewer.json<AgreementPage>(`/agreements/${slugOf(pepper)}`)
    expect(page.parties).toEqual({ buyer: null, supplier: { slug: 'pepper-haulage', name: 'pepper Incorporated' } })
  })

  test('of sign-offs do so, too', async () => {
    const { as } = await openUnchanged()
    // An answer comes in time, also if some numbers are still being computed: it says how many.
    const ask = (query = '') =>
      eventually(
        () => as.buyer.json<Inbox>(`/sign-offs${query}`),
        ({ pending }) => pending === 0,
      )
    const { mine, suppliers: choices } = await ask()
    expect(choices.map(({ value }) => value)).toEqual(['fennel-forge', 'pepper-haulage', emails.supplier, '-'])
    expect(new Set(mine.rows.map(({ slug }) => slug))).toEqual(new Set([...suppliers.map(slugOf), 'nobodys']))
    const narrowed = await ask('?supplier=pepper-haulage')
    expect(new Set(narrowed.mine.rows.map(({ slug }) => slug))).toEqual(new Set([slugOf(pepper)]))
    expect(narrowed.counts.mine.agreements).toBe(narrowed.mine.rows.length)
    expect(narrowed.mine.rows[0]!.supplier).toEqual({ slug: 'pepper-haulage', name: 'pepper Incorporated' })
    expect((await as.buyer.get(`/sign-offs?supplier=${'x'.repeat(300)}`)).status).toBe(422)
  })
})

describe('parties', () => {
  test('are added and renamed by people who write agreements, and appear renamed everywhere at once', async () => {
    const { as } = await open()
    const renamed = await as.editor.patch('/parties/fennel-forge', { name: 'Fennel SE' })
    expect([renamed.status, renamed.json]).toMatchObject([200, { slug: 'fennel-forge', name: 'Fennel SE' }])
    const { rows } = await as.viewer.json<AgreementList>('/agreements?supplier=fennel-forge')
    expect(rows[0]!.supplier).toEqual({ slug: 'fennel-forge', name: 'Fennel SE' })
    expect((await as.editor.post('/parties', { slug: 'fennel-forge', name: 'Again' })).status).toBe(409)
    expect((await as.editor.post('/parties', { slug: 'Not A Slug', name: 'Any' })).status).toBe(422)
    expect((await as.editor.patch('/parties/no-such-party', { name: 'Any' })).status).toBe(404)
    for (const role of ['buyer', 'viewer', 'supplier'] as const)
      expect((await as[role].post('/parties', { slug: 'any', name: 'Any' })).status, role).toBe(403)
    expect((await as.supplier.get('/parties')).status).toBe(403)
  })

  test('that do not exist are reported while a formula is written, and refuse it when it is saved', async () => {
    const { as, browsers } = await openUnchanged()
    const text = own(fennel).replace('supplier: fennel-forge', 'supplier: fenel-forge')
    const message = expect.stringContaining(
      'there is no party "fenel-forge" in this workspace (did you mean "fennel-forge"?)',
    )
    const previewed = await as.editor.post('/agreements/preview', { text, against: null })
    expect(previewed.json).toMatchObject({ problems: [{ path: 'parties.supplier', message }] })
    expect((previewed.json as { entries: unknown[] }).entries.length).toBeGreaterThan(0)
    const saved = await as.editor.post('/agreements', { text, basedOn: 1 })
    expect([saved.status, saved.json]).toMatchObject([422, { problems: [{ path: 'parties.supplier', message }] }])
    const broken = await as.editor.post('/agreements', { text: `${text}unknown: key\n`, basedOn: 1 })
    expect((broken.json as { problems: { path: string }[] }).problems.map(({ path }) => path)).toContain(
      'parties.supplier',
    )
    // A supplier does not see which parties there are.
    const guessed = await browsers.get(pepper)!.post('/agreements/preview', { text: own(fennel), against: null })
    const wrong = await browsers.get(pepper)!.post('/agreements/preview', { text, against: null })
    expect(wrong.text).toBe(guessed.text)
  })

  test('are on one side: naming them on the other, too, is refused', async () => {
    const { as } = await openUnchanged()
    const text = own(fennel).replace('{ supplier', `{ buyer: [${fennel.email}], supplier`)
    const { json } = await as.editor.post('/agreements', { text, basedOn: 1 })
    expect(json).toMatchObject({
      problems: [{ path: 'parties.buyer', message: expect.stringContaining('would be on both sides') }],
    })
  })
})
