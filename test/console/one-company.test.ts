// An address in a document means somebody whom the workspace knows (T49): whom a company let in under it by itself neither reads
// nor signs by it, and no person and no company stands on both sides of an agreement.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeMember } from '../../src/storage/people/member-changes.ts'
import { addPasskey } from '../../src/storage/people/passkeys.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import type { AdjustmentPage, AgreementPage, Preview } from '../../src/views/shapes/agreements.ts'
import type { Inbox, PeriodsRow } from '../../src/views/shapes/inbox.ts'
import type { PartyRow } from '../../src/views/shapes/parties.ts'
import type { Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { eventually } from '../support/houses/api.ts'
import {
  Browser,
  type ConsoleReply,
  emails,
  makeSeats,
  password,
  type Seats,
  signIn,
} from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { HostileProvider } from '../support/identity/hostile-provider.ts'
import { inviteTo, newBrowser, operator, setHostile, signInBy } from '../support/identity/visits.ts'

const console = consoleHouse()
let provider: HostileProvider
beforeAll(async () => {
  provider = await HostileProvider.open()
})
afterAll(() => provider.close())

const errorOf = ({ json }: ConsoleReply) => (json as { readonly error: string }).error
const tokenOf = (reply: ConsoleReply) => (reply.json as Invited).link!.split('#')[1]!
const supplierOf = (email: string, party: string | null = 'lean') => ({ email, name: '', role: 'supplier', party })

interface House extends Seats {
  readonly sam: Browser
  /** Addresses. */
  readonly at: Readonly<Record<'ann' | 'sam' | 'puppet', string>>
}

let houses = 0
/** A supplier with people of its own, of whom Sam was invited by the owner. */
async function newHouse(): Promise<House> {
  const prefix = `one-company-${++houses}-`
  const seats = await makeSeats(console.api, prefix)
  const at = {
    ann: `${prefix}${emails.buyer}`,
    sam: `sam-${houses}@lean.test`,
    puppet: `ben-${houses}@buyer.test`,
  }
  await seats.as.owner.post('/parties', { slug: 'lean', name: 'Lean Ltd' })
  await seats.as.owner.post('/parties', { slug: 'orto', name: 'Orto Ltd' })
  await seats.tenant.import(bracketsTable)
  const sam = await comeBy(seats, await seats.as.owner.post('/people', supplierOf(at.sam)))
  return { ...seats, sam, at }
}

async function comeBy({ slug }: Pick<Seats, 'slug'>, invitation: ConsoleReply): Promise<Browser> {
  expect(invitation.status).toBe(201)
  const browser = new Browser(console.api, slug)
  expect((await browser.send('POST', '/set-up', { token: tokenOf(invitation), password })).status).toBe(200)
  return browser
}

const named = (buyer: string, supplier: string, slug = 'brackets') =>
  bracketsDocument({ slug, more: `parties: { buyer: ${buyer}, supplier: ${supplier} }` })

/** The first period, as it stands. */
async function sign(browser: Browser, party: 'buyer' | 'supplier', { as }: Pick<Seats, 'as'>, agreement = 'brackets') {
  const path = `/agreements/${agreement}/periods/2024-Q2`
  const { entry } = await as.owner.json<AdjustmentPage>(path)
  await browser.confirm()
  const reply = await browser.post(`${path}/sign`, { party, periods: [{ period: entry.period, hash: entry.hash }] })
  return { status: reply.status, error: reply.status === 200 ? null : errorOf(reply) }
}

/** How many periods are offered, and what is in the way of the others. */
async function offered(browser: Browser) {
  const { counts, others } = await eventually(
    () => browser.json<Inbox>('/sign-offs'),
    ({ pending }) => pending === 0,
  )
  const [row] = others.rows as readonly PeriodsRow[]
  return { mine: counts.mine.periods, hindrance: row?.hindrance?.words }
}

async function whyNotOnPage(browser: Browser): Promise<string | null> {
  const { signing } = await browser.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
  expect(signing).toMatchObject({ as: null, periods: [] })
  return signing.whyNot
}

describe('an address that the supplier has let in, and that the buyer names later', () => {
  test.each([
    ['against a list of addresses', (at: House['at']) => `[${at.sam}]`, true],
    ['in an agreement with another company', () => 'orto', false],
  ])('neither reads nor signs %s', async (_, supplierIn, isSams) => {
    const house = await newHouse()
    const { at, as, tenant, sam } = house
    const puppet = await comeBy(house, await sam.post('/people', supplierOf(at.puppet)))
    if (isSams) {
      // Named on both sides, they would be one company: the document is refused.
      await expect(tenant.apply(named(`[${at.puppet}]`, supplierIn(at)))).rejects.toThrow('no company signs for both')
      return
    }
    await tenant.apply(named(`[${at.ann}, ${at.puppet}]`, supplierIn(at)))
    expect((await puppet.get('/agreements/brackets')).status).toBe(404)
    expect(JSON.stringify(await puppet.json('/overview').catch(() => null))).not.toContain('brackets')
    const refused = await sign(puppet, 'buyer', house)
    expect(refused.status).toBe(404)
    const row = (await as.owner.json<readonly PersonRow[]>('/people')).find(({ email }) => email === at.puppet)
    expect(row).toMatchObject({ sees: 0, waitsIn: 1 })
    const parties = await as.owner.json<readonly PartyRow[]>('/parties')
    expect(parties.map(({ slug, waiting }) => [slug, waiting])).toEqual([
      ['lean', [at.puppet]],
      ['orto', []],
    ])
    const told = `${at.puppet} came by an invitation of lean, so that the address does not stand for the buyer: name lean`
    const { warnings, documentText } = await as.owner.json<AgreementPage>('/agreements/brackets')
    expect(warnings).toContainEqual(expect.objectContaining({ message: expect.stringContaining(told) }))
    const preview = (await as.editor.post('/agreements/preview', { text: documentText, against: 'brackets' }))
      .json as Preview
    expect(preview.warnings).toContainEqual(
      expect.objectContaining({ path: 'parties.buyer', message: expect.stringContaining(told) }),
    )
    expect((await sign(as.buyer, 'buyer', house)).status).toBe(200)
  })

  test('stands for nobody either where it reads everything, nor by its role', async () => {
    const house = await newHouse()
    const { at, as, tenant, slug } = house
    // A company whose people read everything: its first person is invited as that.
    const first = await comeBy(
      house,
      await as.owner.post('/people', { ...supplierOf('bo@orto.test', 'orto'), role: 'buyer' }),
    )
    const puppet = await comeBy(house, await first.post('/people', { ...supplierOf(at.puppet, 'orto'), role: 'buyer' }))
    await tenant.apply(named(`[${at.puppet}]`, 'lean'))
    await tenant.apply(bracketsDocument({ slug: 'by-role', more: 'parties: { supplier: lean }' }))
    for (const agreement of ['brackets', 'by-role']) {
      const refused = await sign(puppet, 'buyer', house, agreement)
      expect(refused).toEqual({ status: 403, error: expect.stringContaining('came by an invitation of orto') })
      const page = await puppet.json<AdjustmentPage>(`/agreements/${agreement}/periods/2024-Q2`)
      expect(JSON.stringify(page.signing)).not.toContain('"party":"buyer"')
      const said = await puppet.post(`/agreements/${agreement}/periods/2024-Q2/objections`, {
        party: 'buyer',
        hash: page.entry.hash,
        about: 'OTHER',
        reason: 'no',
        reading: null,
      })
      expect(said.status).toBeGreaterThanOrEqual(400)
    }
    // The workspace lets them in itself, under that address: then the name is theirs.
    const { id } = (await as.owner.json<readonly PersonRow[]>('/people')).find(({ email }) => email === at.puppet)!
    expect((await as.owner.delete(`/people/${id}`)).status).toBe(204)
    const token = await inviteTo(console.api, tenant.id, at.puppet, null, 'buyer')
    const ben = new Browser(console.api, slug)
    expect((await ben.send('POST', '/set-up', { token, password })).status).toBe(200)
    expect((await sign(ben, 'buyer', house)).status).toBe(200)
  })

  test('nor one that comes by the identity provider of the supplier', async () => {
    const { api } = console
    const house = await newHouse()
    const { at, as, tenant, slug, sam } = house
    const joining = { group: 'all', role: 'supplier' } as const
    const settings = await setHostile(api, tenant.id, provider, 'lean', { groupsClaim: 'groups', joining })
    const puppet = newBrowser(api, slug)
    const claims = { groups: ['all'], email: at.puppet, email_verified: true }
    expect((await signInBy(puppet, provider, settings, `puppet-${houses}`, { claims })).status).toBe(200)
    await tenant.apply(named(`[${at.ann}, ${at.puppet}]`, 'orto'))
    expect((await puppet.get('/agreements/brackets')).status).toBe(404)
    expect((await sign(as.buyer, 'buyer', house)).status).toBe(200)
    expect((await sam.get('/agreements/brackets')).status).toBe(404)
  })

  test('cannot be let in once it is named, also where it waits in a draft', async () => {
    const house = await newHouse()
    const { at, tenant, sam } = house
    await tenant.apply(
      bracketsDocument({ status: 'DRAFT', more: `parties: { buyer: [${at.puppet}], supplier: lean }` }),
    )
    const reply = await sam.post('/people', supplierOf(at.puppet))
    expect([reply.status, errorOf(reply)]).toEqual([409, expect.stringContaining('invited by an owner')])
  })
})

describe('one company on both sides', () => {
  test('is refused when somebody becomes of it after the agreement was made', async () => {
    const house = await newHouse()
    const { at, tenant, sam, slug } = house
    const { sql } = console.api
    const { id } = await createMember(sql, tenant.id, { email: at.puppet, role: 'buyer' })
    await setFirstPassword(sql, tenant.id, id, password)
    await tenant.apply(named(`[${at.puppet}]`, `[${at.sam}]`))
    const ben = await signIn(console.api, at.puppet, slug)
    expect((await sign(ben, 'buyer', house)).status).toBe(200)
    await changeMember(sql, tenant.id, id, { company: 'lean' }, operator)
    expect(await offered(sam)).toEqual({ mine: 0, hindrance: expect.stringContaining('are both of lean') })
    expect(await whyNotOnPage(sam)).toContain('are both of lean')
    const refused = await sign(sam, 'supplier', house)
    expect(refused).toEqual({ status: 409, error: expect.stringContaining('are both of lean') })
    // Nor after it has left the workspace again, where it was of the company when it signed.
    expect(
      await tenant.sign('brackets', '2024-Q2', 'buyer', { email: at.puppet }).catch(error => error.message),
    ).toMatch(/both of lean|already|signed/)
  })

  test('is refused when it signed for the other side before, whoever of it did', async () => {
    const house = await newHouse()
    const { at, tenant, sam } = house
    const other = await comeBy(house, await sam.post('/people', supplierOf(`kim-${houses}@lean.test`)))
    await tenant.apply(named('lean', `[${at.ann}]`))
    expect((await sign(other, 'buyer', house)).status).toBe(200)
    await tenant.apply(named(`[${at.ann}]`, 'lean'))
    expect(await whyNotOnPage(sam)).toContain('no company signs for both')
    const refused = await sign(sam, 'supplier', house)
    expect(refused).toEqual({ status: 409, error: expect.stringContaining('no company signs for both') })
  })
})

describe('one person on both sides', () => {
  test('is found by a passkey that both accounts have', async () => {
    const house = await newHouse()
    const { at, as, tenant, sam, slug } = house
    const { sql } = console.api
    const { id } = await createMember(sql, tenant.id, { email: at.puppet, role: 'buyer' })
    await setFirstPassword(sql, tenant.id, id, password)
    await tenant.apply(named(`[${at.puppet}]`, 'lean'))
    const samId = (await as.owner.json<readonly PersonRow[]>('/people')).find(({ email }) => email === at.sam)!.id
    const key = {
      publicKey: `key-${houses}`,
      algorithm: 'ES256',
      rpId: 'localhost',
      verifiesUser: true,
      counter: 0,
      transports: [],
    } as const
    await addPasskey(sql, id, { ...key, credentialId: `one-${houses}`, name: 'a' })
    const ben = await signIn(console.api, at.puppet, slug)
    expect((await sign(ben, 'buyer', house)).status).toBe(200)
    await addPasskey(sql, samId, { ...key, credentialId: `two-${houses}`, name: 'b' })
    expect(await offered(sam)).toEqual({ mine: 0, hindrance: expect.stringContaining('one person, by their passkey') })
    expect(await whyNotOnPage(sam)).toContain('one person, by their passkey')
    const refused = await sign(sam, 'supplier', house)
    expect(refused).toEqual({ status: 409, error: expect.stringContaining('one person, by their passkey') })
  })

  test('is found by a subject of one issuer that two parties use', async () => {
    const { api } = console
    const house = await newHouse()
    const { at, tenant, slug, sam } = house
    const subject = `one-${houses}`
    const [own, theirs] = [
      await setHostile(api, tenant.id, provider, null),
      await setHostile(api, tenant.id, provider, 'lean'),
    ]
    const links = [
      await inviteTo(api, tenant.id, at.puppet, null, 'buyer'),
      await inviteTo(api, tenant.id, `kim-${houses}@lean.test`, 'lean'),
    ]
    const [ben, kim] = [newBrowser(api, slug), newBrowser(api, slug)]
    expect((await signInBy(ben, provider, own, subject, { link: links[0]! })).status).toBe(200)
    expect((await signInBy(kim, provider, theirs, subject, { link: links[1]! })).status).toBe(200)
    await tenant.apply(named(`[${at.puppet}]`, 'lean'))
    const refused = await tenant
      .sign('brackets', '2024-Q2', 'supplier', { email: `kim-${houses}@lean.test` })
      .catch(error => error.message)
    expect(refused).toContain('one person, by their passkey or their identity provider')
    // Others of the company sign: they are other people, as far as anybody knows.
    expect((await sign(sam, 'supplier', house)).status).toBe(200)
  })
})
