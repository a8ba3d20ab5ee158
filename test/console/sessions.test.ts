// Signing in and out, sessions, passwords and one-time links (T19).
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import { findSignIns } from '../../src/storage/people/people.ts'
import { sealAgain } from '../../src/storage/people/sessions.ts'
import type { SessionRow, SessionView, SetUpLook } from '../../src/views/shapes/session.ts'
import type { Invited } from '../../src/views/shapes/settings.ts'
import { hashingOf } from '../support/counted-work.ts'
import { Api } from '../support/houses/api.ts'
import {
  Browser,
  emails,
  join,
  joinFully,
  makeSeats,
  openConsole,
  password,
  signIn,
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

let made = 0
/** Somebody of their own for a test, who has joined; `joinFully` where it matters how long their password takes. */
async function somebody(joining = join): Promise<string> {
  made++
  const email = `person-${made}@test.test`
  await joining(console.api, console.tenant.id, email, 'viewer')
  return email
}

/** Ten at once: what counts by the minute has to be over within one, also on a slow machine. */
async function inTens<T>(count: number, work: (n: number) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = []
  while (done.length < count)
    done.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => work(done.length + i)))))
  return done
}

const sessionsOf = async (browser: Browser) => (await browser.ask('/sessions')).json as readonly SessionRow[]
const isSignedIn = async (browser: Browser) => (await browser.ask('/session')).status === 200

describe('signing in', () => {
  test('answers who it is and their workspaces, and sets cookies that only this host and no script gets', async () => {
    const browser = console.browser()
    const { status, json, headers } = await browser.signIn(' OLGA@owner.test ', password)
    expect(status).toBe(200)
    const { person, workspaces } = json as SessionView
    expect(person).toEqual({ id: expect.stringMatching(/^usr_/), email: emails.owner, name: 'olga' })
    expect(workspaces).toEqual([{ slug: console.slug, name: console.slug, role: 'owner' }])
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-assize=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=7776000$/),
      expect.stringMatching(
        /^__Host-assize-known=usr_[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
      ),
    ])
    expect((await browser.ask('/session')).json).toEqual(json)
  })

  test('gives the same bytes for an unknown account, one without a password and a wrong password, after as much work', async () => {
    const invited = await console.as.owner.post('/people', { email: 'new@test.test', name: '', role: 'viewer' })
    expect(invited.status).toBe(201)
    const email = await somebody(joinFully)
    const texts = new Set<string>()
    const work: (readonly string[])[] = []
    for (const [i, who] of ['nobody@test.test', 'new@test.test', email].entries())
      work.push(
        await hashingOf(async () => {
          const browser = console.browser({ from: `127.0.1.${i + 1}` })
          const { status, text, headers } = await browser.signIn(who, 'not the password at all')
          expect([status, headers['set-cookie']]).toEqual([401, undefined])
          texts.add(text)
        }),
      )
    expect([...texts]).toEqual(['{"error":"the e-mail address or the password is wrong"}'])
    expect(work[0]!.length).toBeGreaterThan(0)
    expect(work).toEqual([work[0], work[0], work[0]])
  })

  test('makes a new token each time and ends the session that was open in this browser', async () => {
    const email = await somebody()
    const browser = await signIn(console.api, email, console.slug)
    const before = Object.assign(new Browser(console.api, console.slug), { cookie: browser.cookie })
    expect(await isSignedIn(before)).toBe(true)
    await browser.signIn(email, password)
    expect(browser.cookie).not.toBe(before.cookie)
    expect([await isSignedIn(before), await isSignedIn(browser)]).toEqual([false, true])
  })

  test('stores only the token’s hash, and nothing secret in the log', async () => {
    const browser = await signIn(console.api, await somebody(), console.slug)
    const token = browser.cookie!.split('=')[1]!
    const rows = await console.api.owner`select * from session`
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    const log = console.api.log.join('\n')
    expect(log).toContain('/console/sign-in')
    expect(log).not.toContain(token)
    expect(log).not.toContain(password)
  })

  test('is refused after ten wrong passwords from one address, for that account there; others are not affected', async () => {
    const [email, other] = [await somebody(), await somebody()]
    const from = '127.0.2.1'
    const attempt = (who: string, secret: string, where = from) => console.browser({ from: where }).signIn(who, secret)
    for (let n = 0; n < limits.failedSignIns.accountFromAddress; n++)
      expect((await attempt(email, 'wrong')).status).toBe(401)
    const refused = await attempt(email, password)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    expect(refused.json).toEqual({ error: 'too many failed attempts; wait a minute and try again' })
    expect((await attempt(other, password)).status).toBe(200)
    expect((await attempt(email, password, '127.0.2.2')).status).toBe(200)
  })

  test('counts attempts when they begin: of many at once no more are checked than one after the other', async () => {
    const email = await somebody(joinFully)
    const from = '127.0.2.9'
    const attempt = (secret: string) => console.browser({ from }).signIn(email, secret)
    const most = limits.failedSignIns.accountFromAddress
    const burst = await Promise.all(Array.from({ length: 25 }, () => attempt('wrong')))
    const statuses = burst.map(({ status }) => status)
    expect(statuses.filter(status => status === 401)).toHaveLength(most)
    expect(statuses.filter(status => status === 429 || status === 503)).toHaveLength(25 - most)
    expect((await attempt(password)).status).toBe(429)
  })

  test('does not count successful attempts: the right password works as often as it is entered', async () => {
    const email = await somebody()
    const attempt = (secret: string) => console.browser({ from: '127.0.2.10' }).signIn(email, secret)
    const most = limits.failedSignIns.accountFromAddress
    for (let n = 0; n < most - 1; n++) expect((await attempt('wrong')).status).toBe(401)
    for (let n = 0; n < 3; n++) expect((await attempt(password)).status).toBe(200)
    expect((await attempt('wrong')).status).toBe(401)
    expect((await attempt(password)).status).toBe(429)
  })

  test('is not blocked by attempts of others elsewhere: people get in from where they have signed in before', async () => {
    const email = await somebody()
    const home = '127.0.3.250'
    expect((await console.browser({ from: home }).signIn(email, password)).status).toBe(200)
    const wrong = await inTens(limits.failedSignIns.account, n =>
      console.browser({ from: `127.0.3.${n + 1}` }).signIn(email, 'wrong'),
    )
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]))
    expect((await console.browser({ from: '127.0.3.240' }).signIn(email, password)).status).toBe(429)
    expect((await console.browser({ from: home }).signIn(email, password)).status).toBe(200)
  })

  test('is refused to an address that fails for many accounts', async () => {
    const from = '127.0.4.1'
    const attempt = (n: number) => console.browser({ from }).signIn(`guess-${n}@test.test`, 'wrong')
    // Of every ten names that are guessed, nine are those of people.
    const { owner } = console.api
    const [easy] = await findSignIns(owner, await somebody())
    await changingAccess(
      owner,
      tx => tx`
        insert into person (id, email, name, password_hash)
        select 'usr_' || lpad(n::text, 26, '0'), 'guess-' || n || '@test.test', '', ${easy!.passwordHash}
        from generate_series(1, ${limits.failedSignIns.address}::integer) n where n % 10 <> 0`,
    )
    const tried = await inTens(limits.failedSignIns.address, attempt)
    expect(new Set(tried.map(({ status }) => status))).toEqual(new Set([401]))
    expect([(await attempt(1_000)).status, (await attempt(1_001)).status]).toEqual([429, 429])
  })

  test('checks few passwords at once: a flood is asked to try again, and the API answers meanwhile', async () => {
    const flood = Array.from({ length: 60 }, (_, n) =>
      console.browser({ from: `127.0.5.${n + 1}` }).signIn(`flood-${n}@test.test`, 'wrong'),
    )
    let checked = 0
    for (const each of flood) void each.then(() => checked++)
    await sleep(30)
    expect((await console.api.ask('/v1/health')).status).toBe(200)
    expect(checked).toBeLessThan(flood.length)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 503]))
    expect(statuses.filter(status => status === 401).length).toBeGreaterThanOrEqual(limits.passwordChecks)
    expect((await console.browser({ from: '127.0.5.200' }).signIn(await somebody(), password)).status).toBe(200)
  })
})

describe('sessions', () => {
  test('are listed with where and when, end on request, and end others’', async () => {
    const email = await somebody()
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => signIn(console.api, email, console.slug)))
    const rows = await sessionsOf(one!)
    expect(rows).toHaveLength(3)
    expect(rows.filter(({ isThis }) => isThis)).toHaveLength(1)
    for (const row of rows) {
      expect(row).toMatchObject({ fromAddress: '127.0.0.1', userAgent: 'a browser of the tests' })
      expect(row.expiresAt > row.lastSeenAt && row.lastSeenAt >= row.createdAt).toBe(true)
    }
    const other = (await sessionsOf(two!)).find(({ isThis }) => isThis)!
    expect((await one!.send('DELETE', `/sessions/${other.id}`, {})).status).toBe(204)
    expect([await isSignedIn(one!), await isSignedIn(two!), await isSignedIn(three!)]).toEqual([true, false, true])
    expect((await one!.send('DELETE', `/sessions/${other.id}`, {})).status).toBe(404)
    expect((await one!.send('DELETE', '/sessions', {})).status).toBe(204)
    expect([await isSignedIn(one!), await isSignedIn(three!)]).toEqual([true, false])
    expect(await sessionsOf(one!)).toHaveLength(1)
  })

  test('of somebody else cannot be ended', async () => {
    const [mine] = await sessionsOf(console.as.owner)
    const { status } = await console.as.viewer.send('DELETE', `/sessions/${mine!.id}`, {})
    expect([status, await isSignedIn(console.as.owner)]).toEqual([404, true])
  })

  test('end with signing out, and the cookie goes', async () => {
    const browser = await signIn(console.api, await somebody(), console.slug)
    const { cookie } = browser
    const { status, headers } = await browser.send('POST', '/sign-out', {})
    expect([status, headers['set-cookie']]).toEqual([
      204,
      ['__Host-assize=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0'],
    ])
    browser.cookie = cookie
    expect(await isSignedIn(browser)).toBe(false)
    expect((await browser.send('POST', '/sign-out', {})).status).toBe(204)
  })

  test('that were ended are ended in every process at once', async () => {
    const second = new Api({ ...ground, close: async () => {} }, {})
    await second.start()
    try {
      const here = await signIn(console.api, await somebody(), console.slug)
      const there = Object.assign(new Browser(second, console.slug), { cookie: here.cookie })
      expect((await there.get('/workspace')).status).toBe(200)
      await here.send('POST', '/sign-out', {})
      expect((await there.get('/workspace')).status).toBe(401)
    } finally {
      await second.close()
    }
  })

  test('end after two weeks without use and after ninety days of it', async () => {
    const email = await somebody()
    const browser = await signIn(console.api, email, console.slug)
    const { owner } = console.api
    const [row] = await sessionsOf(browser)
    const days = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
    expect(days(row!.createdAt, row!.expiresAt)).toBe(limits.sessionIdleDays)
    await owner`update session set last_seen_at = last_seen_at - interval '13 days',
      expires_at = expires_at - interval '13 days', latest_end = latest_end - interval '80 days' where id = ${row!.id}`
    await sealAgain(owner, row!.id)
    expect(await isSignedIn(browser)).toBe(true)
    const [later] = await sessionsOf(browser)
    // Used again, it would last for two weeks; but its ninety days are over before.
    expect(days(row!.createdAt, later!.expiresAt)).toBe(10)
    await owner`update session set expires_at = clock_timestamp() where id = ${row!.id}`
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('record when they were last seen at most once a minute', async () => {
    const browser = await signIn(console.api, await somebody(), console.slug)
    const [before] = await sessionsOf(browser)
    await browser.get('/workspace')
    expect((await sessionsOf(browser))[0]!.lastSeenAt).toBe(before!.lastSeenAt)
    await console.api.owner`update session set last_seen_at = last_seen_at - interval '61 s' where id = ${before!.id}`
    await Promise.all(Array.from({ length: 5 }, () => browser.get('/workspace')))
    expect((await sessionsOf(browser))[0]!.lastSeenAt > before!.lastSeenAt).toBe(true)
  })

  test('are limited for each person: the one that was quiet longest is ended', async () => {
    const email = await somebody()
    const first = await signIn(console.api, email, console.slug)
    const { owner } = console.api
    const added = await owner<{ id: string }[]>`
      insert into session (id, token_hash, person_id, expires_at, latest_end)
      select 'ses_' || lpad(n::text, 26, '0'), substring(p.token || sha256(convert_to(n::text || ${email}, 'UTF8')) for 36), p.id,
        now() + interval '1 day', now() + interval '1 day'
      from generate_series(1, ${limits.sessionsPerPerson}) n, (select p.*, decode(k.current, 'hex') as token from person p, key_ring k) p
      where p.email = ${email} returning id`
    for (const { id } of added) await sealAgain(owner, id)
    const last = await signIn(console.api, email, console.slug)
    expect(await sessionsOf(last)).toHaveLength(limits.sessionsPerPerson)
    expect(await isSignedIn(first)).toBe(false)
    await console.api.owner`delete from session where id like 'ses_000%'`
  })

  test('are looked up only for a well-formed token, sent once', async () => {
    const browser = await signIn(console.api, await somebody(), console.slug)
    const { cookie } = browser
    for (const odd of ['__Host-assize=', '__Host-assize=short', `${cookie}x`, `${cookie}; ${cookie}`, 'assize=x']) {
      browser.cookie = odd
      expect(await isSignedIn(browser), odd).toBe(false)
    }
    browser.cookie = `theme=dark; ${cookie}; other=1`
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('a password', () => {
  test('is changed with the one before, and every other session ends', async () => {
    const email = await somebody(joinFully)
    const [here, elsewhere] = [
      await signIn(console.api, email, console.slug),
      await signIn(console.api, email, console.slug),
    ]
    const change = (current: string, next: string) => here.send('POST', '/password', { current, next })
    expect(await change('not this one', 'another password')).toMatchObject({
      status: 422,
      json: { error: 'that password is wrong' },
    })
    expect(await change(password, 'short')).toMatchObject({
      status: 422,
      json: { error: 'a password must have 10 to 1000 characters, got 5' },
    })
    expect(await isSignedIn(elsewhere)).toBe(true)
    expect((await change(password, 'another password')).status).toBe(204)
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false])
    expect((await console.browser().signIn(email, password)).status).toBe(401)
    expect((await console.browser().signIn(email, 'another password')).status).toBe(200)
  })

  test('cannot be changed without being signed in', async () => {
    const { status } = await console
      .browser()
      .send('POST', '/password', { current: password, next: 'another password' })
    expect(status).toBe(401)
  })
})

describe('a one-time link', () => {
  const tokenOf = ({ link }: Invited) => link!.split('#')[1]!
  const invite = async (browser: Browser, email: string) =>
    (await browser.post('/people', { email, name: 'Nina', role: 'buyer' })).json as Invited

  test('greets, sets the first password, signs in, and works once', async () => {
    const invited = await invite(console.as.owner, 'nina@test.test')
    expect(invited.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/set-up#[\w-]{43}$/)
    const token = tokenOf(invited)
    const browser = console.browser()
    const look = () => browser.send('POST', '/set-up/look', { token })
    const workspace = expect.any(String) as unknown as string
    const greeting: SetUpLook = { email: 'nina@test.test', workspace, wayIn: null }
    expect((await look()).json).toEqual(greeting)
    const short = await browser.send('POST', '/set-up', { token, password: 'short' })
    expect(short).toMatchObject({ status: 422, json: { error: expect.stringContaining('10 to 1000 characters') } })
    const { status, json } = await browser.send('POST', '/set-up', { token, password: 'chosen by nina' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ person: { name: 'Nina' }, workspaces: [{ slug: console.slug, role: 'buyer' }] })
    expect((await browser.get('/workspace')).status).toBe(200)
    expect((await look()).status).toBe(404)
    const again = await console.browser().send('POST', '/set-up', { token, password: 'chosen by eve' })
    expect(again).toMatchObject({ status: 404, json: { error: expect.stringContaining('ask for a new one') } })
    expect((await console.browser().signIn('nina@test.test', 'chosen by nina')).status).toBe(200)
  })

  test('used by several at the same moment lets one of them in', async () => {
    const token = tokenOf(await invite(console.as.owner, 'race@test.test'))
    const tries = await Promise.all(
      [1, 2, 3].map(n => console.browser().send('POST', '/set-up', { token, password: `chosen by number ${n}` })),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  test('that is too old, or unknown, leads nowhere', async () => {
    const token = tokenOf(await invite(console.as.owner, 'late@test.test'))
    await changingAccess(
      console.api.owner,
      tx => tx`update set_up_link set expires_at = now() - interval '1 s' where used_at is null`,
    )
    for (const each of [token, 'x'.repeat(43)]) {
      const look = await console.browser().send('POST', '/set-up/look', { token: each })
      expect(look.status).toBe(404)
      const set = await console.browser().send('POST', '/set-up', { token: each, password: 'a good long one' })
      expect(set.status).toBe(404)
    }
  })

  test('of another workspace lets somebody in with the password they have, into the account they have', async () => {
    const elsewhere = await makeSeats(console.api)
    const email = await somebody()
    const token = tokenOf(await invite(elsewhere.as.owner, email))
    const browser = await signIn(console.api, email, elsewhere.slug)
    expect((await browser.get('/workspace')).status, 'not joined yet').toBe(404)
    const { status, json } = await browser.send('POST', '/set-up', { token, password })
    expect(status).toBe(200)
    expect((json as SessionView).workspaces.map(({ slug }) => slug).sort()).toEqual(
      [console.slug, elsewhere.slug].sort(),
    )
    expect((await browser.get('/workspace')).status).toBe(200)
  })
})
