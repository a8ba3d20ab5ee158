// Mail to people, over a real mail server: what is told to whom, digests, unsubscribing, and that nobody is told about what they do
// not see (T2, T31, T32).
import { describe, expect, test } from 'vitest'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import type { MailSettings, PersonRow } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import type { ReceivedMail } from '../support/clients/mailbox.ts'
import { follow } from '../support/houses/api.ts'
import { join } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { openMailGround } from './mail-ground.ts'
import { brackets, object, ofHouse, path, revision, until } from './mail-house.ts'

const post = ownHouse(openMailGround)

describe('what is looked for', () => {
  test('is told once to the people it concerns: signatures, objections, revisions, missing values', async () => {
    const house = await post.ready()
    const { as, mail, tenant, slug } = house
    const is = ofHouse(house)
    await post.whileSending(async () => {
      const [one, other] = (await post.settle(house, 2)).toSorted((a, b) => (a.to < b.to ? -1 : 1))
      expect([one!.to, other!.to]).toEqual([mail.buyer, mail.supplier])
      expect(one!.subject).toMatch(/: 3 periods wait for your signature$/)
      for (const each of [one!, other!])
        for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) {
          expect(each.text).toContain(`Steel brackets ${period} waits for your signature`)
          expect(each.text).toContain(`https://prices.example/w/${slug}/agreements/brackets/periods/${period}`)
        }

      const id = await object(as.supplier)
      const [, , told] = await post.settle(house, 3)
      expect(told).toMatchObject({ to: mail.buyer, subject: 'Steel brackets 2024-Q2 was objected to by the supplier' })
      expect(told!.raw).not.toContain('4711')
      await as.buyer.post(`${path}/objections/${id}/answers`, { words: 'It is not.' })
      const answered = (await post.settle(house, 4)).at(-1)!
      expect(answered).toMatchObject({
        to: mail.supplier,
        subject: 'Steel brackets 2024-Q2 has an answer of the buyer to an objection',
      })
      await as.supplier.post(`${path}/objections/${id}/withdraw`, { words: '' })
      expect((await post.settle(house, 5)).at(-1)).toMatchObject({
        to: mail.buyer,
        subject: 'Steel brackets 2024-Q2 has an objection that the supplier withdrew',
      })

      await tenant.import(revision)
      const revised = (await post.settle(house, 7)).slice(5)
      expect(revised.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.supplier])
      for (const each of revised) {
        expect(each.subject).toBe('Steel billets 2024-03 was revised: Steel brackets reads it')
        expect(each.raw).not.toContain('108')
      }

      await tenant.apply(brackets(house, { end: '2025-03-31' }))
      const late = (await post.settle(house, 11)).slice(7)
      expect(late.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.editor, mail.owner, mail.supplier].sort())
      for (const each of late) expect(each.subject).toMatch(/ has no value yet: Steel brackets waits for it$/)
    })
    // No money and no index value in any of them.
    for (const { text, html } of post.mailbox.mails.filter(is))
      for (const figure of ['12.40', '106.71', '116.00', '108.00', 'EUR'])
        expect(`${text}${html}`).not.toContain(figure)
    await post.whileSending(() => post.settle(house, 11))
  })

  test('reports what is missing also by the id of its series, in its final stage, or as the newest published', async () => {
    const house = await post.open()
    const { tenant, mail } = house
    await tenant.import(bracketsTable.split('\n').slice(0, 3).join('\n'))
    const [row] = await post.owner<{ id: string }[]>`select id from series where owner = ${tenant.id}`
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
    const mails = await post.whileSending(() => post.settle(house, 4))
    expect(mails.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.editor, mail.owner, mail.supplier].sort())
    for (const { text } of mails) {
      expect(text).toContain('Steel billets 2024-02 has no value yet: By id waits for it')
      expect(text).toContain('Steel billets 2024-03 has no FINAL value yet: Final waits for it')
      expect(text).toContain('Steel billets 2023-10-01 had nothing published by then: Newest waits for it')
    }
  })

  test('reports a series whose provider does not answer', async () => {
    const house = await post.open()
    const { tenant, mail } = house
    const id = await makeSeries(post.owner, publicScope, `LATE${post.made}`, 'BLS')
    await publishRows(post.owner, publicScope, id, [{ period: 2023 * 12 + 11, value: '100' }])
    await follow(post.console.api.sql, tenant.id, id)
    await post.owner`
      insert into series_state (owner, series_id, last_asked_at, last_answered_at)
      values (${publicScope}, ${id}, clock_timestamp(), '2024-05-02')
      on conflict (owner, series_id) do update set last_answered_at = excluded.last_answered_at`
    const mails = await post.whileSending(() => post.settle(house, 2))
    expect(mails.map(({ to }) => to).sort()).toEqual([mail.editor, mail.owner].sort())
    for (const { subject } of mails)
      expect(subject).toBe(`LATE${post.made} is late: BLS has not answered since 2024-05-02`)
  })

  test('keeps suppliers apart: nobody is told what another signs', async () => {
    const house = await post.ready()
    const { tenant, mail } = house
    const [fay, pia] = [`m${post.made}-fay@fennel.test`, `m${post.made}-pia@pepper.test`]
    for (const email of [fay, pia]) await join(post.console.api, tenant.id, email, 'supplier')
    await tenant.apply(brackets(house, { status: 'SUSPENDED' }))
    const secret = (email: string, slug: string, name: string) =>
      bracketsDocument({ slug, name, more: `parties: { buyer: [${mail.buyer}], supplier: [${email}] }` })
    await tenant.apply(secret(fay, 'fennel', 'Fennel forgings'))
    await tenant.apply(secret(pia, 'pepper', 'Pepper haulage'))
    await tenant.apply(secret(pia, 'draft', 'Draft canary').replace('status: ACTIVE', 'status: DRAFT'))
    const of = (mailOf: ReceivedMail) => [fay, pia, mail.buyer].includes(mailOf.to)
    await post.whileSending(() => post.settle(house, 3, of))
    await tenant.import(revision)
    await post.whileSending(() => post.settle(house, 6, of))
    for (const [own, words, foreign] of [
      [fay, 'Fennel', ['Pepper', 'pepper', 'Draft', mail.buyer, pia]],
      [pia, 'Pepper', ['Fennel', 'fennel', 'Draft', mail.buyer, fay]],
    ] as const) {
      const all = post.mailbox.to(own).map(({ raw, text, html }) => `${raw}${text}${html}`)
      expect(all).toHaveLength(2)
      for (const each of all) {
        expect(each).toContain(words)
        for (const canary of foreign) expect(each).not.toContain(canary)
      }
    }
  })

  test('is dropped for a person who was removed from a formula or the workspace before it is sent', async () => {
    const house = await post.ready()
    const { tenant, as, mail } = house
    await post.mailbox.stop()
    await post.whileSending(async () => {
      await until(async () => (await post.owner`select 1 from mail where workspace_id = ${tenant.id}`).length === 2)
    })
    await tenant.apply(brackets(house).replace(`supplier: [${mail.supplier}]`, 'supplier: [someone@else.test]'))
    const { id } = (await as.owner.json<PersonRow[]>('/people')).find(each => each.email === mail.buyer)!
    expect((await as.owner.delete(`/people/${id}`)).status).toBe(204)
    await post.mailbox.start()
    await post.whileSending(async () => {
      await until(
        async () =>
          (await post.owner`select 1 from mail where workspace_id = ${tenant.id} and outcome = 'DROPPED'`).length === 2,
      )
    })
    expect(post.mailbox.mails.filter(ofHouse(house))).toEqual([])
  })
})

describe('a digest', () => {
  test('has everything of the day before in one mail', async () => {
    const house = await post.ready()
    const { as, mail, tenant } = house
    expect((await as.buyer.patch('/mail', { isDigest: true })).json).toMatchObject({
      isOn: true,
      isDigest: true,
      muted: [],
    })
    await object(as.supplier)
    await post.whileSending(async () => {
      await post.settle(house, 1, each => each.to === mail.supplier)
      await until(async () => (await post.owner`select 1 from notice where email = ${mail.buyer}`).length === 4)
      await post.settle(house, 0, each => each.to === mail.buyer)
    })
    const tomorrow = () => instantOfMicros((Date.now() + 86_400_000) * 1000)
    await post.whileSending(() => post.settle(house, 1, each => each.to === mail.buyer), { now: tomorrow })
    const [digest] = post.mailbox.to(mail.buyer)
    expect(digest!.subject).toMatch(/: 4 things since the last digest$/)
    expect(digest!.text).toContain('Steel brackets 2024-Q4 waits for your signature')
    expect(digest!.text).toContain('was objected to by the supplier')
    // The rest of that day brings no second one.
    await tenant.import(revision)
    await post.whileSending(async () => {
      await post.settle(house, 2, each => each.to === mail.supplier)
      await post.settle(house, 1, each => each.to === mail.buyer)
    })
  })
})

describe('unsubscribing', () => {
  test('works in one click from the mail program, for one kind, and opening the link changes nothing', async () => {
    const house = await post.ready()
    const { as, mail } = house
    await post.whileSending(() => post.settle(house, 2))
    const [first] = post.mailbox.to(mail.buyer)
    expect(first!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const address = new URL(first!.headers.get('list-unsubscribe')!.slice(1, -1))
    expect(address.origin).toBe('https://prices.example')
    expect(address.href).not.toContain('buyer')
    const there = `${address.pathname}${address.search}`
    const opened = await post.console.api.ask(there, { headers: { accept: 'text/html' } })
    expect([opened.status, opened.headers.location]).toEqual([303, `/unsubscribe${address.search}`])
    const token = address.searchParams.get('t')!
    const look = () => post.console.browser().send('POST', '/unsubscribe/look', { token })
    expect((await look()).json).toMatchObject({ email: mail.buyer, kind: 'signature', isOff: false })
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${body.length}` }
    expect((await post.console.api.ask(there, { method: 'POST', body, headers })).status).toBe(204)
    expect((await look()).json).toMatchObject({ isOff: true })
    expect(await as.buyer.json<MailSettings>('/mail')).toMatchObject({ muted: ['signature'], email: mail.buyer })
    expect(await as.supplier.json<MailSettings>('/mail')).toMatchObject({ muted: [] })
    const changed = `${there.slice(0, -1)}${there.endsWith('A') ? 'B' : 'A'}`
    expect((await post.console.api.ask(changed, { method: 'POST', body, headers })).status).toBe(404)

    await object(as.supplier)
    await house.tenant.apply(brackets(house, { slug: 'second', name: 'Second contract' }))
    await post.whileSending(async () => {
      await post.settle(house, 2, each => each.to === mail.buyer)
      await post.settle(house, 2, each => each.to === mail.supplier)
    })
    expect(post.mailbox.to(mail.buyer)[1]!.subject).toContain('was objected to')
    expect((await as.buyer.patch('/mail', { muted: ['objection'] })).json).toMatchObject({ muted: ['objection'] })
    expect((await as.buyer.patch('/mail', { muted: ['invitation'] })).status).toBe(422)
  })
})
