// What a final figure did to signed prices, from the list of revisions to a correction that both have signed and its ledger.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { examineOverlay } from './axe.ts'
import { openHouse, type Visit } from './house.ts'
import { settle } from './pages.ts'
import { addAuthenticator, addPasskey } from './passkey-device.ts'
import { expectQuiet, refused, rowsOf, tableWith } from './story.ts'

const demo = ['--workspace', 'demo', '--json'] as const

let ann: Visit
let sam: Visit
let pia: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  ;[ann, sam, pia] = await Promise.all([house.visit('ann'), house.visit('sam'), house.visit('pia')])
})

/** Shows the agreements of every index value. */
async function openCauses({ page }: Visit): Promise<void> {
  await settle(page)
  const closed = page.getByRole('button', { name: /^Show agreements of/ })
  while ((await closed.count()) > 0) await closed.first().click()
  await settle(page)
}

/** What is asked before something is proposed, of one agreement and of all that is due. */
async function openProposals({ page, open }: Visit): Promise<void> {
  await open('/agreements/rack-frames/ledger')
  await page.getByRole('button', { name: 'Propose a correction' }).click()
  await page.getByRole('dialog').getByText('every period that is due under the contract').waitFor()
  await examineOverlay(page, 'pages/true-up/ledger/page.tsx')
  await open('/ledgers')
  await page.getByRole('button', { name: 'Propose all due' }).click()
  await page.getByRole('dialog').getByText('Rack frames').waitFor()
  await examineOverlay(page, 'components/true-up/propose-dialog.tsx')
}

/** Until all of a list is computed nothing of it is proposed, and the buttons say so. */
async function awaitWholeLists({ page, open }: Visit): Promise<void> {
  const lists = /\/(?:revisions|ledgers)(?:\?|$)/
  let isWhole = false
  // The server's own answer, as it is while a part of it is still computed.
  await page.route(
    ({ pathname, search }) => pathname.startsWith('/console/') && lists.test(`${pathname}${search}`),
    async route => {
      const answer = await route.fetch()
      const json = await answer.json()
      await route.fulfill({ response: answer, json: isWhole ? json : { ...json, updating: 3 } })
    },
  )
  for (const address of ['/revisions?since=2024-01-01&q=rack', '/ledgers']) {
    isWhole = false
    await open(address)
    await page.getByText('Updating: 3 agreements left').waitFor()
    const early = page.getByRole('button', { name: 'Propose all due once the list is complete' })
    await early.waitFor()
    expect(await early.isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Propose.* due/, disabled: false }).count()).toBe(0)
    isWhole = true
    await page.getByRole('button', { name: 'Propose all due', exact: true, disabled: false }).waitFor()
  }
  await page.unrouteAll({ behavior: 'wait' })
}

test('lists what moved, and each person marks it as seen for themselves', async () => {
  await ann.open('/revisions?kind=SIGNED_MOVED')
  await settle(ann.page)
  // The page adds up what is computed, and asks again until that is everything.
  const flows = async () =>
    (await rowsOf(tableWith(ann.page, 'Payer and payee'))).map(each => [each['Payer and payee'], each.Amount])
  await expect.poll(flows).toContainEqual(['Ohio Forge Inc. → Demo GmbH', '55.68 EUR'])
  await openCauses(ann)
  const rows = await rowsOf(ann.page.locator('table table').first())
  expect(rows.slice(0, 2).map(({ Amount }) => Amount)).toEqual(['−200.00 EUR', '−55.68 EUR'])
  await ann.page.getByRole('button', { name: 'Mark all as seen' }).click()
  await ann.page.getByText('No matching changes').waitFor()
  await pia.open('/revisions')
  await openCauses(pia)
  expect(await pia.page.getByRole('link', { name: /Ohio Forge/ }).count()).toBe(0)
  expect(await pia.page.getByRole('link', { name: /Peach Haulage/ }).count()).toBe(1)
  expectQuiet(ann)
  expectQuiet(pia)
})

test('is proposed again after a refusal, once the lists are whole, and the buyer signs it with a passkey', async () => {
  const { page, open } = ann
  const { data } = JSON.parse(await house.command('correction', 'list', 'rack-frames', ...demo)) as {
    data: { id: string; state: string }[]
  }
  const waiting = data.find(({ state }) => state === 'SIGNED_BY_BUYER')!
  const no = ['--party', 'supplier', '--as', 'sam@supplier.test', '--reason', 'the invoice is another one']
  await house.command('correction', 'refuse', waiting.id, ...no, ...demo)
  await awaitWholeLists(ann)
  await openProposals(ann)
  const again = JSON.parse(await house.command('correction', 'propose', 'rack-frames', ...demo)) as {
    id: string
    hash: string
  }
  await addAuthenticator(ann)
  await addPasskey(ann, house.passwordOf('ann').password)
  await open(`/corrections/${again.id}`)
  await page.getByRole('button', { name: 'Sign as buyer' }).click()
  const dialog = page.getByRole('dialog')
  const sent = page.waitForRequest(request => request.url().endsWith('/sign'))
  await dialog.getByRole('button', { name: 'Sign as buyer with your passkey' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    party: 'buyer',
    hash: again.hash,
    passkey: { type: 'public-key' },
  })
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('with a passkey', { exact: false }).first().waitFor()
  expectQuiet(ann, refused(403))
})

test('leads to the correction that waits, which the supplier signs with the password; the ledger has it', async () => {
  const { page, open } = sam
  await open('/revisions?q=rack')
  await openCauses(sam)
  await page.getByRole('link', { name: 'Waits for the supplier' }).first().click()
  await page.getByText('−55.68', { exact: false }).first().waitFor()
  await page.getByRole('heading', { name: '2025-Q4, both calculations' }).waitFor()
  await page.getByRole('button', { name: 'Sign as supplier' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(house.passwordOf('sam').password)
  await dialog.getByRole('button', { name: 'Sign as supplier' }).click()
  await page.getByText('Signed by both sides').first().waitFor()
  await page.getByRole('link', { name: 'Ledger', exact: true }).first().click()
  await page.getByText('Ohio Forge Inc. owes Demo GmbH 55.68 EUR').waitFor()
  await page.getByText('Correction agreed').waitFor()
  await page.getByText('Agreed, not yet billed').first().waitFor()
  expectQuiet(sam)
})

test('is billed by a note that is issued on the page: its document is saved, and the ledger has nothing left to bill', async () => {
  const { page, open } = sam
  await open('/agreements/rack-frames/ledger')
  await page
    .getByRole('link', { name: /Correction agreed|cor_/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Issue a note' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue a note' })
  await dialog.getByLabel('Number of the document').fill('CN-2026-7')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Issue the note' }).click()
  const document = await readFile((await (await saved).path())!, 'utf8')
  expect(document).toContain('CN-2026-7')
  // Both sides keep what an electronic note needs, so it is one.
  expect(document).toMatch(/<CreditNote .*<cbc:TaxExclusiveAmount currencyID="EUR">55\.68</)
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('CN-2026-7').first().waitFor()
  await page.getByRole('button', { name: 'Issue a note' }).waitFor({ state: 'detached' })
  const ledger = JSON.parse(await house.command('ledger', 'rack-frames', ...demo)) as {
    balances: Record<string, string>
  }
  expect(ledger.balances.agreed).toBe('0.00')
  expectQuiet(sam)
})

longTest(
  'stories',
  'names what was billed under the number of the note and does not belong to it, on the ledger and in a check',
  async () => {
    const { page, open } = ann
    const head = 'invoice,line,agreement,amount,currency,date,kind'
    const line = (number: string, own: string, amount: string) =>
      `${number},${own},rack-frames,${amount},EUR,2026-03-02,CORRECTION`
    const folder = await mkdtemp(join(tmpdir(), 'assize-note-'))
    const file = join(folder, 'note.csv')
    const rows = [
      line('CN-2026-7', '1', '-55.68'),
      line('cn-2026-07', '2', '99999.00'),
      line('CN-2026-7', '3', '-55.68'),
    ]
    await writeFile(file, `${[head, ...rows].join('\n')}\n`)
    await open('/bring-in?kind=invoices')
    await page.locator('input[type=file]').setInputFiles(file)
    await page
      .getByText(/note CN-2026-7 is of .*, but the line bills/i)
      .filter({ visible: true })
      .first()
      .waitFor()
    await house.command('invoice', 'import', file, ...demo)
    await open('/agreements/rack-frames/ledger')
    await page.getByRole('heading', { name: 'Billing differences' }).waitFor()
    const named = await rowsOf(page.getByRole('table').first())
    expect(named.map(({ Line, Why }) => `${Line}: ${Why}`).sort()).toEqual([
      expect.stringMatching(/^CN-2026-7, line 3, .*Billed twice/s),
      expect.stringMatching(/^cn-2026-07, line 2, .*Other amount/s),
    ])
    const about = page.getByRole('link', { name: 'CN-2026-7' }).first()
    await about.click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expectQuiet(ann)
    await rm(folder, { recursive: true })
  },
)

longTest('stories', 'is not there for a supplier of another agreement', async () => {
  await pia.open('/agreements/rack-frames/ledger')
  await pia.page.getByText('Not found').first().waitFor()
})
