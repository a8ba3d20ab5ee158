// Random visits with everything mixed: ways in, keys, issuers, subjects and addresses of three parties. Whoever gets in is who the
// provider of their own party says they are, and nobody is found by an e-mail address.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IdentityCounts } from '../../src/identity/counts.ts'
import { IdentityRefused } from '../../src/identity/identity-refusal.ts'
import type { IdentityProvider } from '../../src/storage/identity/providers.ts'
import type { SessionView } from '../../src/views/shapes/session.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { HostileProvider, mint } from '../support/identity/hostile-provider.ts'
import { addCompany, answer, begin, inviteTo, newBrowser, setHostile, signInBy } from '../support/identity/visits.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'

interface Party {
  readonly slug: string
  readonly provider: HostileProvider
  readonly settings: IdentityProvider
}

const house = consoleHouse()
const parties: Party[] = []
const browser = (turn = 0) => newBrowser(house.api, house.slug, `127.1.2.${1 + Math.floor(turn / 200)}`)
/** The same names at every provider: only the provider tells them apart. */
const subjects = ['ann', 'bob']

beforeAll(async () => {
  for (const slug of ['party-a', 'party-b', 'party-c']) {
    const provider = await HostileProvider.open()
    await addCompany(house.api, house.tenant.id, slug)
    const settings = await setHostile(house.api, house.tenant.id, provider, slug)
    for (const subject of subjects) {
      const link = await inviteTo(house.api, house.tenant.id, `${subject}@${slug}.test`, slug)
      expect((await signInBy(browser(), provider, settings, subject, { link })).status).toBe(200)
    }
    parties.push({ slug, provider, settings })
  }
}, 400_000)
afterAll(() => Promise.all(parties.map(({ provider }) => provider.close())))

test('nobody signs in as somebody of another party, nor by an address, in random tries', async () => {
  const chance = new Chance(seedOr(suiteSeed))
  const tries = roundsOf('cross-party', 'sign-ins by mixed-up identity providers', 100, 10_000)
  let entered = 0
  for (let turn = 0; turn < tries; turn++) {
    const [way, key, issuer, back] = Array.from({ length: 4 }, () =>
      chance.chance(70) ? parties[turn % 3]! : chance.pick(parties),
    )
    const subject = chance.pick([...subjects, 'stranger'])
    const email = `${chance.pick(subjects)}@${chance.pick(parties).slug}.test`
    const visitor = browser(turn)
    const asked = await begin(visitor, way!.settings)
    const claims = key!.provider.claims(asked, subject, { iss: issuer!.provider.issuer, email, email_verified: true })
    const query = way!.provider.comeBack(asked, mint(key!.provider.key, claims))
    query.set('iss', back!.provider.issuer)
    const reply = await answer(visitor, query)
    const isTrue = [key, issuer, back].every(each => each === way) && subjects.includes(subject)
    expect(reply.status === 200, JSON.stringify(reply.json)).toBe(isTrue)
    if (reply.status !== 200) continue
    entered++
    const { person } = (reply.json as { readonly session: SessionView }).session
    expect(person.email).toBe(`${subject}@${way!.slug}.test`)
  }
  // Both happen, or the test shows nothing.
  expect(entered).toBeGreaterThan(0)
  expect(entered).toBeLessThan(tries)
})

test('what is refused is counted by its reason', async () => {
  const counts = new IdentityCounts()
  const refused = counts.counting(async () => {
    throw new IdentityRefused('token', 'the token has expired')
  })
  await expect(refused).rejects.toThrow('expired')
  expect(await counts.counting(async () => 1)).toBe(1)
  expect(Object.fromEntries(counts.refused)).toMatchObject({ token: 1, start: 0 })
})
