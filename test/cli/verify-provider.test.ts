// `verify` of receipts whose signatures an identity provider vouches for: offline, under keys that the reader trusts or has not
// compared, and what it says of forgeries.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { type ProviderProof, signOffNonce } from '../../src/core/identity/provider-signature.ts'
import { challengeOf, type PartySignature } from '../../src/core/receipt/party-signature.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import type { SignerOrigin } from '../../src/core/receipt/signer-origin.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { readGolden } from '../golden/files.ts'
import { makeTokenSigner, signToken, type TokenSigner } from '../support/clients/provider-tokens.ts'
import { runCommand } from '../support/houses/command-house.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-provider-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const golden = JSON.parse(readGolden().get('clause-bands')!) as Receipt
const nova = makeTokenSigner('ES256', 'nova-1')
const issuer = 'https://login.nova.example'
const signedAt = '2026-05-04T08:00:00.000000Z'
const now = 1_777_881_600
const origin: SignerOrigin = {
  role: 'supplier',
  joinedAt: '2026-01-02T09:00:00.000000Z',
  renewed: null,
  company: null,
  passkeys: [],
  invited: {
    by: 'olga@owner.test',
    at: '2026-01-01T09:00:00.000000Z',
    from: 'WORKSPACE',
    role: 'owner',
    company: null,
  },
  identities: [{ issuer, subject: 'u-17', linkedAt: '2026-01-02T09:00:00.000000Z' }],
}

interface Making {
  readonly by?: TokenSigner
  readonly claims?: object
  readonly proof?: Partial<ProviderProof>
  readonly signature?: Partial<PartySignature>
}

/** A receipt that is signed by subject u-17; sealed at an instant, by default long after. */
function signed(
  { by = nova, claims = {}, proof = {}, signature = {} }: Making = {},
  at = '2100-01-01T00:00:00.000000Z',
) {
  const random = Buffer.alloc(32, 7)
  const nonce = signOffNonce(random, challengeOf(golden.hash, origin))
  const usual = { iss: issuer, aud: 'assize', sub: 'u-17', nonce, iat: now - 1, exp: now + 300, auth_time: now - 9 }
  const provider: ProviderProof = {
    issuer,
    subject: 'u-17',
    discovery: `${issuer}/.well-known/openid-configuration`,
    clientId: 'assize',
    checkedAt: signedAt,
    expiresAt: '2026-05-04T08:05:00.000000Z',
    token: signToken(by, { claims: { ...usual, ...claims } }),
    random: random.toString('base64url'),
    key: by.key,
    ...proof,
  }
  const given: PartySignature = {
    party: 'supplier',
    signedBy: 'nina@nova.example',
    name: 'Nina',
    signedAt,
    hash: golden.hash,
    means: 'PROVIDER',
    together: [{ period: golden.body.period, hash: golden.hash }],
    passkey: null,
    provider,
    origin,
    ...signature,
  }
  return JSON.stringify(new Seal(KeyRing.of(['s'.repeat(40)]), () => at).issue({ ...golden, signatures: [given] }))
}

async function verify(content: string, keys?: object) {
  const path = join(folder, 'receipt.json')
  await writeFile(path, content)
  const trust = join(folder, 'keys.json')
  await writeFile(trust, JSON.stringify(keys ?? {}))
  return runCommand(['verify', path, ...(keys === undefined ? [] : ['--trust-issuer', trust])], {})
}

describe('verify of a signature by a provider', () => {
  test('says who signed where, and that the key was compared with none', async () => {
    const { status, out, err } = await verify(signed())
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('signed for the supplier by Nina (nina@nova.example) on 2026-05-04 by the identity provider')
    expect(out).toContain(`signed by subject u-17 at ${issuer}`)
    expect(out).toContain('not compared with one of https://login.nova.example that you trust (--trust-issuer)')
    expect(out).toContain(`on the operator's word: that the key in the proof is one of ${issuer}`)
  })

  test('with --trust-issuer accepts only keys of that issuer, and for clients that are named there', async () => {
    const trusted = await verify(signed(), { [issuer]: { keys: [nova.key] } })
    expect([trusted.status, trusted.err]).toEqual([0, ''])
    expect(trusted.out).toContain(`under a key of ${issuer} that you trust`)
    expect(trusted.out).not.toContain('the key in the proof')
    for (const keys of [
      { [issuer]: { keys: [makeTokenSigner('ES256', 'nova-1').key] } },
      { 'https://login.other.example': { keys: [nova.key] } },
      { [issuer]: { keys: [nova.key], clients: ['wiki'] } },
    ]) {
      const { status, err } = await verify(signed(), keys)
      expect([status, err]).toEqual([1, expect.stringContaining(`by a key that you do not trust as one of ${issuer}`)])
    }
    const wrong = await verify(signed(), { [issuer]: { keys: [] } })
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('no key of https://login.nova.example')])
  })

  test('before the token has expired has no proof, and says that it follows', async () => {
    const early = signed({}, '2026-05-04T08:05:30.000000Z')
    expect(early).not.toContain(nova.key.kid!)
    const { status, out } = await verify(early, { [issuer]: { keys: [nova.key] } })
    expect([status, out]).toEqual([0, expect.stringContaining('the proof follows')])
    expect(out).toContain("on the operator's word: that nina@nova.example signed as supplier")
  })

  const other = makeTokenSigner('ES256', 'nova-1')
  test.each<[string, Making, string]>([
    ['a token of another subject', { claims: { sub: 'u-18' } }, 'about u-18, not about u-17'],
    [
      'another subject at the same provider',
      { claims: { sub: 'u-18' }, proof: { subject: 'u-18' } },
      'not who was recorded',
    ],
    [
      'a token for another hash',
      { claims: { nonce: signOffNonce(Buffer.alloc(32, 7), golden.hash) } },
      'another request',
    ],
    ['other random bytes', { proof: { random: Buffer.alloc(32, 8).toString('base64url') } }, 'another request'],
    ['a key that was swapped', { proof: { key: other.key } }, 'not signed by the key'],
    ['a token for another client', { claims: { aud: 'wiki' } }, 'not for assize'],
    ['a token that had expired', { claims: { exp: now - 100, iat: now - 400 } }, 'has expired'],
    ['a sign-in that was old', { claims: { auth_time: now - 301 } }, 'more than 300 seconds ago'],
    ['a signature of another day', { signature: { signedAt: '2026-05-05T08:00:00.000000Z' } }, 'another time'],
    ['another means than the proof', { signature: { means: 'PASSWORD' } }, 'without the other'],
    ['the origin of somebody else', { signature: { origin: { ...origin, role: 'owner' } } }, 'another request'],
  ])('refuses %s', async (_, making, problem) => {
    const { status, err } = await verify(signed(making))
    expect([status, err]).toEqual([1, expect.stringContaining(problem)])
  })
})
