// A mail server that cannot be reached or refuses, several processes, and what is told about it in metrics and logs (T2, T32).
import { describe, expect, test } from 'vitest'
import { emails, signIn } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { login, openMailGround } from './mail-ground.ts'
import { until } from './mail-house.ts'

const post = ownHouse(openMailGround)

describe('the mail server', () => {
  test('may be unreachable: everything comes once it is back, also after a restart', async () => {
    const house = await post.ready()
    await post.mailbox.stop()
    await post.whileSending(async () => {
      await until(async () => {
        const rows = await post.owner`
          select 1 from mail where workspace_id = ${house.tenant.id} and attempts >= 2 and trouble is not null`
        return rows.length === 2
      })
    })
    await post.mailbox.start()
    await post.whileSending(() => post.settle(house, 2))
    expect(post.logged.some(line => line.includes('it will be tried again'))).toBe(true)
  })

  test('gets a mail once, from however many processes', async () => {
    const house = await post.ready()
    post.mailbox.slowMs = 300
    const mailings = [post.start(), post.start(), post.start()]
    await post.settle(house, 2)
    for (const mailing of mailings) await post.stop(mailing)
    post.mailbox.slowMs = 0
    const ids = post.mailbox.mails.map(({ headers }) => headers.get('message-id'))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('may refuse somebody permanently: the mail is given up, counted and logged without the address', async () => {
    const house = await post.ready()
    post.mailbox.refusal = { code: 550, message: `no mailbox ${house.mail.buyer}` }
    await post.whileSending(async () => {
      await until(
        async () =>
          (await post.owner`select 1 from mail where workspace_id = ${house.tenant.id} and outcome = 'FAILED'`)
            .length === 2,
      )
    })
    post.mailbox.refusal = null
    const [row] = await post.owner<{ trouble: string; attempts: number }[]>`
      select trouble, attempts from mail where workspace_id = ${house.tenant.id} limit 1`
    expect(row).toEqual({ trouble: '550 at RCPT TO', attempts: 3 })
    expect(post.logged.some(line => line.includes('could not be sent and is given up'))).toBe(true)
    expect(post.logged.filter(line => line.includes('buyer.test'))).toEqual([])
  })

  test('has metrics: what waits, what was sent, what was given up', async () => {
    const text = await (await fetch(post.console.api.metricsAddress!)).text()
    const numberOf = (name: string) => Number.parseInt(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? '-1', 10)
    const counts = await post.owner<{ outcome: string | null; n: number }[]>`
      select outcome, count(*) as n from mail group by outcome`
    const of = (outcome: string | null) => counts.find(each => each.outcome === outcome)?.n ?? 0
    expect(numberOf('assize_mail_sent')).toBe(of('SENT'))
    expect(of('SENT')).toBe(post.mailbox.mails.length)
    expect(numberOf('assize_mail_failed')).toBe(of('FAILED'))
    expect(of('FAILED')).toBeGreaterThanOrEqual(2)
    expect(numberOf('assize_mail_waiting')).toBe(of(null))
    expect(numberOf('assize_mail_oldest_seconds')).toBeGreaterThanOrEqual(0)
  })

  test('is named in no log with its password, nor is a one-time link', async () => {
    const everything = [...post.logged, ...post.console.api.log].join('\n')
    expect(everything).not.toContain(login.password)
    expect(everything).not.toContain(encodeURIComponent(login.password))
    for (const { text } of post.mailbox.mails)
      for (const [, token] of text.matchAll(/#([\w-]{40,})/g)) expect(everything).not.toContain(token)
    expect(await signIn(post.console.api, emails.owner, post.console.slug)).toBeDefined()
  })
})
