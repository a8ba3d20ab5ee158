// `verify` as a user sees it: what it prints, its exit status, which key it accepts.

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { batchEntry, challengeOf, hashOfBatch, type PartySignature } from '../../src/core/receipt/party-signature.ts'
import { hashOf, type Receipt } from '../../src/core/receipt/receipt.ts'
import type { SignerOrigin } from '../../src/core/receipt/signer-origin.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { readGolden } from '../golden/files.ts'
import { goldenSeal } from '../golden/make.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { assertionOf, base64url, makeAuthenticator } from '../support/clients/passkeys.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

let workspace: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
  await house.run(['import', await house.write('figures.csv', bracketsTable), '--workspace', workspace.slug])
  await house.run(['pam', 'apply', await house.write('b.yaml', bracketsDocument()), '--workspace', workspace.slug])
})

const golden = readGolden()
const text = golden.get('clause-bands')!
const receipt = JSON.parse(text) as Receipt
const goldenKey = `ed25519:${goldenSeal.publicKey}`
const otherKey = `ed25519:${new Seal(KeyRing.of(['another secret'])).publicKey}`

async function verify(content: string, ...words: string[]) {
  return house.run(['verify', await house.write('r.json', content), ...words])
}

const reissue = (body: Receipt['body']) =>
  JSON.stringify(goldenSeal.issue({ hash: hashOf(body), body, signatures: [] }))

describe('verify', () => {
  test('prints same, the edition, what the compiler does, who issued and sealed it, and exits 0', async () => {
    const { status, out, err } = await verify(text)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^same: golden 2024-Q4 recomputes to \+[\d.]+ % \(edition 2, lines: \d+, observations: \d+\)$/,
      ),
      "today's compiler writes the same steps",
      `issued by ins_${'0'.repeat(26)} (Prices of the tests), workspace tests (Tests GmbH, wsp_${'0'.repeat(26)})`,
      expect.stringMatching(
        /^\d+ figures? uploaded by eva@editor\.test,( \d{4}-\d\d-\d\d,)? file table\.csv \(SHA-256 0{64}\)$/,
      ),
      `sealed by ${goldenKey}, which was not compared with a key that you trust (--trust)`,
      "on the operator's word: that eva@editor.test imported the files whose hashes are shown beside the figures",
    ])
  })

  test('under a key that has ended is not trusted by the published list, which says since when', async () => {
    const endedAt = '2026-05-01T08:00:00.000000Z'
    const [ended, current] = [goldenKey, otherKey].map(key => ({ algorithm: 'Ed25519', publicKey: key.split(':')[1] }))
    const keys = { installation: { id: 'ins_x', name: null }, keys: [current, { ...ended, endedAt }] }
    const list = await house.write('ended-keys.json', JSON.stringify(keys))
    const { status, err } = await verify(text, '--trust', list)
    expect([status, err]).toEqual([
      1,
      expect.stringContaining(
        `refused: seal: it is by ${goldenKey}, a key that ended at ${endedAt} (${basename(list)}): that it was sealed`,
      ),
    ])
    // Who knows from elsewhere that it is older names the key.
    expect((await verify(text, '--trust', list, '--trust', goldenKey)).status).toBe(0)
  })

  test('with --trust accepts only that key, named or from the published list', async () => {
    const keys = {
      installation: { id: 'ins_x', name: null },
      keys: [{ algorithm: 'Ed25519', publicKey: goldenSeal.publicKey }],
    }
    const list = await house.write('assize-keys.json', JSON.stringify(keys))
    for (const trust of [[goldenKey], [list], [otherKey, goldenKey]]) {
      const { status, out } = await verify(text, ...trust.flatMap(key => ['--trust', key]))
      expect([status, out]).toEqual([0, expect.stringContaining(`sealed by ${goldenKey}, a key that you trust`)])
    }
    const { status, out, err } = await verify(text, '--trust', otherKey)
    expect([status, out, err]).toEqual([
      1,
      '',
      `refused: seal: it is by ${goldenKey}, which is not a key that you trust\n`,
    ])
    expect((await verify(text, '--trust', 'ed25519:short')).err).toContain('--trust must be ed25519: and 43 characters')
    const none = await house.write('none.json', '{}')
    expect((await verify(text, '--trust', none)).err).toContain('it has no list of public keys')
    expect((await house.run(['verify', '--chain', '--trust', otherKey])).err).toContain('not with --chain')
  })

  test('exits 1 without a seal, although it recomputes', async () => {
    const { status, out, err } = await verify(JSON.stringify({ ...receipt, seal: null }))
    expect([status, out, err]).toEqual([1, '', 'refused: seal: it recomputes, but nobody signed it\n'])
  })

  test('names the first line that differs, with both numbers, even under a seal made for it', async () => {
    const steps = receipt.body.steps.map((step, i) => (i === 0 ? { ...step, value: '1.5' } : step))
    const { status, out, err } = await verify(reissue({ ...receipt.body, steps }))
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^different: step ratio_steel: the receipt says 1\.5, recomputed 1\.\d+…\n$/)
  })

  test('does not guess for another edition', async () => {
    const { status, err } = await verify(reissue({ ...receipt.body, edition: 7 }))
    expect([status, err]).toEqual([
      1,
      'assize: the receipt was computed by edition 7 of the rules; this program knows edition 2 and computes nothing by guess\n',
    ])
  })

  test('reports if today’s compiler writes other steps', async () => {
    const steps = receipt.body.steps.map(step => ({ ...step, expr: `(${step.expr})` }))
    const { status, out } = await verify(reissue({ ...receipt.body, steps }))
    expect(status).toBe(0)
    expect(out).toContain("today's compiler writes other steps: the wording changed; the number is the same")
  })

  test('gives every part of its verdict with --json', async () => {
    const { out } = await verify(text, '--json', '--trust', goldenKey)
    expect(JSON.parse(out)).toMatchObject({
      same: true,
      recomputes: true,
      pam: 'golden',
      period: '2024-Q4',
      edition: 2,
      difference: null,
      compiler: "today's compiler writes the same steps",
      hash: { written: receipt.hash, recomputed: receipt.hash },
      installation: receipt.body.installation,
      workspace: receipt.body.workspace,
      seal: { state: 'good', key: goldenKey, trust: 'trusted' },
      signatures: [],
      operatorsWord: [expect.stringContaining('eva@editor.test')],
      problems: [],
    })
  })
})

describe('a receipt from the command line', () => {
  test('of an installation is sealed with its key and names who imported which file', async () => {
    const { out } = await house.run(['receipt', 'brackets', '--workspace', workspace.slug, '--period', '2024-Q2'])
    const sha256 = createHash('sha256').update(bracketsTable).digest('hex')
    const { body } = JSON.parse(out) as Receipt
    expect(body.observations[0]!.origin).toMatchObject({
      uploadedBy: 'operator',
      file: expect.stringMatching(/figures\.csv$/),
      sha256,
    })
    const { key } = JSON.parse((await house.run(['installation', '--json'])).out) as { key: string }
    expect((await verify(out, '--trust', key)).status).toBe(0)
  })

  test('from files alone recomputes, but is not signed', async () => {
    const [document, table] = [
      await house.write('b.yaml', bracketsDocument()),
      await house.write('t.csv', bracketsTable),
    ]
    const { out } = await house.run(['evaluate', document, '--data', table, '--period', '2024-Q2', '--receipt'])
    expect(JSON.parse(out)).toMatchObject({ seal: null, signatures: [], body: { installation: null, workspace: null } })
    const { status, err } = await verify(out)
    expect([status, err]).toEqual([1, 'refused: seal: it recomputes, but nobody signed it\n'])
  })
})

describe('verify of a signature by passkey', () => {
  const authenticator = makeAuthenticator()
  const { hash, body } = receipt
  const together = [{ period: body.period, hash }]
  const act = { by: 'olga@owner.test', at: '2024-01-02T08:00:00.000000Z', from: 'WORKSPACE' as const }
  const invited = { ...act, role: 'owner', company: null }
  const origin: SignerOrigin = {
    role: 'supplier',
    invited,
    joinedAt: '2024-01-03T08:00:00.000000Z',
    renewed: { ...invited, at: '2024-02-01T08:00:00.000000Z', how: 'LINK', usedAt: '2024-02-02T08:00:00.000000Z' },
    company: { slug: 'ohio-forge', put: invited, confirmed: null },
    passkeys: [{ id: base64url('credential'), registeredAt: '2024-02-03T08:00:00.000000Z' }],
  }
  const signed = (given: SignerOrigin | null, over: SignerOrigin | null = given): PartySignature => ({
    party: 'supplier',
    signedBy: 'sam@ohio.test',
    name: 'Sam',
    signedAt: '2024-11-04T09:00:00.000000Z',
    hash,
    means: 'PASSKEY',
    together,
    passkey: assertionOf(authenticator, challengeOf(hash, over)),
    ...(given === null ? {} : { origin: given }),
  })
  const issue = (...signatures: PartySignature[]) => JSON.stringify(goldenSeal.issue({ hash, body, signatures }))

  test('says when the key was registered and who let the signer in, and claims no more', async () => {
    const { status, out, err } = await verify(issue(signed(origin)), '--trust', goldenKey)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const lines = out.split('\n')
    const at = lines.findIndex(line => line.startsWith('signed for the supplier'))
    expect(lines.slice(at, at + 4)).toEqual([
      'signed for the supplier by Sam (sam@ohio.test) on 2024-11-04 with a passkey, checked here',
      '  a key registered here on 2024-02-03 by a person invited by olga@owner.test (owner of the workspace) on 2024-01-02, who joined on 2024-01-03',
      '  they came in again on 2024-02-02 with a link for a new password made by olga@owner.test (owner of the workspace) on 2024-02-01',
      '  not confirmed by the company: ohio-forge has not confirmed who its people are',
    ])
    expect(out).toContain(
      "on the operator's word: that the key with which was signed as supplier was registered by sam@ohio",
    )
    expect(out).not.toContain('own signature')
    const json = JSON.parse((await verify(issue(signed(origin)), '--json')).out)
    expect(json.signatures[0]).toMatchObject({ whose: 'registered-key', problem: null, origin: { invited } })
  })

  test('of several agreements by one touch finds the receipt in its list, and says how many others there were', async () => {
    const salt = 'a'.repeat(32)
    const entries = [batchEntry(hash, salt), batchEntry('1'.repeat(64), salt), batchEntry('2'.repeat(64), salt)].sort()
    const passkey = assertionOf(authenticator, challengeOf(hashOfBatch(entries), origin))
    const touched = { ...signed(origin), passkey, batch: { salt, entries } }
    const { status, out, err } = await verify(issue(touched), '--trust', goldenKey)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('  signed by one touch together with 2 others\n')
    const missing = { ...touched, batch: { salt: 'b'.repeat(32), entries } }
    const refused = await verify(issue(missing), '--trust', goldenKey)
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('not in the list that the passkey signed'),
    ])
  })

  test('refuses one that says nothing of its signer', async () => {
    const { status, err } = await verify(issue(signed(null)))
    expect([status, err]).toEqual([1, expect.stringContaining('is not one of those that were recorded')])
  })

  test('refuses an origin that was added, taken away or changed, and a key that it does not list', async () => {
    const kinder = { ...origin, invited: { ...invited, by: 'boss@ohio.test', from: 'COMPANY' as const } }
    const unlisted = { ...origin, passkeys: [] }
    for (const signature of [signed(null, origin), signed(origin, null), signed(kinder, origin)]) {
      const { status, err } = await verify(issue(signature))
      expect([status, err]).toEqual([1, expect.stringContaining('it was made for another hash')])
    }
    const { status, err } = await verify(issue(signed(unlisted)))
    expect([status, err]).toEqual([1, expect.stringContaining('is not one of those that were recorded')])
  })
})
