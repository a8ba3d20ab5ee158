// Everything that opens over a page of the demo, with the file that draws it: dialogs, drawers and menus. Each is opened on the page
// as it is and closed again by Escape, so that one visit of a page serves all of them. What the demo gives no occasion for is examined
// by the story that makes one, with `examineOverlay`.
import type { Page } from 'playwright-core'
import type { Name } from './house.ts'
import { openCorrection, openProposal } from './pages.ts'

export interface Overlay {
  /** Under web/. */
  readonly source: string
  readonly by: Name
  /** From the root of the site. */
  readonly address: string
  readonly open: (page: Page) => Promise<unknown>
  /** What role it has; a dialog unless it says something else. */
  readonly role?: 'menu'
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const menuItem = (opener: string | RegExp, item: string) => async (page: Page) => {
  await button(opener)(page)
  await page.getByRole('menuitem', { name: item }).click()
}

const period = '/w/demo/agreements/steel-brackets/periods/2026-Q2'
const edit = '/w/demo/agreements/steel-brackets/edit'
const settings = (part: string) => `/w/demo/settings/${part}`

/** Something that can be saved or discarded. */
async function changeTheCap(page: Page): Promise<void> {
  const field = page.getByLabel('At most in a period')
  if (!(await field.isVisible())) await button(/^At most \+/)(page)
  await field.fill('6')
  await page.getByRole('button', { name: 'Save version 2' }).and(page.locator(':enabled')).waitFor()
}

const inCorrection = (name: string | RegExp) => async (page: Page) => {
  if (!page.url().includes('/corrections/')) await openCorrection(page)
  await button(name)(page)
}

const ofOlga = (source: string, address: string, open: Overlay['open'], role?: 'menu'): Overlay => ({
  source,
  by: 'olga',
  address,
  open,
  ...(role === undefined ? {} : { role }),
})

const ofAnn = (source: string, address: string, open: Overlay['open']): Overlay => ({
  source,
  by: 'ann',
  address,
  open,
})

const ofSam = (source: string, address: string, open: Overlay['open']): Overlay => ({
  source,
  by: 'sam',
  address,
  open,
})

const ofPia = (source: string, address: string, open: Overlay['open']): Overlay => ({
  source,
  by: 'pia',
  address,
  open,
})

const inProposal = (name: string) => async (page: Page) => {
  if (!page.url().includes('/index-changes/spl')) await openProposal(page)
  await button(name)(page)
}

export const overlays: readonly Overlay[] = [
  ofAnn('pages/agreements/sign-offs/inbox-keys.tsx', '/w/demo/sign-offs', async page => {
    // The keys are those of the list, which is there once it is known what waits.
    await page.getByRole('checkbox', { name: /^Select all/ }).waitFor()
    await page.keyboard.press('?')
  }),
  ofAnn('pages/invoices/line-panel.tsx', '/w/demo/invoices', page =>
    page.getByRole('row').nth(1).getByRole('link').first().click(),
  ),
  ofAnn('pages/invoices/write-to.tsx', '/w/demo/invoices', button('Write to the supplier')),
  ofAnn('pages/due/subscribe.tsx', '/w/demo/due', button('Subscribe')),
  ofOlga('frame/palette.tsx', '/w/demo', page => page.keyboard.press('Control+K')),
  ofOlga('frame/frame.tsx', '/w/demo', button(/, account of /), 'menu'),
  ofOlga('components/table/export-menu.tsx', '/w/demo/series', button(/^Export/), 'menu'),
  ofOlga('pages/agreements/builder/editor/turn-into-steps.tsx', edit, async page => {
    const steps = page.getByText('Steps', { exact: true })
    await steps.click()
    await button('Turn into steps…')(page)
  }),
  ofOlga('pages/agreements/builder/saving/save-dialog.tsx', edit, async page => {
    await page.getByText('Clause', { exact: true }).click()
    await changeTheCap(page)
    await button('Save version 2')(page)
  }),
  ofOlga('pages/agreements/builder/bar.tsx', edit, async page => {
    await changeTheCap(page)
    await button(/^Discard/)(page)
  }),
  ofOlga('pages/settings/keys/new-key.tsx', settings('keys'), button('New key')),
  ofOlga('pages/settings/row-actions.tsx', settings('keys'), button(/^Change the key/), 'menu'),
  ofOlga('pages/settings/keys/keys.tsx', settings('keys'), menuItem(/^Change the key/, 'Rotate')),
  ofOlga('pages/settings/keys/keys.tsx', settings('keys'), menuItem(/^Change the key/, 'Revoke')),
  ofOlga('pages/settings/webhooks/new-webhook.tsx', settings('webhooks'), button('New webhook')),
  ofOlga('pages/settings/webhooks/deliveries.tsx', settings('webhooks'), menuItem(/^Change the webhook/, 'Deliveries')),
  ofOlga('pages/settings/webhooks/webhooks.tsx', settings('webhooks'), menuItem(/^Change the webhook/, 'New secret')),
  ofOlga('pages/settings/webhooks/webhooks.tsx', settings('webhooks'), menuItem(/^Change the webhook/, 'Enable')),
  ofOlga('pages/settings/people/invite.tsx', settings('people'), button('Invite')),
  ofOlga('pages/settings/people/change-person.tsx', settings('people'), menuItem(/^Change Sam/, 'Role and party')),
  ofOlga('pages/settings/people/people.tsx', settings('people'), menuItem(/^Change Ann/, 'Remove')),
  ofOlga(
    'pages/settings/people/new-password.tsx',
    settings('people'),
    menuItem(/^Change Ann/, 'Link for a new password'),
  ),
  ofOlga('pages/settings/sign-in/provider-form.tsx', settings('sign-in'), button('Set a provider')),
  ofOlga('pages/settings/parties/new-party.tsx', settings('parties'), button('Add a party')),
  ofOlga('pages/settings/parties/parties.tsx', settings('parties'), button(/^Rename /)),
  ofOlga('components/billing/billing-form.tsx', settings('parties'), button('Your own billing details')),
  ofSam('components/billing/billing-form.tsx', settings('company'), button('Billing details')),
  ofOlga('pages/settings/factors/new-codes.tsx', settings('sessions'), button('Turn on one-time codes')),
  ofOlga('pages/settings/factors/show-again.tsx', settings('sessions'), button('Turn on one-time codes')),
  ofOlga('pages/settings/factors/passkeys.tsx', settings('sessions'), button('Add a passkey')),
  ofOlga('pages/installation/limits-form.tsx', '/w/demo/installation', button(/^Change the limits of/)),
  ofSam('pages/settings/company/confirm-people.tsx', settings('company'), button('Confirm this person')),
  ofSam('pages/settings/people/invite.tsx', settings('company'), button(/^Invite/)),
  ofSam('pages/agreements/agreement/evidence.tsx', '/w/demo/agreements/steel-brackets', button('Evidence')),
  ofOlga('pages/agreements/agreement/price-file.tsx', '/w/demo/agreements/steel-brackets', button(/^Price file/)),
  ofSam('pages/agreements/adjustment/sign-dialog.tsx', period, button('Sign as supplier')),
  ofSam('pages/agreements/adjustment/object-dialog.tsx', period, button(/^Object/)),
  ofSam(
    'pages/true-up/correction/correction-panel.tsx',
    '/w/demo/agreements/rack-frames/ledger',
    inCorrection('Sign as supplier'),
  ),
  ofSam('pages/true-up/correction/notes.tsx', '/w/demo/agreements/steel-tubes/ledger', inCorrection('Issue a note')),
  ofSam('components/signing/proposal-panel.tsx', '/w/demo/agreements/rack-frames/ledger', inCorrection('Refuse')),
  ofPia('pages/index-changes/change/change-panel.tsx', '/w/demo/index-changes', inProposal('Sign as supplier')),
  ofPia('components/signing/proposal-panel.tsx', '/w/demo/index-changes', inProposal('Refuse')),
  ofPia(
    'components/index-changes/propose-splice.tsx',
    '/w/demo/index-changes',
    inProposal('Propose another in its place'),
  ),
  ofPia('pages/index-changes/sign-changes-dialog.tsx', '/w/demo/index-changes?signing', async page => {
    await page.getByRole('checkbox', { name: /^Select all/ }).check()
    await button(/^Sign \d/)(page)
  }),
]

/** What dialogs are made of. */
export const partsOfDialogs: readonly string[] = [
  'components/dialog/dialog.tsx',
  'components/dialog/ask-form.tsx',
  'components/signing/signing-dialog.tsx',
]
