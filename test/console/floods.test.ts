// What strangers create or try costs others nothing: accounts under somebody's address, failed attempts from the same
// network or for the same account, invitations (T19, T29, T37).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SignInGuard } from '../../src/http/console/account/sign-in.ts'
import { limits } from '../../src/limits.ts'
import { accountLimits } from '../../src/storage/people/account-limits.ts'
import { findSignIns } from '../../src/storage/people/people.ts'
import type { Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import { Authenticator } from '../support/clients/authenticator.ts'
import { pagesOf, statementsOf } from '../support/counted-statements.ts'
import { easySalt } from '../support/easy-hash.ts'
import {
  Browser,
  join,
  makeSeats,
  openConsole,
  password,
  type Seats,
  type TestConsole,
} from '../support/houses/console.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let ground: TestDatabase
let console: TestConsole
beforeAll(async () => {
  ground = await openTestDatabase()
  console = await openConsole({}, ground)
})
afterAll(() => console.close())

/** Accounts with passwords that nobody here knows, whose guesses are cheap to check: `guess-0@test.test` and so on. */
async function makeGuessed(): Promise<void> {
  await ground.owner`
    insert into person (id, email, name, password_hash, created_at)
    select 'usr_' || left(md5('guess' || n), 26), 'guess-' || n || '@test.test', '', ${easySalt} || md5(n::text), '2020-01-01'
    from generate_series(0, ${limits.failedSignIns.address - 1}::integer) n`
}

let made = 0
async function somebody(): Promise<{ readonly email: string; readonly id: string }> {
  const email = `victim-${++made}@test.test`
  return { email, id: await join(console.api, console.tenant.id, email, 'viewer') }
}

/** Accounts under an address, as many workspaces would make them; with the salt that all of an address share. */
async function pileUp(email: string, count: number, withPassword: boolean): Promise<void> {
  const [own] = await findSignIns(ground.owner, email)
  const salt = own!.passwordHash.slice(0, own!.passwordHash.lastIndexOf('$') + 1)
  await ground.owner`
    insert into person (id, email, name, password_hash, created_at)
    select 'usr_' || left(md5(${email} || n) , 26), ${email}, '', case when ${withPassword}
      then ${salt} || md5(n::text) end, '2020-01-01' from generate_series(1, ${count}::integer) n`
  await ground.owner`analyze person`
}

describe('accounts under somebody’s address', () => {
  test.each([
    ['that never joined', false],
    ['with passwords', true],
  ])('%s do not make signing in more work, however many there are', async (_, withPassword) => {
    const { email, id } = await somebody()
    const enter = async (secret: string) => {
      const guard = new SignInGuard(ground.sql, () => 0)
      const entering = { email, password: secret, address: '127.0.0.1', browserOf: null }
      return guard.recognise(entering, async () => true).catch((error: Error) => error.message)
    }
    const ask = `select * from sign_in_ground('${email}', '127.0.0.1', 8)`
    const before = await statementsOf(ground.sql, () => enter(password))
    await pileUp(email, 6_000, withPassword)
    const after = await statementsOf(ground.sql, () => enter(password))
    expect(after).toEqual(before)
    expect(after).toHaveLength(2)
    expect(await enter(password)).toMatchObject({ id, email })
    expect(await enter('not the password')).toBe('the e-mail address or the password is wrong')
    expect(await pagesOf(ground.owner, ask)).toBeLessThan(60)
    const hash = (await findSignIns(ground.owner, email)).find(each => each.id === id)!.passwordHash
    const find = `select * from find_by_hash('${email}', array['${hash}'], '127.0.0.1', 1)`
    expect(await pagesOf(ground.owner, find)).toBeLessThan(60)
    // And for somebody unknown the same is asked.
    const guard = new SignInGuard(ground.sql, () => 0)
    const entering = { email: 'nobody@test.test', password, address: '127.0.0.1', browserOf: null }
    const unknown = await statementsOf(ground.sql, () =>
      guard.recognise(entering, async () => true).catch(() => undefined),
    )
    expect(unknown).toEqual(before)
  })

  test('end with their last place: nothing opens them, and nothing of them stays but what they did', async () => {
    const { as, tenant } = await makeSeats(console.api, 'ending-')
    const { owner } = ground
    const email = `leaver-${++made}@test.test`
    for (let n = 0; n < 3; n++) {
      const invited = (await as.owner.post('/people', { email, name: '', role: 'viewer' })).json as Invited
      const browser = console.browser()
      const token = invited.link!.split('#')[1]!
      expect((await browser.send('POST', '/set-up', { token, password: `password number ${n}` })).status).toBe(200)
      expect((await as.owner.delete(`/people/${invited.person.id}`)).status).toBe(204)
      expect((await browser.ask('/session')).status).toBe(401)
      expect((await console.browser().signIn(email, `password number ${n}`)).status).toBe(401)
    }
    expect(await owner`select 1 from person where email = ${email}`).toHaveLength(0)
    const noted = await owner`select 1 from activity where workspace_id = ${tenant.id} and subject = ${email}`
    expect(noted.length).toBeGreaterThanOrEqual(9)
  })

  test('that have another place, or operate the installation, stay', async () => {
    const one = await makeSeats(console.api, 'staying-')
    const other = await makeSeats(console.api, 'staying-')
    const rows = await one.as.owner.json<PersonRow[]>('/people')
    const viewer = rows.find(({ role }) => role === 'viewer')!
    expect((await one.as.owner.delete(`/people/${viewer.id}`)).status).toBe(204)
    expect((await other.as.viewer.get('/overview')).status).toBe(200)
    const editor = rows.find(({ role }) => role === 'editor')!
    await ground.owner`insert into operator (person_id, added_by) values (${editor.id}, 'a test')`
    for (const { as } of [one, other]) expect((await as.owner.delete(`/people/${editor.id}`)).status).toBe(204)
    expect((await one.as.editor.ask('/session')).status).toBe(200)
    await ground.owner`delete from operator where person_id = ${editor.id}`
    expect((await one.as.editor.ask('/session')).status).toBe(401)
    expect(await ground.owner`select 1 from person where id = ${editor.id}`).toHaveLength(0)
  })

  test('do not pile up by links for a new password, and the old password leads back until one is used', async () => {
    const { as } = await makeSeats(console.api, 'renewing-')
    const { owner } = ground
    const email = 'renewing-vic@viewer.test'
    const count = async () => (await owner`select 1 from person where email = ${email}`).length
    const placeOf = async () => (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === email)!
    const renew = async () => {
      const { id } = await placeOf()
      const renewed = (await as.owner.post(`/people/${id}/password-link`)).json as Invited
      return { before: id, token: renewed.link!.split('#')[1]! }
    }
    const open = (token: string, secret: string) =>
      console.browser().send('POST', '/set-up', { token, password: secret })
    // With the password they have: the account they had.
    const first = await renew()
    expect(await count()).toBe(2)
    expect((await open(first.token, password)).status).toBe(200)
    expect([await count(), (await placeOf()).id]).toEqual([1, first.before])
    // With others: a new account each time, and the one before ends.
    for (const n of [1, 2, 3]) {
      const { token } = await renew()
      expect((await open(token, `another password ${n}`)).status).toBe(200)
      expect(await count()).toBe(1)
    }
    // Withdrawn: both end.
    await renew()
    expect((await as.owner.delete(`/people/${(await placeOf()).id}`)).status).toBe(204)
    expect(await count()).toBe(0)
  })
})

describe('invitations', () => {
  let seats: Seats
  beforeAll(async () => {
    seats = await makeSeats(console.api, 'inviting-')
  })

  test('that wait are bounded in a workspace, whatever others did with the address', async () => {
    const { as, tenant } = seats
    const { open } = accountLimits.invitations
    await ground.owner`
      with made as (
        insert into person (id, email, name) select 'usr_' || left(md5('inv' || n), 26), 'inv-' || n || '@test.test', ''
        from generate_series(1, ${open - 1}::integer) n returning id)
      insert into member (workspace_id, person_id, role, name, invited_by, invited_at)
      select ${tenant.id}, id, 'viewer', '', 'operator', clock_timestamp() from made`
    const invite = (email: string, by = as.owner) => by.post('/people', { email, name: '', role: 'viewer' })
    expect((await invite('last@test.test')).status).toBe(201)
    const refused = await invite('one-more@test.test')
    expect([refused.status, (refused.json as { error: string }).error]).toEqual([
      409,
      '200 invitations of this workspace wait to be accepted; withdraw some before you invite others',
    ])
    expect((await invite('inv-1@test.test', console.as.owner)).status).toBe(201)
  })

  test('that nobody accepted end by themselves, with their accounts, and make room', async () => {
    const { as, tenant } = seats
    await ground.owner`
      update member set invited_at = clock_timestamp() - interval '91 days'
      where workspace_id = ${tenant.id} and joined_at is null and person_id in (
        select id from person where email in ('inv-5@test.test', 'inv-6@test.test'))`
    expect((await as.owner.post('/people', { email: 'later@test.test', name: '', role: 'viewer' })).status).toBe(201)
    expect(await ground.owner`select 1 from person where email in ('inv-5@test.test', 'inv-6@test.test')`).toEqual([])
    const noted = await ground.owner`
      select subject from activity where workspace_id = ${tenant.id} and what like 'ended an invitation%' order by 1`
    expect(noted.map(({ subject }) => subject)).toEqual(['inv-5@test.test', 'inv-6@test.test'])
  })
})

describe('failed attempts of others', () => {
  beforeAll(makeGuessed)
  const host = () => `localhost:${console.api.client.port}`
  const origin = () => `http://${host()}`
  const at = (from: string, known: string | null = null) =>
    new Browser(console.api, console.slug, {
      from,
      host: host(),
      ...(known === null ? {} : { headers: { cookie: known } }),
    })
  const tenAtATime = async (count: number, work: (n: number) => Promise<{ readonly status: number }>) => {
    const statuses: number[] = []
    while (statuses.length < count)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, (_, i) => work(statuses.length + i)))).map(
          ({ status }) => status,
        ),
      )
    return statuses
  }
  const challengeFrom = async (browser: Browser, path: string) =>
    ((await browser.send('POST', path, {})).json as { challenge: string }).challenge

  /** Somebody with a passkey, and the cookie by which their browser is known. */
  async function withPasskey(from: string) {
    const { email, id } = await somebody()
    const browser = at(from)
    const entered = await browser.signIn(email, password)
    expect(entered.status).toBe(200)
    const known = entered.headers['set-cookie']![1]!.split(';')[0]!
    const authenticator = new Authenticator()
    await browser.confirm()
    const challenge = await challengeFrom(browser, '/passkeys/begin')
    const registration = authenticator.register({ challenge, origin: origin() })
    expect((await browser.send('POST', '/passkeys', { name: 'Key', registration })).status).toBe(201)
    return { email, id, browser, known, authenticator }
  }

  const byPasskey = async (browser: Browser, authenticator: Authenticator, id: string) => {
    const challenge = await challengeFrom(browser, '/sign-in/passkey/begin')
    const passkey = authenticator.assert({ challenge, origin: origin() }, id)
    return browser.send('POST', '/sign-in/passkey', { passkey })
  }

  test('with passkeys, from the same address and with the same passkey’s name, refuse only themselves', async () => {
    const from = '127.0.6.1'
    const { id, authenticator } = await withPasskey(from)
    const stranger = at(from)
    const forged = new Authenticator()
    Object.assign(forged, { id: authenticator.id })
    const wrong = await tenAtATime(20, () => byPasskey(stranger, forged, id))
    expect([wrong.includes(401), wrong.includes(429), wrong.includes(200)]).toEqual([true, true, false])
    const unknown = await tenAtATime(limits.failedSignIns.address, () => byPasskey(stranger, new Authenticator(), id))
    expect(new Set(unknown)).toEqual(new Set([401, 429]))
    expect((await byPasskey(at(from), authenticator, id)).status).toBe(200)
  })

  test('for many accounts from one address keep nobody out who signed in from there before', async () => {
    const from = '127.0.6.2'
    const [{ email }, { email: other }] = [await somebody(), await somebody()]
    expect((await at(from).signIn(email, password)).status).toBe(200)
    await tenAtATime(limits.failedSignIns.address, n => at(from).signIn(`guess-${n}@test.test`, 'wrong'))
    expect((await at(from).signIn(other, password)).status).toBe(429)
    expect((await at(from).signIn(email, password)).status).toBe(200)
    // Wrong passwords for that account are answered as from everybody else there.
    expect((await at(from).signIn(email, 'wrong')).status).toBe(429)
  })

  test('for one account from the same address keep its person out of no browser of theirs', async () => {
    const from = '127.0.6.3'
    const { email, known } = await withPasskey(from)
    await tenAtATime(limits.failedSignIns.accountFromAddress, () => at(from).signIn(email, 'wrong'))
    expect((await at(from).signIn(email, password)).status).toBe(429)
    expect((await at(from, known).signIn(email, password)).status).toBe(200)
    expect(
      (
        await at(
          from,
          known.replace(/.$/, last => (last === 'A' ? 'B' : 'A')),
        ).signIn(email, password)
      ).status,
    ).toBe(429)
  })

  test('do not keep people who are signed in from confirming who they are', async () => {
    const from = '127.0.6.4'
    const { email, browser } = await withPasskey(from)
    await tenAtATime(limits.failedSignIns.accountFromAddress, () => at(from).signIn(email, 'wrong'))
    await tenAtATime(limits.failedSignIns.address, n => at(from).signIn(`guess-${n}@test.test`, 'wrong'))
    expect((await browser.confirm()).status).toBe(204)
    const own = await tenAtATime(20, () => browser.confirm('wrong'))
    expect(own.filter(status => status === 429)).toHaveLength(10)
  })

  test('do not keep anybody from opening their one-time link', async () => {
    const from = '127.0.6.5'
    const email = `invited-${++made}@test.test`
    const invited = (await console.as.owner.post('/people', { email, name: '', role: 'viewer' })).json as Invited
    await tenAtATime(limits.failedSignIns.address, n =>
      at(from).signIn(n % 2 === 0 ? email : `guess-${n}@test.test`, 'wrong'),
    )
    const token = invited.link!.split('#')[1]!
    expect((await at(from).send('POST', '/set-up', { token, password: 'chosen at last' })).status).toBe(200)
  })

  test('with a browser of their own help nobody to guess the password of another account of the address', async () => {
    const from = '127.0.6.6'
    const victim = await somebody()
    // A workspace of the attacker invites the victim's address and opens the link itself.
    const { as } = await makeSeats(console.api, 'attacking-')
    const invited = (await as.owner.post('/people', { email: victim.email, name: '', role: 'viewer' })).json as Invited
    const token = invited.link!.split('#')[1]!
    const entered = await at(from).send('POST', '/set-up', { token, password: 'of the attacker' })
    const known = entered.headers['set-cookie']![1]!.split(';')[0]!
    const statuses = await tenAtATime(20, () => at(from, known).signIn(victim.email, 'a guess at it'))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await at(from, known).signIn(victim.email, password)).status).toBe(429)
    // Their own account they may open, while its browser has room; the victim is not concerned elsewhere.
    expect((await at('127.0.6.7').signIn(victim.email, password)).status).toBe(200)
  })
})
