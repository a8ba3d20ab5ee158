// A company admits its own people (T33): nobody else of the workspace lets anybody act for it, by invitation, by moving
// people, by a link for a new password, or by removing all of them first. What is done about its people is told to them, and
// who let a signer in stands in what is signed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { formatTrust, judgeReceipt } from '../../src/core/receipt/verdict.ts'
import { createMember, recordAboutPerson, setFirstPassword } from '../../src/storage/people/people.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import type { CompanyPage } from '../../src/views/shapes/company.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import type { PartyRow } from '../../src/views/shapes/parties.ts'
import type { Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import {
  Browser,
  type ConsoleReply,
  emails,
  join,
  makeSeats,
  openConsole,
  password,
  type Seats,
  signIn,
  type TestConsole,
} from '../support/houses/console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await openConsole()
})
afterAll(() => console.close())

const tokenOf = (reply: ConsoleReply) => (reply.json as Invited).link!.split('#')[1]!
const errorOf = ({ json }: ConsoleReply) => (json as { readonly error: string }).error
const rowsOf = (browser: Browser) => browser.json<readonly PersonRow[]>('/people')
const rowOf = async (browser: Browser, email: string) => (await rowsOf(browser)).find(row => row.email === email)!
const invited = (email: string, more: object = {}) => ({
  email,
  name: '',
  role: 'supplier',
  party: 'ohio-forge',
  ...more,
})
const company = (browser: Browser) => browser.json<CompanyPage>('/company')

let houses = 0
interface House extends Seats {
  readonly mail: Readonly<Record<keyof typeof emails, string>>
}

/** A workspace with an agreement whose supplier is a company, of which nobody has joined. */
async function newHouse(more = 'parties: { supplier: ohio-forge }'): Promise<House> {
  const prefix = `house-${++houses}-`
  const seats = await makeSeats(console.api, prefix)
  await seats.as.owner.post('/parties', { slug: 'ohio-forge', name: 'Ohio Forge Inc.' })
  await seats.tenant.import(bracketsTable)
  const mail = Object.fromEntries(Object.entries(emails).map(([role, email]) => [role, `${prefix}${email}`]))
  await seats.tenant.apply(bracketsDocument({ more: more.replace('SAM', mail.supplier!) }))
  return { ...seats, mail: mail as House['mail'] }
}

/** The same after its first person, invited by the owner, has joined. */
async function ownHouse() {
  const house = await newHouse()
  const sam = 'sam@ohio.test'.replace('@', `-${houses}@`)
  const reply = await house.as.owner.post('/people', invited(sam))
  expect(reply.status).toBe(201)
  const browser = new Browser(console.api, house.slug)
  expect((await browser.send('POST', '/set-up', { token: tokenOf(reply), password })).status).toBe(200)
  return { ...house, sam, browser, owner: house.as.owner }
}

async function sign(browser: Browser, party: 'buyer' | 'supplier', period = '2024-Q2'): Promise<ConsoleReply> {
  const { signing } = await browser.json<AdjustmentPage>(`/agreements/brackets/periods/${period}`)
  await browser.confirm()
  const periods = signing.periods.map(each => ({ period: each.period, hash: each.hash }))
  return browser.post(`/agreements/brackets/periods/${period}/sign`, { party, periods })
}

async function receiptOf({ tenant }: Seats, period = '2024-Q2'): Promise<Receipt> {
  return tenant.json<Receipt>(`/pams/brackets/adjustment/receipt?period=${period}`)
}

describe('once somebody of a company has joined', () => {
  test('the owner of the workspace neither invites to it nor moves anybody into it or out of it', async () => {
    const { owner, as, mail, sam } = await ownHouse()
    const before = await rowsOf(owner)
    const eve = await owner.post('/people', invited('eve@owner.test'))
    expect([eve.status, errorOf(eve)]).toEqual([403, expect.stringContaining('ohio-forge admits its own people')])
    const ownId = (await rowOf(owner, mail.owner)).id
    expect((await owner.patch(`/people/${ownId}`, { party: 'ohio-forge' })).status).toBe(403)
    for (const email of [mail.viewer, mail.buyer]) {
      const { id } = await rowOf(owner, email)
      expect((await owner.patch(`/people/${id}`, { party: 'ohio-forge' })).status, email).toBe(403)
      expect((await owner.patch(`/people/${id}`, { role: 'supplier', party: 'ohio-forge' })).status, email).toBe(403)
    }
    const theirs = await rowOf(owner, sam)
    expect(theirs.isOthers).toBe(true)
    expect((await owner.patch(`/people/${theirs.id}`, { party: null })).status).toBe(403)
    await owner.post('/parties', { slug: 'other', name: 'Another' })
    expect((await owner.patch(`/people/${theirs.id}`, { party: 'other' })).status).toBe(403)
    expect((await as.editor.patch(`/people/${theirs.id}`, { party: 'other' })).status).toBe(403)
    const plain = (rows: readonly PersonRow[]) => rows.map(({ lastSeenAt: _seen, ...row }) => row)
    expect(plain(await rowsOf(owner))).toEqual(plain(before))
  })

  test('the owner gets no link of its people: not for a new password, nor for somebody whom it has invited', async () => {
    const { owner, browser, sam } = await ownHouse()
    const { id } = await rowOf(owner, sam)
    const link = await owner.post(`/people/${id}/password-link`)
    expect([link.status, errorOf(link)]).toEqual([
      403,
      expect.stringMatching(/somebody of ohio-forge makes it, or the op/),
    ])
    expect((await browser.get('/workspace')).status).toBe(200)
    const bob = (await browser.post('/people', invited('bob@ohio.test'))).json as Invited
    const again = await owner.post(`/people/${bob.person.id}/link`)
    expect([again.status, again.text.includes('#')]).toEqual([403, false])
    // What Bob was given still works.
    const token = bob.link!.split('#')[1]!
    expect((await console.browser().send('POST', '/set-up/look', { token })).status).toBe(200)
  })

  test('removing all of them does not make it new: the owner cannot fill it again, the operator can and is marked', async () => {
    const { owner, sam, tenant, slug, ...house } = await ownHouse()
    const { id } = await rowOf(owner, sam)
    expect((await owner.delete(`/people/${id}`)).status).toBe(204)
    for (const email of ['eve@owner.test', sam]) {
      expect((await owner.post('/people', invited(email))).status).toBe(403)
      expect((await owner.post('/people', invited(email, { role: 'owner' }))).status).toBe(403)
    }
    // Invited without the party, an address that was of the company is of it no longer.
    const again = (await owner.post('/people', invited('new@ohio.test', { party: null }))).json as Invited
    expect((await owner.patch(`/people/${again.person.id}`, { party: 'ohio-forge' })).status).toBe(403)
    const [row] = (await owner.json<readonly PartyRow[]>('/parties')).filter(each => each.slug === 'ohio-forge')
    expect(row).toMatchObject({ isOwn: true, people: [], confirmed: null })

    const { sql } = console.api
    const kim = await createMember(sql, tenant.id, { email: 'kim@ohio.test', role: 'supplier', company: 'ohio-forge' })
    await setFirstPassword(sql, tenant.id, kim.id, password)
    const browser = await signIn(console.api, 'kim@ohio.test', slug)
    expect((await sign(browser, 'supplier')).status).toBe(200)
    const { signatures } = await receiptOf({ ...house, tenant, slug })
    expect(signatures[0]!.origin).toMatchObject({
      invited: { by: 'operator', from: 'OPERATOR' },
      renewed: { how: 'OPERATOR', from: 'OPERATOR' },
    })
    const page = await house.as.buyer.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
    expect(page.signers.supplier.join('; ')).toMatch(
      /invited by the operator on .* the operator set a password for them/,
    )
  })

  test('an invitation that the owner made before lets nobody in any more; one of the company does', async () => {
    const house = await newHouse()
    const { owner } = house.as
    const [sam, eve] = [`sam-${houses}@ohio.test`, `eve-${houses}@owner.test`]
    const first = await owner.post('/people', invited(sam))
    const second = await owner.post('/people', invited(eve))
    const browser = new Browser(console.api, house.slug)
    expect((await browser.send('POST', '/set-up', { token: tokenOf(first), password })).status).toBe(200)
    const late = await console.browser().send('POST', '/set-up', { token: tokenOf(second), password })
    expect([late.status, errorOf(late)]).toEqual([403, expect.stringContaining('ask one of them for a new invitation')])
    const { id } = (second.json as Invited).person
    expect((await owner.post(`/people/${id}/link`)).status).toBe(403)
    const admitted = await browser.post(`/people/${id}/link`)
    expect(admitted.status).toBe(201)
    expect((await console.browser().send('POST', '/set-up', { token: tokenOf(admitted), password })).status).toBe(200)
    const row = await rowOf(browser, eve)
    expect(row).toMatchObject({ hasJoined: true, invitedBy: sam })
  })

  test('its people invite others as what they are themselves, to their own company, and see nobody else', async () => {
    const { browser, owner, mail, sam } = await ownHouse()
    expect((await rowsOf(browser)).map(({ email }) => email)).toEqual([sam])
    for (const body of [
      invited('bob@ohio.test', { role: 'owner' }),
      invited('bob@ohio.test', { role: 'buyer' }),
      invited('bob@ohio.test', { party: null }),
      { email: 'bob@ohio.test', name: '', role: 'supplier' },
    ])
      expect((await browser.post('/people', body)).status).toBe(403)
    await owner.post('/parties', { slug: 'peach', name: 'Peach' })
    expect((await browser.post('/people', invited('bob@ohio.test', { party: 'peach' }))).status).toBe(403)
    // Whoever is here already, or is a party by their address elsewhere, gets the same answer.
    const member = await browser.post('/people', invited(mail.buyer))
    expect([member.status, errorOf(member)]).toEqual([409, expect.stringContaining('is invited by an owner')])
    expect((await browser.post('/people', invited('bob@ohio.test'))).status).toBe(201)
    // Others of the workspace do not exist for them.
    const { id } = await rowOf(owner, mail.buyer)
    for (const path of [`/people/${id}/link`, `/people/${id}/password-link`])
      expect((await browser.post(path)).status, path).toBe(404)
    expect((await browser.delete(`/people/${id}`)).status).toBe(404)
    expect((await browser.patch(`/people/${id}`, { role: 'viewer' })).status).toBe(403)
  })

  test('an address that a formula names is not invited by a company, which would sign as it', async () => {
    const { browser, tenant } = await ownHouse()
    const named = 'parties: { buyer: [ann@acme.test], supplier: ohio-forge }'
    await tenant.apply(bracketsDocument({ slug: 'more', more: named }))
    const reply = await browser.post('/people', invited('Ann@acme.test'))
    expect([reply.status, errorOf(reply)]).toEqual([409, expect.stringContaining('is invited by an owner')])
  })

  test('the same holds for the company that buys', async () => {
    const { as, tenant } = await newHouse('parties: { buyer: ohio-forge, supplier: [x@y.test] }')
    const token = tokenOf(await as.owner.post('/people', invited(`ann-${houses}@acme.test`, { role: 'buyer' })))
    expect((await console.browser().send('POST', '/set-up', { token, password })).status).toBe(200)
    expect((await as.owner.post('/people', invited('eve@owner.test', { role: 'buyer' }))).status).toBe(403)
    const ann = await rowOf(as.owner, `ann-${houses}@acme.test`)
    expect((await as.owner.post(`/people/${ann.id}/password-link`)).status).toBe(403)
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })
})

describe('somebody whom a formula names by address', () => {
  const named = 'parties: { supplier: [SAM] }'

  test('is not replaced by a link that somebody else sees, also after a change of role or an invitation once more', async () => {
    const { as, mail } = await newHouse(named)
    const { id } = await rowOf(as.owner, mail.supplier)
    const refused = async (what: string, reply: Promise<ConsoleReply>) => {
      const { status, text } = await reply
      expect([status, text.includes('#')], what).toEqual([403, false])
    }
    await refused('a link', as.owner.post(`/people/${id}/password-link`))
    expect((await as.owner.patch(`/people/${id}`, { role: 'viewer' })).status).toBe(200)
    await refused('as a viewer', as.owner.post(`/people/${id}/password-link`))
    expect((await as.owner.delete(`/people/${id}`)).status).toBe(204)
    for (const role of ['supplier', 'viewer', 'owner'])
      for (const party of [null, 'ohio-forge'])
        await refused(
          `invited as ${role} of ${party}`,
          as.owner.post('/people', invited(mail.supplier, { role, party })),
        )
  })

  test('signs as an address named by the formula, let in by whoever invited them', async () => {
    const pat = `pat-${houses + 1}@supplier.test`
    const house = await newHouse(`parties: { supplier: [${pat}] }`)
    await join(console.api, house.tenant.id, pat, 'supplier')
    expect((await sign(await signIn(console.api, pat, house.slug), 'supplier')).status).toBe(200)
    const verdict = await judgeReceipt(JSON.stringify(await receiptOf(house)), {
      subtle: crypto.subtle,
      trustedKeys: null,
    })
    expect(verdict.problems).toEqual([])
    const page = await house.as.owner.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
    expect(page.signers.supplier).toContain('the agreement names this party by e-mail address, not as a company')
    expect(page.signers.supplier[0]).toMatch(/^by a person invited by the operator on \d{4}-\d\d-\d\d, who joined on /)
  })
})

describe('what is done about the people of a company', () => {
  test('is told to all of them, on their pages until they have seen it, and by mail', async () => {
    const { owner, browser, sam, tenant } = await ownHouse()
    const token = tokenOf(await browser.post('/people', invited('bob@ohio.test')))
    const bob = new Browser(console.api, browser.slug)
    await bob.send('POST', '/set-up', { token, password: 'chosen by bob' })
    const words = async (of: Browser) =>
      (await of.json<Overview>('/overview')).people.map(each => `${each.email} ${each.words}`)
    expect(await words(browser)).toContainEqual('bob@ohio.test joined')
    const seen = (await company(browser)).news[0]!.seq
    expect((await browser.post('/company/seen', { until: seen })).status).toBe(204)
    expect(await words(browser)).toEqual([])

    const { id } = await rowOf(owner, 'bob@ohio.test')
    expect((await browser.post(`/people/${id}/password-link`)).status).toBe(201)
    await recordAboutPerson(console.api.sql, tenant.id, { who: 'operator', fromAddress: null }, sam, {
      kind: 'PASSWORD_SET',
    })
    const { id: bobNow } = await rowOf(owner, 'bob@ohio.test')
    expect((await owner.delete(`/people/${bobNow}`)).status).toBe(204)
    expect(await words(browser)).toEqual([
      expect.stringMatching(/^bob@ohio\.test is no longer invited by .*olga@owner\.test \(owner of the workspace\)$/),
      `${sam} was given a new password by the operator`,
    ])
    expect(await words(owner)).toEqual([])
    const told = await console.api.owner<{ email: string; words: string }[]>`
      select email, facts->>'words' as words from notice where workspace_id = ${tenant.id} and kind = 'people' order by id`
    expect(told.filter(each => each.email === sam).map(each => each.words)).toEqual([
      'joined',
      'was given a new password by the operator',
      expect.stringContaining('is no longer invited by'),
    ])
    expect(told.filter(each => each.email === 'bob@ohio.test')).toEqual([])
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('says beside every later signature that somebody came in by a link for a new password', async () => {
    const { browser, owner, sam, ...house } = await ownHouse()
    const bob = `bob-${houses}@ohio.test`
    const first = tokenOf(await browser.post('/people', invited(bob)))
    await console.browser().send('POST', '/set-up', { token: first, password: 'chosen by bob' })
    const { id } = await rowOf(owner, bob)
    const link = tokenOf(await browser.post(`/people/${id}/password-link`))
    const again = new Browser(console.api, house.slug)
    expect((await again.send('POST', '/set-up', { token: link, password })).status).toBe(200)
    expect((await sign(again, 'supplier')).status).toBe(200)
    const { signatures } = await receiptOf(house)
    expect(signatures[0]!.origin).toMatchObject({
      invited: { by: sam, from: 'COMPANY', role: 'supplier', company: 'ohio-forge' },
      renewed: { how: 'LINK', by: sam, from: 'COMPANY' },
      company: { slug: 'ohio-forge', confirmed: null },
    })
    const page = await owner.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
    expect(page.signers.supplier.join('; ')).toMatch(/came in again on .* with a link for a new password made by sam/)
  })
})

describe('the list of a company’s people', () => {
  test('is confirmed by an administrator who shows again who they are, as it was shown, and stands in later signatures', async () => {
    const { browser, owner, sam, tenant, ...house } = await ownHouse()
    const bob = `bob-${houses}@ohio.test`
    const token = tokenOf(await browser.post('/people', invited(bob)))
    const second = new Browser(console.api, house.slug)
    await second.send('POST', '/set-up', { token, password })
    const before = (await company(browser)).company!
    expect(before).toMatchObject({ slug: 'ohio-forge', confirmed: null, isAdministrator: true })
    expect(before.people.map(({ email, isAdministrator }) => [email, isAdministrator])).toEqual(
      [
        [bob, false],
        [sam, true],
      ].toSorted(),
    )
    const { hash } = before
    expect((await browser.post('/company/confirm', { hash })).json).toMatchObject({ needs: { kind: 'confirmation' } })
    await second.confirm()
    expect((await second.post('/company/confirm', { hash })).status).toBe(403)
    await browser.confirm()
    expect((await browser.post('/company/confirm', { hash: 'a'.repeat(64) })).status).toBe(409)
    expect((await owner.post('/company/confirm', { hash })).status).toBe(403)
    const confirmed = await browser.post('/company/confirm', { hash })
    expect(confirmed.json).toMatchObject({ company: { confirmed: { by: sam, hash, isCurrent: true } } })
    expect((await sign(second, 'supplier')).status).toBe(200)
    const receipt = await receiptOf({ ...house, tenant })
    expect(receipt.signatures[0]!.origin!.company).toMatchObject({ confirmed: { by: sam, hash, isListed: true } })
    const verdict = await judgeReceipt(JSON.stringify(receipt), { subtle: crypto.subtle, trustedKeys: null })
    expect(verdict.problems).toEqual([])
    expect(formatTrust(verdict).join('; ')).toContain('and how they came to be let in')

    // Somebody else later: the list is no longer the current one, and that is said.
    await browser.post('/people', invited(`cid-${houses}@ohio.test`))
    expect((await company(browser)).company!.confirmed).toMatchObject({ hash, isCurrent: false })
    const [row] = (await owner.json<readonly PartyRow[]>('/parties')).filter(each => each.slug === 'ohio-forge')
    expect(row).toMatchObject({ isOwn: true, confirmed: { by: sam, isCurrent: false } })
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('a row of it that was written into the database is not believed', async () => {
    const { browser, tenant } = await ownHouse()
    await console.api.owner`
      insert into people_event (workspace_id, seq, party_id, kind, email, done_by, done_from, facts, recorded_at, seal)
      select workspace_id, 1, party_id, 'CONFIRMED', email, email, 'COMPANY', '{"hash":"aa","people":[]}', recorded_at, seal
      from people_event where workspace_id = ${tenant.id} and party_id is not null limit 1`
    expect((await company(browser)).company!.confirmed).toBeNull()
    expect((await verifyChain(console.api.sql, tenant.id)).problem).not.toBeNull()
  })

  test('administrators name others; who is none neither names nor removes anybody', async () => {
    const { browser, sam, slug } = await ownHouse()
    const token = tokenOf(await browser.post('/people', invited(`bob-${houses}@ohio.test`)))
    const bob = new Browser(console.api, slug)
    await bob.send('POST', '/set-up', { token, password: 'chosen by bob' })
    const { people } = (await company(browser)).company!
    const idOf = (email: string) => people.find(each => each.email === email)!.id
    const name = (of: Browser, email: string, isOne: boolean) =>
      of.post('/company/administrators', { id: idOf(email), isOne })
    expect((await name(bob, `bob-${houses}@ohio.test`, true)).status).toBe(403)
    expect((await bob.delete(`/people/${idOf(sam)}`)).status).toBe(403)
    expect((await name(browser, `bob-${houses}@ohio.test`, true)).status).toBe(200)
    expect((await company(bob)).company!.people.map(({ isAdministrator }) => isAdministrator)).toEqual([true, true])
    expect((await bob.delete(`/people/${idOf(sam)}`)).status).toBe(204)
    expect((await browser.get('/workspace')).status).toBe(401)
  })
})

test('the first person of a new company is invited by the owner, and a receipt says so', async () => {
  const { browser, owner, mail, ...house } = await ownHouse()
  expect((await sign(browser, 'supplier')).status).toBe(200)
  const { signatures } = await receiptOf(house)
  expect(signatures[0]!.origin).toMatchObject({
    role: 'supplier',
    invited: { by: mail.owner, from: 'WORKSPACE', role: 'owner', company: null },
    renewed: null,
    company: { slug: 'ohio-forge', put: { by: mail.owner, from: 'WORKSPACE' }, confirmed: null },
    passkeys: [],
  })
  const page = await owner.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
  expect(page.signers.supplier).toEqual([
    expect.stringMatching(
      /^by a person invited by .*olga@owner\.test \(owner of the workspace\) on .*, who joined on /,
    ),
    'not confirmed by the company: ohio-forge has not confirmed who its people are',
  ])
  expect(await join(console.api, house.tenant.id, `later-${houses}@x.test`, 'viewer')).toMatch(/^usr_/)
})

test('who was put into a company after they had joined the workspace is its first administrator', async () => {
  const { as, mail } = await newHouse()
  const { id } = await rowOf(as.owner, mail.supplier)
  expect((await as.owner.patch(`/people/${id}`, { party: 'ohio-forge' })).status).toBe(200)
  const bob = `bob-${houses}@ohio.test`
  const token = tokenOf(await as.supplier.post('/people', invited(bob)))
  expect((await console.browser().send('POST', '/set-up', { token, password })).status).toBe(200)
  const { people } = (await company(as.supplier)).company!
  expect(people.filter(each => each.isAdministrator).map(({ email }) => email)).toEqual([mail.supplier])
})
