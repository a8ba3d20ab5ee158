import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { challengeOf, type PartySignature } from '../../src/core/receipt/party-signature.ts'
import { hashOf, type Receipt, type ReceiptBody } from '../../src/core/receipt/receipt.ts'
import { examples } from '../../src/http/v1/examples.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { waterfallOf } from '../../web/components/calculation/waterfall.ts'
import { countOrigins } from '../../web/components/words/origin-words.ts'
import { viewOrigin } from '../../web/pages/verify/origins.ts'
import { viewReceipt } from '../../web/pages/verify/receipt-view.ts'
import { formatApart, formatLine, formatVerdict, judgeFile, outcomeOf } from '../../web/pages/verify/verdict.ts'
import { assertionOf, makeAuthenticator, originOfBuyer } from '../support/clients/passkeys.ts'

const { body } = examples.Receipt as unknown as Receipt
const hash = hashOf(body)
const seal = new Seal(KeyRing.of(['the secret of an installation']))
const receipt = seal.issue({ hash, body, signatures: [] })
const own = {
  installation: { id: 'ins_01', name: 'Ours' },
  keys: [{ algorithm: 'Ed25519', publicKey: seal.publicKey }],
} as const

const judged = async (json: unknown) => {
  const any = await judgeFile(new TextEncoder().encode(JSON.stringify(json)))
  if (any.of !== 'period') throw new Error('it is taken for a correction')
  return any.verdict
}
const altered = (change: Partial<ReceiptBody>) => ({ ...body, ...change })
const outcome = async (json: unknown) => outcomeOf(await judged(json))

function signature(party: 'buyer' | 'supplier', means: PartySignature['means']): PartySignature {
  const passkey = means === 'PASSKEY' ? assertionOf(makeAuthenticator(), challengeOf(hash, originOfBuyer)) : null
  const together = [{ period: body.period, hash }]
  return {
    party,
    signedBy: `${party}@x.test`,
    name: '',
    signedAt: '2024-08-20T09:14:02.511000Z',
    hash,
    means,
    together,
    passkey,
    ...(passkey === null ? {} : { origin: originOfBuyer }),
  }
}

describe('a receipt in the browser', () => {
  test('is the same where every line, the hash and the seal are', async () => {
    expect(await outcome(receipt)).toBe('same')
  })

  test('differs at the first line that does not follow from its figures', async () => {
    const observations = body.observations.map((each, i) => (i === 1 ? { ...each, value: '349.874' } : each))
    const verdict = await judged({ ...receipt, body: altered({ observations }) })
    expect(outcomeOf(verdict)).toBe('different')
    expect(verdict.difference!.line).toBe('step ratio_steel')
    expect(formatApart(verdict.difference!)).toEqual(['1.06491162656623…', '1.09624416823068…'])
  })

  test('differs where only the reported number was changed', async () => {
    const verdict = await judged({ ...receipt, body: altered({ result: { ...body.result, adjustmentPct: '3.5' } }) })
    expect(verdict.difference).toEqual({ line: 'adjustmentPct', written: '3.5', recomputed: '2.5' })
    expect(['adjustmentPct', 'step pct', 'series'].map(formatLine)).toEqual(['the adjustment, %', 'line pct', 'series'])
  })

  test('differs under another hash, and is not proven without a seal or under an invalid one', async () => {
    expect(await outcome({ ...receipt, hash: 'f'.repeat(64) })).toBe('different')
    expect(await outcome({ ...receipt, seal: null })).toBe('unproven')
    const foreign = { ...receipt.seal!, publicKey: new Seal(KeyRing.of(['another secret'])).publicKey }
    expect(await outcome({ ...receipt, seal: foreign })).toBe('unproven')
    for (const publicKey of ['', 'a', '!!', 'AAAA'])
      expect(await outcome({ ...receipt, seal: { ...receipt.seal!, publicKey } })).toBe('unproven')
  })

  test('is refused in words where it is not a receipt', async () => {
    await expect(judgeFile(new TextEncoder().encode('not json'))).rejects.toThrow('cannot be read as strict JSON')
    await expect(judged(7)).rejects.toThrow('it must be a mapping')
    await expect(judged({})).rejects.toThrow('this is not a receipt: it has no body')
    await expect(judged({ ...receipt, body: altered({ observations: [] }) })).rejects.toThrow('do not suffice')
    await expect(judgeFile(Uint8Array.from([0x7b, 0xff, 0x7d]))).rejects.toThrow('it is not UTF-8')
  })
})

describe('the verdict in words', () => {
  const told = async (given: Receipt, keys: Parameters<typeof formatVerdict>[1] = own) =>
    Object.fromEntries(
      formatVerdict(await judged(given), keys).map(({ label, tone, words }) => [label, [tone, ...words]]),
    )

  test('reports each part separately', async () => {
    expect(await told(receipt)).toEqual({
      Recomputes: ['good', 'Yes, every line, by edition 2 of the rules.', 'Today’s compiler writes the same steps.'],
      Key: ['good', 'This installation’s, ins_01 (Ours).', `ed25519:${seal.publicKey}`],
      Signatures: ['open', 'No party has signed the receipt.'],
      'On the operator’s word': ['open', 'That the figures of BLS were read there as they stand here.'],
    })
  })

  test('does not call a key ours that is not, nor compare one where ours is not known', async () => {
    const [key] = [`ed25519:${seal.publicKey}`]
    const other = { ...own, keys: [] }
    expect((await told(receipt, other)).Key).toEqual([
      'open',
      `${key}, which is not the key of the installation whose page this is.`,
    ])
    expect((await told(receipt, null)).Key).toEqual(['open', `${key}. It was not compared with a key that you trust.`])
    expect((await told({ ...receipt, seal: null })).Key).toEqual(['bad', 'None: the receipt carries no seal.'])
  })

  test('distinguishes a registered key from the operator’s word and one by the operator, and claims no more than was recorded', async () => {
    const words = async (...means: PartySignature['means'][]) => {
      const signatures = means.map((each, i) => signature(i === 0 ? 'buyer' : 'supplier', each))
      return told(seal.issue({ hash, body, signatures }))
    }
    const own = await words('PASSKEY')
    expect(own.Signatures).toEqual([
      'open',
      expect.stringMatching(/^For the buyer by buyer@x.test, .*: with a passkey, checked here\.$/),
      expect.stringMatching(/^A key registered here on 2024-02-03 by a person invited by the operator/),
      'The agreement names this party by e-mail address, not as a company.',
    ])
    expect(own['On the operator’s word']).toHaveLength(3)
    const others = await words('PASSWORD', 'OPERATOR')
    expect(others.Signatures).toEqual([
      'open',
      expect.stringContaining('recorded by the server that issued it'),
      'Who invited the signer and when they joined was not recorded.',
      'The agreement names this party by e-mail address, not as a company.',
      expect.stringContaining('made by the operator, in the person’s name'),
      'Who invited the signer and when they joined was not recorded.',
      'The agreement names this party by e-mail address, not as a company.',
    ])
    expect(others['On the operator’s word']!.slice(2)).toEqual([
      'That buyer@x.test signed as buyer, and how they came to be let in.',
      'That supplier@x.test agreed: the operator signed as supplier in their name.',
    ])
  })

  test('says why a signature is not valid', async () => {
    const bad = {
      ...signature('buyer', 'PASSKEY'),
      together: [
        { period: body.period, hash },
        { period: '2030', hash },
      ],
    }
    expect((await told(seal.issue({ hash, body, signatures: [bad] }))).Signatures).toEqual([
      'bad',
      expect.stringContaining('it does not hold: it was made for another hash'),
    ])
  })
})

describe('the view of a receipt', () => {
  const view = viewReceipt(body, true)

  test('has numbers in place of names in every line, and the series by their names', () => {
    expect(view.steps[0]).toMatchObject({
      name: 'ratio_steel',
      expr: 'steel / steel.base',
      numbers: '339.874 / 319.157',
      told: [],
    })
    expect(view.steps).toHaveLength(body.steps.length)
    expect(view.observations[0]!.name).toBe(body.series[0]!.name)
  })

  test('adds up from its components and controls to the adjustment', () => {
    expect(waterfallOf(view)).not.toBeNull()
    expect(view).toMatchObject({ adjustmentPct: '2.5', price: '12.71', currency: 'USD', unit: 'piece' })
  })

  test('lists each source of figures once', () => {
    const sha256 = '0'.repeat(64)
    const recorded = '2026-11-14T09:00:00.000000Z'
    const uploaded = { uploadedBy: 'eva@x.test', file: 'a.csv', sha256, recorded }
    const unknown = { uploadedBy: null, file: null, sha256: null, recorded: null }
    const fromFile = { uploadedBy: null, file: 'b.csv', sha256, recorded: null }
    const origins = [{ provider: 'WORLD_BANK' }, uploaded, uploaded, unknown, fromFile]
    expect(countOrigins(origins.map(viewOrigin))).toEqual([
      { words: 'read from WORLD_BANK', figures: 1, sha256: null },
      { words: 'uploaded by eva@x.test, 14 Nov 2026, file a.csv', figures: 2, sha256 },
      { words: 'imported from a file that is not known', figures: 1, sha256: null },
      { words: 'file b.csv', figures: 1, sha256 },
    ])
    const { observations } = viewReceipt(body, true)
    expect(observations[0]!.origin).toEqual({ provider: 'BLS' })
  })
})
