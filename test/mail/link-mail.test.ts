// One-time links by mail: invitations and new passwords, to whom they go and how often (T32, T33).
import { describe, expect, test } from 'vitest'
import type { ActivityPage, Invited, PersonRow } from '../../src/views/shapes/settings.ts'
import type { ReceivedMail } from '../support/clients/mailbox.ts'
import { makeSeats, type Seats } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openMailGround } from './mail-ground.ts'
import { until } from './mail-house.ts'

const post = ownHouse(openMailGround)

describe('an invitation and a link for a new password', () => {
  test('come by mail with the link, once, and the stored token is gone then', async () => {
    const house = await post.open()
    const { as, slug } = house
    const email = `new-${post.made}@joiner.test`
    const invited = (await as.owner.post('/people', { email, name: 'Nina', role: 'viewer' })).json as Invited
    expect(invited.isMailed).toBe(true)
    const token = invited.link!.split('#')[1]!
    const stored = await post.owner`select sealed_link from notice where email = ${email} and sealed_link is not null`
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(await post.owner`select * from notice where email = ${email}`)).not.toContain(token)
    const [mail] = await post.whileSending(() => post.settle(house, 1, each => each.to === email))
    expect(mail!.subject).toContain('You are invited to')
    expect(mail!.text).toContain(`https://prices.example/set-up#${token}`)
    expect(mail!.html).toContain(`https://prices.example/set-up#${token}`)
    expect(mail!.text).toContain(house.mail.owner)
    expect(mail!.headers.get('from')).toBe('Assize <prices@prices.example>')
    expect(mail!.headers.has('list-unsubscribe')).toBe(false)
    expect(await post.owner`select 1 from notice where email = ${email} and sealed_link is not null`).toHaveLength(0)

    const joining = post.console.browser()
    expect((await joining.send('POST', '/set-up', { token, password: 'a password of Nina' })).status).toBe(200)
    const rows = (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === email)!
    const renewed = (await as.owner.post(`/people/${rows.id}/password-link`)).json as Invited
    const next = renewed.link!.split('#')[1]!
    const mails = await post.whileSending(() => post.settle(house, 2, each => each.to === email))
    expect(mails[1]!.subject).toContain('A new password for')
    expect(mails[1]!.text).toContain(`https://prices.example/new-password#${next}`)
    expect(mails[1]!.headers.get('message-id')).not.toBe(mails[0]!.headers.get('message-id'))
    // Their session no longer opens the workspace.
    expect((await joining.ask(`/w/${slug}/overview`)).status).toBe(404)
    const { rows: noted } = await as.owner.json<ActivityPage>('/activity')
    expect(noted[0]).toMatchObject({ what: 'given a link for a new password', subject: email })
  })

  test('that no longer works is not sent', async () => {
    const house = await post.open()
    const { as } = house
    const email = `twice-${post.made}@joiner.test`
    const first = (await as.owner.post('/people', { email, name: 'Tom', role: 'viewer' })).json as Invited
    const second = (await as.owner.post(`/people/${first.person.id}/link`)).json as Invited
    const [mail] = await post.whileSending(() => post.settle(house, 1, each => each.to === email))
    expect(mail!.text).toContain(second.link!.split('#')[1]!)
    expect(mail!.text).not.toContain(first.link!.split('#')[1]!)
  })

  test('reach an address that has not joined once an hour, however often and by however many it is invited', async () => {
    const house = await post.open()
    const other = await makeSeats(post.console.api, `m${post.made}o-`)
    post.leaving(other)
    const email = `flooded-${post.made}@stranger.test`
    const isTheirs = (each: ReceivedMail) => each.to === email
    const invite = async ({ as }: Seats) => {
      const reply = await as.owner.post('/people', { email, name: '', role: 'viewer' })
      expect(reply.status).toBe(201)
      return reply.json as Invited
    }
    const first = await invite(house)
    expect([first.isMailed, first.whyNotMailed]).toEqual([true, null])
    await post.whileSending(() => post.settle(house, 1, isTheirs))
    let { person } = first
    for (let round = 0; round < 5; round++) {
      const again = (await house.as.owner.post(`/people/${person.id}/link`)).json as Invited
      expect([again.isMailed, again.whyNotMailed]).toEqual([
        false,
        `no mail was sent: ${email} got one like it less than 60 minutes ago`,
      ])
      expect(again.link).toContain('/set-up#')
      expect((await house.as.owner.delete(`/people/${person.id}`)).status).toBe(204)
      const anew = await invite(house)
      expect(anew.isMailed).toBe(false)
      person = anew.person
    }
    // To another workspace the address looks as if nobody had ever written to it: its mail waits.
    const elsewhere = await invite(other)
    expect([elsewhere.isMailed, elsewhere.whyNotMailed]).toEqual([true, null])
    const waits = async () => {
      const rows = await post.owner`
        select 1 from mail where email = ${email} and outcome is null and due_at > clock_timestamp() + interval '50 minutes'`
      return rows.length === 1
    }
    await post.whileSending(() => until(waits))
    expect(post.mailbox.mails.filter(isTheirs)).toHaveLength(1)

    await post.owner`update link_mail_turn set taken_at = taken_at - interval '61 minutes' where email = ${email}`
    await post.owner`update mail set due_at = clock_timestamp() where email = ${email} and outcome is null`
    const mails = await post.whileSending(() => post.settle(house, 2, isTheirs))
    expect(mails[1]!.text).toContain(elsewhere.link!.split('#')[1]!)

    // Twenty in a day, of whichever kind.
    await post.owner`
      insert into link_mail_turn (mail_id, email, kind, taken_at)
      select 'day ' || n, ${email}, 'reset', clock_timestamp() - interval '2 hours' from generate_series(1, 18) as n`
    await post.owner`
      update link_mail_turn set taken_at = taken_at - interval '61 minutes' where email = ${email} and kind = 'invitation'`
    await post.owner`update mail set done_at = done_at - interval '61 minutes' where email = ${email}`
    expect((await linkAgain(house, person.id)).isMailed).toBe(true)
    const isHeld = async () => {
      const rows = await post.owner`
        select 1 from mail where email = ${email} and outcome is null and due_at > clock_timestamp() + interval '20 hours'`
      return rows.length === 1
    }
    await post.whileSending(() => until(isHeld))
    expect(post.mailbox.mails.filter(isTheirs)).toHaveLength(2)
  })

  test('for somebody of a company of its own go to their address only, and who made them sees nothing', async () => {
    const house = await post.open()
    const { as, tenant } = house
    await as.owner.post('/parties', { slug: 'ohio-forge', name: 'Ohio Forge Inc.' })
    const email = `sam-${post.made}@ohio.test`
    const first = { email, name: '', role: 'supplier', party: 'ohio-forge' }
    const invited = (await as.owner.post('/people', first)).json as Invited
    await post.console
      .browser()
      .send('POST', '/set-up', { token: invited.link!.split('#')[1]!, password: 'chosen by sam' })
    const made1 = await as.owner.post(`/people/${(await personOf(house, email)).id}/password-link`)
    expect(made1).toMatchObject({ status: 201, json: { link: null, isMailed: true, whyNotMailed: null } })
    const mails = await post.whileSending(() => post.settle(house, 1, each => each.to === email))
    expect(mails[0]!.text).toMatch(/new-password#[\w-]{43}/)
    const { id } = await personOf(house, email)
    const made2 = await as.owner.post(`/people/${id}/link`)
    expect(made2).toMatchObject({ status: 201, json: { link: null } })
    const [, again] = await post.whileSending(() => post.settle(house, 2, each => each.to === email))
    const token = /set-up#([\w-]{43})/.exec(again!.text)![1]!
    expect(made2.text).not.toContain(token)
    // Again within the hour nothing is made: the link that was sent keeps working.
    expect((await as.owner.post(`/people/${id}/link`)).status).toBe(409)
    expect((await as.owner.post('/people', first)).status).toBe(403)
    const joined = await post.console.browser().send('POST', '/set-up', { token, password: 'chosen by sam again' })
    expect(joined.status).toBe(200)
    expect(
      await post.owner`
      select kind, done_from from people_event where workspace_id = ${tenant.id} and email = ${email} order by seq`,
    ).toEqual([
      { kind: 'INVITED', done_from: 'WORKSPACE' },
      { kind: 'JOINED', done_from: 'COMPANY' },
      { kind: 'PASSWORD_LINK', done_from: 'WORKSPACE' },
      { kind: 'JOINED_AGAIN', done_from: 'COMPANY' },
    ])
  })

  test('carry names on one line, however they were written before that was asked for', async () => {
    const house = await post.open()
    for (const name of ['Two\nlines', 'A\r\nBcc: x@y.test', 'b\u2028c', 'tab\there', '\u202eevil'])
      for (const reply of [
        house.as.owner.patch('/workspace', { name }),
        house.as.owner.post('/parties', { slug: 'named', name }),
        house.as.owner.post('/people', { email: 'named@x.test', name, role: 'viewer' }),
        house.as.owner.post('/keys', { name, expiresAt: null }),
      ])
        expect((await reply).status, name).toBe(422)
    await post.owner`update workspace set name = ${'Evil\r\nBcc: all@x.test\n\nbody'} where id = ${house.tenant.id}`
    const email = `named-${post.made}@joiner.test`
    await house.as.owner.post('/people', { email, name: '', role: 'viewer' })
    const [mail] = await post.whileSending(() => post.settle(house, 1, each => each.to === email))
    expect(mail!.subject).toBe('You are invited to Evil\\u{d}\\u{a}Bcc: all@x.test\\u{a}\\u{a}body')
    expect(mail!.headers.has('bcc')).toBe(false)
    expect(mail!.text.split('\n')[0]!.trim()).toBe(
      'You are invited to the workspace Evil\\u{d}\\u{a}Bcc: all@x.test\\u{a}\\u{a}body in Assize.',
    )
  })
})

const personOf = async ({ as }: Seats, email: string) =>
  (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === email)!

const linkAgain = async ({ as }: Seats, id: string) => (await as.owner.post(`/people/${id}/link`)).json as Invited
