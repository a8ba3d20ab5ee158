// Mail to people, over a real mail server: every kind once, digests, unsubscribing, a mail server that cannot be
// reached, two processes, and that nobody is told about what they do not see (T2, T31, T32).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { type Mailing, type MailingTimes, startMailing } from '../../src/mailing.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import type { ActivityPage, Invited, MailSettings, PersonRow } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { Mailbox, type ReceivedMail } from '../support/clients/mailbox.ts'
import { follow } from '../support/houses/api.ts'
import {
  emails,
  join,
  makeSeats,
  openConsole,
  type Seats,
  signIn,
  type TestConsole,
} from '../support/houses/console.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase, testSecret } from '../support/run/postgres.ts'
import { brackets, looked, type MailHouse, object, ofHouse, path, quiet, revision, until } from './mail-house.ts'

const login = { user: 'assize', password: 'p@ss/word of the mail server' }
const mailbox = new Mailbox(login)
let ground: TestDatabase
let console: TestConsole
const running = new Set<Mailing>()
const logged: string[] = []

beforeAll(async () => {
  await mailbox.start()
  ground = await openTestDatabase()
  console = await openConsole({ env: { ...environment(), METRICS_PORT: '0' } }, ground)
})
afterAll(async () => {
  for (const mailing of running) await mailing.stop()
  await console.close()
  await mailbox.stop()
})

function environment() {
  return {
    SMTP_URL: mailbox.url,
    ASSIZE_PUBLIC_URL: 'https://prices.example',
    ASSIZE_MAIL_FROM: 'Assize <prices@prices.example>',
  }
}

const note = (facts: object, message: string) => void logged.push(JSON.stringify({ ...facts, message }))
const log = { debug: note, info: note, warn: note, error: note }

function start(times: MailingTimes = {}): Mailing {
  const { config } = readConfig({ PORT: '0', ...environment() })
  const task = { target: ground.target, secret: testSecret, config: config! }
  const mailing = startMailing(task, log, { postMs: 50, lookMs: 100, leastPauseMs: 100, ...times })!
  running.add(mailing)
  return mailing
}

async function stop(mailing: Mailing): Promise<void> {
  running.delete(mailing)
  await mailing.stop()
}

/** While mail is sent; afterwards nothing more is. */
async function whileSending<T>(work: () => Promise<T>, times: MailingTimes = {}): Promise<T> {
  const mailing = start(times)
  try {
    return await work()
  } finally {
    await stop(mailing)
  }
}

let made = 0
const left: string[] = []
/**
 * Different people each time, so that mailboxes distinguish the workspaces. Those of the test before leave theirs: every look
 * goes through all workspaces with people.
 */
async function open(): Promise<MailHouse> {
  await ground.owner`delete from member where workspace_id = any(${left}::text[])`
  const prefix = `m${++made}-`
  const seats = await makeSeats(console.api, prefix)
  left.push(seats.tenant.id)
  const mail = Object.fromEntries(Object.entries(emails).map(([role, email]) => [role, `${prefix}${email}`]))
  return { ...seats, mail: mail as MailHouse['mail'] }
}

/** Mail is on since before anything happened. */
async function ready(): Promise<MailHouse> {
  const house = await open()
  await whileSending(() => looked(ground.owner, house))
  await house.tenant.import(bracketsTable)
  await house.tenant.apply(brackets(house))
  return house
}

/** When so many mails have come to people of the house, and nothing more is on its way. */
function settle(
  house: MailHouse,
  count: number,
  is: (mail: ReceivedMail) => boolean = ofHouse(house),
): Promise<readonly ReceivedMail[]> {
  return mailbox.settle(count, () => quiet(ground.owner, house), is)
}

describe('an invitation and a link for a new password', () => {
  test('come by mail with the link, once, and the stored token is gone then', async () => {
    const house = await open()
    const { as, slug } = house
    const email = `new-${made}@joiner.test`
    const invited = (await as.owner.post('/people', { email, name: 'Nina', role: 'viewer' })).json as Invited
    expect(invited.isMailed).toBe(true)
    const token = invited.link!.split('#')[1]!
    const stored = await ground.owner`select sealed_link from notice where email = ${email} and sealed_link is not null`
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(await ground.owner`select * from notice where email = ${email}`)).not.toContain(token)
    const [mail] = await whileSending(() => settle(house, 1, each => each.to === email))
    expect(mail!.subject).toContain('You are invited to')
    expect(mail!.text).toContain(`https://prices.example/set-up#${token}`)
    expect(mail!.html).toContain(`https://prices.example/set-up#${token}`)
    expect(mail!.text).toContain(house.mail.owner)
    expect(mail!.headers.get('from')).toBe('Assize <prices@prices.example>')
    expect(mail!.headers.has('list-unsubscribe')).toBe(false)
    expect(await ground.owner`select 1 from notice where email = ${email} and sealed_link is not null`).toHaveLength(0)

    const joining = console.browser()
    expect((await joining.send('POST', '/set-up', { token, password: 'a password of Nina' })).status).toBe(200)
    const rows = (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === email)!
    const renewed = (await as.owner.post(`/people/${rows.id}/password-link`)).json as Invited
    const next = renewed.link!.split('#')[1]!
    const mails = await whileSending(() => settle(house, 2, each => each.to === email))
    expect(mails[1]!.subject).toContain('A new password for')
    expect(mails[1]!.text).toContain(`https://prices.example/new-password#${next}`)
    expect(mails[1]!.headers.get('message-id')).not.toBe(mails[0]!.headers.get('message-id'))
    // Their session no longer opens the workspace.
    expect((await joining.ask(`/w/${slug}/overview`)).status).toBe(404)
    const { rows: noted } = await as.owner.json<ActivityPage>('/activity')
    expect(noted[0]).toMatchObject({ what: 'given a link for a new password', subject: email })
  })

  test('that no longer works is not sent', async () => {
    const house = await open()
    const { as } = house
    const email = `twice-${made}@joiner.test`
    const first = (await as.owner.post('/people', { email, name: 'Tom', role: 'viewer' })).json as Invited
    const second = (await as.owner.post(`/people/${first.person.id}/link`)).json as Invited
    const [mail] = await whileSending(() => settle(house, 1, each => each.to === email))
    expect(mail!.text).toContain(second.link!.split('#')[1]!)
    expect(mail!.text).not.toContain(first.link!.split('#')[1]!)
  })

  test('reach an address that has not joined once an hour, however often and by however many it is invited', async () => {
    const house = await open()
    const other = await makeSeats(console.api, `m${made}o-`)
    left.push(other.tenant.id)
    const email = `flooded-${made}@stranger.test`
    const isTheirs = (each: ReceivedMail) => each.to === email
    const invite = async ({ as }: Seats) => {
      const reply = await as.owner.post('/people', { email, name: '', role: 'viewer' })
      expect(reply.status).toBe(201)
      return reply.json as Invited
    }
    const first = await invite(house)
    expect([first.isMailed, first.whyNotMailed]).toEqual([true, null])
    await whileSending(() => settle(house, 1, isTheirs))
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
      const rows = await ground.owner`
        select 1 from mail where email = ${email} and outcome is null and due_at > clock_timestamp() + interval '50 minutes'`
      return rows.length === 1
    }
    await whileSending(() => until(waits))
    expect(mailbox.mails.filter(isTheirs)).toHaveLength(1)

    await ground.owner`update link_mail_turn set taken_at = taken_at - interval '61 minutes' where email = ${email}`
    await ground.owner`update mail set due_at = clock_timestamp() where email = ${email} and outcome is null`
    const mails = await whileSending(() => settle(house, 2, isTheirs))
    expect(mails[1]!.text).toContain(elsewhere.link!.split('#')[1]!)

    // Twenty in a day, of whichever kind.
    await ground.owner`
      insert into link_mail_turn (mail_id, email, kind, taken_at)
      select 'day ' || n, ${email}, 'reset', clock_timestamp() - interval '2 hours' from generate_series(1, 18) as n`
    await ground.owner`
      update link_mail_turn set taken_at = taken_at - interval '61 minutes' where email = ${email} and kind = 'invitation'`
    await ground.owner`update mail set done_at = done_at - interval '61 minutes' where email = ${email}`
    expect((await linkAgain(house, person.id)).isMailed).toBe(true)
    const isHeld = async () => {
      const rows = await ground.owner`
        select 1 from mail where email = ${email} and outcome is null and due_at > clock_timestamp() + interval '20 hours'`
      return rows.length === 1
    }
    await whileSending(() => until(isHeld))
    expect(mailbox.mails.filter(isTheirs)).toHaveLength(2)
  })

  test('for somebody of a company of its own go to their address only, and who made them sees nothing', async () => {
    const house = await open()
    const { as, tenant } = house
    await as.owner.post('/parties', { slug: 'ohio-forge', name: 'Ohio Forge Inc.' })
    const email = `sam-${made}@ohio.test`
    const first = { email, name: '', role: 'supplier', party: 'ohio-forge' }
    const invited = (await as.owner.post('/people', first)).json as Invited
    await console.browser().send('POST', '/set-up', { token: invited.link!.split('#')[1]!, password: 'chosen by sam' })
    const made1 = await as.owner.post(`/people/${(await personOf(house, email)).id}/password-link`)
    expect(made1).toMatchObject({ status: 201, json: { link: null, isMailed: true, whyNotMailed: null } })
    const mails = await whileSending(() => settle(house, 1, each => each.to === email))
    expect(mails[0]!.text).toMatch(/new-password#[\w-]{43}/)
    const { id } = await personOf(house, email)
    const made2 = await as.owner.post(`/people/${id}/link`)
    expect(made2).toMatchObject({ status: 201, json: { link: null } })
    const [, again] = await whileSending(() => settle(house, 2, each => each.to === email))
    const token = /set-up#([\w-]{43})/.exec(again!.text)![1]!
    expect(made2.text).not.toContain(token)
    // Again within the hour nothing is made: the link that was sent keeps working.
    expect((await as.owner.post(`/people/${id}/link`)).status).toBe(409)
    expect((await as.owner.post('/people', first)).status).toBe(403)
    const joined = await console.browser().send('POST', '/set-up', { token, password: 'chosen by sam again' })
    expect(joined.status).toBe(200)
    expect(
      await ground.owner`
      select kind, done_from from people_event where workspace_id = ${tenant.id} and email = ${email} order by seq`,
    ).toEqual([
      { kind: 'INVITED', done_from: 'WORKSPACE' },
      { kind: 'JOINED', done_from: 'COMPANY' },
      { kind: 'PASSWORD_LINK', done_from: 'WORKSPACE' },
      { kind: 'JOINED_AGAIN', done_from: 'COMPANY' },
    ])
  })

  test('carry names on one line, however they were written before that was asked for', async () => {
    const house = await open()
    for (const name of ['Two\nlines', 'A\r\nBcc: x@y.test', 'b\u2028c', 'tab\there', '\u202eevil'])
      for (const reply of [
        house.as.owner.patch('/workspace', { name }),
        house.as.owner.post('/parties', { slug: 'named', name }),
        house.as.owner.post('/people', { email: 'named@x.test', name, role: 'viewer' }),
        house.as.owner.post('/keys', { name, expiresAt: null }),
      ])
        expect((await reply).status, name).toBe(422)
    await ground.owner`update workspace set name = ${'Evil\r\nBcc: all@x.test\n\nbody'} where id = ${house.tenant.id}`
    const email = `named-${made}@joiner.test`
    await house.as.owner.post('/people', { email, name: '', role: 'viewer' })
    const [mail] = await whileSending(() => settle(house, 1, each => each.to === email))
    expect(mail!.subject).toBe('You are invited to Evil  Bcc: all@x.test  body')
    expect(mail!.headers.has('bcc')).toBe(false)
    expect(mail!.text.split('\n')[0]!.trim()).toBe(
      'You are invited to the workspace Evil  Bcc: all@x.test  body in Assize.',
    )
  })
})

const personOf = async ({ as }: Seats, email: string) =>
  (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === email)!

const linkAgain = async ({ as }: Seats, id: string) => (await as.owner.post(`/people/${id}/link`)).json as Invited

describe('what is looked for', () => {
  test('is told once to the people it concerns: signatures, objections, revisions, missing values', async () => {
    const house = await ready()
    const { as, mail, tenant, slug } = house
    const is = ofHouse(house)
    await whileSending(async () => {
      const [one, other] = (await settle(house, 2)).toSorted((a, b) => (a.to < b.to ? -1 : 1))
      expect([one!.to, other!.to]).toEqual([mail.buyer, mail.supplier])
      expect(one!.subject).toMatch(/: 3 periods wait for your signature$/)
      for (const each of [one!, other!])
        for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) {
          expect(each.text).toContain(`Steel brackets ${period} waits for your signature`)
          expect(each.text).toContain(`https://prices.example/w/${slug}/agreements/brackets/periods/${period}`)
        }

      const id = await object(as.supplier)
      const [, , told] = await settle(house, 3)
      expect(told).toMatchObject({ to: mail.buyer, subject: 'Steel brackets 2024-Q2 was objected to by the supplier' })
      expect(told!.raw).not.toContain('4711')
      await as.buyer.post(`${path}/objections/${id}/answers`, { words: 'It is not.' })
      const answered = (await settle(house, 4)).at(-1)!
      expect(answered).toMatchObject({
        to: mail.supplier,
        subject: 'Steel brackets 2024-Q2 has an answer of the buyer to an objection',
      })
      await as.supplier.post(`${path}/objections/${id}/withdraw`, { words: '' })
      expect((await settle(house, 5)).at(-1)).toMatchObject({
        to: mail.buyer,
        subject: 'Steel brackets 2024-Q2 has an objection that the supplier withdrew',
      })

      await tenant.import(revision)
      const revised = (await settle(house, 7)).slice(5)
      expect(revised.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.supplier])
      for (const each of revised) {
        expect(each.subject).toBe('Steel billets 2024-03 was revised: Steel brackets reads it')
        expect(each.raw).not.toContain('108')
      }

      await tenant.apply(brackets(house, { end: '2025-03-31' }))
      const late = (await settle(house, 11)).slice(7)
      expect(late.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.editor, mail.owner, mail.supplier].sort())
      for (const each of late) expect(each.subject).toMatch(/ has no value yet: Steel brackets waits for it$/)
    })
    // No money and no index value in any of them.
    for (const { text, html } of mailbox.mails.filter(is))
      for (const figure of ['12.40', '106.71', '116.00', '108.00', 'EUR'])
        expect(`${text}${html}`).not.toContain(figure)
    await whileSending(() => settle(house, 11))
  })

  test('reports what is missing also by the id of its series, in its final stage, or as the newest published', async () => {
    const house = await open()
    const { tenant, mail } = house
    await tenant.import(bracketsTable.split('\n').slice(0, 3).join('\n'))
    const [row] = await ground.owner<{ id: string }[]>`select id from series where owner = ${tenant.id}`
    const readings = {
      'By id': `series: ${row!.id}, lag: 2 months`,
      Final: 'series: CUSTOM/steel, lag: 1 month, vintage: FINAL',
      Newest: 'series: CUSTOM/steel, lag: 6 months, pick: LATEST_PUBLISHED',
    }
    for (const [name, reading] of Object.entries(readings))
      await tenant.apply(`
slug: ${name.toLowerCase().replace(' ', '-')}
name: ${name}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs: { x: { ${reading}, weight: 1, base: 2023-12 } }
clause: {}
parties: { supplier: [${mail.supplier}] }
`)
    const mails = await whileSending(() => settle(house, 4))
    expect(mails.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.editor, mail.owner, mail.supplier].sort())
    for (const { text } of mails) {
      expect(text).toContain('Steel billets 2024-02 has no value yet: By id waits for it')
      expect(text).toContain('Steel billets 2024-03 has no FINAL value yet: Final waits for it')
      expect(text).toContain('Steel billets 2023-10-01 had nothing published by then: Newest waits for it')
    }
  })

  test('reports a series whose provider does not answer', async () => {
    const house = await open()
    const { tenant, mail } = house
    const id = await makeSeries(ground.owner, publicScope, `LATE${made}`, 'BLS')
    await publishRows(ground.owner, publicScope, id, [{ period: 2023 * 12 + 11, value: '100' }])
    await follow(console.api.sql, tenant.id, id)
    await ground.owner`
      insert into series_state (owner, series_id, last_asked_at, last_answered_at)
      values (${publicScope}, ${id}, clock_timestamp(), '2024-05-02')
      on conflict (owner, series_id) do update set last_answered_at = excluded.last_answered_at`
    const mails = await whileSending(() => settle(house, 2))
    expect(mails.map(({ to }) => to).sort()).toEqual([mail.editor, mail.owner].sort())
    for (const { subject } of mails) expect(subject).toBe(`LATE${made} is late: BLS has not answered since 2024-05-02`)
  })

  test('keeps suppliers apart: nobody is told what another signs', async () => {
    const house = await ready()
    const { tenant, mail } = house
    const [fay, pia] = [`m${made}-fay@fennel.test`, `m${made}-pia@pepper.test`]
    for (const email of [fay, pia]) await join(console.api, tenant.id, email, 'supplier')
    await tenant.apply(brackets(house, { status: 'SUSPENDED' }))
    const secret = (email: string, slug: string, name: string) =>
      bracketsDocument({ slug, name, more: `parties: { buyer: [${mail.buyer}], supplier: [${email}] }` })
    await tenant.apply(secret(fay, 'fennel', 'Fennel forgings'))
    await tenant.apply(secret(pia, 'pepper', 'Pepper haulage'))
    await tenant.apply(secret(pia, 'draft', 'Draft canary').replace('status: ACTIVE', 'status: DRAFT'))
    const of = (mailOf: ReceivedMail) => [fay, pia, mail.buyer].includes(mailOf.to)
    await whileSending(() => settle(house, 3, of))
    await tenant.import(revision)
    await whileSending(() => settle(house, 6, of))
    for (const [own, words, foreign] of [
      [fay, 'Fennel', ['Pepper', 'pepper', 'Draft', mail.buyer, pia]],
      [pia, 'Pepper', ['Fennel', 'fennel', 'Draft', mail.buyer, fay]],
    ] as const) {
      const all = mailbox.to(own).map(({ raw, text, html }) => `${raw}${text}${html}`)
      expect(all).toHaveLength(2)
      for (const each of all) {
        expect(each).toContain(words)
        for (const canary of foreign) expect(each).not.toContain(canary)
      }
    }
  })

  test('is dropped for a person who was removed from a formula or the workspace before it is sent', async () => {
    const house = await ready()
    const { tenant, as, mail } = house
    await mailbox.stop()
    await whileSending(async () => {
      await until(async () => (await ground.owner`select 1 from mail where workspace_id = ${tenant.id}`).length === 2)
    })
    await tenant.apply(brackets(house).replace(`supplier: [${mail.supplier}]`, 'supplier: [someone@else.test]'))
    const { id } = (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === mail.buyer)!
    expect((await as.owner.delete(`/people/${id}`)).status).toBe(204)
    await mailbox.start()
    await whileSending(async () => {
      await until(
        async () =>
          (await ground.owner`select 1 from mail where workspace_id = ${tenant.id} and outcome = 'DROPPED'`).length ===
          2,
      )
    })
    expect(mailbox.mails.filter(ofHouse(house))).toEqual([])
  })
})

describe('a digest', () => {
  test('has everything of the day before in one mail', async () => {
    const house = await ready()
    const { as, mail, tenant } = house
    expect((await as.buyer.patch('/mail', { isDigest: true })).json).toMatchObject({
      isOn: true,
      isDigest: true,
      muted: [],
    })
    await object(as.supplier)
    await whileSending(async () => {
      await settle(house, 1, each => each.to === mail.supplier)
      await until(async () => (await ground.owner`select 1 from notice where email = ${mail.buyer}`).length === 4)
      await settle(house, 0, each => each.to === mail.buyer)
    })
    const tomorrow = () => instantOfMicros((Date.now() + 86_400_000) * 1000)
    await whileSending(() => settle(house, 1, each => each.to === mail.buyer), { now: tomorrow })
    const [digest] = mailbox.to(mail.buyer)
    expect(digest!.subject).toMatch(/: 4 things since the last digest$/)
    expect(digest!.text).toContain('Steel brackets 2024-Q4 waits for your signature')
    expect(digest!.text).toContain('was objected to by the supplier')
    // The rest of that day brings no second one.
    await tenant.import(revision)
    await whileSending(async () => {
      await settle(house, 2, each => each.to === mail.supplier)
      await settle(house, 1, each => each.to === mail.buyer)
    })
  })
})

describe('unsubscribing', () => {
  test('works in one click from the mail program, for one kind, and opening the link changes nothing', async () => {
    const house = await ready()
    const { as, mail } = house
    await whileSending(() => settle(house, 2))
    const [first] = mailbox.to(mail.buyer)
    expect(first!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const address = new URL(first!.headers.get('list-unsubscribe')!.slice(1, -1))
    expect(address.origin).toBe('https://prices.example')
    expect(address.href).not.toContain('buyer')
    const there = `${address.pathname}${address.search}`
    const opened = await console.api.ask(there, { headers: { accept: 'text/html' } })
    expect([opened.status, opened.headers.location]).toEqual([303, `/unsubscribe${address.search}`])
    const token = address.searchParams.get('t')!
    const look = () => console.browser().send('POST', '/unsubscribe/look', { token })
    expect((await look()).json).toMatchObject({ email: mail.buyer, kind: 'signature', isOff: false })
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${body.length}` }
    expect((await console.api.ask(there, { method: 'POST', body, headers })).status).toBe(204)
    expect((await look()).json).toMatchObject({ isOff: true })
    expect(await as.buyer.json<MailSettings>('/mail')).toMatchObject({ muted: ['signature'], email: mail.buyer })
    expect(await as.supplier.json<MailSettings>('/mail')).toMatchObject({ muted: [] })
    const changed = `${there.slice(0, -1)}${there.endsWith('A') ? 'B' : 'A'}`
    expect((await console.api.ask(changed, { method: 'POST', body, headers })).status).toBe(404)

    await object(as.supplier)
    await house.tenant.apply(brackets(house, { slug: 'second', name: 'Second contract' }))
    await whileSending(async () => {
      await settle(house, 2, each => each.to === mail.buyer)
      await settle(house, 2, each => each.to === mail.supplier)
    })
    expect(mailbox.to(mail.buyer)[1]!.subject).toContain('was objected to')
    expect((await as.buyer.patch('/mail', { muted: ['objection'] })).json).toMatchObject({ muted: ['objection'] })
    expect((await as.buyer.patch('/mail', { muted: ['invitation'] })).status).toBe(422)
  })
})

describe('the mail server', () => {
  test('may be unreachable: everything comes once it is back, also after a restart', async () => {
    const house = await ready()
    await mailbox.stop()
    await whileSending(async () => {
      await until(async () => {
        const rows = await ground.owner`
          select 1 from mail where workspace_id = ${house.tenant.id} and attempts >= 2 and trouble is not null`
        return rows.length === 2
      })
    })
    await mailbox.start()
    await whileSending(() => settle(house, 2))
    expect(logged.some(line => line.includes('it will be tried again'))).toBe(true)
  })

  test('gets a mail once, from however many processes', async () => {
    const house = await ready()
    mailbox.slowMs = 300
    const mailings = [start(), start(), start()]
    await settle(house, 2)
    for (const mailing of mailings) await stop(mailing)
    mailbox.slowMs = 0
    const ids = mailbox.mails.map(({ headers }) => headers.get('message-id'))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('may refuse somebody permanently: the mail is given up, counted and logged without the address', async () => {
    const house = await ready()
    mailbox.refusal = { code: 550, message: `no mailbox ${house.mail.buyer}` }
    await whileSending(async () => {
      await until(
        async () =>
          (await ground.owner`select 1 from mail where workspace_id = ${house.tenant.id} and outcome = 'FAILED'`)
            .length === 2,
      )
    })
    mailbox.refusal = null
    const [row] = await ground.owner<{ trouble: string; attempts: number }[]>`
      select trouble, attempts from mail where workspace_id = ${house.tenant.id} limit 1`
    expect(row).toEqual({ trouble: '550 at RCPT TO', attempts: 3 })
    expect(logged.some(line => line.includes('could not be sent and is given up'))).toBe(true)
    expect(logged.filter(line => line.includes('buyer.test'))).toEqual([])
  })

  test('has metrics: what waits, what was sent, what was given up', async () => {
    const text = await (await fetch(console.api.metricsAddress!)).text()
    const numberOf = (name: string) => Number.parseInt(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? '-1', 10)
    const counts = await ground.owner<{ outcome: string | null; n: number }[]>`
      select outcome, count(*) as n from mail group by outcome`
    const of = (outcome: string | null) => counts.find(each => each.outcome === outcome)?.n ?? 0
    expect(numberOf('assize_mail_sent')).toBe(of('SENT'))
    expect(of('SENT')).toBe(mailbox.mails.length)
    expect(numberOf('assize_mail_failed')).toBe(of('FAILED'))
    expect(of('FAILED')).toBeGreaterThanOrEqual(2)
    expect(numberOf('assize_mail_waiting')).toBe(of(null))
    expect(numberOf('assize_mail_oldest_seconds')).toBeGreaterThanOrEqual(0)
  })

  test('is named in no log with its password, nor is a one-time link', async () => {
    const everything = [...logged, ...console.api.log].join('\n')
    expect(everything).not.toContain(login.password)
    expect(everything).not.toContain(encodeURIComponent(login.password))
    for (const { text } of mailbox.mails)
      for (const [, token] of text.matchAll(/#([\w-]{40,})/g)) expect(everything).not.toContain(token)
    expect(await signIn(console.api, emails.owner, console.slug)).toBeDefined()
  })
})
