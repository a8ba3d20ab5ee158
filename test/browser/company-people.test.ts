// A supplier looks after its own people in a browser: it confirms its list, invites a colleague, is told what the owner does,
// and the owner cannot let anybody in.
import { beforeAll, describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse, type Visit } from './house.ts'
import { expectQuiet, refused } from './story.ts'

let sam: Visit
let olga: Visit
let password: string

const house = ownHouse(openHouse)
beforeAll(async () => {
  sam = await house.visit('sam')
  olga = await house.visit('olga')
  password = house.passwordOf('sam').password
})

const invite = async ({ page }: Visit, email: string) => {
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
}

describe('a company', () => {
  test('confirms who its people are with the password, and the owner sees that it did', async () => {
    const { page, open } = sam
    await open('/settings/company')
    await page.getByText('Ohio Forge Inc. has not confirmed who its people are').waitFor()
    await page.getByRole('button', { name: 'Confirm this person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your signature is shown with this record about you').click()
    await dialog.getByText(/^By a person invited by the operator on/).waitFor()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Confirm the list' }).click()
    await page.getByText(/^confirmed by sam@supplier\.test on/).waitFor()
    expect(await page.getByRole('button', { name: 'Confirm this person' }).count()).toBe(0)
    await olga.open('/settings/parties')
    await olga.page
      .getByRole('row', { name: /Ohio Forge/ })
      .getByText(/confirmed .* by sam@supplier\.test/)
      .waitFor()
    expectQuiet(sam)
  })

  longTest('stories', 'invites a colleague itself; the owner cannot, and gets no link', async () => {
    await olga.open('/settings/people')
    const row = olga.page.getByRole('row', { name: /Sam Ortiz/ })
    await row.getByText('admits its own people').waitFor()
    await row.getByRole('button', { name: 'Change Sam Ortiz' }).click()
    await olga.page.getByRole('menuitem', { name: 'Link for a new password' }).click()
    await olga.page.getByRole('button', { name: 'Make the link' }).click()
    await olga.page.getByRole('alert').getByText('somebody of ohio-forge makes it').waitFor()
    expectQuiet(olga, refused(403))
    await olga.page.keyboard.press('Escape')

    await sam.open('/settings/company')
    await invite(sam, 'bob@supplier.test')
    const link = (await sam.page.getByTestId('link').textContent())!
    await sam.page.getByRole('button', { name: 'Done' }).click()
    const guest = await house.stranger()
    await guest.page.goto(link)
    await guest.page.getByLabel('New password').fill('a long enough one')
    await guest.page.getByLabel('Type it again').fill('a long enough one')
    await guest.page.getByRole('button', { name: 'Set the password and join' }).click()
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    await sam.open('')
    await sam.page.getByText('bob@supplier.test').first().waitFor()
    await sam.page.getByRole('link', { name: 'Show all' }).click()
    const news = sam.page.getByRole('region', { name: 'News about people' })
    await news.getByText('bob@supplier.test joined').waitFor()
    await sam.page
      .getByRole('row', { name: /Sam Ortiz/ })
      .getByText('administrator')
      .waitFor()
    expect(await sam.page.getByRole('row', { name: /bob/ }).getByText('administrator').count()).toBe(0)
    await sam.page.getByText(/^changed since sam@supplier\.test confirmed it/).waitFor()
    await news.getByRole('button', { name: 'I have seen this' }).click()
    await news.waitFor({ state: 'detached' })
    expectQuiet(sam)
  })
})
