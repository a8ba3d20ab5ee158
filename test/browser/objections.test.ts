// Saying no in the browser: the supplier objects, the buyer answers, another number is proposed, and both sign it.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { openHouse, type Visit } from './house.ts'
import { expectWords, keepFile } from './story.ts'

let ann: Visit
let sam: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  await importFigures('zinc.csv', '2025-11,100.0,FINAL,2025-12-10\n2025-12,104.0,FINAL,2026-01-10')
  const document = `slug: zinc-parts
name: Zinc parts
status: ACTIVE
contract:
  start: 2026-01-01
  end: 2026-02-28
  frequency: MONTHLY
  price: { amount: 200.00, currency: EUR, unit: piece, round: { dp: 2 } }
parties: { buyer: [ann@buyer.test], supplier: [sam@supplier.test] }
inputs:
  zinc: { series: CUSTOM/zinc, weight: 1, base: 2025-11, lag: 2 months }
clause:
  rounding: { percent: { dp: 2 } }
`
  await house.command('pam', 'apply', await keepFile(house, 'zinc.yaml', document), '--workspace', 'demo')
  ;[ann, sam] = await Promise.all([house.visit('ann'), house.visit('sam')])
})

async function importFigures(name: string, lines: string): Promise<void> {
  const rows = lines.split('\n').map(line => `CUSTOM/zinc,${line},Zinc`)
  const text = `series,period,value,version,published,name\n${rows.join('\n')}\n`
  await house.command('import', await keepFile(house, name, text), '--workspace', 'demo')
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Sign-off' })

async function openPeriod({ page, open }: Visit): Promise<void> {
  await open('/agreements/zinc-parts/periods/2026-02')
  await page.getByRole('heading', { level: 1, name: 'Adjustment 2026-02' }).waitFor()
}

async function sign({ page }: Visit, name: 'ann' | 'sam', party: 'buyer' | 'supplier'): Promise<void> {
  await panel(page)
    .getByRole('button', { name: `Sign as ${party}` })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(house.passwordOf(name).password)
  await dialog.getByRole('button', { name: `Sign as ${party}` }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('a number that one side does not accept', () => {
  test('is objected to with a reason, a figure and another reading, and is disputed for both', async () => {
    await openPeriod(sam)
    await panel(sam.page).getByRole('button', { name: 'Object' }).click()
    const dialog = sam.page.getByRole('dialog', { name: 'Object to 2026-02 as supplier' })
    await dialog.getByRole('combobox', { name: 'What is wrong' }).click()
    await sam.page.getByRole('option', { name: 'Zinc, 2025-12: 104.0 (zinc)' }).click()
    await dialog.getByLabel('Why').fill('The bulletin says 106.0.')
    await dialog.getByRole('combobox', { name: 'Your reading of the clause' }).click()
    await sam.page.getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Object' }).click()
    await dialog.waitFor({ state: 'detached' })
    await panel(sam.page).getByRole('heading', { name: 'Disputed by the supplier' }).waitFor()
    await panel(sam.page).getByRole('button', { name: 'Sign as supplier' }).click()
    const asked = sam.page.getByRole('dialog').getByRole('list', { name: 'Before you sign' })
    await expectWords(asked, /^Disputed by the supplier: Zinc, 2025-12\. The bulletin says 106\.0\.$/)
    await sam.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await ann.open('/')
    const disputed = ann.page.getByRole('row').filter({ hasText: 'Zinc parts' }).filter({ hasText: 'disputed' })
    await expectWords(disputed, 'disputed by the supplier')
    await disputed.getByRole('link', { name: '2026-02' }).click()
    await ann.page.getByRole('heading', { level: 1, name: 'Adjustment 2026-02' }).waitFor()
    await panel(ann.page).getByText('Zinc, 2025-12. The bulletin says 106.0.').waitFor()
    await ann.open('/sign-offs')
    const row = ann.page.getByRole('row').filter({ hasText: 'Zinc parts' }).first()
    await expectWords(row, 'disputed')
  })

  test('is answered and proposed again, in the long form signed by both; what was said stays under the hash it was about', async () => {
    await openPeriod(ann)
    await ann.page.getByLabel('Your answer, for the buyer').fill('Right. The figure is corrected.')
    await ann.page.getByRole('button', { name: 'Send the answer' }).click()
    await ann.page.getByText('Right. The figure is corrected.').waitFor()

    await importFigures('corrected.csv', '2025-12,106.0,REVISED,2026-02-01')
    await openPeriod(sam)
    const said = sam.page.getByRole('listitem').filter({ hasText: 'The bulletin says 106.0.' })
    await said.getByText('answered by a new proposal').waitFor()
    await expectWords(said, 'to +4 %, 208.00 EUR')
    expect(await panel(sam.page).getByText('Disputed').count()).toBe(0)
    expect([...ann.complaints, ...sam.complaints]).toEqual([])

    // Signatures of both sides end it, which the console's own tests show.
    if (!onlyLong('stories', 'both signatures under an objection')) return
    await sign(sam, 'sam', 'supplier')
    await openPeriod(ann)
    await sign(ann, 'ann', 'buyer')
    await panel(ann.page).getByText('Signed by both sides').waitFor()
    await ann.page.getByText('The bulletin says 106.0.').waitFor()
    expect(await ann.page.getByRole('button', { name: 'Object' }).count()).toBe(0)
  })
})
