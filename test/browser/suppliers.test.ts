// Three suppliers in one workspace, each in a window of their own, over every page: what names them is there, and
// nothing about the others. And an owner and an editor who decide who belongs to which party.
import { beforeAll, describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { isLong, someOf } from '../support/run/long-form.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse, type Visit } from './house.ts'
import { follow, settle } from './pages.ts'
import { untilAnswered } from './requests-under-way.ts'
import { askApi, expectQuiet, expectWords, rowsOf, wordsOf } from './story.ts'

/** The third supplier, named by address. */
let kim: Visit
const house = ownHouse(openHouse)
beforeAll(async () => {
  const words = ['user', 'create', 'kim@harbor.test', '--workspace', 'demo', '--role', 'supplier', '--json']
  const { setUpLink } = JSON.parse(await house.command(...words)) as { setUpLink: string }
  kim = await house.stranger()
  // As the page does it, which another story shows.
  const data = { token: new URL(setUpLink).hash.slice(1), password: 'a long enough one', isMember: false }
  const answer = await kim.context.request.post(`${house.address}/console/set-up`, {
    data,
    headers: { origin: house.address },
  })
  expect(answer.ok()).toBe(true)
}, 180_000)

interface Contract {
  readonly slug: string
  readonly name: string
  readonly period: string
  /** Another one, of the same supplier. */
  readonly others?: readonly string[]
  /** Appears on pages about it, and on none about the others. */
  readonly words: readonly string[]
}

const brackets: Contract = {
  slug: 'steel-brackets',
  name: 'Steel brackets, Ohio Forge',
  period: '2026-Q2',
  others: ['Rack frames, Ohio Forge', 'Steel tubes, Ohio Forge'],
  words: ['Ohio Forge', 'brackets', 'WPU101', 'labour-metal', 'Sam Ortiz', 'sam@supplier.test'],
}
const freight: Contract = {
  slug: 'freight-surcharge',
  name: 'Truck freight Savannah to Atlanta, Peach Haulage',
  period: '2026-09',
  others: ['Bonded warehouse Rotterdam, Peach Haulage', 'Truck lanes Savannah to Newark, Peach Haulage'],
  words: ['Peach', 'freight', 'diesel', 'EMD_EPD2D', 'Pia Marsh', 'pia@haulage.test'],
}
const lease: Contract = {
  slug: 'office-lease',
  name: 'Office lease, 40 Harbor Street, Boston',
  period: '2025',
  words: ['office-lease', 'Office lease', 'Harbor Street', 'CUUR0000SA0', 'kim@harbor.test'],
}
/** Of nobody who is in the workspace. */
const bridge = ['Bridge', 'Garonne', 'CUSTOM/ing', 'lou@garonne.test']
const contracts = [brackets, freight, lease]

async function pagesOf(): Promise<readonly string[]> {
  const { data } = await askApi<{ data: readonly { id: string }[] }>(house, '/series?limit=200')
  const formulas = [...contracts, { slug: 'bridge-engineering', period: '2025' }].flatMap(({ slug, period }) =>
    ['', '/edit', '/versions', '/compare', `/periods/${period}`].map(each => `/agreements/${slug}${each}`),
  )
  const settings = ['keys', 'people', 'parties', 'workspace', 'providers', 'activity', 'sessions']
  return [
    '',
    '/series',
    '/series/follow',
    '/series/upload',
    '/agreements',
    '/agreements/new',
    '/sign-offs',
    '/installation',
    '/agreements?supplier=peach-haulage',
    '/sign-offs?supplier=ohio-forge',
    ...data.map(({ id }) => `/series/${id}`),
    ...formulas,
    ...settings.map(part => `/settings/${part}`),
  ]
}

describe('a supplier', () => {
  // All three at once in the long form: most of the time is spent waiting for a page.
  const suppliers = [
    ['of Ohio Forge', brackets],
    ['of Peach Haulage', freight],
    ['named by address', lease],
  ] as const
  test.concurrent.each(someOf('every-page', 'suppliers who look at pages', suppliers, { oneIn: 3 }))(
    '%s finds on every page what names them, and not a word of the others',
    async (_who, own) => {
      const visit = own === brackets ? await house.visit('sam') : own === freight ? await house.visit('pia') : kim
      const { page, open, complaints } = visit
      const foreign = [...contracts.filter(each => each !== own).flatMap(({ words }) => words), ...bridge]
      let found = 0
      await open('')
      // Some of the pages, as one of the three; all as each of them in the long form. The same words over the wire are tested
      // for every route by the console's own tests.
      for (const path of someOf('every-page', 'pages, as each of three suppliers', await pagesOf(), {
        oneIn: 18,
        from: 6 * contracts.indexOf(own),
      })) {
        await follow(page, `/w/demo${path}`)
        await settle(page)
        // The slug that was typed into the address is not news to the person who typed it.
        const typed = path.split('/')[2] ?? ''
        const body = await wordsOf(page.locator('body'))
        const text = typed === own.slug || typed === '' ? body : body.replaceAll(typed, '')
        expect([path, foreign.filter(word => text.includes(word))]).toEqual([path, []])
        if (text.includes(own.name)) found++
      }
      if (isLong('every-page')) expect(found).toBeGreaterThanOrEqual(6)
      expect(complaints.splice(0).filter(each => !/status of 40[34]/.test(each))).toEqual([])
      await follow(page, '/w/demo/agreements')
      await settle(page)
      const rows = await rowsOf(page.getByRole('table'))
      const names = [own.name, ...(own.others ?? [])].sort()
      expect(rows.map(({ Agreement }) => Agreement)).toEqual(names.map(name => expect.stringContaining(name)))
      await page.getByRole('button', { name: /^Search series/ }).click()
      await page.getByRole('combobox', { name: 'Search' }).fill('o')
      await page.getByRole('option').first().waitFor()
      await untilAnswered(page)
      const hits = await wordsOf(page.getByRole('dialog'))
      expect(foreign.filter(word => hits.includes(word))).toEqual([])
    },
  )
})

describe('an owner', () => {
  longTest(
    'every-page',
    'adds a party, and leaves it to each party who belongs to it once somebody has joined',
    async () => {
      const olga = await house.visit('olga')
      const { page, open } = olga
      await open('/settings/parties')
      await page.getByRole('button', { name: 'Add a party' }).click()
      await page.getByLabel('Name of the company').fill('Harbor Estates')
      await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('harbor-estates')
      await page.getByRole('button', { name: 'Add the party' }).click()
      await page.getByText('nobody: nobody can sign for it').waitFor()
      const rows = await rowsOf(page.getByRole('table'))
      expect(rows.map(({ Name, Slug, People, Agreements }) => [Name, Slug, People, Agreements])).toEqual([
        ['Harbor Estates', 'harbor-estates', 'nobody: nobody can sign for it', 'none'],
        ['Ohio Forge Inc.', 'ohio-forge', 'Sam Ortiz', '3 agreements as supplier'],
        ['Peach Haulage LLC', 'peach-haulage', 'Pia Marsh', '3 agreements as supplier'],
      ])
      await open('/settings/people')
      await page.getByRole('button', { name: 'Change Pia Marsh' }).click()
      await page.getByRole('menuitem', { name: 'Role and party' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Peach Haulage LLC admits its own people: only they say who belongs to it.').waitFor()
      expect(await dialog.getByRole('combobox', { name: 'Party' }).count()).toBe(0)
      expectQuiet(olga)
    },
  )

  let olga: Visit
  beforeAll(async () => {
    olga = await house.visit('olga')
  })

  test('filters lists by one supplier', async () => {
    const { page, open } = olga
    await open('/agreements')
    await page.getByRole('combobox', { name: 'Supplier' }).click()
    await page.getByRole('option', { name: 'Peach Haulage LLC (3)' }).click()
    await page.waitForURL('**/agreements?supplier=peach-haulage')
    await page.getByText('3 of 10 agreements').waitFor()
    const found = (await rowsOf(page.getByRole('table'))).map(({ Supplier }) => Supplier)
    expect(found).toEqual(Array(3).fill('Peach Haulage LLC'))
    await follow(page, '/w/demo/sign-offs?supplier=ohio-forge')
    await settle(page)
    const tables = await page.getByRole('table').all()
    const [waiting, signed] = splitBy((await Promise.all(tables.map(rowsOf))).flat(), row => 'Supplier' in row)
    expect(new Set(waiting.map(({ Supplier }) => Supplier))).toEqual(new Set(['Ohio Forge Inc.']))
    for (const { Agreement } of signed) expect(Agreement).toContain('Ohio Forge')
  })

  test('is asked for the supplier when a formula is written, and sees what it means if none is named', async () => {
    const { page } = olga
    await follow(page, '/w/demo/agreements/new?template=cpi-cap')
    await page.getByText('Nobody on the supplier’s side sees this agreement or can sign it').waitFor()
    await page.getByRole('button', { name: 'Save the agreement…' }).and(page.locator(':enabled')).click()
    await page.getByRole('dialog').getByText('No supplier is named').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByLabel('Signs for the supplier').selectOption('Ohio Forge Inc.')
    await page.getByText('for the supplier by the people of Ohio Forge Inc.').waitFor()
    await page.getByRole('button', { name: 'Add a party that is not in the list' }).click()
    await page.getByLabel('Name of the company').fill('Grazer Stahl GmbH')
    await page.getByRole('button', { name: 'Add the party' }).click()
    await page.getByText('for the supplier by the people of Grazer Stahl GmbH').waitFor()
    await page.getByRole('button', { name: 'Save the agreement…' }).and(page.locator(':enabled')).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save the agreement' }).click()
    await page.getByRole('heading', { level: 1, name: 'Yearly fee by consumer prices' }).waitFor()
    await expectWords(page.locator('main'), 'the people of Grazer Stahl GmbH')
  })
})

longTest(
  'every-page',
  'a formula with another supplier says to each of them from when to when it is theirs, and shows no period of the other',
  async () => {
    const olga = await house.visit('olga')
    await olga.open(`/agreements/${brackets.slug}`)
    const address = `/console/w/demo/agreements`
    const status = await olga.page.evaluate(
      async ([base, slug]) => {
        const page = (await (await fetch(`${base}/${slug}`)).json()) as Record<string, never>
        const { documentText, agreement, revision } = page as unknown as {
          documentText: string
          agreement: { version: number }
          revision: number
        }
        const text = documentText.replace('ohio-forge', 'peach-haulage').replaceAll('Ohio Forge', 'the new one')
        const body = JSON.stringify({ text, basedOn: agreement.version, revision })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(base!, { method: 'POST', headers, body })).status
      },
      [address, brackets.slug],
    )
    expect(status).toBe(201)
    const sam = await house.visit('sam')
    await sam.open(`/agreements/${brackets.slug}`)
    await sam.page.getByText(/^You were the supplier until/).waitFor()
    await settle(sam.page)
    await expectWords(sam.page.locator('main'), 'Last settled price', 'Steel brackets, Ohio Forge', 'signed by both')
    const pia = await house.visit('pia')
    await pia.open(`/agreements/${brackets.slug}`)
    await pia.page.getByText(/^You are the supplier since/).waitFor()
    await settle(pia.page)
    const words = await wordsOf(pia.page.locator('main'))
    expect(['Ohio Forge', 'Sam Ortiz'].filter(word => words.includes(word))).toEqual([])
    const periods = await rowsOf(pia.page.getByRole('table').first())
    expect(periods.every(row => !Object.values(row).some(cell => cell.includes('signed by both')))).toBe(true)
    for (const each of [olga, sam, pia]) expectQuiet(each)
  },
)

function splitBy<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter(each => !isFirst(each))]
}
