import { beforeAll, describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { examineOverlay } from './axe.ts'
import { openHouse, type Visit } from './house.ts'
import { settle } from './pages.ts'
import { expectQuiet, expectWords, plain } from './story.ts'

let olga: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  olga = await house.visit('olga')
})

/** What the API says to a key. */
async function statusOf(key: string): Promise<number> {
  const answer = await fetch(`${house.address}/v1/series?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  await answer.text()
  return answer.status
}

async function until(wanted: number, key: string): Promise<number> {
  const endMs = performance.now() + 5_000
  let status = await statusOf(key)
  while (status !== wanted && performance.now() < endMs) {
    await new Promise(resolve => setTimeout(resolve, 100))
    status = await statusOf(key)
  }
  return status
}

describe('API keys', () => {
  test('are made, shown once, called with, rotated with an overlap, and revoked', async () => {
    const { page, open } = olga
    await open('/settings/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('ERP production')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const first = (await page.getByTestId('key').textContent())!
    expect(await statusOf(first)).toBe(200)
    await examineOverlay(page, 'components/dialog/one-time-secret.tsx')
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(first)
    await page.getByLabel('I have stored the key in a safe place').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // It is nowhere on the page any more.
    expect(await page.content()).not.toContain(first)

    await page.getByRole('button', { name: 'Change the key ERP production' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Create the new key' }).click()
    const second = (await page.getByTestId('key').textContent())!
    expect(second).not.toBe(first)
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])
    await page.getByLabel('I have stored the key in a safe place').check()
    await page.getByRole('button', { name: 'Done' }).click()

    const row = page.getByRole('row').filter({ hasText: second.slice(-4) })
    await row.getByRole('button', { name: /Change the key/ }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: second.slice(-4) })
      .getByText('revoked')
      .waitFor()
    expect(await until(401, second)).toBe(401)
    expect(await statusOf(first)).toBe(200)
    expectQuiet(olga)
  })

  longTest('stories', 'are not for a buyer', async () => {
    const { page, open } = await house.visit('ann')
    await open('/settings/keys')
    await page.waitForURL(/settings\/workspace$/)
    await page.getByRole('link', { name: 'Notifications' }).waitFor()
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
  })
})

describe('people', () => {
  test('are invited with a link that works once, and see what their role lets them see', async () => {
    const { page, open } = olga
    await open('/settings/people')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail').fill('vera@audit.test')
    await page.getByLabel('Name').fill('Vera Audit')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const link = (await page.getByTestId('link').textContent())!

    const guest = await house.stranger()
    await guest.page.goto(link)
    await guest.page.getByLabel('New password').fill('a long enough one')
    await guest.page.getByLabel('Type it again').fill('a long enough one')
    await guest.page.getByRole('button', { name: 'Set the password and join' }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await guest.open('/agreements')
    await guest.page.getByRole('heading', { level: 1, name: 'Agreements' }).waitFor()
    await settle(guest.page)
    expect(await guest.page.getByRole('link', { name: 'New agreement' }).count()).toBe(0)

    const late = await house.stranger()
    await late.page.goto(link)
    await late.page.getByRole('alert').getByText('used already or is too old').waitFor()
  })

  longTest('stories', 'who forgot their password get a link for a new one from an owner', async () => {
    const { page, open } = olga
    await open('/settings/people')
    await page.getByRole('button', { name: 'Change Vera Audit' }).click()
    await page.getByRole('menuitem', { name: 'Link for a new password' }).click()
    await page.getByRole('button', { name: 'Make the link' }).click()
    const link = (await page.getByTestId('link').textContent())!
    expectQuiet(olga)

    const guest = await house.stranger()
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await guest.page.getByRole('textbox', { name: 'New password' }).fill('another long enough one')
    await guest.page.getByLabel('Type it again').fill('another long enough one')
    await guest.page.getByRole('button', { name: 'Set the password' }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(guest.complaints).toEqual([])
  })

  longTest('stories', 'list their sessions and end one remotely', async () => {
    const here = await house.visit('ann')
    const there = await house.visit('ann')
    await there.open('')
    await there.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await here.open('/settings/sessions')
    await here.page.getByRole('button', { name: 'End all others' }).click()
    await here.page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
    await there.page.reload()
    await there.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await here.page.reload()
    await here.page.getByRole('heading', { name: 'Settings' }).waitFor()
  })
})

describe('activity', () => {
  test('says who did what from where, and that the chains are valid', async () => {
    const { page, open } = olga
    await open('/settings/activity')
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page.getByText(/This workspace: unchanged, \d+ publications/).waitFor()
    await page.getByText(/Public series: unchanged/).waitFor()
    await page.getByRole('cell', { name: 'ERP production' }).first().waitFor()
    expectQuiet(olga)
  })
})

describe('signing in', () => {
  test('says the same to a wrong password and to an unknown account, and continues to the requested page', async () => {
    const { page } = await house.stranger()
    await page.goto(`${house.address}/w/demo/agreements`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const tried: (string | null)[] = []
    for (const email of ['ann@buyer.test', 'nobody@nowhere.test']) {
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
      tried.push(await page.getByRole('alert').textContent())
      await page.getByLabel('E-mail').fill('')
    }
    expect(tried[0]).toBe(tried[1])
    const { email, password } = house.passwordOf('ann')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Agreements' }).waitFor()
  })

  longTest('stories', 'leads to the overview when no page was requested', async () => {
    const { page } = await house.stranger()
    await page.goto(`${house.address}/sign-in`)
    const { email, password } = house.passwordOf('sam')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })
})

longTest(
  'stories',
  'limits of a workspace are set by an operator on the page of the installation, shown there, and reset',
  async () => {
    const { page, open } = olga
    await open('/installation')
    const change = page.getByRole('button', { name: 'Change the limits of Demo GmbH' })
    const set = page.getByRole('button', { name: 'Set the limits' })
    const row = page.getByRole('row').filter({ has: change })
    await change.click()
    expect(await set.isDisabled()).toBe(true)
    await page.getByLabel('People').fill('many')
    await page.getByText(/^A whole number from 0 to 1\s000\s000\s000\s000, or nothing for the default$/).waitFor()
    expect(await set.isDisabled()).toBe(true)
    await page.getByLabel('People').fill('1')
    await page.getByLabel('Agreements').fill('30,000')
    await set.click()
    await row.getByText('full').waitFor()
    await expectWords(row, 'of 30 000')

    await change.click()
    await expect.poll(async () => plain(await page.getByLabel('Agreements').inputValue())).toBe('30 000')
    await page.getByLabel('People').fill('')
    await set.click()
    await row.getByText('full').waitFor({ state: 'detached' })
    await expectWords(row, 'of 500')
    await open('/settings/activity')
    await page.getByText('max-people set to default').waitFor()
    expectQuiet(olga)
  },
)

longTest('stories', 'limits of a workspace are shown to operators only', async () => {
  const { page, open } = await house.visit('sam')
  await open('/installation')
  await page.getByText('This page is for operators of the installation alone.').waitFor()
  expect(await page.getByRole('button', { name: /^Change the limits/ }).count()).toBe(0)
})
