// One-time codes and recovery codes at sign-in: what they allow, that each works once, and what a wrong one costs
// (T19).
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { createMember, issueSetUpLink } from '../../src/storage/people/people.ts'
import type { CodeSecretView, FactorsView, RecoveryCodesView } from '../../src/views/shapes/factors.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import { Browser, join, makeSeats, openConsole, password, signIn } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

let count = 0
const console = ownHouse(openConsole)

const errorOf = ({ json }: { json: unknown }) => (json as Failure).error
const stepMs = 30_000

/** Somebody who signs in with codes. `code(n)` is the app's code n steps from now. */
async function withCodes() {
  const email = `person-${++count}@codes.test`
  const id = await join(console.api, console.tenant.id, email, 'viewer')
  const browser = await signIn(console.api, email, console.slug)
  await browser.confirm()
  const { secret, uri } = (await browser.send('POST', '/codes/begin', {})).json as CodeSecretView
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = (steps = 0) => totp.generate({ timestamp: Date.now() + steps * stepMs })
  const begun = await browser.send('POST', '/codes', { code: code() })
  expect(begun.status, begun.text).toBe(200)
  const { recoveryCodes } = begun.json as RecoveryCodesView
  const enter = (more: object = {}, from = new Browser(console.api, console.slug)) =>
    from.send('POST', '/sign-in', { email, password, ...more })
  const forget = () => console.api.owner`update second_factor set last_step = 0, tries = 0 where person_id = ${id}`
  return { email, id, browser, uri, code, recoveryCodes, enter, forget }
}

describe('one-time codes', () => {
  test('are turned on with a first code of the app, after the password was given again', async () => {
    const email = `person-${++count}@codes.test`
    await join(console.api, console.tenant.id, email, 'viewer')
    const browser = await signIn(console.api, email, console.slug)
    expect((await browser.send('POST', '/codes/begin', {})).status).toBe(403)
    await browser.confirm()
    expect((await browser.send('POST', '/codes', { code: '123456' })).status).toBe(409)
    const { uri } = (await browser.send('POST', '/codes/begin', {})).json as CodeSecretView
    expect(uri).toMatch(new RegExp(`^otpauth://totp/Assize:${encodeURIComponent(email)}\\?.*secret=[A-Z2-7]{32}`))
    expect((await browser.send('POST', '/codes', { code: '12345x' })).status).toBe(422)
    expect(((await browser.ask('/factors')).json as FactorsView).codesSince).toBeNull()
    // Not turned on, it is not required.
    expect((await new Browser(console.api, console.slug).signIn(email, password)).status).toBe(200)
  })

  test('are required only after the right password, and a wrong password reveals nothing about them', async () => {
    const { email, enter } = await withCodes()
    const stranger = new Browser(console.api, console.slug)
    const right = await enter({}, stranger)
    expect([right.status, stranger.cookie, (right.json as Failure).needs]).toEqual([
      401,
      null,
      { kind: 'second-factor', takesCodes: true, passkey: null },
    ])
    const wrong = await stranger.signIn(email, 'not the password')
    const unknown = await stranger.signIn('nobody@codes.test', 'not the password')
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
  })

  test('work once each, and only at their time', async () => {
    const { enter, code, forget } = await withCodes()
    // The code it was turned on with has been used.
    expect((await enter({ code: code() })).status).toBe(401)
    const next = code(1)
    expect((await enter({ code: `${next.slice(0, 3)} ${next.slice(3)}` })).status).toBe(200)
    const again = await enter({ code: next })
    expect([again.status, errorOf(again)]).toEqual([401, expect.stringContaining('was used before')])
    await forget()
    for (const steps of [-3, 3]) expect((await enter({ code: code(steps) })).status, `${steps}`).toBe(401)
    const replies = await Promise.all(Array.from({ length: 4 }, () => enter({ code: code() })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('that are wrong count, from wherever they come: ten an hour, and then the right one does not open', async () => {
    const { enter, code, forget } = await withCodes()
    const tries = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        enter({ code: '000000' }, new Browser(console.api, console.slug, { from: `127.0.1.${i + 1}` })),
      ),
    )
    const statuses = tries.map(({ status }) => status).sort()
    expect(statuses.filter(status => status === 401)).toHaveLength(10)
    expect(statuses.filter(status => status === 429)).toHaveLength(6)
    const late = await enter({ code: code(1) })
    expect([late.status, late.headers['retry-after']]).toEqual([429, '3600'])
    await forget()
    expect((await enter({ code: code(1) })).status).toBe(200)
  })

  test('count like a wrong password for the account', async () => {
    const { enter, forget } = await withCodes()
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const from = new Browser(console.api, console.slug, { from: '127.0.2.1' })
      statuses.push((await enter({ code: '000000' }, from)).status)
      await forget()
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  })

  test('are stored encrypted: the secret is nowhere in the database, and another person’s row is useless', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    const secret = new URL(one.uri).searchParams.get('secret')!
    const [row] = await console.api.owner<{ text: string }[]>`
      select encode(code_secret, 'hex') || encode(code_secret, 'escape') as text from second_factor
      where person_id = ${one.id}`
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes)
    expect(row!.text).not.toContain(bytes.toString('hex'))
    await console.api.owner`
      update second_factor set code_secret = (select code_secret from second_factor where person_id = ${one.id})
      where person_id = ${other.id}`
    expect((await other.enter({ code: one.code(1) })).status).toBe(401)
  })

  test('are turned off after the password was given again; then the password alone is enough', async () => {
    const { browser, enter } = await withCodes()
    await console.api.owner`update session set password_at = null`
    expect((await browser.send('DELETE', '/codes', {})).status).toBe(403)
    await browser.confirm()
    expect((await browser.send('DELETE', '/codes', {})).status).toBe(204)
    expect((await enter()).status).toBe(200)
  })

  test('are required of a person who joins another workspace by a link, too', async () => {
    const { email } = await withCodes()
    const { tenant } = await makeSeats(console.api)
    const { id } = await createMember(console.api.sql, tenant.id, { email, role: 'viewer' })
    const soon = new Date(Date.now() + 60_000).toISOString()
    const token = await issueSetUpLink(console.api.sql, tenant.id, id, soon)
    const stranger = new Browser(console.api, console.slug)
    const reply = await stranger.send('POST', '/set-up', { token, password })
    expect([reply.status, stranger.cookie], email).toEqual([401, null])
    expect(errorOf(reply)).toContain('sign in with your second factor')
  })
})

describe('recovery codes', () => {
  test('are ten, work once each, and are stored as digests', async () => {
    const { recoveryCodes, enter, id, browser } = await withCodes()
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first, second] = recoveryCodes
    expect(first).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    const replies = await Promise.all(Array.from({ length: 3 }, () => enter({ code: first })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect((await enter({ code: second!.toUpperCase().replaceAll('-', ' ') })).status).toBe(200)
    expect(((await browser.ask('/factors')).json as FactorsView).recoveryCodes).toBe(8)
    const rows = await console.api.owner<{ digest: Buffer }[]>`select digest from recovery_code where person_id = ${id}`
    expect(rows.every(({ digest }) => digest.length === 36)).toBe(true)
  })

  test('that are made again replace the previous ones', async () => {
    const { recoveryCodes, enter, browser } = await withCodes()
    const renewed = (await browser.send('POST', '/recovery-codes', {})).json as RecoveryCodesView
    expect(renewed.recoveryCodes).toHaveLength(10)
    expect((await enter({ code: recoveryCodes[3] })).status).toBe(401)
    expect((await enter({ code: renewed.recoveryCodes[3] })).status).toBe(200)
  })

  test('of somebody else do not work', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    expect((await one.enter({ code: other.recoveryCodes[0] })).status).toBe(401)
  })
})
