// Mail as people see it: sent by the served program, an invitation that is opened, a page to choose what one gets, and
// the link that stops a kind.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Mailbox } from '../support/clients/mailbox.ts'
import { longTest } from '../support/run/long-test.ts'
import { type House, openHouse } from './house.ts'
import { expectQuiet, plain } from './story.ts'

const mailbox = new Mailbox()
let house: House

beforeAll(async () => {
  await mailbox.start()
  house = await openHouse({ env: { SMTP_URL: mailbox.url, ASSIZE_PUBLIC_URL: 'https://prices.example' } })
})
afterAll(async () => {
  await house?.close()
  await mailbox.stop()
})

/** As reached through a proxy. */
const here = (address: string) => address.replace('https://prices.example', house.address)

async function mailTo(email: string, words: string) {
  for (const end = Date.now() + 180_000; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 200))) {
    const found = mailbox.to(email).find(({ subject }) => subject.includes(words))
    if (found !== undefined) return found
  }
  throw new Error(
    `no mail to ${email} about ${words}; there are ${mailbox.mails.map(each => `${each.to} ${each.subject}`).join('; ')}`,
  )
}

describe('mail', () => {
  longTest('stories', 'brings an invitation that opens the workspace', async () => {
    const olga = await house.visit('olga')
    await olga.open('/settings/people')
    await olga.page.getByRole('button', { name: 'Invite' }).click()
    const dialog = olga.page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('nina@joiner.test')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText('This link is on its way to nina@joiner.test by mail.').waitFor()
    expectQuiet(olga)
    const { text } = await mailTo('nina@joiner.test', 'You are invited to')
    const link = /https:\/\/prices\.example\/set-up#\S+/.exec(text)![0]
    const nina = await house.stranger()
    await nina.page.goto(here(link))
    await nina.page.getByText('nina@joiner.test').first().waitFor()
    await nina.context.close()
    await olga.context.close()
  })

  test('tells a supplier what waits for its signature, and a click stops that kind', async () => {
    const { email } = house.passwordOf('sam')
    const { text, headers } = await mailTo(email, 'wait for your signature')
    const page = /https:\/\/prices\.example\/w\/demo\/agreements\/\S+/.exec(text)![0]
    const sam = await house.visit('sam')
    await sam.page.goto(here(page))
    await sam.page.getByRole('heading', { level: 1 }).waitFor()
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')

    const unsubscribe = /https:\/\/prices\.example\/unsubscribe\?t=\S+/.exec(text)![0]
    const stranger = await house.stranger()
    await stranger.page.goto(here(unsubscribe))
    await stranger.page.getByRole('button', { name: 'Stop sending it' }).click()
    await stranger.page.getByText(`${email} gets no more mail about “Waiting for your signature”`).waitFor()
    await stranger.context.close()

    await sam.open('/settings/mail')
    const waits = sam.page.getByRole('switch', { name: 'Waiting for your signature' })
    await waits.waitFor()
    expect(await waits.isChecked()).toBe(false)
    for (const choice of [
      waits,
      sam.page.getByRole('radio', { name: 'Once a day' }),
      sam.page.getByRole('switch', { name: 'Revised figures' }),
    ]) {
      const saved = sam.page.waitForResponse(answer => answer.request().method() === 'PATCH' && answer.ok())
      await choice.click()
      await saved
    }
    await sam.page.reload()
    await waits.waitFor()
    expect(await waits.isChecked()).toBe(true)
    expect(await sam.page.getByRole('switch', { name: 'Revised figures' }).isChecked()).toBe(false)
    expect(await sam.page.getByRole('radio', { name: 'Once a day' }).isChecked()).toBe(true)
    expect(plain(await sam.page.locator('main').innerText())).toContain(`Mail goes to ${email}`)
    expectQuiet(sam)
    await sam.context.close()
  })
})
