// Passkeys, one-time codes and recovery codes as a person uses them, with Chromium's own virtual authenticator.

import { createPrivateKey, createPublicKey } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { challengeOf, type PasskeyAssertion, signedHashOf } from '../../src/core/receipt/party-signature.ts'
import { checkPasskey } from '../../src/core/receipt/passkey-check.ts'
import { ownHouse } from '../support/houses/house.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { examineOverlay } from './axe.ts'
import { openHouse, type Visit } from './house.ts'
import { addAuthenticator, addPasskey, securityPage, showAgain } from './passkey-device.ts'
import { expectQuiet, expectWords, refused } from './story.ts'

let ann: Visit
let privateKeyOf: () => Promise<string>
const house = ownHouse(openHouse)
beforeAll(async () => {
  ann = await house.visit('ann')
  privateKeyOf = await addAuthenticator(ann)
})

const panel = (page: Page) => page.getByRole('complementary', { name: 'Sign-off' })
const openPeriod = async ({ page, open }: Visit, period: string) => {
  await open(`/agreements/steel-brackets/periods/${period}`)
  await page.getByRole('heading', { level: 1, name: `Adjustment ${period}` }).waitFor()
}

describe('a passkey', () => {
  test('is added under Settings, after the password was given again', async () => {
    await addPasskey(ann, house.passwordOf('ann').password)
    expectQuiet(ann, refused(403))
  })

  test('signs what is shown, without the password: anybody can verify the assertion over the hash', async () => {
    const { page } = ann
    await openPeriod(ann, '2026-Q3')
    await panel(page).getByRole('button', { name: 'Sign as buyer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your passkey signs exactly this').waitFor()
    expect(await dialog.getByLabel('Your password').count()).toBe(0)
    const sent = page.waitForRequest(request => request.url().endsWith('/sign'))
    await dialog.getByRole('button', { name: 'Sign as buyer with your passkey' }).click()
    const { periods, passkey } = (await sent).postDataJSON()
    await dialog.waitFor({ state: 'detached' })
    await expectWords(
      page.getByRole('region', { name: 'buyer' }),
      /^For the buyer Ann Becker signed \d+ \w+ \d{4}, \d\d:\d\d UTC with a passkey/,
    )

    const shown = JSON.parse(await house.command('pam', 'show', 'steel-brackets', '--workspace', 'demo', '--json'))
    expect(shown.signOffs.at(-1)).toMatchObject({ period: '2026-Q3', party: 'buyer', means: 'PASSKEY' })
    const { response, id } = passkey as { id: string; response: Record<string, string> }
    const key = publicHalf(await privateKeyOf())
    const assertion = { credentialId: id, rpId: 'localhost', ...key, ...response } as PasskeyAssertion
    const recorded = await (await page.request.get(`${house.address}/console/w/demo/signer`)).json()
    const verdict = await checkPasskey(crypto.subtle, assertion, challengeOf(signedHashOf(periods), recorded))
    expect(verdict).toMatchObject({ problem: null, userVerified: true, origin: house.address })
    expectQuiet(ann)

    // The same request once more, as from somebody who has read it: the counter of the authenticator has grown.
    const again = await page.request.post((await sent).url(), {
      data: { party: 'buyer', periods, passkey },
      headers: { origin: house.address, 'sec-fetch-site': 'same-origin' },
    })
    expect(again.status()).toBe(403)
  })

  test('signs a person in by itself, and may become the only way in', async () => {
    const { page } = ann
    // Leaves the page first: what it still loads would be refused without cookies.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`${house.address}/sign-in`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expectQuiet(ann)

    await securityPage(ann)
    await page.getByRole('switch', { name: 'Sign in and sign with a passkey only' }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm who you are' })
    await asked.getByRole('button', { name: 'Continue with your passkey' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await codes.getByRole('listitem').first().waitFor()
    expect(await codes.getByRole('listitem').count()).toBe(10)
    await codes.getByLabel('I have stored the codes').check()
    await codes.getByRole('button', { name: 'Done' }).click()
    expectQuiet(ann, refused(403))

    const stranger = await house.stranger()
    await stranger.page.goto(`${house.address}/sign-in`)
    await stranger.page.getByLabel('E-mail').fill(house.passwordOf('ann').email)
    await stranger.page.getByLabel('Password', { exact: true }).fill(house.passwordOf('ann').password)
    await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await stranger.page.getByRole('heading', { level: 1, name: 'One more step' }).waitFor()
    await stranger.page.getByRole('button', { name: 'Use your passkey' }).waitFor()
    expectQuiet(stranger, refused(401))
    await stranger.context.close()
  })
})

describe('one-time codes', () => {
  test('are turned on with an app and required at sign-in; in the long form a recovery code takes their place', async () => {
    const olga = await house.visit('olga')
    const { page } = olga
    const { email, password } = house.passwordOf('olga')
    await securityPage(olga)
    await page.getByRole('button', { name: 'Turn on one-time codes' }).click()
    await showAgain(page, password)
    const dialog = page.getByRole('dialog', { name: 'Turn on one-time codes' })
    await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor()
    const secret = /[A-Z2-7]{4}( [A-Z2-7]{4}){7}/.exec(await dialog.innerText())![0].replaceAll(' ', '')
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await dialog.getByLabel('The code it shows now').fill(totp.generate())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    const recovery = await codes.getByRole('listitem').first().innerText()
    await codes.getByLabel('I have stored the codes').check()
    await codes.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/on since/).waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    await examineOverlay(page, 'pages/settings/factors/factors.tsx')

    const enter = async (code: string, isRecovery: boolean) => {
      const stranger = await house.stranger()
      const door = stranger.page
      await door.goto(`${house.address}/sign-in`)
      await door.getByLabel('E-mail').fill(email)
      await door.getByLabel('Password', { exact: true }).fill(password)
      await door.getByRole('button', { name: 'Sign in', exact: true }).click()
      await door.getByRole('heading', { level: 1, name: 'One more step' }).waitFor()
      if (isRecovery) await door.getByRole('button', { name: /recovery code/ }).click()
      await door.getByLabel(isRecovery ? 'Recovery code' : 'Code from your app').fill(code)
      await door.getByRole('button', { name: 'Continue' }).click()
      return stranger
    }
    const byCode = await enter(totp.generate({ timestamp: Date.now() + 30_000 }), false)
    await byCode.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // Which code is accepted, and that none is accepted twice, is tested without a page.
    if (!onlyLong('stories', 'a recovery code in place of a password’s second step')) return
    const byRecovery = await enter(recovery, true)
    await byRecovery.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const used = await enter(recovery, true)
    await used.page.getByText('was used before').waitFor()
    await page.reload()
    await page.getByText('You have 9 codes left.').waitFor()
  })
})

/** Of a key in PKCS #8, as SubjectPublicKeyInfo. */
function publicHalf(privateKey: string): Pick<PasskeyAssertion, 'publicKey' | 'algorithm'> {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url')
  return { publicKey, algorithm: key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256' }
}
