import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { problemOfSlip, readSlip } from '../../src/core/proof/slip.ts'
import { formatHash, formatPct } from '../../web/components/words/words.ts'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse, type Visit } from './house.ts'
import { settle } from './pages.ts'
import { askApi, expectQuiet, expectWords, keepFile, plain, refused, rowsOf, tableWith, wordsOf } from './story.ts'

let ann: Visit
let sam: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  ;[ann, sam] = await Promise.all([house.visit('ann'), house.visit('sam')])
})

const head = 'series,period,value,version,published,name,unit,dataType'
const copper = `${head}
CUSTOM/copper,2025-11,100.0,FINAL,2025-12-10,"Copper, agreed index",2020=100,INDEX
CUSTOM/copper,2025-12,101.0,FINAL,2026-01-10,,,
CUSTOM/copper,2026-01,103.0,FINAL,2026-02-10,,,
CUSTOM/copper,2026-02,102.0,FINAL,2026-03-10,,,
CUSTOM/copper,2026-03,105.0,FINAL,2026-04-10,,,
`

const importFigures = async (name: string, text: string) =>
  house.command('import', await keepFile(house, name, text), '--workspace', 'demo')

/** Every month by the value of two months before, against November 2025; four of them. */
async function applyAgreement(slug: string, buyers: readonly string[], suppliers: readonly string[]): Promise<void> {
  const document = `slug: ${slug}
name: ${slug.replace('-', ' ')}
status: ACTIVE
contract:
  start: 2026-01-01
  end: 2026-05-31
  frequency: MONTHLY
  price: { amount: 2000.00, currency: EUR, unit: tonne, round: { dp: 2 } }
parties:
  buyer: [${buyers.join(', ')}]
  supplier: [${suppliers.join(', ')}]
inputs:
  copper: { series: CUSTOM/${slug.split('-')[0]}, weight: 1, base: 2025-11, lag: 2 months }
clause:
  rounding: { percent: { dp: 2 } }
`
  await house.command('pam', 'apply', await keepFile(house, `${slug}.yaml`, document), '--workspace', 'demo')
}

interface ApiAdjustment {
  readonly adjustmentPct: number
  readonly confirmed: { readonly buyer: string | null; readonly supplier: string | null }
}

const adjustmentOf = (slug: string, period: string, cut = '') =>
  askApi<ApiAdjustment>(house, `/pams/${slug}/adjustment?period=${period}${cut}`)

const hashOf = async (slug: string, period: string) =>
  (await askApi<{ hash: string }>(house, `/pams/${slug}/adjustment/receipt?period=${period}`)).hash

const panel = (page: Page) => page.getByRole('complementary', { name: 'Sign-off' })
const side = (page: Page, party: 'buyer' | 'supplier') => page.getByRole('region', { name: party })

/** `+1.98 % 2020.00 EUR → 2060.00 EUR …`: the number and the price under it. */
async function answerOf(page: Page): Promise<string> {
  const text = await wordsOf(page.getByRole('article'))
  return /adjustment date \S+ \S+ \S+ (.*? % since the start)/.exec(text)?.[1] ?? text
}

/** The buyer has signed the period between. */
const betweenWords =
  '12.79 settled → 13.30 (2026-Q2, signed by you) → 13.73 · +3.23 % on 2026-Q2, +7.35 % on what is paid'
const oneStep = [betweenWords, /13.30 → 13.73 EUR \/ piece/, '+3.23 %'] as const

/** Opens a period and waits for it. */
async function openPeriod({ page, open }: Visit, slug: string, period: string): Promise<void> {
  await open(`/agreements/${slug}/periods/${period}`)
  await page.getByRole('heading', { level: 1, name: `Adjustment ${period}` }).waitFor()
}

async function sign(page: Page, party: 'buyer' | 'supplier'): Promise<void> {
  await panel(page)
    .getByRole('button', { name: `Sign as ${party}` })
    .click()
  await confirmIn(page.getByRole('dialog'), party)
}

/** The password, where it is asked for, and the signature. */
async function confirmIn(dialog: Locator, party: 'buyer' | 'supplier'): Promise<void> {
  const button = dialog.getByRole('button', { name: `Sign as ${party}` })
  await button.waitFor()
  const field = dialog.getByLabel('Your password')
  if ((await field.count()) > 0) await field.fill(house.passwordOf(party === 'buyer' ? 'ann' : 'sam').password)
  await button.click()
  await dialog.waitFor({ state: 'detached' })
}

/** What the page offers after a signature proves it, and the browser keeps its checkpoint. */
async function saveSlip(page: Page): Promise<void> {
  const notice = page.getByRole('region', { name: 'Slips' })
  await expectWords(notice, 'Your signature is in the public log.')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    notice.getByRole('button', { name: 'Save the slip' }).click(),
  ])
  const slip = readSlip(await readFile(await download.path(), 'utf8'))
  expect(problemOfSlip(slip)).toBeNull()
  expect(await page.evaluate(() => localStorage.getItem('assize-log-checkpoint'))).toContain(slip.checkpoint.text)
}

describe('buyer and supplier', () => {
  test('sign what they see, each in a browser of their own, and then it is fixed', async () => {
    await ann.open('/sign-offs')
    await expectWords(ann.page.getByRole('row').filter({ hasText: 'Steel brackets, Ohio Forge' }).first(), ...oneStep)
    await ann.page.getByRole('button', { name: 'Steel brackets, Ohio Forge', exact: true }).first().click()
    const beside = ann.page.getByRole('complementary', { name: 'Beside the list: Steel brackets, Ohio Forge' })
    await expectWords(beside, ...oneStep)
    await beside.getByRole('link', { name: 'Adjustment 2026-Q3' }).click()
    await ann.page.getByRole('heading', { level: 1, name: 'Adjustment 2026-Q3' }).waitFor()
    const hash = await hashOf('steel-brackets', '2026-Q3')
    await ann.page.getByText(hash).waitFor()
    expect(await answerOf(ann.page)).toMatch(/^\+3.23 % 13.30 EUR → 13.73 EUR per piece \(\+0.43 EUR\)/)
    await expectWords(ann.page.getByRole('article'), betweenWords)
    await expectWords(panel(ann.page), betweenWords, 'The supplier has not signed yet.')
    await panel(ann.page).getByRole('button', { name: 'Sign as buyer' }).click()
    const dialog = ann.page.getByRole('dialog', { name: 'Sign 2026-Q3 as buyer' })
    await expectWords(
      dialog,
      betweenWords,
      `Receipt ${formatHash(hash)}`,
      'Signed by Ann Becker, ann@buyer.test',
      'The supplier has not signed yet',
    )
    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Sign as buyer' }).click()
    await dialog.getByText('That password is wrong').waitFor()
    expect((await adjustmentOf('steel-brackets', '2026-Q3')).confirmed.buyer).toBeNull()
    await confirmIn(dialog, 'buyer')
    await expectWords(panel(ann.page), 'Waits for supplier')
    await saveSlip(ann.page)
    await expectWords(
      side(ann.page, 'buyer'),
      /^For the buyer Ann Becker signed \d+ \w+ \d{4}, \d\d:\d\d UTC with a password, recorded by this server/,
    )

    // Sam has an earlier one to sign; it is signed too.
    await sam.open('/sign-offs')
    await settle(sam.page)
    const waiting = sam.page.getByRole('row').filter({ hasText: 'Steel brackets, Ohio Forge' }).first()
    await expectWords(waiting, '2 up to 2026-Q3', 'buyer signed')
    await openPeriod(sam, 'steel-brackets', '2026-Q3')
    await expectWords(
      panel(sam.page),
      'The buyer has signed: Ann Becker',
      '2026-Q2 comes first; signing here signs it too.',
    )
    await expectWords(side(sam.page, 'buyer'), /Ann Becker signed \d.* with a password, recorded by this server/)
    await sam.page.getByText(hash).waitFor()
    await panel(sam.page).getByRole('button', { name: 'Sign as supplier' }).click()
    const both = sam.page.getByRole('dialog', { name: 'Sign 2 periods as supplier' })
    const numbers = await rowsOf(both.getByRole('table'))
    expect(numbers.map(row => [row.Period, row['Change, %'] !== '', row['Price, EUR'] !== ''])).toEqual([
      ['2026-Q2', true, true],
      ['2026-Q3', true, true],
    ])
    await both.getByRole('button', { name: 'Show the hashes' }).click()
    await both.getByText(hash).waitFor()
    await both.getByText(await hashOf('steel-brackets', '2026-Q2')).waitFor()
    await confirmIn(both, 'supplier')
    await panel(sam.page).getByText('Signed by both sides').waitFor()

    await ann.page.reload()
    await panel(ann.page).getByText('Signed by both sides').waitFor()
    await expectWords(side(ann.page, 'supplier'), /Sam Ortiz signed \d.* with a password, recorded by this server/)
    expect(await panel(ann.page).getByRole('button').count()).toBe(0)
    await openPeriod(ann, 'steel-brackets', '2026-Q2')
    await panel(ann.page).getByText('Signed by both sides').waitFor()
    const { confirmed } = await adjustmentOf('steel-brackets', '2026-Q3')
    expect(confirmed).toEqual({ buyer: expect.any(String), supplier: expect.any(String) })
    expectQuiet(ann, refused(422))
    expectQuiet(sam)
  })

  longTest(
    'stories',
    'keep their signed number when figures are revised, with today’s next to it; open numbers change',
    async () => {
      await importFigures('copper.csv', copper)
      await applyAgreement('copper-wire', ['ann@buyer.test'], ['sam@supplier.test'])
      await openPeriod(ann, 'copper-wire', '2026-03')
      await expectWords(panel(ann.page), '2026-02 comes first; signing here signs it too.')
      await sign(ann.page, 'buyer')
      await openPeriod(sam, 'copper-wire', '2026-03')
      await sign(sam.page, 'supplier')
      await panel(sam.page).getByText('Signed by both sides').waitFor()
      await openPeriod(ann, 'copper-wire', '2026-04')
      await sign(ann.page, 'buyer')
      const open = await answerOf(ann.page)
      await openPeriod(ann, 'copper-wire', '2026-03')
      const signed = await answerOf(ann.page)
      expect(signed).toMatch(/^\+1\.98 % 2 020\.00 EUR → /)
      expect(await ann.page.getByText('With today’s figures it would be').count()).toBe(0)

      await importFigures(
        'revision.csv',
        `${head}
CUSTOM/copper,2026-01,104.0,REVISED,2026-09-01,,,
CUSTOM/copper,2026-02,103.5,REVISED,2026-09-01,,,
`,
      )
      await ann.page.reload()
      await ann.page.getByText('With today’s figures it would be').waitFor()
      expect(await answerOf(ann.page)).toBe(signed)
      const today = await adjustmentOf('copper-wire', '2026-03', '&asOf=2026-09-30')
      await expectWords(
        ann.page.getByRole('article'),
        plain(`With today’s figures it would be ${formatPct(today.adjustmentPct.toString())}`),
        /Copper, agreed index, 2026-01: 103\.0 → 104\.0, published 1 Sep 2026, uploaded by the operator, [^.]+\.csv\. explains /,
      )
      expect((await adjustmentOf('copper-wire', '2026-03')).adjustmentPct).toBe(1.98)

      await openPeriod(ann, 'copper-wire', '2026-04')
      expect(await answerOf(ann.page)).not.toBe(open)
      await expectWords(panel(ann.page), 'The proposal has moved You signed')
      // What she saw last is known in any browser of hers; every number is in the history with its cause.
      await panel(ann.page)
        .getByText(/Since you last looked on/)
        .waitFor()
      const history = ann.page.getByRole('list', { name: 'Every number that was proposed' })
      await expectWords(
        history,
        /Copper, agreed index, 2026-02: 102\.0 → 103\.5 \(revised\), published 1 Sep 2026/,
        /signed [+−][\d.]+ % for the buyer by Ann Becker/,
      )
      await history.getByRole('link', { name: /UTC$/ }).last().click()
      await ann.page
        .getByText(/As it stood on/)
        .first()
        .waitFor()
      await expect.poll(() => answerOf(ann.page)).toContain(open)
      await expect.poll(() => panel(ann.page).getByRole('button').count()).toBe(0)
      await ann.page.getByRole('button', { name: 'Back to today' }).click()
      await expect.poll(() => answerOf(ann.page)).not.toBe(open)
      await openPeriod(sam, 'copper-wire', '2026-04')
      await expectWords(panel(sam.page), 'The proposal has moved The buyer, Ann Becker, signed')
      await ann.open('/sign-offs')
      const row = ann.page.getByRole('row').filter({ hasText: 'copper wire' }).first()
      await expectWords(row, 'moved since signed')
      await ann.open('/agreements/copper-wire')
      await tableWith(ann.page, 'With today’s figures').waitFor()
      const periods = await rowsOf(tableWith(ann.page, 'With today’s figures'))
      expect(
        periods.map(row => [row.Period, row['Sign-off'], row['With today’s figures, EUR'] === '' ? 'same' : 'other']),
      ).toEqual([
        ['2026-05', 'waits for buyer and supplier', 'same'],
        ['2026-04', 'waits for buyer and supplier', 'same'],
        ['2026-03', 'signed by both', 'other'],
        ['2026-02', 'signed by both', 'same'],
      ])
      expectQuiet(ann)
      expectQuiet(sam)
    },
  )

  test('see when a proposal changed between viewing and signing, and sign after another look', async () => {
    const zinc = copper.replaceAll('CUSTOM/copper', 'CUSTOM/zinc').replace('Copper', 'Zinc')
    await importFigures('zinc.csv', zinc)
    await applyAgreement('zinc-sheet', ['ann@buyer.test'], ['sam@supplier.test'])
    await openPeriod(ann, 'zinc-sheet', '2026-02')
    const seen = await hashOf('zinc-sheet', '2026-02')
    await panel(ann.page).getByRole('button', { name: 'Sign as buyer' }).click()
    const dialog = ann.page.getByRole('dialog')
    await dialog.getByText(formatHash(seen)).waitFor()

    await importFigures('revised-zinc.csv', `${head}\nCUSTOM/zinc,2025-12,101.4,REVISED,2026-09-02,,,\n`)
    await dialog.getByRole('button', { name: 'Sign as buyer' }).click()
    await dialog.getByText('The proposal changed while this dialog was open; nothing was signed').waitFor()
    const now = await hashOf('zinc-sheet', '2026-02')
    expect(now).not.toBe(seen)
    await expectWords(
      dialog,
      /The adjustment: [+−]?[\d.]+ % → [+−]?[\d.]+ %/,
      'Zinc, agreed index, 2025-12: 101.0 → 101.4 (revised)',
      formatHash(now),
    )
    expect((await adjustmentOf('zinc-sheet', '2026-02')).confirmed.buyer).toBeNull()

    await dialog.getByRole('button', { name: 'Sign the new proposal as buyer' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectWords(panel(ann.page), 'Waits for supplier')
    expect((await adjustmentOf('zinc-sheet', '2026-02')).confirmed.buyer).not.toBeNull()
    expectQuiet(ann, refused(409))
  })

  longTest(
    'stories',
    'are told before a version is saved whom it affects, and afterwards that the version is the cause',
    async () => {
      await openPeriod(ann, 'copper-wire', '2026-04')
      await sign(ann.page, 'buyer')
      const { page, open } = await house.visit('olga')
      await open('/agreements/copper-wire/edit')
      await page.getByRole('button', { name: /follows copper/, expanded: false }).click()
      await page.getByLabel('Lag', { exact: true }).fill('1')
      await page.getByRole('button', { name: 'Save version 2…' }).and(page.locator(':enabled')).click()
      const dialog = page.getByRole('dialog', { name: 'Save the change' })
      await expectWords(
        dialog,
        'It affects 2026-04 to 2026-05, 2 periods that are not signed by both sides.',
        'The buyer’s signature on 2026-04 no longer counts: the buyer must sign again.',
      )
      await dialog.getByRole('button', { name: 'Save version 2' }).click()
      await dialog.waitFor({ state: 'detached' })
      await openPeriod(ann, 'copper-wire', '2026-03')
      await expectWords(ann.page.getByRole('article'), /formula version 2, saved \d+ \w+ \d{4} by \S+\. explains/)
      await openPeriod(ann, 'copper-wire', '2026-04')
      const history = ann.page.getByRole('list', { name: 'Every number that was proposed' })
      await expectWords(history.getByRole('listitem').first(), 'Formula version 2, saved by Olga Lindt')
      expectQuiet(ann)
    },
  )
})

longTest(
  'stories',
  'a formula does not exist for a supplier that is not a party to it: "not found", for its series too',
  async () => {
    await importFigures('tin.csv', copper.replaceAll('CUSTOM/copper', 'CUSTOM/tin').replace('Copper', 'Tin'))
    await applyAgreement('tin-solder', ['bob@buyer.test'], ['tina@other.test'])
    const { page, open } = sam
    await open('/agreements')
    await page.getByRole('link', { name: 'copper wire' }).waitFor()
    expect(await page.getByRole('link', { name: 'tin solder' }).count()).toBe(0)
    await open('/agreements/tin-solder')
    await page.getByText('Not found').waitFor()
    await open('/agreements/tin-solder/periods/2026-03')
    await page.getByText('Not found').waitFor()
    expectQuiet(sam, refused(404), refused(404))

    const { data } = await askApi<{ data: readonly { id: string; seriesCode: string }[] }>(house, '/series?limit=200')
    const tin = data.find(({ seriesCode }) => seriesCode === 'tin')!.id
    await open('/series')
    await page.getByRole('link', { name: 'Copper, agreed index' }).waitFor()
    expect(await page.getByRole('link', { name: 'Tin, agreed index' }).count()).toBe(0)
    await open(`/series/${tin}`)
    await page.getByText('This workspace has no such series, or you cannot see it').waitFor()
    await open('/sign-offs')
    await page.getByRole('heading', { level: 1, name: 'Sign-offs' }).waitFor()
    await settle(page)
    expect(await wordsOf(page.locator('main'))).not.toContain('tin solder')
    expectQuiet(sam, refused(404))
  },
)

longTest('stories', 'a buyer who is not named, and a viewer, see why they do not sign', async () => {
  await openPeriod(ann, 'tin-solder', '2026-03')
  await expectWords(panel(ann.page), 'You sign for neither side')
  expect(await panel(ann.page).getByRole('button').count()).toBe(0)
  expectQuiet(ann)

  const { setUpLink } = JSON.parse(
    await house.command('user', 'create', 'vera@audit.test', '--workspace', 'demo', '--role', 'viewer', '--json'),
  ) as { setUpLink: string }
  const vera = await house.stranger()
  await vera.page.goto(`${house.address}/set-up${new URL(setUpLink).hash}`)
  await vera.page.getByLabel('New password').fill('a long enough one')
  await vera.page.getByLabel('Type it again').fill('a long enough one')
  await vera.page.getByRole('button', { name: 'Set the password and join' }).click()
  await vera.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await openPeriod(vera, 'copper-wire', '2026-04')
  await expectWords(panel(vera.page), 'You sign for neither side')
  expect(await panel(vera.page).getByRole('button').count()).toBe(0)
  for (const [address, words] of [
    ['/agreements/new', /Your role does not let you make agreements/],
    ['/agreements/copper-wire/edit', /Your role does not let you change agreements/],
    ['/series/upload', /Your role cannot upload figures/],
  ] as const) {
    await vera.open(address)
    await vera.page.getByText(words).waitFor()
  }
  expectQuiet(vera)
})

describe('what a browser has seen of the log', () => {
  test('is told from a rewritten log at the next visit', async () => {
    await ann.open('/sign-offs')
    await settle(ann.page)
    const kept = await ann.page.evaluate(() => localStorage.getItem('assize-log-checkpoint'))
    expect(await ann.page.getByRole('alert').count()).toBe(0)
    const [origin, size, , ...rest] = kept!.split('\n')
    const other = [origin, size, Buffer.alloc(32, 9).toString('base64'), ...rest].join('\n')
    await ann.page.evaluate(note => localStorage.setItem('assize-log-checkpoint', note), other)
    await ann.page.reload()
    await expectWords(ann.page.getByRole('alert'), 'History was rewritten', 'slips that you saved')
    await ann.page.evaluate(() => localStorage.removeItem('assize-log-checkpoint'))
  })
})
