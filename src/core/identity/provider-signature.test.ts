import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeTokenSigner, signToken } from '../../../test/support/clients/provider-tokens.ts'
import { instantOfMicros, microsOf } from '../time/instant.ts'
import { checkProviderProof, type ProviderProof, shownAt, signOffNonce } from './provider-signature.ts'

const { subtle } = globalThis.crypto
const signer = makeTokenSigner('ES256')
const hash = createHash('sha256').update('a receipt').digest('hex')
const random = Buffer.alloc(32, 7)
const checkedAt = '2026-05-04T08:00:00.000000Z'
const now = microsOf(checkedAt) / 1_000_000
const at = (seconds: number) => instantOfMicros((now + seconds) * 1_000_000)

const claims = {
  iss: 'https://login.nova.example',
  aud: 'assize',
  sub: 'u-17',
  nonce: signOffNonce(random, hash),
  iat: now - 1,
  exp: now + 300,
  auth_time: now - 20,
}

function proofOf(changes: object = {}, other: Partial<ProviderProof> = {}): ProviderProof {
  return {
    issuer: claims.iss,
    subject: 'u-17',
    discovery: `${claims.iss}/.well-known/openid-configuration`,
    clientId: 'assize',
    checkedAt,
    expiresAt: at(300),
    token: signToken(signer, { claims: { ...claims, ...changes } }),
    random: random.toString('base64url'),
    key: signer.key,
    ...other,
  }
}

const problemOf = (proof: ProviderProof, of = hash, signedAt = at(2)) => checkProviderProof(subtle, proof, of, signedAt)

describe('a signature that a provider vouches for', () => {
  test('has a nonce that anybody can compute', () => {
    const text = Buffer.concat([Buffer.from('assize sign-off/1\n'), random, Buffer.from(`\n${hash}`)])
    expect(signOffNonce(random, hash)).toBe(createHash('sha256').update(text).digest('base64url'))
  })

  test('is one of exactly the hash that was signed', async () => {
    expect(await problemOf(proofOf())).toBeNull()
    const other = createHash('sha256').update('another receipt').digest('hex')
    expect(await problemOf(proofOf(), other)).toContain('another request')
  })

  const stranger = makeTokenSigner('ES256')
  test.each([
    ['by another subject', proofOf({ sub: 'u-18' }), 'about u-18, not about u-17'],
    ['said to be by another subject', proofOf({}, { subject: 'u-18' }), 'about u-17, not about u-18'],
    ['with other random bytes', proofOf({}, { random: Buffer.alloc(32, 8).toString('base64url') }), 'another request'],
    ['with too few random bytes', proofOf({}, { random: Buffer.alloc(31, 7).toString('base64url') }), '32 bytes'],
    ['with the key of somebody else', proofOf({}, { key: stranger.key }), 'not signed by the key'],
    ['from another issuer', proofOf({}, { issuer: 'https://login.other.example' }), 'is from "https://login.nova'],
    ['made for another client', proofOf({ aud: 'wiki' }), 'made for "wiki"'],
    ['that had expired', proofOf({ exp: now - 61 }), 'has expired'],
    ['of a sign-in long before', proofOf({ auth_time: now - 301 }), 'more than 300 seconds ago'],
    [
      'that does not say when the person signed in',
      proofOf({ auth_time: undefined }),
      'auth_time of the token is nothing',
    ],
    ['that is valid for years', proofOf({ exp: now + 86_401 }), 'more than a day'],
    ['said to end sooner than it does', proofOf({}, { expiresAt: at(-30) }), 'another time than is said'],
    ['with the key of a broken kind', proofOf({}, { key: { kty: 'RSA', n: 'AQAB', e: 'AQ' } }), 'publishes no key'],
  ])('is none %s', async (_, proof, problem) => {
    expect(await problemOf(proof)).toContain(problem)
  })

  test('is none where it was recorded long after the token was checked, or before', async () => {
    expect(await problemOf(proofOf(), hash, at(1200))).toBeNull()
    expect(await problemOf(proofOf(), hash, at(1201))).toContain('another time')
    expect(await problemOf(proofOf(), hash, at(-61))).toContain('another time')
  })

  test('shows its token only once that has expired', () => {
    const proof = proofOf()
    const { token: _, random: __, key: ___, ...vouched } = proof
    for (const early of [at(0), at(300), at(360)])
      expect(shownAt(proof, early)).toEqual({ ...vouched, proof: 'FOLLOWS' })
    expect(shownAt(proof, at(361))).toEqual(proof)
  })
})
