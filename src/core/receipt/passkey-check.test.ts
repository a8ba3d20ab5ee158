import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  assertionOf as assert,
  base64url,
  type Making,
  makeAuthenticator,
} from '../../../test/support/clients/passkeys.ts'
import type { PasskeyAssertion } from './party-signature.ts'
import { challengeBytes, checkPasskey } from './passkey-check.ts'

const { subtle } = globalThis.crypto
const hash = createHash('sha256').update('a receipt').digest('hex')
const [elliptic, edwards, rsa] = (['ES256', 'EdDSA', 'RS256'] as const).map(makeAuthenticator) as [
  ReturnType<typeof makeAuthenticator>,
  ReturnType<typeof makeAuthenticator>,
  ReturnType<typeof makeAuthenticator>,
]
const assertionOf = (authenticator: typeof elliptic, making: Making = {}) => assert(authenticator, hash, making)

const problemOf = async (assertion: PasskeyAssertion) => (await checkPasskey(subtle, assertion, hash)).problem

describe('a signature by passkey', () => {
  test.each([elliptic, edwards, rsa])('is valid with $algorithm', async authenticator => {
    expect(await checkPasskey(subtle, assertionOf(authenticator), hash)).toEqual({
      problem: null,
      userVerified: true,
      origin: 'https://prices.example.com',
    })
  })

  test('is valid for every spelling of the two numbers of an elliptic signature', async () => {
    const problems = await Promise.all(Array.from({ length: 200 }, () => problemOf(assertionOf(elliptic))))
    expect(problems.filter(problem => problem !== null)).toEqual([])
  })

  test('says whether the authenticator verified the person', async () => {
    expect((await checkPasskey(subtle, assertionOf(elliptic, { flags: 0x01 }), hash)).userVerified).toBe(false)
  })

  test('is valid for its own hash only', async () => {
    const other = createHash('sha256').update('another receipt').digest('hex')
    const verdict = await checkPasskey(subtle, assertionOf(elliptic), other)
    expect(verdict.problem).toBe('it was made for another hash')
  })

  test.each([
    ['a registration', { type: 'webauthn.create' }, 'its type is not webauthn.get'],
    ['another site', { origin: 'https://prices.example.net' }, 'does not belong to prices.example.com'],
    ['a site that only ends alike', { origin: 'https://evilprices.example.com' }, 'does not belong to'],
    ['a page without encryption', { origin: 'http://prices.example.com' }, 'does not belong to'],
    ['nobody present', { flags: 0x04 }, 'a person was present'],
    ['a text that is no JSON', { clientData: 'no' }, 'clientDataJSON cannot be read'],
    [
      'a repeated key',
      { clientData: `{"type":"webauthn.get","challenge":"${base64url('x')}","challenge":"y"}` },
      'the key "challenge" is repeated',
    ],
    ['a hash as text', { challenge: base64url(hash) }, 'another hash'],
  ] as const)('is none from %s', async (_, making, problem) => {
    expect(await problemOf(assertionOf(elliptic, making))).toContain(problem)
  })

  test('is not valid inside a page of another site', async () => {
    const clientData = JSON.stringify({
      type: 'webauthn.get',
      challenge: base64url(challengeBytes(hash)),
      origin: 'https://prices.example.com',
      crossOrigin: true,
    })
    expect(await problemOf(assertionOf(elliptic, { clientData }))).toContain('page of another site')
  })

  test('is valid on the same machine and on a host under the site', async () => {
    const local = { rpId: 'localhost', origin: 'http://localhost:8080' }
    expect(await problemOf(assertionOf(edwards, local))).toBeNull()
    expect(await problemOf(assertionOf(edwards, { rpId: 'example.com' }))).toBeNull()
  })

  test('does not survive a change to any part of it', async () => {
    const good = assertionOf(elliptic)
    const other = assertionOf(elliptic, { origin: 'https://prices.example.com:8443' })
    const changed: PasskeyAssertion[] = [
      { ...good, publicKey: assertionOf(edwards).publicKey },
      { ...good, publicKey: 'AAAA' },
      { ...good, algorithm: 'RS256' },
      { ...good, algorithm: 'toString' as 'RS256' },
      { ...good, rpId: 'example.com' },
      { ...good, authenticatorData: assertionOf(elliptic, { flags: 0x01 }).authenticatorData },
      { ...good, authenticatorData: good.authenticatorData.slice(0, 40) },
      { ...good, clientDataJSON: other.clientDataJSON },
      { ...good, signature: other.signature },
      { ...good, signature: '' },
      { ...good, signature: `${good.signature}AAAA` },
      { ...good, signature: `${good.signature}=` },
    ]
    for (const assertion of changed) expect(await problemOf(assertion)).not.toBeNull()
  })
})
