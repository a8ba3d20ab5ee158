// What an invitation reveals and does across workspaces: nothing (T29); and who invited whom is stored with the
// membership (T25).
import { beforeAll, describe, expect, test } from 'vitest'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import type { SessionView } from '../../src/views/shapes/session.ts'
import type { Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import { hashingOf } from '../support/counted-work.ts'
import {
  type ConsoleReply,
  join,
  joinFully,
  makeSeats,
  openConsole,
  password,
  type Seats,
} from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

let others: Seats
/** Has an account with a password in the first workspace, under a name of its own. */
const known = 'kate@known.test'
const unknown = 'kurt@never.test'
const console = ownHouse(openConsole)
beforeAll(async () => {
  others = await makeSeats(console.api, 'other-')
  await joinFully(console.api, console.tenant.id, known, 'buyer')
  await changingAccess(console.api.owner, tx => tx`update member set name = 'Kate Secretname' where name = 'kate'`)
  await console.api.owner`update person set name = 'Kate Secretname' where email = ${known}`
})

const tokenOf = ({ link }: Invited) => link!.split('#')[1]!
const invite = (seats: Pick<Seats, 'as'>, email: string, name = '') =>
  seats.as.owner.post('/people', { email, name, role: 'viewer' })

/** An answer with what differs from one to the next left out. */
function shapeOf({ status, text, headers }: ConsoleReply, email: string): string {
  const {
    date: _date,
    'x-request-id': _id,
    'content-length': _length,
    etag: _etag,
    'set-cookie': cookie,
    ...rest
  } = headers
  const plain = text
    .replaceAll(email, 'EMAIL')
    .replaceAll(email.split('@')[0]!, 'NAME')
    .replaceAll(/usr_[0-9a-z]{26}/g, 'ID')
    .replaceAll(/#[\w-]{43}/g, '#TOKEN')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT')
  return JSON.stringify([status, plain, rest, cookie === undefined])
}

describe('inviting an address', () => {
  test('gives the same answers, lists and link pages whether it has an account elsewhere or not', async () => {
    const seen = []
    for (const email of [known, unknown]) {
      const invited = await invite(others, email)
      const token = tokenOf(invited.json as Invited)
      const person = (invited.json as Invited).person
      const list = (await others.as.owner.json<readonly PersonRow[]>('/people')).find(({ id }) => id === person.id)
      const look = await console.browser().send('POST', '/set-up/look', { token })
      const refused = await console.browser().send('POST', '/set-up', { token, password: 'not theirs', isMember: true })
      const link = await others.as.owner.post(`/people/${person.id}/link`)
      const answers = [invited, look, refused, link].map(reply => shapeOf(reply, email))
      const { id: _id, email: _email, name, invitedAt: _at, ...row } = list!
      expect(name).toBe(email.split('@')[0])
      seen.push([...answers, JSON.stringify(row)])
      expect([invited.text, look.text, refused.text, link.text].join()).not.toContain('Secretname')
    }
    expect(seen[0]).toEqual(seen[1])
  })

  test('is as much work for the link’s password whether there is an account or not', async () => {
    await joinFully(console.api, console.tenant.id, `w-${known}`, 'buyer')
    const work: (readonly string[])[] = []
    for (const email of [`w-${known}`, `w-${unknown}`]) {
      const token = tokenOf((await invite(others, email)).json as Invited)
      const setUp = () => console.browser().send('POST', '/set-up', { token, password: 'chosen just now' })
      work.push(await hashingOf(async () => expect((await setUp()).status).toBe(200)))
    }
    expect(work[0]!.length).toBeGreaterThan(0)
    expect(work[0]).toEqual(work[1])
  })
})

describe('a password set by another workspace’s link', () => {
  test('opens that workspace only, changes nothing for the existing account, and locks nobody out', async () => {
    const email = 'victim@known.test'
    await joinFully(console.api, console.tenant.id, email, 'buyer')
    const token = tokenOf((await invite(others, email)).json as Invited)
    const mallory = console.browser()
    const set = await mallory.send('POST', '/set-up', { token, password: 'chosen by mallory' })
    expect((set.json as SessionView).workspaces.map(({ slug }) => slug)).toEqual([others.slug])
    expect((await mallory.get('/workspace')).status).toBe(404)
    const victim = console.browser()
    const own = await victim.signIn(email, password)
    expect((own.json as SessionView).workspaces.map(({ slug }) => slug)).toEqual([console.slug])
    const again = await console.browser().signIn(email, 'chosen by mallory')
    expect((again.json as SessionView).workspaces.map(({ slug }) => slug)).toEqual([others.slug])
    expect((await console.browser().signIn(email, 'neither of them')).status).toBe(401)
  })

  test('before the person ever came does not lock them out: a proper link lets them in with their own password', async () => {
    const email = 'late@known.test'
    const foreign = tokenOf((await invite(others, email)).json as Invited)
    expect(
      (await console.browser().send('POST', '/set-up', { token: foreign, password: 'chosen by mallory' })).status,
    ).toBe(200)
    const proper = tokenOf((await invite(console, email, 'Lately')).json as Invited)
    const browser = console.browser()
    const joined = await browser.send('POST', '/set-up', { token: proper, password: 'chosen by late' })
    expect(joined).toMatchObject({ status: 200, json: { person: { name: 'Lately' } } })
    expect((joined.json as SessionView).workspaces.map(({ slug }) => slug)).toEqual([console.slug])
    const next = { current: 'chosen by late', next: 'changed by late' }
    expect((await browser.send('POST', '/password', next)).status).toBe(204)
    expect((await console.browser().signIn(email, 'chosen by mallory')).status).toBe(200)
    expect((await console.browser().signIn(email, 'changed by late')).status).toBe(200)
    expect((await console.browser().signIn(email, 'chosen by late')).status).toBe(401)
  })

  test('is not a way to try passwords: guesses are counted as at sign-in', async () => {
    const from = '127.0.2.9'
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const email = 'guessed@known.test'
      if (i === 0) await join(console.api, console.tenant.id, email, 'buyer')
      const list = await others.as.owner.json<readonly PersonRow[]>('/people')
      const there = list.find(each => each.email === email)
      const reply =
        there === undefined ? await invite(others, email) : await others.as.owner.post(`/people/${there.id}/link`)
      const token = tokenOf(reply.json as Invited)
      const body = { token, password: `a guess number ${i}`, isMember: true }
      statuses.push((await console.browser({ from }).send('POST', '/set-up', body)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429])
  })
})

test('who invited whom, when and from where, and from where they joined, is shown to owners', async () => {
  const email = 'evidence@known.test'
  const invited = (await invite(console, email)).json as Invited
  expect(invited.person).toMatchObject({
    invitedBy: 'olga@owner.test',
    invitedFrom: '127.0.0.1',
    joinedAt: null,
    joinedFrom: null,
  })
  const browser = console.browser({ from: '127.0.0.99' })
  await browser.send('POST', '/set-up', { token: tokenOf(invited), password: 'chosen by evidence' })
  const row = (await console.as.owner.json<readonly PersonRow[]>('/people')).find(each => each.email === email)
  expect(row).toMatchObject({
    hasJoined: true,
    invitedBy: 'olga@owner.test',
    invitedFrom: '127.0.0.1',
    joinedFrom: '127.0.0.99',
  })
  expect(row!.joinedAt! >= row!.invitedAt).toBe(true)
})
