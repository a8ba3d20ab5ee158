import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeTokenSigner, signToken } from '../../../test/support/clients/provider-tokens.ts'
import { checkIdToken, type TokenExpectation } from './id-token.ts'
import { isSignedBy, keyFor, type ProviderKey, readProviderKeys } from './provider-key.ts'
import { readSignedToken } from './signed-token.ts'

const { subtle } = globalThis.crypto
const now = 1_800_000_000
const signer = makeTokenSigner('ES256')
// Keys of RSA take long to make: two of them serve all.
const rsa = makeTokenSigner('RS256', 'rsa')
const second = makeTokenSigner('RS256', 'second')
const pairs = {
  RS256: [rsa, second],
  PS256: [
    { ...rsa, algorithm: 'PS256' },
    { ...second, algorithm: 'PS256' },
  ],
  ES256: [signer, makeTokenSigner('ES256')],
  EdDSA: [makeTokenSigner('EdDSA'), makeTokenSigner('EdDSA')],
} as const
const issuer = 'https://login.nova.example'
const good = {
  iss: issuer,
  aud: 'assize',
  sub: 'u-17',
  nonce: 'n-1',
  iat: now - 2,
  exp: now + 300,
  auth_time: now - 5,
}
const expected: TokenExpectation = { issuer, clientId: 'assize', nonce: 'n-1', now, mostAgeSeconds: 300 }

const check = (token: string, keys: readonly ProviderKey[] = [signer.key], other: Partial<TokenExpectation> = {}) =>
  checkIdToken(subtle, token, keys, { ...expected, ...other })
const tokenOf = (claims: object | string, header?: object | string) =>
  signToken(signer, { claims, ...(header === undefined ? {} : { header }) })

// RFC 7515, A.2 and A.3; RFC 8037, A.4.
const claimsOfRfc = 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'
const vectors = [
  {
    name: 'RS256 of RFC 7515',
    token: `eyJhbGciOiJSUzI1NiJ9.${claimsOfRfc}.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw`,
    key: {
      kty: 'RSA',
      n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
      e: 'AQAB',
    },
  },
  {
    name: 'ES256 of RFC 7515',
    token: `eyJhbGciOiJFUzI1NiJ9.${claimsOfRfc}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  },
] as const

describe('the signature of a token', () => {
  test.each(vectors)('is found valid for $name, and for nothing else', async ({ token, key }) => {
    const read = readSignedToken(token)
    expect(read.claims).toEqual({ iss: 'joe', exp: 1_300_819_380, 'http://example.com/is_root': true })
    expect(await isSignedBy(subtle, read, key)).toBe(true)
    const changed = { ...read, signed: read.signed.with(read.signed.length - 1, 0x41) }
    expect(await isSignedBy(subtle, changed, key)).toBe(false)
  })

  test('is found valid for EdDSA of RFC 8037', async () => {
    const signature = 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg'
    const token = {
      algorithm: 'EdDSA' as const,
      keyId: null,
      claims: {},
      signed: new TextEncoder().encode('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc'),
      signature: Uint8Array.from(Buffer.from(signature, 'base64url')),
    }
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const
    expect(await isSignedBy(subtle, token, key)).toBe(true)
    expect(await isSignedBy(subtle, { ...token, signed: new Uint8Array(1) }, key)).toBe(false)
  })

  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)('is checked with %s', async algorithm => {
    const [one, other] = pairs[algorithm]
    const { subject, key, expiresAt } = await check(signToken(one, { claims: good }), [one.key])
    expect({ subject, key, expiresAt }).toEqual({ subject: 'u-17', key: one.key, expiresAt: now + 300 })
    const swapped = { ...other.key, kid: one.key.kid! }
    await expect(check(signToken(one, { claims: good }), [swapped])).rejects.toThrow('not signed by the key')
  })
})

describe('an ID token is refused', () => {
  const { key } = signer
  const [header, claims, signature] = tokenOf(good).split('.') as [string, string, string]
  const hs256 = (() => {
    const signed = `${Buffer.from('{"alg":"HS256","kid":"rsa"}').toString('base64url')}.${claims}`
    const secret = JSON.stringify(rsa.key)
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  })()

  test.each([
    ['without a signature', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`, 'signed by "none"'],
    ['with a MAC by the public key', hs256, 'signed by "HS256"'],
    ['with an algorithm in other letters', tokenOf(good, { alg: 'es256', kid: 'key-1' }), 'signed by "es256"'],
    ['with a list of algorithms', tokenOf(good, { alg: ['ES256'], kid: 'key-1' }), 'signed by ["ES256"]'],
    ['with its signature removed', `${header}.${claims}.`, 'not signed'],
    ['with two parts', `${header}.${claims}`, '2 parts'],
    ['with five parts', `${header}.${claims}.${signature}.a.b`, '5 parts'],
    ['with padding', `${header}.${claims}=.${signature}`, 'not base64url'],
    ['with a signature in another spelling', `${header}.${claims}.${signature.slice(0, -1)}B`, /base64url|not signed/],
    ['with a repeated claim', tokenOf(JSON.stringify(good).replace('{', '{"sub":"other",')), '"sub" is repeated'],
    ['with a repeated name in its header', tokenOf(good, '{"alg":"ES256","alg":"ES256"}'), '"alg" is repeated'],
    ['with claims that are a list', tokenOf('[]'), 'not a mapping'],
    ['that is too long', tokenOf({ ...good, groups: 'g'.repeat(32_000) }), 'at most 32000'],
    ['that demands an extension', tokenOf(good, { alg: 'ES256', crit: ['b64'], b64: false }), 'an extension'],
    ['of another type', tokenOf(good, { alg: 'ES256', kid: 'key-1', typ: 'at+jwt' }), 'another type: "at+jwt"'],
    ['that brings its own key', tokenOf(good, { alg: 'ES256', kid: 'own', jwk: key }), 'publishes no key "own"'],
    ['with another issuer', tokenOf({ ...good, iss: `${issuer}/` }), 'is from "https://login.nova.example/"'],
    ['without an issuer', tokenOf({ ...good, iss: undefined }), 'is from nothing'],
    ['for another audience', tokenOf({ ...good, aud: 'other' }), 'made for "other", not for assize'],
    ['for several without azp', tokenOf({ ...good, aud: ['assize', 'other'] }), 'does not say for whom'],
    ['for another azp', tokenOf({ ...good, azp: 'other' }), 'made for "other" (azp)'],
    ['with another nonce', tokenOf({ ...good, nonce: 'n-2' }), 'another request'],
    ['without a nonce', tokenOf({ ...good, nonce: undefined }), 'another request'],
    ['without a subject', tokenOf({ ...good, sub: '' }), 'names no person'],
    ['with a subject that cannot be kept', tokenOf({ ...good, sub: 'u\0' }), 'names no person'],
    ['with a number as its subject', tokenOf({ ...good, sub: 17 }), 'names no person'],
    ['that has expired', tokenOf({ ...good, exp: now - 60 }), 'has expired'],
    ['without an end', tokenOf({ ...good, exp: undefined }), 'exp of the token is nothing'],
    ['with an end as text', tokenOf({ ...good, exp: `${now + 300}` }), 'exp of the token is "'],
    ['from the future', tokenOf({ ...good, iat: now + 61 }), 'from the future'],
    ['that ends before it begins', tokenOf({ ...good, iat: now + 30, exp: now + 30 }), 'expires before'],
    ['that is not valid yet', tokenOf({ ...good, nbf: now + 61 }), 'not valid yet'],
    ['of a person who signed in long ago', tokenOf({ ...good, auth_time: now - 301 }), 'more than 300 seconds ago'],
    ['without the time of sign-in', tokenOf({ ...good, auth_time: undefined }), 'auth_time of the token is nothing'],
    ['with a sign-in in the future', tokenOf({ ...good, auth_time: now + 61 }), 'will sign in later'],
  ])('%s', async (_, token, problem) => {
    await expect(check(token)).rejects.toThrow(problem)
  })

  test('for a key of the right name and another kind', async () => {
    await expect(check(tokenOf(good), [{ ...rsa.key, kid: 'key-1' }])).rejects.toThrow(
      'publishes no key "key-1" for ES256',
    )
  })

  test('and a good one is not, whichever way its audience is written', async () => {
    for (const aud of ['assize', ['assize'], ['other', 'assize']])
      expect((await check(tokenOf({ ...good, aud, azp: 'assize' }))).subject).toBe('u-17')
    const { authenticatedAt } = await check(tokenOf({ ...good, auth_time: now - 9000 }), [key], {
      mostAgeSeconds: 9000,
    })
    expect(authenticatedAt).toBe(now - 9000)
  })
})

describe('the keys of a provider', () => {
  const readAll = (...keys: object[]) => readProviderKeys({ keys })

  test('are those that sign, with no more than makes them up', () => {
    const { kid: _, ...bare } = rsa.key
    expect(readAll({ ...rsa.key, use: 'sig', x5c: ['…'], key_ops: ['verify'] })).toEqual([rsa.key])
    expect(readAll({ ...bare, d: 'private' })).toEqual([bare])
  })

  test.each([
    ['for encryption', { use: 'enc' }],
    ['to sign with', { key_ops: ['sign'] }],
    ['with a short modulus', { n: Buffer.alloc(128, 0xff).toString('base64url') }],
    [
      'whose modulus begins with zeros',
      { n: Buffer.concat([Buffer.alloc(128), Buffer.alloc(128, 1)]).toString('base64url') },
    ],
    ['with the exponent 1', { e: 'AQ' }],
    ['for another algorithm', { alg: 'RSA-OAEP' }],
    ['for the algorithm of another kind', { alg: 'ES256' }],
    ['of a shared secret', { kty: 'oct', k: 'AAAA' }],
    ['of no kind', { kty: undefined }],
  ])('do not include one %s', (_, members) => {
    expect(readAll({ ...rsa.key, ...members })).toEqual([])
  })

  test('are refused where they are not a set', () => {
    for (const set of [null, {}, { keys: {} }, 'keys', []])
      expect(() => readProviderKeys(set)).toThrow('not a JSON Web Key Set')
  })

  test('are told apart by their names; without a name only one may fit', () => {
    const named = readSignedToken(signToken(second, { claims: good }))
    const unnamed = readSignedToken(signToken(second, { claims: good, header: { alg: 'RS256' } }))
    expect(keyFor(named, [rsa.key, signer.key, second.key])).toBe(second.key)
    expect(keyFor(named, [rsa.key])).toBeNull()
    expect(keyFor(unnamed, [signer.key, second.key])).toBe(second.key)
    expect(() => keyFor(unnamed, [rsa.key, second.key])).toThrow('several keys')
  })
})
