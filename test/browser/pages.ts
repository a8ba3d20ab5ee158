// Every page of the web interface as it is in the demo, for measurements and pictures of all of them.
import type { Page } from 'playwright-core'
import { demoInvoices } from '../../src/demo/prices.ts'
import { Unsubscribing } from '../../src/mail/unsubscribe-token.ts'
import type { House, Name } from './house.ts'
import { untilAnswered, untilKnown } from './requests-under-way.ts'

export interface PageState {
  /** Fit for the name of a file. */
  readonly name: string
  /** The path the router gives it. */
  readonly route: string
  /** From the root of the site. */
  readonly address: string
  /** Nobody: before signing in. */
  readonly by: Name | null
  /** What is done on the page first: a dialog opened, a file dropped. */
  readonly act?: (page: Page) => Promise<unknown>
  /** Whether that opens something over the page. */
  readonly isOverlay?: boolean
  /** Whether a story comes by and looks for serious findings there. */
  readonly isInStory?: boolean
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Changes the clause and shows what that does to every period. */
async function raiseTheCap(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^At most \+4/ }).click()
  await page.getByLabel('At most in a period').fill('6')
  await page.getByRole('button', { name: 'Save version 2' }).and(page.locator(':enabled')).waitFor()
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
}

const badFigures = [
  'series,period,value',
  'CUSTOM/scrap,2024-01,101.5',
  'CUSTOM/scrap,2024-13,abc',
  'CUSTOM/scrap',
].join('\n')

async function checkInvoices(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(demoInvoices)
  // The first file starts a worker, which takes a while on a busy machine.
  await page.getByRole('heading', { name: 'At stake' }).waitFor({ timeout: 60_000 })
}

/** A price list of another system: how it is read has to be said. */
async function lookAtPrices(page: Page): Promise<void> {
  const buffer = Buffer.from('Material;Preis;Gültig ab\nBR-100;12,40;01.02.2026\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'preise.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('heading', { name: 'How is this file read?' }).waitFor({ timeout: 60_000 })
}

async function openLine(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('link').first().click({ timeout: 60_000 })
  await page.getByRole('dialog').getByText('Billed price').waitFor({ timeout: 60_000 })
}

/** The change of an index that waits in the demo, from the list. */
export async function openProposal(page: Page): Promise<void> {
  await page.locator('a[href*="/index-changes/spl"]').first().click()
  await page.getByRole('heading', { name: 'Another index', level: 1 }).waitFor()
}

/** The first correction of a ledger. */
export async function openCorrection(page: Page): Promise<void> {
  await page.locator('a[href*="/corrections/"]').first().click()
  await page.getByRole('heading', { name: 'Correction', level: 1 }).waitFor()
}

export async function listPages(house: House): Promise<PageState[]> {
  const [steel, receipt, link] = await Promise.all([idOf(house, 'BLS/WPU101'), receiptOf(house), setUpLink(house)])
  return [
    ...entrances(receipt, link, await unsubscribeLink(house)),
    ...seriesPages(steel),
    ...agreementPages,
    ...otherPages,
  ]
}

function entrances(receipt: string, link: string, unsubscribe: string): PageState[] {
  const file = { name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(receipt) }
  return [
    { name: 'home', route: '/', address: '/', by: null },
    { name: 'sign-in', route: '/sign-in', address: '/sign-in', by: null },
    {
      name: 'sign-in-company',
      route: '/sign-in',
      address: '/sign-in',
      by: null,
      act: button('Sign in with your company'),
    },
    { name: 'sso-callback', route: '/sso/callback', address: '/sso/callback', by: null },
    { name: 'set-up', route: '/set-up', address: link, by: null },
    { name: 'set-up-used', route: '/set-up', address: '/set-up#used', by: null },
    { name: 'new-password', route: '/new-password', address: link.replace('/set-up', '/new-password'), by: null },
    { name: 'unsubscribe', route: '/unsubscribe', address: unsubscribe, by: null },
    { name: 'unsubscribe-unknown', route: '/unsubscribe', address: '/unsubscribe?t=none', by: null },
    { name: 'verify', route: '/verify', address: '/verify', by: null },
    {
      name: 'verify-receipt',
      route: '/verify',
      address: '/verify',
      by: null,
      act: page => page.locator('input[type=file]').setInputFiles(file),
    },
  ]
}

function seriesPages(steel: string): PageState[] {
  const file = { name: 'figures.csv', mimeType: 'text/csv', buffer: Buffer.from(badFigures) }
  return [
    { name: 'series-list', route: '/series', address: '/w/demo/series', by: 'olga' },
    { name: 'series-list-none', route: '/series', address: '/w/demo/series?q=zzz', by: 'olga' },
    { name: 'series-follow', route: '/series/follow', address: '/w/demo/series/follow', by: 'olga' },
    { name: 'series-upload', route: '/series/upload', address: '/w/demo/series/upload', by: 'olga' },
    {
      name: 'series-upload-refused',
      route: '/series/upload',
      address: '/w/demo/series/upload',
      by: 'olga',
      act: page => page.locator('input[type=file]').setInputFiles(file),
    },
    { name: 'series', route: '/series/$id', address: `/w/demo/series/${steel}`, by: 'olga' },
    {
      name: 'series-as-of',
      route: '/series/$id',
      address: `/w/demo/series/${steel}?asOf=2025-11-20&revisions=1`,
      by: 'olga',
    },
    { name: 'series-year-on-year', route: '/series/$id', address: `/w/demo/series/${steel}?mode=yoy`, by: 'olga' },
    {
      name: 'series-period',
      route: '/series/$id',
      address: `/w/demo/series/${steel}?period=2025-06`,
      by: 'olga',
    },
  ]
}

const steelBrackets = '/w/demo/agreements/steel-brackets'

const agreementPages: readonly PageState[] = [
  { name: 'agreements', route: '/agreements', address: '/w/demo/agreements', by: 'olga' },
  { name: 'agreement-templates', route: '/agreements/new', address: '/w/demo/agreements/new', by: 'olga' },
  { name: 'agreement', route: '/agreements/$slug', address: steelBrackets, by: 'olga' },
  {
    name: 'agreement-evidence',
    route: '/agreements/$slug',
    address: steelBrackets,
    by: 'sam',
    act: button('Evidence'),
    isOverlay: true,
  },
  { name: 'agreement-edit', route: '/agreements/$slug/edit', address: `${steelBrackets}/edit`, by: 'olga' },
  {
    name: 'agreement-edit-changed',
    route: '/agreements/$slug/edit',
    address: `${steelBrackets}/edit`,
    by: 'olga',
    act: raiseTheCap,
  },
  {
    name: 'agreement-edit-steps',
    route: '/agreements/$slug/edit',
    address: '/w/demo/agreements/freight-surcharge/edit',
    by: 'olga',
  },
  {
    name: 'agreement-versions',
    route: '/agreements/$slug/versions',
    address: '/w/demo/agreements/office-lease/versions',
    by: 'olga',
  },
  { name: 'agreement-compare', route: '/agreements/$slug/compare', address: `${steelBrackets}/compare`, by: 'olga' },
  {
    name: 'adjustment',
    route: '/agreements/$slug/periods/$period',
    address: `${steelBrackets}/periods/2026-Q2`,
    by: 'sam',
  },
  {
    name: 'adjustment-signed',
    route: '/agreements/$slug/periods/$period',
    address: `${steelBrackets}/periods/2025-Q4`,
    by: 'ann',
  },
  {
    name: 'adjustment-sign',
    route: '/agreements/$slug/periods/$period',
    address: `${steelBrackets}/periods/2026-Q3`,
    by: 'sam',
    act: button('Sign as supplier'),
    isOverlay: true,
  },
  { name: 'sign-offs', route: '/sign-offs', address: '/w/demo/sign-offs', by: 'sam' },
  {
    name: 'sign-offs-opened',
    route: '/sign-offs',
    address: '/w/demo/sign-offs',
    by: 'sam',
    act: page => page.locator('button[data-row]').first().click(),
  },
  {
    name: 'sign-offs-sign',
    route: '/sign-offs',
    address: '/w/demo/sign-offs',
    by: 'sam',
    act: async page => {
      await page.getByRole('checkbox', { name: /^Select all/ }).check()
      await page.getByRole('button', { name: /^Sign \d/ }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Sign / })
        .waitFor()
    },
    isInStory: true,
  },
  { name: 'due', route: '/due', address: '/w/demo/due', by: 'ann' },
  { name: 'due-supplier', route: '/due', address: '/w/demo/due', by: 'sam' },
  {
    name: 'due-subscribe',
    route: '/due',
    address: '/w/demo/due',
    by: 'ann',
    act: button('Subscribe'),
    isOverlay: true,
  },
  { name: 'revisions', route: '/revisions', address: '/w/demo/revisions', by: 'ann' },
  { name: 'index-changes', route: '/index-changes', address: '/w/demo/index-changes', by: 'pia' },
  {
    name: 'index-change',
    route: '/index-changes/$id',
    address: '/w/demo/index-changes',
    by: 'olga',
    act: openProposal,
  },
  { name: 'ledgers', route: '/ledgers', address: '/w/demo/ledgers', by: 'ann' },
  {
    name: 'ledger',
    route: '/agreements/$slug/ledger',
    address: '/w/demo/agreements/steel-tubes/ledger',
    by: 'ann',
  },
  {
    name: 'correction',
    route: '/corrections/$id',
    address: '/w/demo/agreements/rack-frames/ledger',
    by: 'sam',
    act: openCorrection,
  },
  {
    name: 'adjustment-print',
    route: '/agreements/$slug/periods/$period/print',
    address: '/w/demo/agreements/steel-brackets/periods/2026-Q1/print?language=de',
    by: 'ann',
  },
  {
    name: 'note',
    route: '/corrections/$id/notes/$part',
    address: '/w/demo/agreements/steel-tubes/ledger',
    by: 'ann',
    act: async page => {
      await openCorrection(page)
      await page.getByRole('link', { name: 'Print', exact: true }).click()
      await page.getByRole('heading', { name: /^Rechnungskorrektur/, level: 1 }).waitFor()
    },
  },
  { name: 'invoices', route: '/invoices', address: '/w/demo/invoices', by: 'ann' },
  {
    name: 'invoices-line',
    route: '/invoices',
    address: '/w/demo/invoices?state=wrong',
    by: 'ann',
    act: openLine,
    isOverlay: true,
  },
  {
    name: 'invoices-letter',
    route: '/invoices',
    address: '/w/demo/invoices',
    by: 'ann',
    act: button('Write to the supplier'),
    isOverlay: true,
  },
  { name: 'bring-in', route: '/bring-in', address: '/w/demo/bring-in', by: 'olga' },
  { name: 'bring-in-invoices', route: '/bring-in', address: '/w/demo/bring-in', by: 'ann', act: checkInvoices },
  {
    name: 'bring-in-prices',
    route: '/bring-in',
    address: '/w/demo/bring-in',
    by: 'olga',
    act: lookAtPrices,
    isInStory: true,
  },
]

const settingsPart = (part: string, by: Name = 'olga'): PageState => ({
  name: `settings-${part}`,
  route: '/settings/$part',
  address: `/w/demo/settings/${part}`,
  by,
})

const otherPages: readonly PageState[] = [
  { name: 'overview', route: '/w/$ws', address: '/w/demo', by: 'olga' },
  { name: 'overview-supplier', route: '/w/$ws', address: '/w/demo', by: 'sam' },
  { name: 'no-workspace', route: '/w/$ws', address: '/w/elsewhere', by: 'olga' },
  { name: 'not-found', route: '/w/$ws', address: '/w/demo/nowhere', by: 'olga' },
  {
    name: 'search',
    route: '/w/$ws',
    address: '/w/demo',
    by: 'olga',
    act: page => page.keyboard.press('Control+K'),
    isOverlay: true,
  },
  { name: 'settings', route: '/settings', address: '/w/demo/settings', by: 'sam' },
  ...[
    'keys',
    'webhooks',
    'people',
    'sign-in',
    'workspace',
    'parties',
    'providers',
    'activity',
    'proof',
    'mail',
    'sessions',
  ].map(part => settingsPart(part)),
  {
    ...settingsPart('activity'),
    name: 'settings-activity-found',
    address: '/w/demo/settings/activity?q=formula',
  },
  settingsPart('company', 'sam'),
  { ...settingsPart('proof', 'sam'), name: 'settings-proof-supplier' },
  { ...settingsPart('company', 'ann'), name: 'settings-company-none' },
  {
    ...settingsPart('company', 'sam'),
    name: 'settings-company-confirm',
    act: button('Confirm this person'),
    isOverlay: true,
  },
  { ...settingsPart('keys'), name: 'settings-new-key', act: button('New key'), isOverlay: true },
  { ...settingsPart('webhooks'), name: 'settings-new-webhook', act: button('New webhook'), isOverlay: true },
  { ...settingsPart('people'), name: 'settings-invite', act: button('Invite'), isOverlay: true },
  { ...settingsPart('sign-in'), name: 'settings-set-provider', act: button('Set a provider'), isOverlay: true },
  { ...settingsPart('parties'), name: 'settings-new-party', act: button('Add a party'), isOverlay: true },
  { name: 'installation', route: '/installation', address: '/w/demo/installation', by: 'olga' },
  {
    name: 'installation-limits',
    route: '/installation',
    address: '/w/demo/installation',
    by: 'olga',
    act: button('Change the limits of'),
    isOverlay: true,
  },
]

/** Goes to an address of the same site as a link does, without loading everything again; until the new page is drawn. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(`new Promise(drawn => {
    const stop = __TSR_ROUTER__.subscribe('onRendered', () => drawn(stop()))
    history.pushState(null, '', ${JSON.stringify(address)})
    dispatchEvent(new PopStateEvent('popstate'))
  })`)
}

/** Until the page is complete: its heading, its charts, no placeholders, and nothing that is shown as it was last known. */
export async function settle(page: Page): Promise<void> {
  // First the requests: waiting for an element checks only twice a second.
  await untilAnswered(page)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  while (await untilKnown(page)) await untilAnswered(page)
  for (const unfinished of ['.mantine-Skeleton-root', 'div[role=img]:not(:has(canvas))'])
    await page.locator(unfinished).first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

export async function idOf(house: House, reference: string): Promise<string> {
  const series = await ask<{ id: string; provider: string; seriesCode: string }[]>(house, '/v1/series?limit=200')
  return series.find(({ provider, seriesCode }) => `${provider}/${seriesCode}` === reference)!.id
}

async function ask<T>(house: House, path: string): Promise<T> {
  const answer = await fetch(`${house.address}${path}`, { headers: { authorization: `Bearer ${house.key}` } })
  return ((await answer.json()) as { data: T }).data
}

async function receiptOf(house: House): Promise<string> {
  const { context } = await house.visit('olga')
  const path = '/console/w/demo/agreements/steel-brackets/periods/2025-Q4/receipt'
  const receipt = await (await context.request.get(`${house.address}${path}`)).text()
  await context.close()
  return receipt
}

async function setUpLink(house: House): Promise<string> {
  const said = await house.command(
    'user',
    'create',
    'eva@demo.test',
    '--workspace',
    'demo',
    '--role',
    'editor',
    '--json',
  )
  const { setUpLink: link } = JSON.parse(said) as { setUpLink: string }
  const { pathname, hash } = new URL(link)
  return `${pathname}${hash}`
}

/** As it stands in a mail. */
async function unsubscribeLink(house: House): Promise<string> {
  const workspaces = JSON.parse(await house.command('workspace', 'list', '--json')) as { slug: string; id: string }[]
  const { id } = workspaces.find(({ slug }) => slug === 'demo')!
  const about = { workspaceId: id, email: 'ann@demo.test', kind: 'signature' } as const
  return `/unsubscribe?t=${new Unsubscribing(house.ring).token(about)}`
}
