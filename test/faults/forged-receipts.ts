// F19: receipts forged in many ways, by somebody who has genuine ones, a key of their own and this program, but not the
// installation's secret nor the buyer's passkey. None may be accepted by somebody who trusts the installation's key.

import { Seal } from '../../src/agreements/seal.ts'
import {
  batchEntry,
  challengeOf,
  hashOfBatch,
  type PartySignature,
  type SignedBatch,
} from '../../src/core/receipt/party-signature.ts'
import { hashOf, type Receipt, type ReceiptBody } from '../../src/core/receipt/receipt.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { readGolden } from '../golden/files.ts'
import { judge } from '../support/agreements/judged.ts'
import { type Authenticator, assertionOf, makeAuthenticator, originOfBuyer } from '../support/clients/passkeys.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

const installation = new Seal(KeyRing.of(['the secret of the installation']))
const forger = new Seal(KeyRing.of(['the secret of somebody else']))
const buyersKey = makeAuthenticator()
const forgersKey = makeAuthenticator()

const touch = (key: Authenticator, hash: string) => assertionOf(key, challengeOf(hash, originOfBuyer))

type Loose = { [key: string]: unknown }

function signaturesOf(body: ReceiptBody): PartySignature[] {
  const hash = hashOf(body)
  const together = [{ period: body.period, hash }]
  const common = { hash, together, signedAt: '2024-11-04T09:00:00.000000Z' }
  return [
    {
      party: 'buyer',
      signedBy: 'ann@buyer.test',
      name: 'Ann',
      ...common,
      means: 'PASSKEY',
      passkey: touch(buyersKey, hash),
      origin: originOfBuyer,
    },
    { party: 'supplier', signedBy: 'sam@supplier.test', name: 'Sam', ...common, means: 'PASSWORD', passkey: null },
  ]
}

export function issue(body: ReceiptBody): Receipt {
  return installation.issue({ hash: hashOf(body), body, signatures: signaturesOf(body) })
}

const salt = (letter: string) => letter.repeat(32)

/** One touch of the buyer for this receipt and others; `change` is what a forger who could seal would put in its place. */
function issueInBatch(
  body: ReceiptBody,
  change: (batch: SignedBatch) => Partial<PartySignature> = () => ({}),
): Receipt {
  const [buyer, supplier] = signaturesOf(body) as [PartySignature, PartySignature]
  const entries = [batchEntry(buyer.hash, salt('a')), batchEntry('1'.repeat(64), salt('b'))].sort()
  const batch = { salt: salt('a'), entries }
  const signed = { ...buyer, passkey: touch(buyersKey, hashOfBatch(entries)), batch }
  const signatures = [{ ...signed, ...change(batch) }, supplier]
  return installation.issue({ hash: hashOf(body), body, signatures })
}

const golden = [...readGolden().values()].map(text => (JSON.parse(text) as Receipt).body)
const genuine = issue(golden[0]!)
const another = issue(golden.find(({ period }) => period === '2024-Q2')!)
const elsewhere = issue({ ...golden[0]!, workspace: { id: `wsp_${'1'.repeat(26)}`, slug: 'other', name: 'Other Ltd' } })

const copy = (): Loose => structuredClone(genuine) as unknown as Loose

const listOf = (value: unknown) => value as unknown[]

/** `seal.value`, `steps.0.expr`; -1 is the last of a list. */
function placeOf(root: Loose, path: string): { readonly holder: Loose; readonly key: string } {
  const keys = path.split('.')
  let holder = root
  const stepInto = (key: string) => (key === '-1' ? `${listOf(holder).length - 1}` : key)
  for (const key of keys.slice(0, -1)) holder = holder[stepInto(key)] as Loose
  return { holder, key: stepInto(keys.at(-1)!) }
}

type Change = (root: Loose) => unknown

const edit =
  (path: string, change: (before: unknown) => unknown): Change =>
  root => {
    const { holder, key } = placeOf(root, path)
    holder[key] = change(holder[key])
  }
const set = (path: string, value: unknown): Change => edit(path, () => value)
const drop =
  (path: string): Change =>
  root => {
    const { holder, key } = placeOf(root, path)
    delete holder[key]
  }

/** The genuine receipt with one change. */
const changed = (change: Change) => () => {
  const receipt = copy()
  change(receipt)
  return JSON.stringify(receipt)
}

/** The same bytes, with bits set in the last character that belong to none of them. */
function respell(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) + 1]
}

/** The same with a recomputed hash, and the forger's seal or the old one. */
const rehashed =
  (change: Change, seal: 'forged' | 'kept' = 'forged') =>
  () => {
    const receipt = copy()
    const body = receipt.body as ReceiptBody
    change(body as unknown as Loose)
    const hash = hashOf(body)
    if (seal === 'kept') return JSON.stringify({ ...receipt, hash })
    const signatures = genuine.signatures.map(each => ({ ...each, hash }))
    return JSON.stringify(forger.issue({ hash, body, signatures }))
  }

const inText = (from: string | RegExp, to: string) => () => {
  const text = JSON.stringify(genuine)
  const forged = text.replace(from, to)
  if (forged === text) throw new Error(`nothing to forge at ${from}`)
  return forged
}

const bodyKeys = Object.entries(genuine.body).flatMap(([key, value]) => (value === null ? [] : [key]))
const signature = genuine.signatures[0]!

const named: Readonly<Record<string, () => string>> = {
  'no seal': changed(set('seal', null)),
  'no key for the seal': changed(drop('seal')),
  'the seal of another receipt': changed(set('seal', another.seal)),
  'the seal of the same receipt in another workspace': changed(set('seal', elsewhere.seal)),
  'a seal of the forger': changed(set('seal', forger.issue(genuine).seal)),
  'the forger’s seal under the installation’s key': changed(
    set('seal', { ...forger.issue(genuine).seal, publicKey: installation.publicKey }),
  ),
  'a seal over the hash alone': changed(set('seal', installation.sign(genuine.hash))),
  'an empty seal': changed(set('seal.value', '')),
  'a seal with padding': changed(edit('seal.value', value => `${value}==`)),
  'a seal of another spelling': changed(edit('seal.value', value => respell(`${value}`))),
  'a seal of another algorithm': changed(set('seal.algorithm', 'none')),
  'a key of small order': changed(
    set('seal', { algorithm: 'Ed25519', publicKey: `AQ${'A'.repeat(41)}`, value: `AQ${'A'.repeat(84)}` }),
  ),
  'another key beside the seal': changed(set('seal.key', installation.publicKey)),
  'another hash': changed(set('hash', another.hash)),
  'a hash in capitals': changed(edit('hash', value => `${value}`.toUpperCase())),
  'a hash as a number': changed(set('hash', 7)),
  'the body of another receipt': changed(set('body', another.body)),
  'the body of another workspace': changed(set('body', elsewhere.body)),
  'another receipt’s hash and body': changed(receipt =>
    Object.assign(receipt, { hash: another.hash, body: another.body }),
  ),
  'another workspace’s name': rehashed(set('workspace.name', 'Other Ltd')),
  'another workspace, the old seal': rehashed(set('workspace', elsewhere.body.workspace), 'kept'),
  'another installation': rehashed(set('installation.id', `ins_${'9'.repeat(26)}`), 'kept'),
  'another buyer': rehashed(set('parties.buyer', ['eve@evil.test'])),
  'the parties swapped': rehashed(
    set('parties', { buyer: genuine.body.parties.supplier, supplier: genuine.body.parties.buyer }),
  ),
  'an uploaded figure as a provider’s': rehashed(set('observations.0.origin', { provider: 'BLS' })),
  'another uploader': rehashed(set('observations.0.origin.uploadedBy', 'ann@buyer.test'), 'kept'),
  'another file': rehashed(set('observations.0.origin.sha256', 'f'.repeat(64)), 'kept'),
  'no origin': rehashed(drop('observations.0.origin')),
  'another value': rehashed(set('observations.0.value', '1.0')),
  'another value and all that follows from it': rehashed(set('result.adjustmentPct', '99')),
  'an observation too many': rehashed(
    edit('observations', list => [...listOf(list), { ...(listOf(list)[0] as object), period: '2022-01' }]),
  ),
  'an observation too few': rehashed(edit('observations', list => listOf(list).slice(0, -1))),
  'observations in another order': rehashed(edit('observations', list => listOf(list).toReversed())),
  'a tag that is better': rehashed(set('result.dataVersion', 'REVISED')),
  'another price': rehashed(set('result.price', '99.99')),
  'no price': rehashed(drop('result.price')),
  'another period': rehashed(set('period', '2025-Q1')),
  'another date': rehashed(set('adjustmentDate', '2024-07-01')),
  'another version': rehashed(set('formulaVersion', 2)),
  'another edition': rehashed(set('edition', 1)),
  'an edition to come': rehashed(set('edition', 3)),
  'another format': rehashed(set('format', 'assize-receipt/3')),
  'the first format': rehashed(set('format', 'assize-receipt/1')),
  'a swapped document': rehashed(set('documents.1', another.body.documents['1'])),
  'a document with a key twice': rehashed(edit('documents.1', text => `${text}`.replace('{', '{"slug":"other",'))),
  'a document that is no JSON': rehashed(set('documents.1', 'slug: golden')),
  'a document too many': rehashed(set('documents.x', genuine.body.documents['1']), 'kept'),
  'a line that says something else': rehashed(set('steps.0.expr', 'steel.base / steel')),
  'a line with another rounding': rehashed(set('steps.-1.round', { dp: 1, mode: 'UP' })),
  'a line with another value': rehashed(set('steps.0.value', '1')),
  'a line twice': rehashed(edit('steps', list => [...listOf(list), listOf(list)[0]])),
  'a line too many': rehashed(
    edit('steps', list => [...listOf(list), { ...(listOf(list)[0] as object), name: 'more' }]),
    'kept',
  ),
  'lines in another order': rehashed(edit('steps', list => listOf(list).toReversed())),
  'a line of great depth': rehashed(set('steps.0.expr', `${'('.repeat(5000)}1${')'.repeat(5000)}`)),
  'another result': rehashed(set('rules.step', 'factor')),
  'another kind of result': rehashed(set('rules.kind', 'CHANGE_PCT')),
  'another carried factor': rehashed(set('carriedIn.factor', '2')),
  'other contributions': rehashed(set('result.components.0.contribution', '9')),
  'another control': rehashed(edit('result.controls', list => [...listOf(list), { control: 'adder', points: '1' }])),
  'a breakdown that does not add up': rehashed(set('result.controls', [])),
  'a number as a number': rehashed(set('result.adjustmentPct', 5)),
  'a value that is no number': rehashed(set('observations.0.value', 'NaN')),
  'a look-alike letter': rehashed(
    edit('name', text => `${text}`.replace('o', '\u043e')),
    'kept',
  ),
  'a text taken apart': rehashed(set('name', 'Café'.normalize('NFD')), 'kept'),
  'half a character': inText('"name":"A golden', '"name":"\\ud83d golden'),
  'a key twice': inText('"hash":', `"hash":"${another.hash}","hash":`),
  'a key twice, the good one first': inText(/,"signatures":/, ',"hash":"x","signatures":'),
  'a key of the body twice': inText('"period":', '"period":"2030","period":'),
  'a key twice by an escape': inText('"period":', '"\\u0070eriod":"2030","period":'),
  'a value twice inside an observation': inText('"value":', '"value":"1","value":'),
  'text behind its end': () => `${JSON.stringify(genuine)}{}`,
  'a byte order mark': () => `\ufeff${JSON.stringify(genuine)}`,
  'a comment': () => `${JSON.stringify(genuine)} // same`,
  'two receipts in a list': () => JSON.stringify([genuine, another]),
  'an unknown key': changed(set('note', 'please pay')),
  'an unknown key in the body': rehashed(set('note', 'please pay'), 'kept'),
  'an unknown key in an observation': rehashed(set('observations.0.note', 'x')),
  'an unknown key in a line': rehashed(set('steps.0.note', 'x')),
  'an unknown key in what is carried in': rehashed(set('carriedIn.note', 'x')),
  'an unknown key called __proto__': inText('"body":{', '"body":{"__proto__":{"period":"2030"},'),
  'a signature less': changed(edit('signatures', list => listOf(list).slice(0, -1))),
  'all signatures less': changed(set('signatures', [])),
  'a signature more': changed(
    edit('signatures', list => [...listOf(list), { ...signature, party: 'supplier', signedBy: 'eve@evil.test' }]),
  ),
  'the signatures in another order': changed(edit('signatures', list => listOf(list).toReversed())),
  'a signature by somebody else': changed(set('signatures.1.signedBy', 'eve@evil.test')),
  'a signature at another time': changed(set('signatures.1.signedAt', '2020-01-01T00:00:00.000000Z')),
  'a password as a passkey': changed(set('signatures.1.means', 'PASSKEY')),
  'a passkey of the forger': changed(set('signatures.0.passkey', touch(forgersKey, genuine.hash))),
  'a passkey’s signature of another receipt': changed(set('signatures.0.passkey', touch(buyersKey, another.hash))),
  'a password as an operator’s word': changed(set('signatures.1.means', 'OPERATOR')),
}

const touched = (change: (batch: SignedBatch) => SignedBatch) => (batch: SignedBatch) => {
  const forged = change(batch)
  return { batch: forged, passkey: touch(buyersKey, hashOfBatch(forged.entries)) }
}

type ForgedBatch = [name: string, change: (batch: SignedBatch) => Partial<PartySignature>, why: string]

/** Lists of one touch that the receipt is not in, even with a valid passkey and under the installation's seal; why not. */
export const forgedBatches: readonly (readonly [name: string, forge: () => string, why: string])[] = (
  [
    [
      'its own entry is missing',
      touched(batch => ({
        ...batch,
        entries: batch.entries.filter(each => each !== batchEntry(genuine.hash, batch.salt)),
      })),
      'it is not in the list',
    ],
    ['an empty list', touched(batch => ({ ...batch, entries: [] })), 'it is not in the list'],
    ['another salt', touched(batch => ({ ...batch, salt: salt('b') })), 'it is not in the list'],
    [
      'the list of somebody else’s touch',
      touched(batch => ({ ...batch, entries: [batchEntry(another.hash, batch.salt)] })),
      'it is not in the list',
    ],
    [
      'the hash itself in place of its entry',
      touched(batch => ({ ...batch, entries: [genuine.hash] })),
      'it is not in the list',
    ],
    [
      'a list that does not ascend',
      touched(batch => ({ ...batch, entries: batch.entries.toReversed() })),
      'not in ascending order',
    ],
    [
      'an entry twice',
      touched(batch => ({ ...batch, entries: [batch.entries[0]!, ...batch.entries] })),
      'not in ascending order',
    ],
    [
      'an entry added after the touch',
      batch => ({ batch: { ...batch, entries: [...batch.entries, 'f'.repeat(64)] } }),
      'it was made for another hash',
    ],
    [
      'the touch for this receipt alone',
      () => ({ passkey: touch(buyersKey, genuine.hash) }),
      'it was made for another hash',
    ],
    ['a list without the touch', () => ({ means: 'PASSWORD', passkey: null }), 'without the passkey'],
  ] satisfies readonly ForgedBatch[]
).map(([name, change, why]) => [name, () => JSON.stringify(issueInBatch(golden[0]!, change)), why])

/** Every key of the body removed, and every one set to null. */
const everyKey = bodyKeys.flatMap(key => [
  [`a body without ${key}`, changed(drop(`body.${key}`))] as const,
  [`a body with null for ${key}`, rehashed(set(key, null))] as const,
])

export const forgeries: readonly (readonly [name: string, forge: () => string])[] = [
  ...Object.entries(named),
  ...everyKey,
]

/** Why it is not accepted; null if it is. */
export async function whyRefused(text: string): Promise<string | null> {
  try {
    return (await judge(text, [installation.publicKey])).problems[0] ?? null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

export async function isGenuineAccepted(): Promise<boolean> {
  const texts = golden.flatMap(body => [JSON.stringify(issue(body)), JSON.stringify(issueInBatch(body))])
  return (await Promise.all(texts.map(whyRefused))).every(why => why === null)
}

/** Every place in a JSON value except the value itself. */
function* placesIn(value: unknown): Generator<{ readonly holder: Loose; readonly key: string }> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    yield { holder: value as Loose, key }
    yield* placesIn((value as Loose)[key])
  }
}

function other(chance: Chance, value: unknown): unknown {
  if (typeof value === 'string') {
    const at = chance.int(0, Math.max(0, value.length - 1))
    const letter = chance.pick(['0', '1', '9', 'a', ' ', '-', '\u0000', 'é'])
    return chance.chance(30) ? `${value}${letter}` : `${value.slice(0, at)}${letter}${value.slice(at + 1)}`
  }
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (value === null) return chance.pick<unknown>(['', 0, [], {}])
  return chance.pick<unknown>([null, '', Array.isArray(value) ? {} : []])
}

/** One place of a genuine receipt changed at random; half of the time with a recomputed hash. */
export async function forgeAtRandom({ rounds, seed }: Pick<LongRun, 'rounds' | 'seed'>): Promise<string[]> {
  const chance = new Chance(seed)
  const accepted: string[] = []
  for (let round = 0; round < rounds; round++) {
    const body = chance.pick(golden)
    const receipt = structuredClone(chance.chance(50) ? issue(body) : issueInBatch(body)) as unknown as Loose
    const before = JSON.stringify(receipt)
    const { holder, key } = chance.pick([...placesIn(receipt)])
    holder[key] = other(chance, holder[key])
    if (chance.chance(50) && typeof receipt.body === 'object' && receipt.body !== null)
      receipt.hash = hashOf(receipt.body)
    const text = JSON.stringify(receipt)
    if (text !== before && (await whyRefused(text)) === null) accepted.push(`round ${round}: ${text.slice(0, 400)}`)
  }
  return accepted
}
