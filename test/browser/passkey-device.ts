// A passkey of a visitor, with Chromium's own virtual authenticator, and the page under Settings where it is added.
import type { Page } from 'playwright-core'
import type { Visit } from './house.ts'

/** A built-in authenticator whose fingerprint check always succeeds. Returns how to read the key it has made. */
export async function addAuthenticator({ context, page }: Visit): Promise<() => Promise<string>> {
  const wire = await context.newCDPSession(page)
  await wire.send('WebAuthn.enable')
  const { authenticatorId } = await wire.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async () => (await wire.send('WebAuthn.getCredentials', { authenticatorId })).credentials[0]!.privateKey
}

export const securityPage = async ({ page, open }: Visit) => {
  await open('/settings/sessions')
  await page.getByRole('heading', { level: 2, name: 'Passkeys' }).waitFor()
}

export async function showAgain(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm who you are' })
  await dialog.getByRole('button', { name: /^Continue/ }).waitFor()
  // Whoever has a passkey is asked for that first.
  const other = dialog.getByRole('button', { name: 'Use the password instead' })
  if ((await other.count()) > 0) await other.click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Asks for the password again on the way. */
export async function addPasskey(visit: Visit, password: string): Promise<void> {
  const { page } = visit
  await securityPage(visit)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('My computer')
  await page.getByRole('button', { name: 'Continue in the browser' }).click()
  await showAgain(page, password)
  const row = page.getByRole('row').filter({ hasText: 'My computer' })
  await row.getByText('never').waitFor()
}
