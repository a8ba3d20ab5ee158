// Signing by the identity provider of one's company, as a person sees it: to a real OpenID Connect server and back.
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { startStandInProvider } from '../../src/demo/sso/stand-in-provider.ts'
import { examineOverlay } from './axe.ts'
import { type House, openHouse } from './house.ts'
import { askApi, expectWords, keepFile } from './story.ts'

let house: House
let provider: Awaited<ReturnType<typeof startStandInProvider>>
/** What people of Ohio Forge open to sign in. */
let address: string

const people = ['Nora Vance', 'Theo Lang'].map((name, i) => ({
  subject: `u-${i}`,
  name,
  email: `${name.split(' ')[0]!.toLowerCase()}@supplier.test`,
  groups: ['Assize'],
}))

beforeAll(async () => {
  // The provider has to know where it sends people back to before the house is open.
  const port = await freePort()
  const client = { clientId: 'assize', clientSecret: 'the secret of a test' }
  provider = await startStandInProvider({
    port: 0,
    company: 'Ohio Forge',
    people,
    publicUrl: `http://localhost:${port}`,
    ...client,
  })
  house = await openHouse({ env: { PORT: String(port), ASSIZE_PRIVATE_HOSTS: 'localhost' } })
  const file = await keepFile(house, 'secret.txt', client.clientSecret)
  const set = await house.command(
    'sso',
    'set',
    '--workspace',
    'demo',
    '--party',
    'ohio-forge',
    '--issuer',
    provider.issuer,
    '--json',
    '--client-id',
    client.clientId,
    '--client-secret-file',
    file,
    '--join-as',
    'supplier',
    '--group',
    'Assize',
  )
  address = /http[^"\s]+\/sign-in\?by=[0-9a-z]+/.exec(set)![0]
}, 120_000)
afterAll(async () => {
  await house?.close()
  await provider?.close()
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, 'localhost', () => {
      const { port } = probe.address() as { readonly port: number }
      probe.close(() => resolve(port))
    })
  })
}

test('a person signs at their provider what the dialog shows, and nothing as somebody else', async () => {
  const nora = await house.stranger()
  const { page } = nora
  await page.goto(address)
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.getByRole('button', { name: /Nora Vance/ }).click()
  await page.waitForURL(/\/w\/demo/)
  await nora.open('/agreements/steel-brackets/periods/2026-Q3')

  const begin = async () => {
    await page.getByRole('button', { name: 'Sign as supplier' }).click()
    const dialog = page.getByRole('dialog')
    const { host } = new URL(provider.issuer)
    await dialog.getByText(`You sign in again at ${host} and come back here; then exactly this is signed.`).waitFor()
    // Nobody who signs in by a provider has a password to give.
    expect(await dialog.getByLabel('Your password').count()).toBe(0)
    await dialog.getByRole('button', { name: `Sign as supplier at ${host}` }).click()
  }
  await begin()
  await page.getByRole('button', { name: /Theo Lang/ }).click()
  await page.getByText('you signed in at the provider as somebody else; nothing was signed').waitFor()
  nora.complaints.splice(0)

  await nora.open('/agreements/steel-brackets/periods/2026-Q3')
  await begin()
  await page.getByRole('button', { name: /Nora Vance/ }).click()
  const done = page.getByRole('dialog', { name: 'Signed' })
  await done.getByText('Everything is signed').waitFor()
  await examineOverlay(page, 'components/signing/visit-return.tsx')
  await done.getByRole('button', { name: 'Close' }).last().click()
  await expectWords(page.getByRole('complementary', { name: 'Sign-off' }), /supplier Nora Vance/)
  const path = '/pams/steel-brackets/adjustment/receipt?period=2026-Q3'
  expect((await askApi<Receipt>(house, path)).signatures).toMatchObject([
    { party: 'supplier', means: 'PROVIDER', provider: { issuer: provider.issuer, subject: 'u-0', proof: 'FOLLOWS' } },
  ])
  // The page was left for the provider, and for nothing else.
  expect(nora.complaints.filter(each => !each.startsWith(`asked for ${provider.issuer}/`))).toEqual([])
})
