// What F23 begins with: a formula that waits for its supplier, the people about it, and somebody who has an account, a session, a
// passkey, a key and a link of their own, and full access to the database. And what they then try.

import type { KeyScope } from '../../src/core/people/key-scope.ts'
import { formatSessionCookie } from '../../src/http/console/frame/session-cookie.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { nameAdministrator } from '../../src/storage/people/company-list.ts'
import { changeMember, removeMember } from '../../src/storage/people/member-changes.ts'
import { addOperator, removeOperator } from '../../src/storage/people/operators.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember, issueSetUpLink, recordAboutPerson, replacePassword } from '../../src/storage/people/people.ts'
import type { Sql } from '../../src/storage/postgres/database.ts'
import { createApiKey, type IssuedApiKey, revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import type { CompanyPage } from '../../src/views/shapes/company.ts'
import { hashOf } from '../support/agreements/signing.ts'
import { Authenticator } from '../support/clients/authenticator.ts'
import type { Api, Tenant } from '../support/houses/api.ts'
import { Browser, emails, join, makeSeats, password } from '../support/houses/console.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { named } from './planted-ways.ts'

/** Every table that is written here, or that says what was written. */
export const tables = [
  'person',
  'member',
  'session',
  'known_network',
  'passkey',
  'second_factor',
  'recovery_code',
  'operator',
  'set_up_link',
  'api_key',
  'party_member',
  'workspace',
  'activity',
  'people_event',
  'people_seen',
  'access_entry',
  'access_head',
] as const

const samsPassword = 'what only sam knows, and long'
const later = '2100-01-01T00:00:00.000000Z'
/** Of a session and of a link that were never given out. */
export const plantedToken = 'p'.repeat(43)

export interface PlantedGround {
  /** What the statements name: `$sam` and the like, as SQL. */
  readonly names: Readonly<Record<string, string>>
  /** Each says whether somebody got in, signed, or saw what is not theirs. */
  readonly tries: Readonly<Record<string, () => Promise<boolean>>>
  /** The same by who may: each must work, or the tries above would show nothing. */
  readonly controls: Readonly<Record<string, () => Promise<boolean>>>
}

class Maker {
  readonly api: Api
  readonly tenant: Tenant
  readonly slug: string
  #attempts = 0

  constructor(api: Api, tenant: Tenant) {
    this.api = api
    this.tenant = tenant
    this.slug = api.slugOf(tenant.id)
  }

  /** Under a name, so that passkeys work, and from another address each time, so that no limit hides anything. */
  browser(): Browser {
    this.#attempts++
    const from = `127.0.${20 + Math.floor(this.#attempts / 200)}.${1 + (this.#attempts % 200)}`
    return new Browser(this.api, this.slug, { host: `localhost:${this.api.client.port}`, from })
  }

  get origin(): string {
    return `http://localhost:${this.api.client.port}`
  }

  async signedIn(email: string, secret = password): Promise<Browser> {
    const browser = this.browser()
    const { status, text } = await browser.signIn(email, secret)
    if (status !== 200) throw new Error(`${email} cannot sign in: ${text}`)
    return browser
  }

  async register(browser: Browser, secret = password): Promise<Authenticator> {
    const authenticator = new Authenticator()
    await browser.confirm(secret)
    const begun = await browser.send('POST', '/passkeys/begin', {})
    const { challenge } = begun.json as { challenge: string }
    const registration = authenticator.register({ challenge, origin: this.origin })
    const { status, text } = await browser.send('POST', '/passkeys', { name: 'Key', registration })
    if (status !== 201) throw new Error(`no passkey was registered: ${text}`)
    return authenticator
  }

  /** Whether it opens the console at all. */
  async entersWith(authenticator: Authenticator, person?: string): Promise<boolean> {
    const browser = this.browser()
    const { challenge } = (await browser.send('POST', '/sign-in/passkey/begin', {})).json as { challenge: string }
    const passkey = authenticator.assert({ challenge, origin: this.origin }, person)
    return (await browser.send('POST', '/sign-in/passkey', { passkey })).status === 200
  }

  async #periods() {
    return [{ period: '2024-Q2', hash: await hashOf(this.tenant, '?date=2024-04-01') }]
  }

  async signs(browser: Browser, party = 'supplier'): Promise<boolean> {
    const periods = await this.#periods()
    const { status } = await browser.post('/agreements/steel/periods/2024-Q2/sign', { party, periods })
    return status === 200
  }

  async signsAfterPassword(browser: Browser, party = 'supplier'): Promise<boolean> {
    await browser.confirm()
    return this.signs(browser, party)
  }

  async opens(token: string): Promise<boolean> {
    const look = await this.browser().send('POST', '/set-up/look', { token })
    const set = await this.browser().send('POST', '/set-up', { token, password: 'chosen by eve herself' })
    return look.status === 200 || set.status === 200
  }

  async reads(key: IssuedApiKey, path = '/v1/series'): Promise<boolean> {
    const { status, text } = await this.api.ask(path, { headers: { authorization: `Bearer ${key.key}` } })
    return status === 200 && (path !== '/v1/series' || text.includes('steel'))
  }

  key(workspaceId: string, scope: KeyScope = 'read', expiresAt: string | null = null): Promise<IssuedApiKey> {
    const digests = new KeyedDigests(this.api.ring, 'api-key digests')
    return createApiKey(this.api.sql, digests, { workspaceId, name: 'a key', scope, expiresAt })
  }
}

export async function makePlantedGround(api: Api): Promise<PlantedGround> {
  const { sql, owner } = api
  const seats = await makeSeats(api)
  const { tenant } = seats
  const make = new Maker(api, tenant)
  const by = { who: 'operator', fromAddress: null }
  await tenant.import(steelTable)
  await tenant.apply(steelDocument())
  await createCompany(sql, tenant.id, { slug: 'forge', name: 'Forge' }, by)
  const [before] = await owner<
    { hash: string }[]
  >`select password_hash as hash from person where email = ${emails.supplier}`
  await replacePassword(owner, emails.supplier, samsPassword, tenant.id)
  const eve = await join(api, tenant.id, 'eve@evil.test', 'viewer')
  const other = await api.tenant()
  const browser = await make.signedIn('eve@evil.test')
  const key = await make.register(browser)
  const samsKey = await make.register(await make.signedIn(emails.supplier, samsPassword), samsPassword)
  const free = new Authenticator()
  const removed = await make.register(browser)
  await browser.send('DELETE', `/passkeys/${removed.id.toString('base64url')}`, {})
  const ended = await make.signedIn('eve@evil.test')
  const cookie = ended.cookie
  await ended.send('POST', '/sign-out', {})
  ended.cookie = cookie
  await join(api, tenant.id, 'gone@buyer.test', 'buyer')
  const gone = await make.signedIn('gone@buyer.test')
  const goneId = await idOf(owner, 'gone@buyer.test')
  await owner`create table planted_member as select * from member where person_id = ${goneId}`
  await owner`create table planted_person as select * from person where id = ${goneId}`
  await owner`create table planted_session as select * from session where person_id = ${goneId}`
  await removeMember(sql, tenant.id, goneId, by)
  await join(api, tenant.id, 'fay@buyer.test', 'buyer')
  const fay = await make.signedIn('fay@buyer.test')
  await make.register(fay)
  await fay.send('POST', '/passkey-only', { isWanted: true })
  const pat = await createMember(sql, tenant.id, { email: 'pat@supplier.test', role: 'supplier' })
  const earlierLink = (await issueSetUpLink(sql, tenant.id, pat.id, later))!
  await owner`create table planted_link as select * from set_up_link where person_id = ${pat.id}`
  await issueSetUpLink(sql, tenant.id, pat.id, later)
  const eves = await createMember(sql, other.id, { email: 'eve@evil.test', role: 'viewer' })
  const evesLink = (await issueSetUpLink(sql, other.id, eves.id, later))!
  const late = await createMember(sql, tenant.id, { email: 'late@supplier.test', role: 'supplier' })
  const lateLink = (await issueSetUpLink(sql, tenant.id, late.id, '2020-01-01T00:00:00.000000Z'))!
  await join(api, tenant.id, 'operated@test.test', 'viewer')
  const operated = await make.signedIn('operated@test.test')
  await addOperator(owner, 'operated@test.test', { workspaceId: tenant.id, by: 'operator' })
  await owner`create table planted_operator as table operator`
  await removeOperator(owner, 'operated@test.test', 'operator')
  await createCompany(sql, tenant.id, { slug: 'mill', name: 'Mill' }, by)
  for (const email of ['ada@mill.test', 'ben@mill.test']) {
    const id = await join(api, tenant.id, email, 'supplier')
    await changeMember(sql, tenant.id, id, { company: 'mill' }, by)
  }
  const [ada, ben] = [await idOf(owner, 'ada@mill.test'), await idOf(owner, 'ben@mill.test')]
  const first = { who: 'ada@mill.test', fromAddress: null, personId: ada }
  for (const isOne of [true, false]) await nameAdministrator(sql, tenant.id, { by: first, personId: ben, isOne })
  await recordAboutPerson(sql, tenant.id, by, emails.supplier, { kind: 'PASSWORD_SET' })
  const [sam, adas, bens] = [
    await make.signedIn(emails.supplier, samsPassword),
    await make.signedIn('ada@mill.test'),
    await make.signedIn('ben@mill.test'),
  ]
  const administers = async (who: Browser) => {
    const reply = await who.get('/company')
    return reply.status === 200 && (reply.json as CompanyPage).company?.isAdministrator === true
  }
  const [small, moved, revoked, past, evil] = [
    await make.key(tenant.id),
    await make.key(other.id),
    await make.key(tenant.id),
    await make.key(tenant.id, 'read', '2020-01-01T00:00:00.000000Z'),
    await make.key(tenant.id),
  ]
  await revokeApiKey(sql, tenant.id, revoked.id)
  const text = (value: string) => `'${value}'`
  const credential = (authenticator: Authenticator) => text(authenticator.id.toString('base64url'))
  const names: Record<string, string> = {
    $w: text(tenant.id),
    $o: text(other.id),
    $eve: text(eve),
    $eves: text(eves.id),
    $pat: text(pat.id),
    $late: text(late.id),
    $gone: text(goneId),
    $ada: text(ada),
    $ownermail: text(emails.owner),
    $ben: text(ben),
    $token: `sha256('${plantedToken}')`,
    $cookie: named(`sha256('${plantedToken}')`),
    $before: text(before!.hash),
    $evesKey: credential(key),
    $samsKey: credential(samsKey),
    $removed: credential(removed),
    $free: credential(free),
    $small: text(small.id),
    $moved: text(moved.id),
    $revoked: text(revoked.id),
    $past: text(past.id),
    $evil: text(evil.id),
  }
  for (const role of ['owner', 'supplier', 'buyer'] as const) names[`$${role}`] = text(await idOf(owner, emails[role]))
  names.$operated = text(await idOf(owner, 'operated@test.test'))
  names.$fay = text(await idOf(owner, 'fay@buyer.test'))
  const withToken = make.browser()
  withToken.cookie = formatSessionCookie(plantedToken).split(';', 1)[0]!
  const elsewhere = new Browser(api, api.slugOf(other.id), { host: `localhost:${api.client.port}` })
  elsewhere.cookie = browser.cookie
  const isIn = async (who: Browser) => (await who.get('/workspace')).status === 200
  const tries: PlantedGround['tries'] = {
    'the planted cookie': async () => (await isIn(withToken)) || make.signs(withToken),
    'eve signs': () => make.signsAfterPassword(browser),
    'eve is somebody else': async () => {
      const reply = await browser.ask('/session')
      const isOther = reply.status === 200 && !reply.text.includes('eve@evil.test')
      return isOther || make.signs(browser)
    },
    'eve is in': async () => (await isIn(browser)) || make.signs(browser),
    'eve has a party': async () => {
      const reply = await browser.get('/workspace')
      return reply.status === 200 && (reply.json as { me: { party: unknown } }).me.party !== null
    },
    'eve sees the people': async () => (await browser.get('/people')).status === 200,
    'eve is elsewhere': () => isIn(elsewhere),
    'eve operates': async () => (await browser.ask('/installation')).status === 200,
    'who operated operates again': async () => (await operated.ask('/installation')).status === 200,
    'the ended session': async () => (await isIn(ended)) || make.signs(ended),
    'who has gone is back': async () => (await isIn(gone)) || make.signsAfterPassword(gone, 'buyer'),
    'the account that ended': async () => {
      const [again, kept] = [await make.browser().signIn('gone@buyer.test', password), await gone.ask('/session')]
      return again.status === 200 || kept.text.includes('gone@buyer.test') || make.signs(gone, 'buyer')
    },
    'ben administers the mill': () => administers(bens),
    'the owner lets somebody into the mill': async () => {
      const newcomer = { email: 'new@mill.test', name: '', role: 'supplier', party: 'mill' }
      return (await seats.as.owner.post('/people', newcomer)).status === 201
    },
    'sam signs, with less said about him': async () => {
      await sam.confirm(samsPassword)
      return make.signs(sam)
    },
    'the buyer’s open laptop': () => make.signs(seats.as.buyer, 'buyer'),
    'the password of eve as sam': async () => (await make.browser().signIn(emails.supplier, password)).status === 200,
    'the password without the passkey': async () =>
      (await make.browser().signIn('fay@buyer.test', password)).status === 200,
    'the passkey of eve': async () =>
      (await make.entersWith(key)) || (await make.entersWith(key, names.$supplier!.slice(1, -1))),
    'the passkey nobody registered': () => make.entersWith(free),
    'the removed passkey': () => make.entersWith(removed),
    'the planted link': () => make.opens(plantedToken),
    'the earlier link': () => make.opens(earlierLink),
    'the link of eve': () => make.opens(evesLink),
    'the late link': () => make.opens(lateLink),
    'the small key': () => make.reads(small, '/ext/v1/invoices'),
    'the moved key': () => make.reads(moved),
    'the revoked key': () => make.reads(revoked),
    'the key of the past': () => make.reads(past),
    'the small key of the log': () => make.reads(evil, '/ext/v1/invoices'),
  }
  const controls: PlantedGround['controls'] = {
    'one’s own session': () => isIn(browser),
    'who administers the mill': () => administers(adas),
    'one’s own passkey': () => make.entersWith(key),
    'one’s own link': () => make.opens(evesLink),
    'one’s own key': () => make.reads(small),
    'a key for money': async () => make.reads(await make.key(tenant.id, 'all'), '/ext/v1/invoices'),
    'the supplier': async () => {
      const sam = await make.signedIn(emails.supplier, samsPassword)
      await sam.confirm(samsPassword)
      return make.signs(sam)
    },
    'the buyer': () => make.signsAfterPassword(seats.as.buyer, 'buyer'),
  }
  return { names, tries, controls }
}

async function idOf(owner: Sql, email: string): Promise<string> {
  const [row] = await owner<{ id: string }[]>`select id from person where email = ${email}`
  return row!.id
}
