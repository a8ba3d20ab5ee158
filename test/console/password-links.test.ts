// A link for a new password, given by an owner: it opens that workspace and nothing else (T29), and who gave it is
// shown (T25).
import { beforeAll, describe, expect, test } from 'vitest'
import { createCompany } from '../../src/storage/people/parties.ts'
import type { SessionView } from '../../src/views/shapes/session.ts'
import type { ActivityPage, Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import {
  type Browser,
  emails,
  join,
  makeSeats,
  openConsole,
  password,
  type Seats,
  signIn,
} from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

let elsewhere: Seats
const console = ownHouse(openConsole)
beforeAll(async () => {
  elsewhere = await makeSeats(console.api, 'other-')
})

const tokenOf = ({ link }: Invited) => link!.split('#')[1]!
const rowOf = async (owner: Browser, email: string) =>
  (await owner.json<readonly PersonRow[]>('/people')).find(row => row.email === email)!

let made = 0
/** Somebody who has joined, with `password`; in other workspaces too where they are named. */
async function newcomer(also: readonly Seats[] = []) {
  const email = `forgetful-${++made}@test.test`
  await join(console.api, console.tenant.id, email, 'editor')
  for (const { as } of also) {
    const invited = (await as.owner.post('/people', { email, name: '', role: 'viewer' })).json as Invited
    await console.browser().send('POST', '/set-up', { token: tokenOf(invited), password, isMember: true })
  }
  return { email, browser: await signIn(console.api, email, console.slug), row: await rowOf(console.as.owner, email) }
}

const give = (id: string) => console.as.owner.post(`/people/${id}/password-link`)

describe('a link for a new password', () => {
  test('lets somebody in again with a new one, as the same member: role, name and party stay', async () => {
    const { email, browser, row } = await newcomer()
    const by = { who: 'operator', fromAddress: null }
    await createCompany(console.api.sql, console.tenant.id, { slug: 'ohio-forge', name: 'Ohio Forge Inc.' }, by)
    // A company admits its own people: the owner is one of them.
    for (const { id } of [await rowOf(console.as.owner, emails.owner), row])
      await console.as.owner.patch(`/people/${id}`, { party: 'ohio-forge' })
    const given = await give(row.id)
    expect(given.status).toBe(201)
    const { person, link } = given.json as Invited
    expect(person).toMatchObject({ email, role: 'editor', party: { slug: 'ohio-forge' }, hasJoined: false })
    expect(person).toMatchObject({ invitedBy: emails.owner, invitedFrom: '127.0.0.1' })
    const [noted] = (await console.as.owner.json<ActivityPage>('/activity')).rows
    expect(noted).toMatchObject({ who: emails.owner, what: 'given a link for a new password', subject: email })
    expect(link).toMatch(/\/new-password#[\w-]{43}$/)
    // The old sign-in is closed from now on, and the old password opens nothing here.
    expect((await browser.get('/workspace')).status).toBe(404)
    expect((await browser.ask('/session')).json).toMatchObject({ workspaces: [] })

    const token = tokenOf(given.json as Invited)
    const again = console.browser()
    const joined = await again.send('POST', '/set-up', { token, password: 'a new one at last' })
    expect((joined.json as SessionView).workspaces).toMatchObject([{ slug: console.slug, role: 'editor' }])
    expect((await again.send('POST', '/set-up', { token, password: 'a new one at last' })).status).toBe(404)
    const fresh = await signIn(console.api, email, console.slug, 'a new one at last')
    expect(await fresh.json('/workspace')).toMatchObject({ me: { role: 'editor', party: { slug: 'ohio-forge' } } })
    expect(await rowOf(console.as.owner, email)).toMatchObject({ hasJoined: true, joinedFrom: '127.0.0.1' })
  })

  test('changes nothing elsewhere, and reveals to nobody whether there are other workspaces', async () => {
    const shapes = []
    for (const also of [[], [elsewhere]]) {
      const { email, row } = await newcomer(also)
      const given = await give(row.id)
      const list = await rowOf(console.as.owner, email)
      const look = await console.browser().send('POST', '/set-up/look', { token: tokenOf(given.json as Invited) })
      const used = await console
        .browser()
        .send('POST', '/set-up', { token: tokenOf(given.json as Invited), password: 'set by the owner' })
      const after = await rowOf(console.as.owner, email)
      const plain = JSON.stringify([given.json, list, look.json, used.status, used.json, after, after.id === row.id])
        .replaceAll(email.split('@')[0]!, 'NAME')
        .replaceAll(/usr_[0-9a-z]{26}/g, 'ID')
        .replaceAll(/#[\w-]{43}/g, '#TOKEN')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT')
      shapes.push(plain)
      if (also.length === 0) continue
      // Somebody who had the link has access here, and nowhere else.
      const thief = await signIn(console.api, email, elsewhere.slug, 'set by the owner')
      expect((await thief.get('/workspace')).status).toBe(404)
      const owner = await signIn(console.api, email, elsewhere.slug)
      expect((await owner.get('/workspace')).status).toBe(200)
    }
    expect(shapes[0]).toBe(shapes[1])
  })

  test('lets somebody who remembers after all continue with their existing account', async () => {
    const { email, row } = await newcomer([elsewhere])
    const token = tokenOf((await give(row.id)).json as Invited)
    const browser = console.browser()
    expect((await browser.send('POST', '/set-up', { token, password, isMember: true })).status).toBe(200)
    expect((await rowOf(console.as.owner, email)).id).toBe(row.id)
    expect((await (await signIn(console.api, email, elsewhere.slug)).get('/workspace')).status).toBe(200)
  })

  test('is given by owners, to others who have joined, and never removes the last owner', async () => {
    const { row } = await newcomer()
    for (const role of ['editor', 'buyer', 'supplier', 'viewer'] as const)
      expect((await console.as[role].post(`/people/${row.id}/password-link`)).status, role).toBe(403)
    const me = await rowOf(console.as.owner, emails.owner)
    expect(await give(me.id)).toMatchObject({
      status: 409,
      json: { error: 'you change your own password under Your sign-in' },
    })
    expect((await give('usr_none')).status).toBe(404)
    const first = (await give(row.id)).json as Invited
    expect(await give(first.person.id)).toMatchObject({
      status: 409,
      json: { error: `${row.email} has not joined yet; give them a new invitation link` },
    })
    const foreign = await elsewhere.as.owner.post(`/people/${row.id}/password-link`)
    expect(foreign.status).toBe(404)
  })
})
