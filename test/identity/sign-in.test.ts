// Signing in by a company's own identity provider, over the real server: who gets in and who does not, what ends when, and that an
// e-mail address never decides.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientSecrets } from '../../src/identity/identity-connections.ts'
import { removeProvider, setProvider } from '../../src/storage/identity/providers.ts'
import { checkAccess } from '../../src/storage/log/access-check.ts'
import { accountsScope } from '../../src/storage/log/access-log.ts'
import { AccessSeals } from '../../src/storage/log/access-seals.ts'
import { changeMember, renewPlace } from '../../src/storage/people/member-changes.ts'
import { findMember, listMemberStates, replacePassword } from '../../src/storage/people/people.ts'
import { listSessions } from '../../src/storage/people/sessions.ts'
import { ringIn, type Sql } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { joinFully, password } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { type Claims, HostileProvider, mint } from '../support/identity/hostile-provider.ts'
import { addCompany, inviteTo, newBrowser, operator, setHostile, signInBy } from '../support/identity/visits.ts'

const console = consoleHouse()
let nova: HostileProvider
let other: HostileProvider
beforeAll(async () => {
  nova = await HostileProvider.open()
  other = await HostileProvider.open()
})
afterAll(() => Promise.all([nova.close(), other.close()]))

const browser = () => newBrowser(console.api, console.slug)
const checkAccounts = (owner: Sql) => owner.begin(tx => checkAccess(tx, new AccessSeals(ringIn(owner)), accountsScope))
let made = 0
/** A party of its own with a provider. */
async function company(more: Parameters<typeof setHostile>[4] = {}, provider = nova) {
  const slug = `company-${++made}`
  await addCompany(console.api, console.tenant.id, slug)
  const settings = await setHostile(console.api, console.tenant.id, provider, slug, more)
  return { slug, settings }
}

describe('an invitation', () => {
  test('is accepted through the provider of its party, and from then on the subject signs in', async () => {
    const { slug, settings } = await company()
    const link = await inviteTo(console.api, console.tenant.id, `ann@${slug}.test`, slug)
    const look = await browser().send('POST', '/set-up/look', { token: link })
    expect(look.json).toMatchObject({ wayIn: { wayIn: settings.wayIn, name: `${slug} Ltd`, isRequired: false } })
    const first = browser()
    const joined = await signInBy(first, nova, settings, `${slug}-ann`, { link })
    expect(joined).toMatchObject({
      status: 200,
      json: {
        returnTo: `/w/${console.slug}`,
        session: { isByProvider: true, person: { email: `ann@${slug}.test` }, workspaces: [{ slug: console.slug }] },
      },
    })
    expect((await first.get('/workspace')).status).toBe(200)
    const again = browser()
    expect((await signInBy(again, nova, settings, `${slug}-ann`, { returnTo: '/w/x/due' })).json).toMatchObject({
      returnTo: '/w/x/due',
      session: { person: { email: `ann@${slug}.test` } },
    })
    // The link was used up, and she has no password.
    expect((await signInBy(browser(), nova, settings, 'somebody', { link })).status).toBe(404)
    expect((await browser().signIn(`ann@${slug}.test`, password)).status).toBe(401)
  })

  test('of another party is not accepted, and stays open', async () => {
    const { settings } = await company()
    const { slug, settings: right } = await company({}, other)
    const link = await inviteTo(console.api, console.tenant.id, `bob@${slug}.test`, slug)
    const refused = await signInBy(browser(), nova, settings, 'bob', { link })
    expect(refused).toMatchObject({ status: 403, json: { error: expect.stringContaining('of another party') } })
    expect((await signInBy(browser(), other, right, 'bob', { link })).status).toBe(200)
  })

  test('is needed: neither an unknown subject nor the address of somebody who is here gets in', async () => {
    const { slug, settings } = await company()
    await joinFully(console.api, console.tenant.id, `carol@${slug}.test`, 'supplier')
    for (const email of [`carol@${slug}.test`, 'olga@owner.test']) {
      const claims = { email, email_verified: true, preferred_username: email }
      const reply = await signInBy(browser(), nova, settings, 'a stranger', { claims })
      expect(reply).toMatchObject({ status: 401, json: { error: expect.stringContaining('has a place here') } })
    }
  })

  test('does not link a subject that is somebody else here already', async () => {
    const { slug, settings } = await company()
    const links = [`d1@${slug}.test`, `d2@${slug}.test`]
    const [one, two] = await Promise.all(links.map(each => inviteTo(console.api, console.tenant.id, each, slug)))
    expect((await signInBy(browser(), nova, settings, `${slug}-d`, { link: one! })).status).toBe(200)
    expect((await signInBy(browser(), nova, settings, `${slug}-d`, { link: two! })).status).toBe(409)
    expect((await signInBy(browser(), nova, settings, `${slug}-d2`, { link: two! })).status).toBe(200)
  })
})

describe('a session by a provider', () => {
  async function joined(claims = {}) {
    const { slug, settings } = await company()
    const email = `eve@${slug}.test`
    const link = await inviteTo(console.api, console.tenant.id, email, slug)
    const eve = browser()
    const reply = await signInBy(eve, nova, settings, `${slug}-eve`, { link, claims })
    expect(reply.status).toBe(200)
    return {
      slug,
      settings,
      email,
      eve,
      subject: `${slug}-eve`,
      id: (reply.json as { session: { person: { id: string } } }).session.person.id,
    }
  }

  test('lasts twelve hours at most', async () => {
    const { id } = await joined()
    const [session] = await listSessions(console.api.sql, id)
    const hours = (Date.parse(session!.expiresAt) - Date.parse(session!.createdAt)) / 3_600_000
    expect(hours).toBe(12)
  })

  test('ends when the provider is removed, or another issuer is set in its place', async () => {
    const { slug, eve } = await joined()
    await removeProvider(console.api.sql, console.tenant.id, slug, operator)
    expect((await eve.get('/workspace')).status).toBe(401)
  })

  test('does not open the workspace once the person is of another party', async () => {
    const { eve, id } = await joined()
    const { slug } = await company({}, other)
    await changeMember(console.api.sql, console.tenant.id, id, { company: slug }, operator)
    expect((await eve.get('/workspace')).status).toBe(404)
  })

  test('that was put in with SQL alone, or whose link was, opens nothing', async () => {
    const { eve, id } = await joined()
    const [row] = await console.api.owner<{ link: string }[]>`
      select identity_link as link from session where person_id = ${id} and ended_at is null`
    await console.api.owner`update session set identity_link = null where person_id = ${id}`
    expect((await eve.get('/workspace')).status).toBe(401)
    await console.api.owner`update session set identity_link = ${row!.link} where person_id = ${id}`
    expect((await eve.get('/workspace')).status).toBe(200)
  })

  test('ends at once when the provider says so, by the session or by the person', async () => {
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const { eve, subject } = await joined({ sid: 'there-1' })
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: nova.issuer,
      aud: 'assize',
      iat: now,
      jti: 'one',
      events: event,
      sub: subject,
      sid: 'there-1',
    }
    const send = (token: string) =>
      console.api.ask('/sso/logout', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `logout_token=${token}`,
      })
    const token = mint(nova.key, { ...claims, sid: 'there-2', jti: 'other' }, { typ: 'logout+jwt' })
    expect((await send(token)).status).toBe(200)
    expect((await eve.get('/workspace')).status).toBe(200)
    const right = mint(nova.key, claims, { typ: 'logout+jwt' })
    expect((await send(right)).status).toBe(200)
    expect((await eve.get('/workspace')).status).toBe(401)
    const twice = await send(right)
    expect(twice).toMatchObject({ status: 400, text: '{"error":"invalid_request"}' })
    expect(console.api.log.at(-1)).toContain('used before')
  })

  test.each<[string, (claims: Claims) => Claims, string, boolean?]>([
    ['an ID token', c => ({ ...c, nonce: 'n' }), 'not for logging out'],
    ['one without the event', c => ({ ...c, events: {} }), 'not for logging out'],
    ['one that names nobody', c => ({ ...c, sub: undefined }), 'neither a person nor a session'],
    ['one without a name of its own', c => ({ ...c, jti: undefined }), 'jti'],
    ['one that somebody else signed', c => c, 'not signed by', true],
    ['one of another issuer', c => ({ ...c, iss: 'https://elsewhere.test' }), 'not known here'],
    ['one for another client', c => ({ ...c, aud: 'another' }), 'not known here'],
    ['an old one', c => ({ ...c, iat: 1_000_000 }), 'too old'],
    ['one from the future', c => ({ ...c, iat: 9_000_000_000 }), 'from the future'],
  ])('is not ended by %s', async (_, change, words, isForged = false) => {
    await company()
    const claims = {
      iss: nova.issuer,
      aud: 'assize',
      iat: Math.floor(Date.now() / 1000),
      jti: 'x',
      sub: 'a',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    }
    const reply = await console.api.ask('/sso/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `logout_token=${mint((isForged ? other : nova).key, change(claims))}`,
    })
    // Nothing tells a stranger whether the issuer is set up here; the server's log has the reason.
    expect(reply).toMatchObject({ status: 400, text: '{"error":"invalid_request"}' })
    expect(console.api.log.findLast(line => line.includes('a logout by an identity provider'))).toContain(words)
  })
})

describe('groups', () => {
  const groups = [
    { group: 'buyers', role: 'buyer' },
    { group: 'readers', role: 'viewer' },
  ] as const

  test('give the role at each sign-in, and who is in none any more loses sessions, keys and feeds', async () => {
    const { slug, settings } = await company({ groupsClaim: 'groups', groups })
    const email = `fay@${slug}.test`
    const link = await inviteTo(console.api, console.tenant.id, email, slug, 'viewer')
    const fay = browser()
    expect(
      (await signInBy(fay, nova, settings, slug, { link, claims: { groups: ['readers', 'buyers'] } })).status,
    ).toBe(200)
    const role = async () => (await findMember(console.api.sql, console.tenant.id, email))!.role
    expect(await role()).toBe('buyer')
    expect((await signInBy(browser(), nova, settings, slug, { claims: { groups: 'readers' } })).status).toBe(200)
    expect(await role()).toBe('viewer')
    const feed = (await fay.post('/feeds', { name: 'mine' })).json as { readonly address: string }
    const path = new URL(feed.address).pathname
    expect((await console.api.ask(path)).status).toBe(200)
    const lost = await signInBy(browser(), nova, settings, slug, { claims: { groups: ['others'] } })
    expect(lost).toMatchObject({ status: 401, json: { error: expect.stringContaining('none of the groups') } })
    expect((await fay.get('/workspace')).status).toBe(401)
    expect((await console.api.ask(path)).status).toBe(404)
    const silent = await signInBy(browser(), nova, settings, slug)
    expect(silent.json).toMatchObject({ error: expect.stringContaining('does not say which groups') })
  })

  test('let somebody join without an invitation where that is set, under an address that nobody here has', async () => {
    const joining = { group: 'joiners', role: 'viewer' } as const
    const { slug, settings } = await company({ groupsClaim: 'groups', joining })
    const claims = { groups: ['joiners'], email: `gus@${slug}.test`, email_verified: true, name: 'Gus' }
    const gus = browser()
    expect((await signInBy(gus, nova, settings, `${slug}-gus`, { claims })).status).toBe(200)
    expect(await findMember(console.api.sql, console.tenant.id, `gus@${slug}.test`)).toMatchObject({
      name: 'Gus',
      role: 'viewer',
      company: slug,
    })
    const taken = await signInBy(browser(), nova, settings, 'x', { claims: { ...claims, email: 'olga@owner.test' } })
    expect(taken).toMatchObject({
      status: 409,
      json: { error: expect.stringContaining('an address alone lets nobody in') },
    })
    const outside = await signInBy(browser(), nova, settings, 'y', { claims: { ...claims, groups: [] } })
    expect(outside.status).toBe(401)
    const unconfirmed = await signInBy(browser(), nova, settings, 'z', { claims: { ...claims, email_verified: false } })
    expect(unconfirmed.json).toMatchObject({ error: expect.stringContaining('no confirmed e-mail address') })
  })
})

describe('a required provider', () => {
  test('takes the passwords of its people, and links lead through it alone', async () => {
    const slug = `company-${++made}`
    await addCompany(console.api, console.tenant.id, slug)
    const { sql, owner } = console.api
    const email = `hal@${slug}.test`
    const link = await inviteTo(console.api, console.tenant.id, email, slug)
    const hal = browser()
    expect((await hal.send('POST', '/set-up', { token: link, password })).status).toBe(200)
    expect((await hal.get('/workspace')).status).toBe(200)
    const settings = await setHostile(console.api, console.tenant.id, nova, slug, { isRequired: true })
    expect((await hal.get('/workspace')).status).toBe(401)
    expect((await browser().signIn(email, password)).status).toBe(401)
    await expect(replacePassword(owner, email, 'another password', console.tenant.id)).rejects.toThrow(
      'have no password',
    )
    const { id } = (await findMember(sql, console.tenant.id, email))!
    const again = await renewPlace(sql, console.tenant.id, id, '2100-01-01T00:00:00.000000Z', operator)
    const refused = await browser().send('POST', '/set-up', { token: again.token, password })
    expect(refused).toMatchObject({ status: 403, json: { error: expect.stringContaining('have no password') } })
    expect((await signInBy(browser(), nova, settings, `${slug}-hal`, { link: again.token })).status).toBe(200)
    await removeProvider(sql, console.tenant.id, slug, operator)
    await replacePassword(owner, email, 'another password', console.tenant.id)
    expect((await browser().signIn(email, 'another password')).status).toBe(200)
  })

  test('leaves the sessions that it has opened open, however often it is set, and raises no alarm', async () => {
    const { sql, owner } = console.api
    const { slug, settings } = await company()
    const emails = ['joined', 'with-a-password'].map(each => `${each}@${slug}.test`)
    const links = await Promise.all(emails.map(each => inviteTo(console.api, console.tenant.id, each, slug)))
    expect((await signInBy(browser(), nova, settings, emails[1]!, { link: links[1]! })).status).toBe(200)
    await replacePassword(owner, emails[1]!, password, console.tenant.id)
    const byPassword = browser()
    expect((await byPassword.signIn(emails[1]!, password)).status).toBe(200)
    const [joined, both] = [browser(), browser()]
    expect((await signInBy(joined, nova, settings, emails[0]!, { link: links[0]! })).status).toBe(200)
    expect((await signInBy(both, nova, settings, emails[1]!)).status).toBe(200)
    const open = async () =>
      Promise.all([joined, both, byPassword].map(async each => (await each.get('/workspace')).status))
    expect(await open()).toEqual([200, 200, 200])
    for (const _ of [1, 2]) {
      await setHostile(console.api, console.tenant.id, nova, slug, { isRequired: true })
      expect(await open()).toEqual([200, 200, 401])
    }
    expect((await browser().signIn(emails[1]!, password)).status).toBe(401)
    expect((await checkAccounts(owner)).problem).toBeNull()
    expect((await verifyChain(sql, console.tenant.id)).problem).toBeNull()
  })

  test('does not make a session count that was put in with SQL alone', async () => {
    const { owner } = console.api
    const { slug, settings } = await company()
    const email = `planted@${slug}.test`
    const link = await inviteTo(console.api, console.tenant.id, email, slug)
    const person = browser()
    expect((await signInBy(person, nova, settings, slug, { link })).status).toBe(200)
    await replacePassword(owner, email, password, console.tenant.id)
    expect((await signInBy(person, nova, settings, slug)).status).toBe(200)
    const [row] = await owner<{ id: string }[]>`
      select s.id from session s join person p on p.id = s.person_id where p.email = ${email} and s.ended_at is null`
    await owner`update session set provider_session = 'another' where id = ${row!.id}`
    await setHostile(console.api, console.tenant.id, nova, slug, { isRequired: true })
    expect((await person.get('/workspace')).status).toBe(401)
    expect((await checkAccounts(owner)).problem).toContain("does not carry this installation's seal")
    await owner`update session set ended_at = clock_timestamp() where id = ${row!.id}`
  })

  test('closes the workspace alone to who has the same account elsewhere', async () => {
    const { sql } = console.api
    const slug = `company-${++made}`
    await addCompany(console.api, console.tenant.id, slug)
    const email = `ida@${slug}.test`
    const second = await console.api.tenant()
    await joinFully(console.api, second.id, email, 'viewer')
    const link = await inviteTo(console.api, console.tenant.id, email, slug)
    const ida = browser()
    expect((await ida.send('POST', '/set-up', { token: link, password, isMember: true })).status).toBe(200)
    await setHostile(console.api, console.tenant.id, nova, slug, { isRequired: true })
    expect((await ida.get('/workspace')).status).toBe(404)
    expect((await ida.ask(`/w/${console.api.slugOf(second.id)}/workspace`)).status).toBe(200)
    // Also where the row that requires it is taken away with SQL alone.
    await console.api.owner`delete from identity_provider where workspace_id = ${console.tenant.id} and party = ${slug}`
    expect((await ida.get('/workspace')).status).toBe(404)
    const problem = (await verifyChain(sql, console.tenant.id)).problem?.message
    expect(problem).toContain('how the people of a party sign in')
  })

  test('for the people of a workspace needs an owner who keeps a password', async () => {
    const { sql, ring } = console.api
    const own = await console.api.tenant()
    const slug = console.api.slugOf(own.id)
    await joinFully(console.api, own.id, `joy@${slug}.test`, 'owner')
    await joinFully(console.api, own.id, `kim@${slug}.test`, 'owner')
    await expect(setHostile(console.api, own.id, nova, null, { isRequired: true })).rejects.toThrow('name an owner')
    await setHostile(console.api, own.id, nova, null, { isRequired: true, except: `joy@${slug}.test` })
    const joy = newBrowser(console.api, slug)
    expect((await joy.signIn(`joy@${slug}.test`, password)).status).toBe(200)
    expect((await joy.get('/workspace')).status).toBe(200)
    expect((await newBrowser(console.api, slug).signIn(`kim@${slug}.test`, password)).status).toBe(401)
    const page = await joy.json<{ providers: readonly { except: string; unlinked: readonly string[] }[] }>(
      '/identity-providers',
    )
    expect(page.providers[0]).toMatchObject({ except: `joy@${slug}.test`, unlinked: [`kim@${slug}.test`] })
    // Without the secret the settings are changed for the same issuer and client only.
    const kept = {
      party: null,
      clientId: 'assize',
      clientSecret: null,
      isRequired: false,
      except: null,
      groupsClaim: null,
    }
    const more = { ...kept, groups: [], joining: null }
    await setProvider(sql, own.id, { ...more, issuer: nova.issuer }, clientSecrets(ring), operator)
    await expect(
      setProvider(sql, own.id, { ...more, issuer: other.issuer }, clientSecrets(ring), operator),
    ).rejects.toThrow('never gets the one before')
  })
})

test('only who may let people into a company sets how they sign in', async () => {
  const { slug } = await company()
  const link = await inviteTo(console.api, console.tenant.id, `lea@${slug}.test`, slug)
  const lea = browser()
  expect((await lea.send('POST', '/set-up', { token: link, password })).status).toBe(200)
  const body = { party: slug, issuer: other.issuer, clientId: 'x', clientSecret: 'y', isRequired: false, groups: [] }
  const reply = await console.as.owner.post('/identity-providers', body)
  expect(reply).toMatchObject({ status: 403, json: { error: expect.stringContaining('admits its own people') } })
  expect((await console.as.editor.post('/identity-providers', body)).status).toBe(403)
  // No group of a supplier's own provider makes somebody more than a supplier, who sees its own agreements alone.
  const come = (role: string) => [
    { ...body, groupsClaim: 'groups', groups: [{ group: 'all', role }] },
    { ...body, groupsClaim: 'groups', joining: { group: 'all', role } },
  ]
  const answers = async (role: string) => [
    (await lea.post('/identity-providers', come(role)[0]!)).status,
    (await lea.post('/identity-providers', come(role)[1]!)).status,
  ]
  expect(await answers('viewer')).toEqual([403, 403])
  // Nobody joins as an owner anywhere.
  expect(await answers('owner')).toEqual([403, 422])
  expect(await answers('supplier')).toEqual([200, 200])
  const members = await listMemberStates(console.api.sql, console.tenant.id)
  expect(members.find(({ email }) => email === `lea@${slug}.test`)?.company).toBe(slug)
})
