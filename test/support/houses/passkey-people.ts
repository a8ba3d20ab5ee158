// People with passkeys, in browsers that see us under a name: passkeys are for names, not for bare addresses.
import { expect } from 'vitest'
import type { AssertionRequest } from '../../../src/views/shapes/factors.ts'
import { type Asked, Authenticator } from '../clients/authenticator.ts'
import { Browser, join, password, type Seats, type TestConsole } from './console.ts'

export function passkeyPeople(house: () => TestConsole) {
  let count = 0
  const host = () => `localhost:${house().api.client.port}`
  const origin = () => `http://${host()}`

  /** Somebody new of the workspace. */
  async function newcomer(seats: Pick<Seats, 'tenant' | 'slug'> = house(), role: 'viewer' | 'buyer' = 'viewer') {
    const email = `person-${++count}@passkeys.test`
    const id = await join(house().api, seats.tenant.id, email, role)
    const browser = new Browser(house().api, seats.slug, { host: host() })
    expect((await browser.signIn(email, password)).status).toBe(200)
    return { id, email, browser }
  }

  const challengeFrom = async (browser: Browser, path: string) =>
    ((await browser.send('POST', path, {})).json as AssertionRequest).challenge

  async function register(browser: Browser, more: Partial<Asked> = {}): Promise<Authenticator> {
    const authenticator = new Authenticator()
    await browser.confirm()
    const challenge = await challengeFrom(browser, '/passkeys/begin')
    const registration = authenticator.register({ challenge, origin: origin(), ...more })
    const { status, text } = await browser.send('POST', '/passkeys', { name: 'Key', registration })
    expect([status, text], 'registering').toEqual([201, expect.any(String)])
    return authenticator
  }

  return { newcomer, register, challengeFrom, host, origin }
}
