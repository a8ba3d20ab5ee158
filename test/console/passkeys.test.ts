// Passkeys: registering and removing them, signing in with them, and signatures that are the person's own. Every way in
// which an answer may be invalid is refused (T9, T19, T25).
import { describe, expect, test } from 'vitest'
import { challengeOf, type SeenPeriod, signedHashOf } from '../../src/core/receipt/party-signature.ts'
import { checkPasskey } from '../../src/core/receipt/passkey-check.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import type { SignerOrigin } from '../../src/core/receipt/signer-origin.ts'
import { limits } from '../../src/limits.ts'
import { loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import type { AssertionRequest, FactorsView } from '../../src/views/shapes/factors.ts'
import type { RecentlySigned } from '../../src/views/shapes/inbox.ts'
import type { Failure, SessionView } from '../../src/views/shapes/session.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { Authenticator } from '../support/clients/authenticator.ts'
import { Browser, emails, makeSeats, openConsole, password } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { passkeyPeople } from '../support/houses/passkey-people.ts'

const console = ownHouse(openConsole)
const { newcomer, register, challengeFrom, host, origin } = passkeyPeople(() => console)
const errorOf = ({ json }: { json: unknown }) => (json as Failure).error

const factors = async (browser: Browser) => (await browser.ask('/factors')).json as FactorsView

describe('a passkey', () => {
  test('is registered and removed after the password was given again, and both are recorded in the person’s workspaces', async () => {
    const { browser, email } = await newcomer()
    expect((await browser.send('POST', '/passkeys/begin', {})).json).toMatchObject({ needs: { kind: 'confirmation' } })
    const authenticator = await register(browser)
    const { passkeys } = await factors(browser)
    expect(passkeys).toEqual([
      {
        id: authenticator.id.toString('base64url'),
        name: 'Key',
        createdAt: expect.any(String),
        lastUsedAt: null,
        transports: ['usb'],
        isUsableHere: true,
      },
    ])
    const [kept] = await console.api.owner<{ key: string; algorithm: string }[]>`
      select public_key as key, algorithm from passkey where credential_id = ${passkeys[0]!.id}`
    expect([Buffer.from(kept!.key, 'base64url').length, kept!.algorithm]).toEqual([91, 'ES256'])
    await console.api.owner`update session set password_at = null`
    const path = `/passkeys/${passkeys[0]!.id}`
    expect((await browser.send('DELETE', path, {})).status).toBe(403)
    const again = authenticator.assert({
      challenge: await challengeFrom(browser, '/confirm/passkey/begin'),
      origin: origin(),
    })
    expect((await browser.send('POST', '/confirm/passkey', { passkey: again })).status).toBe(204)
    expect((await browser.send('DELETE', path, {})).status).toBe(204)
    const notes = await console.api.owner<{ what: string }[]>`
      select what from activity where who = ${email} order by at, id`
    expect(notes.map(({ what }) => what)).toEqual(['registered the passkey “Key”', 'removed the passkey “Key”'])
  })

  test('is not registered by an answer to a challenge of another session, purpose or time, or a second time', async () => {
    const [{ browser }, other] = [await newcomer(), await newcomer()]
    for (const each of [browser, other.browser]) await each.confirm()
    const foreign = await challengeFrom(other.browser, '/passkeys/begin')
    const signIn = await challengeFrom(browser, '/sign-in/passkey/begin')
    const made = Buffer.from(foreign, 'base64url')
    for (const challenge of [foreign, signIn, made.fill(0, 0, 4).toString('base64url'), 'AAAA']) {
      const registration = new Authenticator().register({ challenge, origin: origin() })
      const reply = await browser.send('POST', '/passkeys', { name: 'Key', registration })
      expect([reply.status, errorOf(reply)]).toEqual([422, expect.stringContaining('begin again')])
    }
    const challenge = await challengeFrom(browser, '/passkeys/begin')
    const elsewhere = new Authenticator().register({ challenge, origin: 'http://evil.test' })
    expect((await browser.send('POST', '/passkeys', { name: 'Key', registration: elsewhere })).status).toBe(422)
    const register = () => new Authenticator().register({ challenge, origin: origin() })
    expect((await browser.send('POST', '/passkeys', { name: 'Key', registration: register() })).status).toBe(201)
    expect((await browser.send('POST', '/passkeys', { name: 'Key', registration: register() })).status).toBe(409)
  })

  test('cannot be used under a bare IP address, and the page says why', async () => {
    const browser = new Browser(console.api, console.slug)
    const { email } = await newcomer()
    await browser.signIn(email, password)
    expect((await factors(browser)).whyNoPasskeys).toContain(`http://localhost:${console.api.client.port}`)
  })

  test('is limited to twenty per person', async () => {
    const { browser, id } = await newcomer()
    await register(browser)
    await console.api.owner`
      insert into passkey (credential_id, person_id, name, public_key, algorithm, rp_id, verifies_user, counter, transports)
      select 'filler' || n || ${id}, ${id}, 'x', 'x', 'ES256', 'localhost', true, 0, '{}'
      from generate_series(2, ${limits.passkeysPerPerson}) as n`
    const challenge = await challengeFrom(browser, '/passkeys/begin')
    const registration = new Authenticator().register({ challenge, origin: origin() })
    const reply = await browser.send('POST', '/passkeys', { name: 'Key', registration })
    expect([reply.status, errorOf(reply)]).toEqual([409, 'at most 20 passkeys are kept; remove one first'])
  })
})

describe('signing in with a passkey', () => {
  test('needs no e-mail address, works once per challenge, and only with a PIN or a fingerprint', async () => {
    const { browser, email, id } = await newcomer()
    const authenticator = await register(browser)
    const stranger = new Browser(console.api, console.slug, { host: host() })
    const begin = () => challengeFrom(stranger, '/sign-in/passkey/begin')
    const enter = (passkey: object) => stranger.send('POST', '/sign-in/passkey', { passkey })
    const unverified = authenticator.assert({ challenge: await begin(), origin: origin(), isVerified: false }, id)
    expect((await enter(unverified)).status).toBe(401)
    const passkey = authenticator.assert({ challenge: await begin(), origin: origin() }, id)
    const opened = await enter(passkey)
    expect((opened.json as SessionView).person.email).toBe(email)
    const replayed = await enter(passkey)
    expect([replayed.status, errorOf(replayed)]).toEqual([401, expect.stringContaining('opens nothing here')])
    expect((await factors(stranger)).passkeys[0]?.lastUsedAt).not.toBeNull()
  })

  test('is refused, in the same bytes, for every invalid answer', async () => {
    const { browser, id } = await newcomer()
    const authenticator = await register(browser)
    const stranger = new Browser(console.api, console.slug, { host: host(), from: '127.0.0.9' })
    const challenge = () => challengeFrom(stranger, '/sign-in/passkey/begin')
    const good = async () => authenticator.assert({ challenge: await challenge(), origin: origin() }, id)
    const kept = await good()
    const forged = { ...kept, response: { ...kept.response, signature: (await good()).response.signature } }
    const attempts = {
      'another key': { ...new Authenticator().assert({ challenge: await challenge(), origin: origin() }), id: kept.id },
      'an unknown key': new Authenticator().assert({ challenge: await challenge(), origin: origin() }),
      'a forged signature': forged,
      'another page': authenticator.assert({ challenge: await challenge(), origin: 'http://localhost:1' }, id),
      'another host': authenticator.assert({ challenge: await challenge(), origin: origin(), rpId: 'evil.test' }, id),
      'a challenge of ours for another purpose': authenticator.assert(
        { challenge: await challengeFrom(browser, '/confirm/passkey/begin'), origin: origin() },
        id,
      ),
      'a made-up challenge': authenticator.assert({ challenge: 'AAAAAAAAAAAAAAAA', origin: origin() }, id),
      'a counter that went back': authenticator.assert(
        { challenge: await challenge(), origin: origin(), counter: 1 },
        id,
      ),
      'somebody else’s name': authenticator.assert({ challenge: await challenge(), origin: origin() }, 'usr_other'),
    }
    const answers = new Set<string>()
    for (const [name, passkey] of Object.entries(attempts)) {
      const { status, text } = await stranger.send('POST', '/sign-in/passkey', { passkey })
      expect(status, name).toBe(401)
      answers.add(text)
    }
    expect(answers.size).toBe(1)
    expect(stranger.cookie).toBeNull()
    // The failures count like wrong passwords.
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => stranger.send('POST', '/sign-in/passkey', { passkey: forged })),
    )
    expect(replies.some(({ status }) => status === 429)).toBe(true)
  })

  test('may be the only way: then the password does not work, and the last passkey cannot be removed', async () => {
    const { browser, email, id } = await newcomer()
    await browser.confirm()
    expect((await browser.send('POST', '/passkey-only', { isWanted: true })).status).toBe(409)
    const authenticator = await register(browser, { isVerified: false })
    const only = await browser.send('POST', '/passkey-only', { isWanted: true })
    const { recoveryCodes } = only.json as { recoveryCodes: readonly string[] }
    expect(recoveryCodes).toHaveLength(10)
    const path = `/passkeys/${authenticator.id.toString('base64url')}`
    expect((await browser.send('DELETE', path, {})).status).toBe(409)

    const stranger = new Browser(console.api, console.slug, { host: host() })
    const asked = await stranger.signIn(email, password)
    expect([asked.status, stranger.cookie]).toEqual([401, null])
    const { needs } = asked.json as Failure
    expect(needs).toMatchObject({ kind: 'second-factor', takesCodes: false })
    const { challenge, allowCredentials } = (needs as { passkey: AssertionRequest }).passkey
    expect(allowCredentials.map(each => each.id)).toEqual([authenticator.id.toString('base64url')])
    const passkey = authenticator.assert({ challenge, origin: origin(), isVerified: false }, id)
    expect((await stranger.send('POST', '/sign-in', { email, password: 'wrong password', passkey })).status).toBe(401)
    expect((await stranger.send('POST', '/sign-in', { email, password, passkey })).status).toBe(200)
    const code = recoveryCodes[0]!
    expect((await stranger.send('POST', '/sign-in', { email, password, code })).status).toBe(200)
  })
})

describe('signing', () => {
  async function ready() {
    const seats = await makeSeats(console.api)
    await seats.tenant.import(bracketsTable)
    await seats.tenant.apply(bracketsDocument())
    const { browser, email, id } = await newcomer(seats, 'buyer')
    const page = (period: string) => browser.json<AdjustmentPage>(`/agreements/brackets/periods/${period}`)
    const periodsOf = async (period: string) =>
      (await page(period)).signing.periods.map(each => ({ period: each.period, hash: each.hash }))
    const sign = (period: string, periods: readonly object[], passkey?: object) =>
      browser.post(`/agreements/brackets/periods/${period}/sign`, {
        party: 'buyer',
        periods,
        ...(passkey === undefined ? {} : { passkey }),
      })
    /** What the page has its passkey sign: the hashes, with what is recorded about the person. */
    const challengeFor = async (given: readonly SeenPeriod[]) => {
      const origin = await browser.json<SignerOrigin>('/signer')
      return Buffer.from(challengeOf(signedHashOf(given), origin), 'hex').toString('base64url')
    }
    return { ...seats, browser, email, id, page, periodsOf, sign, challengeFor }
  }

  test('asks for the password again, and then not for five minutes in this session', async () => {
    const { browser, email, slug, sign, periodsOf } = await ready()
    const periods = await periodsOf('2024-Q2')
    const unasked = await sign('2024-Q2', periods)
    expect([unasked.status, (unasked.json as Failure).needs]).toEqual([403, { kind: 'confirmation' }])
    expect((await browser.confirm('not the password')).status).toBe(422)
    expect((await sign('2024-Q2', periods)).status).toBe(403)
    expect((await browser.confirm()).status).toBe(204)
    expect((await sign('2024-Q2', periods)).status).toBe(200)
    expect((await sign('2024-Q3', await periodsOf('2024-Q3'))).status).toBe(200)

    const elsewhere = new Browser(console.api, slug, { host: host() })
    await elsewhere.signIn(email, password)
    const last = { party: 'buyer', periods: await periodsOf('2024-Q4') }
    expect((await elsewhere.post('/agreements/brackets/periods/2024-Q4/sign', last)).status).toBe(403)
    await console.api.owner`update session set password_at = password_at - interval '301 seconds'`
    expect((await sign('2024-Q4', last.periods)).status).toBe(403)
  })

  test('with a passkey signs the list that was shown, is stored completely, and needs no password', async () => {
    const { browser, tenant, sign, periodsOf, page, challengeFor } = await ready()
    const authenticator = await register(browser)
    await console.api.owner`update session set password_at = null`
    const periods = await periodsOf('2024-Q4')
    expect(periods).toHaveLength(3)
    const passkey = authenticator.assert({ challenge: await challengeFor(periods), origin: origin() })
    expect((await sign('2024-Q4', periods, passkey)).status).toBe(200)
    expect((await page('2024-Q3')).entry.signatures.buyer).toMatchObject({ means: 'PASSKEY' })
    const kept = await withWorkspace(console.api.sql, tenant.id, tx => loadAgreementHistory(tx, tenant.id, 'brackets'))
    const { given } = kept!.signOffs[1]!
    expect(given).toMatchObject({
      means: 'PASSKEY',
      together: periods,
      passkey: {
        credentialId: passkey.id,
        algorithm: 'ES256',
        rpId: 'localhost',
        signature: passkey.response.signature,
        clientDataJSON: passkey.response.clientDataJSON,
      },
    })
    const { signatures } = await tenant.json<Receipt>('/pams/brackets/adjustment/receipt?period=2024-Q3')
    expect(signatures).toEqual([expect.objectContaining({ party: 'buyer', means: 'PASSKEY', together: periods })])
    const [signature] = signatures
    const signed = challengeOf(signedHashOf(signature!.together), signature!.origin!)
    const verdict = await checkPasskey(crypto.subtle, signature!.passkey!, signed)
    expect(verdict).toEqual({ problem: null, userVerified: true, origin: origin() })
    // Sent again, as after an answer that was lost, the same assertion is refused and changes nothing.
    expect((await sign('2024-Q4', periods, passkey)).status).toBe(403)
    const rows = await console.api.owner`select 1 from sign_off where workspace_id = ${tenant.id}`
    expect(rows).toHaveLength(3)
  })

  test('with a passkey is refused for every answer that is not to these hashes by this person, and signs nothing', async () => {
    const { browser, tenant, sign, periodsOf, challengeFor } = await ready()
    const authenticator = await register(browser)
    const other = await newcomer()
    const others = await register(other.browser)
    await console.api.owner`update session set password_at = null`
    const periods = await periodsOf('2024-Q2')
    const longer = await periodsOf('2024-Q3')
    const challenge = await challengeFor(periods)
    const bare = Buffer.from(signedHashOf(periods), 'hex').toString('base64url')
    const good = authenticator.assert({ challenge, origin: origin(), counter: 50 })
    const signIn = await challengeFrom(browser, '/sign-in/passkey/begin')
    const attempts = {
      'the list of other periods': authenticator.assert({
        challenge: await challengeFor(longer),
        origin: origin(),
      }),
      'the hash without who signs': authenticator.assert({ challenge: bare, origin: origin() }),
      'a challenge to sign in': authenticator.assert({ challenge: signIn, origin: origin() }),
      'another person’s key': others.assert({ challenge, origin: origin() }),
      'another key under this one’s name': { ...others.assert({ challenge, origin: origin() }), id: good.id },
      'another page': authenticator.assert({ challenge, origin: 'http://localhost:1' }),
      'another host': authenticator.assert({ challenge, origin: origin(), rpId: 'evil.test' }),
      'nobody present': authenticator.assert({ challenge, origin: origin(), isVerified: false }),
      'a changed signature': { ...good, response: { ...good.response, signature: `AA${good.response.signature}` } },
    }
    for (const [name, passkey] of Object.entries(attempts)) {
      const reply = await sign('2024-Q2', periods, passkey)
      expect([reply.status, errorOf(reply)], name).toEqual([403, expect.stringContaining('nothing was signed')])
    }
    expect(await console.api.owner`select 1 from sign_off where workspace_id = ${tenant.id}`).toHaveLength(0)
    expect((await sign('2024-Q2', periods, good)).status).toBe(200)
  })

  test('by a person who uses passkeys only requires one', async () => {
    const { browser, sign, periodsOf } = await ready()
    await register(browser)
    await browser.send('POST', '/passkey-only', { isWanted: true })
    const reply = await sign('2024-Q2', await periodsOf('2024-Q2'))
    expect([reply.status, errorOf(reply)]).toEqual([403, expect.stringContaining('sign with your passkey')])
  })
})

test('the operator’s mark is on every view of a signature', async () => {
  const { tenant, as } = await makeSeats(console.api)
  await tenant.import(bracketsTable)
  await tenant.apply(bracketsDocument())
  await tenant.signBoth('brackets', '2024-Q2', { proof: { means: 'OPERATOR' } })
  const { entry } = await as.viewer.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
  const mark = { email: emails.buyer, means: 'OPERATOR' }
  expect(entry.signatures).toMatchObject({ buyer: mark, supplier: { means: 'OPERATOR' } })
  const { rows } = await as.viewer.json<RecentlySigned>('/sign-offs/recent')
  expect(rows[0]?.entry).toMatchObject({ signatures: { buyer: mark } })
})
