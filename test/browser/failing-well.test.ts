import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readFormula } from '../../src/demo/agreements.ts'
import { ownHouse } from '../support/houses/house.ts'
import { someOf } from '../support/run/long-form.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse, type Visit } from './house.ts'
import {
  askApi,
  chooseFile,
  expectQuiet,
  expectWords,
  isLostWords,
  keepFile,
  plain,
  refused,
  textFile,
} from './story.ts'

let olga: Visit
let ann: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  ;[olga, ann] = await Promise.all([house.visit('olga'), house.visit('ann')])
})
afterEach(async () => {
  for (const { page, context } of [olga, ann]) {
    await context.setOffline(false)
    await page.unrouteAll()
  }
})

const unreachable = 'The server cannot be reached.'
/** A page of the list of formulas. */
const listAddress = /\/console\/w\/demo\/agreements(?:\?|$)/
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()

/** The only complaint is about the connection. */
function expectOnlyLost({ complaints }: Visit): void {
  const said = complaints.splice(0)
  expect(said.length).toBeGreaterThan(0)
  expect(
    said.filter(each => !isLostWords(each) && !each.startsWith('ApiFailure: The server cannot be reached')),
  ).toEqual([])
}

/** The day the buyer signed, by the API. */
async function signedByBuyer(slug: string, period: string): Promise<string | null> {
  const { confirmed } = await askApi<{ confirmed: { readonly buyer: string | null } }>(
    house,
    `/pams/${slug}/adjustment?period=${period}`,
  )
  return confirmed.buyer
}

/** Until something is pressed: the page may ask again by itself at any time, and would then have no button any more. */
async function failUntilPressed(page: Page, address: string | RegExp, answer: Answer): Promise<void> {
  await page.goto(`${house.address}/verify`)
  await page.evaluate(`sessionStorage.removeItem('isPressed')`)
  await page.route(address, async route => {
    // A page that is being left has nobody who pressed anything.
    const isPressed = await page.evaluate(`sessionStorage.isPressed === 'yes'`).catch(() => false)
    return isPressed ? route.continue() : route.fulfill(answer)
  })
}

type Answer = { readonly status: number; readonly contentType: string; readonly body: string }

async function tryAgain(page: Page): Promise<void> {
  await page.evaluate(`addEventListener('click', () => { sessionStorage.isPressed = 'yes' }, { capture: true })`)
  await page.getByRole('button', { name: 'Try again' }).click()
}

async function askToSign({ page, open }: Visit, slug: string, period: string): Promise<Locator> {
  await open(`/agreements/${slug}/periods/${period}`)
  await page.getByRole('button', { name: 'Sign as buyer' }).click()
  // Together with earlier periods whose proposal has changed.
  const dialog = page.getByRole('dialog', { name: /^Sign (?:\S+|\d+ periods) as buyer$/ })
  await dialog.getByRole('button', { name: 'Sign as buyer' }).waitFor()
  const field = dialog.getByLabel('Your password')
  if ((await field.count()) > 0) await field.fill(house.passwordOf('ann').password)
  return dialog
}

describe('a lost connection', () => {
  test('while a change is tried out and saved loses nothing, and work continues when it is back', async () => {
    const { page, open, context } = olga
    await open('/agreements/steel-brackets/edit')
    await page.getByText('As saved.').waitFor()
    await page.getByRole('button', { name: /^At most \+4 % per period/ }).click()
    const result = page.getByRole('region', { name: 'Result' })
    const numbers = plain(await result.getByRole('table').innerText())

    await context.setOffline(true)
    await page.getByLabel('At most in a period').fill('3')
    await result.getByRole('alert').getByText(unreachable).waitFor()
    expect(await page.getByLabel('At most in a period').inputValue()).toBe('3')
    expect(plain(await result.getByRole('table').innerText())).toBe(numbers)
    await context.setOffline(false)
    await result.getByRole('button', { name: 'Try again' }).click()
    await result.getByText(/\d+ periods? different from the saved version/).waitFor()
    await result.getByRole('alert').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Save version 2…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the change' })
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Save version 2' }).click()
    await dialog.getByRole('alert').getByText(unreachable).waitFor()
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Save version 2' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForURL('**/agreements/steel-brackets')
    expectOnlyLost(olga)
  })

  longTest('stories', 'while signing signs nothing and says so; a second press signs', async () => {
    const { page, context } = ann
    const dialog = await askToSign(ann, 'steel-brackets', '2026-Q3')
    await dialog.waitFor()
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Sign as buyer' }).click()
    await dialog.getByRole('alert').getByText(unreachable).waitFor()
    await context.setOffline(false)
    expect(await signedByBuyer('steel-brackets', '2026-Q3')).toBeNull()
    await dialog.getByRole('button', { name: 'Sign as buyer' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Waits for supplier').waitFor()
    expect(await signedByBuyer('steel-brackets', '2026-Q3')).not.toBeNull()
    expectOnlyLost(ann)
  })

  test('that swallows the answer to a signature leaves it signed; pressing again shows it', async () => {
    const { page } = ann
    await page.route('**/periods/2026/sign', async route => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    const dialog = await askToSign(ann, 'bridge-engineering', '2026')
    await dialog.getByRole('button', { name: 'Sign as buyer' }).click()
    await dialog.getByRole('alert').getByText(unreachable).waitFor()
    expect(await signedByBuyer('bridge-engineering', '2026')).not.toBeNull()
    await page.unroute('**/periods/2026/sign')
    await dialog.getByRole('button', { name: 'Sign as buyer' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Waits for supplier').waitFor()
    expectOnlyLost(ann)
  })

  test('while a file is sent imports nothing, and the file is still chosen', async () => {
    const { page, open, context } = olga
    await open('/series/upload')
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await context.setOffline(true)
    const figures = 'series,period,value,name,unit\nCUSTOM/lead,2024-01,98.2,Lead,2020=100\n'
    await chooseFile(page, 'Choose a file', textFile('lead.csv', figures))
    await page.getByRole('alert').getByText('Nothing was imported; the file is still chosen.').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Import 1 value' }).waitFor()
    expectOnlyLost(olga)
  })

  test('on the way to another page is explained, and the page comes when it is back', async () => {
    const { page, open, context } = olga
    await open('/series')
    await page.getByRole('heading', { level: 1, name: 'Series' }).waitFor()
    await context.setOffline(true)
    // Neither the page nor what it shows is here yet.
    await goTo(page, 'Sign-offs')
    await page.getByRole('alert').getByText(unreachable).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText(unreachable).waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign-offs' }).waitFor()

    // The page is here, what it shows is not: that comes by itself.
    await open('/agreements')
    await page.getByRole('link', { name: 'Bridge engineering, Bureau Garonne' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bridge engineering, Bureau Garonne' }).waitFor()
    await goTo(page, 'Agreements')
    await page.getByRole('link', { name: 'Office lease, 40 Harbor Street, Boston' }).waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Office lease, 40 Harbor Street, Boston' }).click()
    await page.getByRole('alert').getByText(unreachable).waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Office lease, 40 Harbor Street, Boston' }).waitFor()
    expectOnlyLost(olga)
  })
})

describe('a session that ended', () => {
  test('asks to sign in and returns to the same place, with what was being written', async () => {
    const { page, open, context } = olga
    await open('/agreements/office-lease/edit?view=clause')
    await page.getByText('As saved.').waitFor()
    // Signed out in another tab.
    const tab = await context.newPage()
    await tab.goto(`${house.address}/w/demo`)
    await tab.getByRole('button', { name: /account of Olga Lindt/ }).click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await tab.close()

    await page.getByRole('button', { name: /^At most \+6 % per period/ }).click()
    await page.getByLabel('At most in a period').fill('3.1')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { email, password } = house.passwordOf('olga')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/w/demo/agreements/office-lease/edit?view=clause')
    await page.getByRole('button', { name: /^At most \+3.1 % per period/ }).waitFor()
    await page.getByText(/\d+ periods? different from the saved version/).waitFor()
    const said = olga.complaints.splice(0)
    expect(said.length).toBeGreaterThan(0)
    expect(said).toEqual(said.map(() => refused(401)))

    page.once('dialog', asked => void asked.accept())
    await page.goto(`${house.address}/w/demo`)
  })
})

describe('a formula that somebody else saved meanwhile', () => {
  test('is not overwritten unseen: what they changed is shown, and nothing that was written is lost', async () => {
    const { page, open } = olga
    await open('/agreements/bridge-engineering/edit')
    await page.getByText('As saved.').waitFor()
    await page.getByRole('button', { name: 'No cap and no floor.' }).click()
    await page.getByLabel('At most in a period').fill('3')
    await page.getByText('Not saved yet').waitFor()

    const theirs = (await readFormula('bridge-engineering')).replace(
      'fixed: 0.15',
      'fixed: 0.15\n  floor: { periodPct: 0 }',
    )
    await house.command('pam', 'apply', await keepFile(house, 'theirs.yaml', theirs), '--workspace', 'demo')
    await page.getByRole('button', { name: 'Save version 2…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the change' })
    await dialog.getByRole('button', { name: 'Save version 2' }).click()
    await dialog.getByText('it is now at version 2').waitFor()
    await dialog.getByRole('button', { name: 'Show the difference' }).click()
    await expectWords(dialog, 'added: floor: { periodPct: 0 }')
    await dialog.getByRole('button', { name: 'Save version 3' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bridge engineering, Bureau Garonne' }).waitFor()
    await page.getByText('YAML', { exact: true }).click()
    await page.getByLabel('The document as it was saved').getByText('periodPct: 3').waitFor()
    expectQuiet(olga, refused(409))
  })
})

describe('an address that leads nowhere', () => {
  test('says so, with links to continue', async () => {
    const { page } = ann
    for (const [address, words, way, statuses] of someOf(
      'stories',
      'addresses that lead nowhere',
      [
        ['/nowhere', 'There is nothing at this address', 'To your workspace', [404]],
        ['/w/demo/nowhere', 'There is nothing at this address', 'To the overview', []],
        ['/w/elsewhere/series', 'There is no such workspace, or you are not a member of it', 'To your workspaces', []],
        ['/w/demo/series/ser_none', 'This workspace has no such series', 'To the list of series', [404]],
        ['/w/demo/agreements/none', 'Not found', 'All agreements', [404]],
        ['/w/demo/agreements/steel-brackets/periods/2099-Q1', 'Not found', 'To the agreement', [404]],
        ['/w/demo/agreements/steel-brackets/periods/spring', 'Not found', 'To the agreement', [404]],
      ] as const,
      { oneIn: 2 },
    )) {
      await page.goto(`${house.address}${address}`)
      await page.getByText(words).waitFor()
      expect(await page.getByRole('link', { name: way }).count(), address).toBe(1)
      expectQuiet(ann, ...statuses.map(refused))
    }
  })
})

describe('a server in trouble', () => {
  test('is reported in words, whatever its source, and can be tried again', async () => {
    const { page, open } = ann
    const answers = [
      { status: 500, contentType: 'application/json', body: '{"error":"something went wrong here; try again"}' },
      { status: 502, contentType: 'text/html', body: '<html><h1>Bad gateway</h1></html>' },
    ]
    for (const answer of answers) {
      await failUntilPressed(page, listAddress, answer)
      await open('/agreements')
      await expectWords(
        page.getByRole('alert'),
        answer.status === 500 ? 'omething went wrong here; try again' : 'an answer that cannot be read',
      )
      await tryAgain(page)
      await page.getByRole('link', { name: 'Steel brackets, Ohio Forge' }).waitFor()
      await page.unroute(listAddress)
      expectQuiet(ann, refused(answer.status))
    }
  })

  test('is also explained before anything is loaded', async () => {
    const { page, open } = ann
    const broken = { status: 500, contentType: 'application/json', body: '{"error":"out of order"}' }
    await failUntilPressed(page, '**/console/session', broken)
    await open('/agreements')
    await page.getByText(/out of order/i).waitFor()
    await tryAgain(page)
    await page.getByRole('link', { name: 'Steel brackets, Ohio Forge' }).waitFor()
    const said = ann.complaints.splice(0)
    expect(said.filter(each => !/status of 500|^ApiFailure: out of order/.test(each))).toEqual([])
  })
})
