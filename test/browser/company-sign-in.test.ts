// Signing in by a company's own identity provider, in a browser and as the demo shows it: a real OpenID Connect server beside the
// real program, set by the real command, from the page that offers it to the workspace and out again.
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { startStandInProvider } from '../../src/demo/sso/stand-in-provider.ts'
import { ownHouse } from '../support/houses/house.ts'
import { someOf } from '../support/run/long-form.ts'
import { bringAxe, examineOverlay, findProblems } from './axe.ts'
import { openHouse, type Visit } from './house.ts'

const client = { clientId: 'assize', clientSecret: 'a secret of the tests' }
const people = [
  { subject: 'u-1', name: 'Nora Vance', email: 'nora@supplier.test', groups: ['Assize'] },
  { subject: 'u-2', name: 'Theo Lang', email: 'theo@supplier.test', groups: [] },
]

/** The provider sends people back to an address that it was told before the program is there. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const stay = ownHouse(async () => {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const standIn = await startStandInProvider({ port: 0, company: 'Ohio Forge Inc.', people, publicUrl, ...client })
  const house = await openHouse({ env: { PORT: String(port), ASSIZE_PRIVATE_HOSTS: 'localhost' } })
  const file = join(house.dataFolder, '..', 'client-secret')
  await writeFile(file, `${client.clientSecret}\n`)
  const words = ['--workspace', 'demo', '--party', 'ohio-forge', '--issuer', standIn.issuer, '--client-id', 'assize']
  const more = ['--client-secret-file', file, '--join-as', 'supplier', '--group', 'Assize', '--json']
  const { address } = JSON.parse(await house.command('sso', 'set', ...words, ...more)) as { readonly address: string }
  return { house, address, issuer: standIn.issuer, close: () => Promise.all([house.close(), standIn.close()]) }
})

describe('a person of a company', () => {
  test('signs in at their own provider, comes back to the workspace, and goes out again', async () => {
    const { page } = await stay.house.stranger()
    await page.goto(stay.address)
    await page.getByRole('button', { name: 'Continue with Ohio Forge Inc.' }).waitFor()
    await bringAxe(page)
    expect(await findProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue with Ohio Forge Inc.' }).click()
    await page.getByRole('button', { name: /Nora Vance/ }).click()
    await page.waitForURL(/\/w\/demo$/)
    await page.getByText('Nora Vance:').waitFor()
    await page.goto(`${stay.house.address}/w/demo/settings/sessions`)
    await page.getByText('have no password here').waitFor()
    await page.context().clearCookies({ name: '__Host-assize' })
    // The browser remembers which company it was.
    await page.goto(`${stay.house.address}/sign-in`)
    await page.getByRole('button', { name: 'Continue with Ohio Forge Inc.' }).waitFor()
    await page.getByRole('button', { name: 'Sign in another way' }).click()
    await page.getByLabel('E-mail').waitFor()
  })

  test('who is in no group that may is told so, and why nobody was signed in where nobody was chosen', async () => {
    const { page } = await stay.house.stranger()
    // What else a provider may answer is tested without a page.
    for (const [choice, words] of someOf(
      'stories',
      'answers of a provider that sign nobody in',
      [
        [/Theo Lang/, 'nobody with this identity has a place here'],
        [/^Nobody/, 'the provider did not sign you in (access_denied)'],
      ] as const,
      { oneIn: 2 },
    )) {
      await page.context().clearCookies()
      await page.goto(`${stay.house.address}/sign-in`)
      const other = page.getByRole('button', { name: 'Sign in another way' })
      const ask = page.getByRole('button', { name: 'Sign in with your company' })
      await other.or(ask).waitFor()
      if (await other.isVisible()) await other.click()
      await ask.click()
      await page.getByLabel(/Your company’s address/).fill(stay.address)
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.getByRole('button', { name: 'Continue with Ohio Forge Inc.' }).click()
      await page.getByRole('button', { name: choice }).click()
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
      await page.getByText(words).waitFor()
      await bringAxe(page)
      expect(await findProblems(page)).toEqual([])
    }
  })
})

describe('an owner', () => {
  test('sees the provider under Settings, Sign-in, and is told by a test that it works', async () => {
    const olga = await stay.house.visit('olga')
    await olga.open('/settings/sign-in')
    const { page } = olga
    await page.getByRole('cell', { name: stay.issuer }).waitFor()
    await page.getByRole('button', { name: /^Change the provider of Ohio Forge/ }).click()
    await page.getByRole('menuitem', { name: 'Test' }).click()
    await page.getByRole('dialog').getByText('knows our client: people can sign in by it').waitFor()
    await examineOverlay(page, 'pages/settings/sign-in/sign-in.tsx')
  })
})

describe('an administrator of a company', () => {
  let sam: Visit
  beforeAll(async () => {
    sam = await stay.house.visit('sam')
    await sam.open('/settings/company')
  })

  test('sees and sets how its people sign in on the page of the company, and nobody else’s', async () => {
    const { page } = sam
    await page.getByRole('heading', { name: 'How people of Ohio Forge Inc. sign in' }).waitFor()
    await page.getByRole('cell', { name: stay.issuer }).waitFor()
    await page.getByRole('button', { name: 'Set a provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Issuer').waitFor()
    expect(await dialog.getByRole('combobox', { name: 'People of' }).inputValue()).toBe('Ohio Forge Inc.')
    await dialog.getByRole('combobox', { name: 'People of' }).click()
    expect(await page.getByRole('option').allTextContents()).toEqual(['Ohio Forge Inc.'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('is asked before a colleague who came by the provider is removed', async () => {
    const { page } = sam
    await page.getByRole('button', { name: 'Change Nora Vance' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByText('Their signatures stay as they are').waitFor()
    await examineOverlay(page, 'pages/settings/company/company.tsx')
  })
})

test('sso test says in one sentence what is wrong', async () => {
  const { house, issuer } = stay
  const of = ['--workspace', 'demo', '--party', 'peach-haulage']
  const file = join(house.dataFolder, '..', 'client-secret')
  const set = (address: string, id: string) =>
    house.command('sso', 'set', ...of, '--issuer', address, '--client-id', id, '--client-secret-file', file)
  const tried = () => house.command('sso', 'test', ...of).catch((error: Error) => error.message)
  await set(`${issuer}/`, 'assize')
  expect(await tried()).toContain('they must be the same, letter by letter')
  await set(issuer, 'somebody else')
  expect(await tried()).toContain('does not accept the client id or its secret (invalid_client)')
  await set('https://127.0.0.9', 'assize')
  expect(await tried()).toContain('is not a public address; an operator may list it in ASSIZE_PRIVATE_HOSTS')
  expect(await house.command('sso', 'show', '--workspace', 'demo')).toContain('or by password')
  await house.command('sso', 'remove', ...of)
  expect(await house.command('sso', 'show', '--workspace', 'demo')).not.toContain('127.0.0.9')
})
