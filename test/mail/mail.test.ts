// Mail to people, over a real mail server: what is told to whom, digests, unsubscribing, and that nobody is told about what they do
// not see (T2, T31, T32).
import { describe, expect, test } from 'vitest'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { addOperator, removeOperator } from '../../src/storage/people/operators.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { type DriftPart, decideDrift, keepDrift, listDrifts } from '../../src/storage/series/drift.ts'
import { recordOwnEvents } from '../../src/storage/series/index-events.ts'
import type { WaitingCount } from '../../src/views/calls/agreement-calls.ts'
import type { MailSettings, PersonRow } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import type { ReceivedMail } from '../support/clients/mailbox.ts'
import { eventually, follow } from '../support/houses/api.ts'
import { join } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { openMailGround } from './mail-ground.ts'
import { brackets, looked, object, ofHouse, path, revision, until } from './mail-house.ts'

const post = ownHouse(openMailGround)

describe('what is looked for', () => {
  test('a provider that changes its answers is told to operators once for each alarm, with what looks different', async () => {
    const house = await post.open()
    const { mail, slug } = house
    await addOperator(post.owner, mail.owner, { workspaceId: house.tenant.id, by: 'operator' })
    const { sql } = post.console.api
    const at = instantOfMicros(Date.now() * 1000)
    const part = (place: string, sign: string): DriftPart => ({
      place,
      series: ['A'],
      fingerprint: `${place} ${sign}`,
      shapes: [],
      signs: [{ kind: 'column', words: sign }],
      lines: [
        { what: 'Format', before: 'table', after: 'table' },
        { what: 'Unit', before: 'Index\n2015', after: null },
      ],
    })
    await keepDrift(sql, 'ECB', 'values', [part('EXR', 'the column "OBS_STATUS" is gone')], at)
    await post.whileSending(async () => {
      const [first] = await post.settle(house, 1)
      expect(first).toMatchObject({
        to: mail.owner,
        subject: 'Answers of ECB about values look different from before: the column "OBS_STATUS" is gone',
      })
      expect(first!.text).toContain('  Unit: Index\\u{a}2015 before, not there now')
      expect(first!.text).not.toContain('Format')
      expect(first!.text).toContain(`  https://prices.example/w/${slug}/installation`)
      // The same alarm grows, and then is decided: a later one is news again.
      await keepDrift(sql, 'ECB', 'values', [part('ICP', 'the unit is another one')], at)
      await post.settle(house, 1)
      const [waiting] = await listDrifts(sql)
      await decideDrift(sql, waiting!.id, { decision: 'rejected', at, by: 'otto@operator.test' })
      const other = await keepDrift(sql, 'ECB', 'values', [part('ICP', 'the title is another one')], at)
      const second = (await post.settle(house, 2)).at(-1)!
      expect(second.subject).toContain('the title is another one')
      await decideDrift(sql, other, { decision: 'rejected', at, by: 'otto@operator.test' })
    })
    await removeOperator(post.owner, mail.owner, 'operator')
  })

  test('is told once to the people it concerns: signatures, objections, revisions, missing values', async () => {
    const house = await post.ready()
    const { as, mail, tenant, slug } = house
    const is = ofHouse(house)
    await post.whileSending(async () => {
      const [one, other] = (await post.settle(house, 2)).toSorted((a, b) => (a.to < b.to ? -1 : 1))
      expect([one!.to, other!.to]).toEqual([mail.buyer, mail.supplier])
      for (const each of [one!, other!]) {
        expect(each.subject).toBe('Steel brackets has 3 periods that wait for your signature')
        const here = `https://prices.example/w/${slug}`
        expect(each.text).toMatch(new RegExp(`^  ${here}/agreements/brackets\\s*$`, 'm'))
        expect(each.text).toMatch(new RegExp(`^Everything that waits for you:\\s+${here}/sign-offs\\s*$`, 'm'))
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
        expect(each.raw).not.toMatch(/108[.,]/)
      }

      await tenant.apply(brackets(house, { end: '2025-03-31' }))
      const late = (await post.settle(house, 11)).slice(7)
      expect(late.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.editor, mail.owner, mail.supplier].sort())
      for (const each of late) {
        expect(each.subject).toMatch(/: 2 figures are late or do not come$/)
        expect(
          each.text.match(
            / has probably ended because no figure has come for a long time; Steel brackets waits for it/g,
          ),
        ).toHaveLength(2)
      }
    })
    // No money and no index value in any of them.
    for (const { text, html } of post.mailbox.mails.filter(is))
      for (const figure of ['12.40', '106.71', '116.00', '108.00', 'EUR'])
        expect(`${text}${html}`).not.toContain(figure)
    await post.whileSending(() => post.settle(house, 11))
  })

  test('reports of a series that is silent the oldest figure that is missing, however a formula names it', async () => {
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
      expect(text).toContain(
        'Steel billets 2024-02 is late: the figure has not been uploaded or imported; By id waits for it',
      )
      for (const other of ['2024-03', 'Final', 'Newest']) expect(text).not.toContain(other)
    }
  })

  test('reports a figure whose provider does not answer to those whose agreements wait for it', async () => {
    const house = await post.open()
    const { tenant, mail } = house
    const id = await makeSeries(post.owner, publicScope, `LATE${post.made}`, 'BLS')
    await publishRows(post.owner, publicScope, id, [{ period: 2023 * 12 + 11, value: '100' }])
    await follow(post.console.api.sql, tenant.id, id)
    await post.owner`
      insert into series_state (owner, series_id, last_asked_at, last_answered_at)
      values (${publicScope}, ${id}, clock_timestamp(), '2024-05-02')
      on conflict (owner, series_id) do update set last_answered_at = excluded.last_answered_at`
    // Nobody waits for it yet.
    await post.whileSending(() => post.settle(house, 0))
    await tenant.apply(`
slug: waits
name: Waiting wire
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs: { x: { series: BLS/LATE${post.made}, lag: 1 month, weight: 1, base: 2023-12 } }
clause: {}
parties: { buyer: [${mail.buyer}], supplier: [someone@else.test] }
`)
    const mails = await post.whileSending(() => post.settle(house, 3))
    expect(mails.map(({ to }) => to).sort()).toEqual([mail.buyer, mail.editor, mail.owner].sort())
    for (const { subject } of mails)
      expect(subject).toBe(
        `LATE${post.made} 2024-03 is late: BLS does not answer as it should; Waiting wire waits for it`,
      )
  })

  test('says of a series that was replaced that it does not come, as pages do, and never calls it late', async () => {
    const house = await post.open()
    const { tenant, mail } = house
    const code = `REPLACED${post.made}`
    const id = await makeSeries(post.owner, publicScope, code, 'BLS')
    await publishRows(post.owner, publicScope, id, [{ period: 2023 * 12 + 11, value: '100' }])
    await follow(post.console.api.sql, tenant.id, id)
    const about = { id: code.toLowerCase(), provider: 'BLS' as const, codes: code, source: 'The office' }
    const replaced = { kind: 'SUPERSEDED' as const, day: '2024-01-01', sentence: 'Another data set goes on.' }
    await recordOwnEvents(post.owner, [{ ...about, ...replaced, successor: null, coefficient: null }])
    await tenant.apply(`
slug: waits
name: Waiting wire
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs: { x: { series: BLS/${code}, lag: 1 month, weight: 1, base: 2023-12 } }
clause: {}
parties: { buyer: [${mail.buyer}], supplier: [someone@else.test] }
`)
    const mails = await post.whileSending(() => post.settle(house, 3))
    for (const { subject, text } of mails) {
      expect(subject).toBe(`${code} 2024-03 does not come: the series was replaced; Waiting wire waits for it`)
      expect(text).not.toMatch(/ is late(?! or does not come)/)
    }
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

describe('what waits for a signature', () => {
  test('has a line for each agreement and is counted exactly, as in the badge', async () => {
    const house = await post.ready()
    const { as, mail, tenant, slug } = house
    await tenant.apply(`slug: days
name: By the day
status: ACTIVE
contract: { start: 2024-01-01, end: 2026-12-30, frequency: DAILY }
inputs: { steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, missing: LAST_KNOWN } }
clause: {}
parties: { buyer: [${mail.buyer}], supplier: [${mail.supplier}] }
`)
    const { id } = await tenant.apply(brackets(house, { slug: 'zinc', name: 'Zinc' }))
    await copyAgreement(post.owner, tenant.id, id, 22)
    const mails = await post.whileSending(() => post.settle(house, 2))
    const badge = await eventually(
      () => as.buyer.json<WaitingCount>('/sign-offs/count'),
      ({ pending }) => pending === 0,
    )
    const days = badge.periods - 24 * 3
    expect(days).toBeGreaterThan(1_000)
    const grouped = (count: number) => count.toLocaleString('en')
    for (const { subject, text } of mails) {
      expect(subject).toBe(`${slug}: ${grouped(badge.periods)} periods of 25 agreements wait for your signature`)
      expect(text.match(/^- /gm)).toHaveLength(20)
      expect(text).toContain('- Copy 1 has 3 periods that wait for your signature')
      expect(text).toContain(`and ${grouped(badge.periods - 20 * 3)} more periods of 5 agreements.`)
    }
  })

  test('comes once an hour at most, and tells what waits by then; other kinds do not wait for it', async () => {
    const house = await post.ready()
    const { as, mail, tenant } = house
    const toBuyer = (each: ReceivedMail) => each.to === mail.buyer
    const anHour = { apartMs: 3_600_000 }
    await post.whileSending(() => post.settle(house, 2), anHour)
    await tenant.apply(brackets(house, { slug: 'second', name: 'Second' }))
    await object(as.supplier)
    await post.whileSending(async () => {
      await until(async () => (await post.owner`select from notice where email = ${mail.buyer}`).length === 3)
      await looked(post.owner, house)
      await until(async () => post.mailbox.to(mail.buyer).length === 2)
    }, anHour)
    expect(post.mailbox.to(mail.buyer).map(({ subject }) => subject)).toEqual([
      'Steel brackets has 3 periods that wait for your signature',
      'Steel brackets 2024-Q2 was objected to by the supplier',
    ])
    await tenant.sign('brackets', '2024-Q2', 'buyer', { email: mail.buyer })
    await post.owner`update mail set made_at = made_at - interval '61 minutes' where workspace_id = ${tenant.id}`
    const [, , told] = await post.whileSending(() => post.settle(house, 3, toBuyer), anHour)
    expect(told!.subject).toMatch(/: 5 periods of 2 agreements wait for your signature$/)
    expect(told!.text.match(/^- .*/gm)?.map(line => line.trim())).toEqual([
      '- Second has 3 periods that wait for your signature',
    ])
    expect(told!.text).toContain('and 2 more periods of 1 agreement.')
  })

  test('is a correction as well: another kind, with a switch of its own, and no amount', async () => {
    const house = await post.open()
    const { as, mail, tenant, slug } = house
    const parties = `{ buyer: [${mail.buyer}], supplier: [${mail.supplier}] }`
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument({ parties }))
    for (const party of ['buyer', 'supplier'] as const)
      await tenant.sign('steel-brackets', '2024-Q4', party, { through: true, email: mail[party] })
    await tenant.import(finalMarch)
    expect((await as.supplier.patch('/mail', { muted: ['correction'] })).status).toBe(200)
    expect((await as.editor.post('/agreements/steel-brackets/corrections', { reason: null })).status).toBe(201)
    const told = await post.whileSending(() => post.settle(house, 1))
    expect(told).toMatchObject([
      { to: mail.buyer, subject: 'steel-brackets has a correction of 1 period that waits for your signature' },
    ])
    expect(told[0]!.text).toMatch(new RegExp(`https://prices.example/w/${slug}/corrections/cor_\\w+`))
    for (const figure of ['103.5', '106', 'EUR']) expect(told[0]!.text).not.toContain(figure)
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
      await until(async () => (await post.owner`select 1 from notice where email = ${mail.buyer}`).length === 2)
      await post.settle(house, 0, each => each.to === mail.buyer)
    })
    const tomorrow = () => instantOfMicros((Date.now() + 86_400_000) * 1000)
    await post.whileSending(() => post.settle(house, 1, each => each.to === mail.buyer), { now: tomorrow })
    const [digest] = post.mailbox.to(mail.buyer)
    expect(digest!.subject).toMatch(/: 2 events since the last digest$/)
    expect(digest!.text).toContain('Steel brackets has 3 periods that wait for your signature')
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
