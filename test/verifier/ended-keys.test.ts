// Receipts whose key has ended, and slips of a log whose key changed: both verifiers say alike what counts, by which file, and why not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { calledKey } from '../../src/core/proof/key-announcement.ts'
import type { PartySignature } from '../../src/core/receipt/party-signature.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { Chance } from '../faults/chance.ts'
import { readSamples } from '../support/files/damaged-samples.ts'
import { resealed, type WrittenProof } from '../support/files/foreign-fields.ts'
import { type AskedFile, disagreement, hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { type VerifiedLines, verifiedLines } from '../support/files/verified-lines.ts'
import {
  AnnouncedLog,
  entryOf,
  keyOf,
  sealOf,
  signedByOne,
  vkeyOf,
  witnessKey,
} from '../support/proof/announced-log.ts'
import { scenario } from '../support/run/long-test.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-ended-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** What both say of a file; they must not disagree. */
async function judged(path: string, ...words: readonly string[]): Promise<VerifiedLines> {
  const first = await verifiedLines(path, ...words)
  if (hasPython) {
    const [second] = secondVerdicts([{ path, words } satisfies AskedFile])
    expect(disagreement(first, second!, false), words.join(' ')).toBeNull()
    const about = (lines: readonly string[]) =>
      lines.filter(line => /before the key ended|that ended at|follows/.test(line))
    expect(about(second!.lines)).toEqual(about(first.lines))
  }
  return first
}

const sample = (name: string) =>
  readSamples()
    .find(each => each.name === name)!
    .bytes.toString()
const signed = JSON.parse(sample('signed-two-periods.json')) as Receipt
const called = (number: number) => calledKey(keyOf(number).key)
const endedSeal = signed.seal!.publicKey
const endedAt = '2026-05-01T08:00:00.000000Z'
const before = '2026-04-30T23:59:59Z'

/** As the installation publishes it after that many rotations. */
function published(rotations: number, name = 'assize-keys.json'): string {
  const keys = [
    { algorithm: 'Ed25519', publicKey: sealOf(rotations + 1) },
    { algorithm: 'Ed25519', publicKey: endedSeal, endedAt },
  ]
  const installation = { id: 'ins_x', name: null }
  return write(name, JSON.stringify({ installation, keys, logKeys: [vkeyOf(rotations + 1)] }))
}

/** A log in which what was signed lies between other entries, and then the key changes once or more. */
function logOf(proof: WrittenProof, kind = 'signature', { rotations = 1, isLate = false } = {}) {
  const log = new AnnouncedLog()
  log.sign('metadata', { other: true })
  const sign = () => proof.signatures.map(each => log.sign(kind, entryOf(kind, proof.hash, each as PartySignature)))
  const early = isLate ? [] : sign()
  const leaves = Array.from({ length: rotations }, (_, at) => {
    const leaf = log.announce(at + 1, at + 2, at === 0 ? endedSeal : sealOf(at + 1))
    log.sign('metadata', { after: at })
    return leaf
  })
  return { log, seqs: isLate ? sign() : early, leaves }
}

const of = (proof: WrittenProof) => write('proof.json', JSON.stringify(proof))

/** The slips of an honest log, and its announcements, under the newest key. */
function slipsOf({ log, seqs, leaves }: ReturnType<typeof logOf>): string {
  const by = { keys: [leaves.length + 1] }
  return [...seqs.map(seq => log.slip(seq, by)), ...leaves.map(leaf => log.announcement(leaf, by))].join('')
}

describe('a receipt whose key has ended', () => {
  test.each([
    ['signed-two-periods.json', 'signature'],
    ['correction-agreed.json', 'correction-signature'],
    ['splice-agreed.json', 'terms-signature'],
  ])('counts with slips from before the leaf, in a checkpoint of the next key: %s', async (name, kind) => {
    const proof = resealed(JSON.parse(sample(name)) as WrittenProof)
    const made = logOf(proof, kind)
    const slips = write('slips.txt', slipsOf(made))
    const { status, lines } = await judged(of(proof), '--trust', published(1), '--slip', slips)
    expect([status, lines[0]]).toEqual([0, expect.stringMatching(/^same: /)])
    expect(lines).toContain(`sealed by ed25519:${endedSeal}, a key that ended at ${endedAt} (assize-keys.json)`)
    const key = called(2)
    const { signedBy } = proof.signatures[0]!
    expect(lines).toContain(
      `the buyer's signature (${signedBy}) is in the log before the key ended: entry 2 at leaf 1 (slips.txt), before leaf 3, which announced the next key (slips.txt), in the checkpoint of 5 leaves signed by ${key}`,
    )
    expect(lines.filter(line => line.includes('before the key ended'))).toHaveLength(2)
  })

  test('counts after further keys, once their announcements lead to the one that signs', async () => {
    const made = logOf(signed, 'signature', { rotations: 3 })
    const whole = await judged(of(signed), '--trust', published(3), '--slip', write('slips.txt', slipsOf(made)))
    expect(whole.status).toBe(0)
    const { log, seqs, leaves } = made
    const by = { keys: [4] }
    const gap = [
      ...seqs.map(seq => log.slip(seq, by)),
      ...[leaves[0]!, leaves[2]!].map(leaf => log.announcement(leaf, by)),
    ]
    const { lines } = await judged(of(signed), '--trust', published(3), '--slip', write('gap.txt', gap.join('')))
    expect(lines[0]).toMatch(
      /leaf 3, which announces another key of the log: .* is not a key of the log that you trust/,
    )
  })

  test('counts with a checkpoint that a witness cosigned before the end, or that the reader kept', async () => {
    const { log, seqs } = logOf(signed)
    const slips = (by: Parameters<AnnouncedLog['slip']>[1]) => seqs.map(seq => log.slip(seq, by, { size: 3 })).join('')
    const [trust, path] = [published(1), of(signed)]
    const seen = write('seen.txt', slips({ keys: [1], witnessedAt: before }))
    const witnessed = await judged(path, '--trust', trust, '--slip', seen, '--witness', witnessKey)
    expect(witnessed.status).toBe(0)
    expect(witnessed.lines.join('\n')).toMatch(
      /in the checkpoint of 3 leaves cosigned by w1\.test\+\w{8} on 2026-04-30T23:59:59Z$/m,
    )
    const own = write('own.txt', slips({ keys: [1] }))
    const kept = await judged(path, '--trust', trust, '--kept', own)
    expect(kept.status).toBe(0)
    expect(kept.lines.join('\n')).toMatch(/in the checkpoint of 3 leaves that you kept \(own\.txt\)$/m)
    const checkpoint = write('checkpoint.txt', log.checkpointFile({ keys: [1] }, 3))
    expect((await judged(path, '--trust', trust, '--slip', own, '--kept', checkpoint)).status).toBe(0)
  })

  test('does not count with what who knows the leaked secret can make', async () => {
    const honest = logOf(signed)
    const { log, seqs, leaves } = honest
    const [trust, path] = [published(1), of(signed)]
    const next = { keys: [2] }
    const announced = log.announcement(leaves[0]!, next)
    const all = (by: Parameters<AnnouncedLog['slip']>[1], size = log.size) =>
      seqs.map(seq => log.slip(seq, by, { size })).join('')
    const late = logOf(signed, 'signature', { isLate: true })
    const cases: readonly (readonly [text: string, why: RegExp, proof?: WrittenProof])[] = [
      [log.slip(1, next) + announced, /the buyer's signature \(ann@buyer\.test\) is in no slip/],
      [log.slip(seqs[0]!, next) + announced, /the supplier's signature \(sam@ohio\.test\) is in no slip/],
      [seqs.map(seq => log.slip(seq, next, { hasContent: false })).join('') + announced, /is in no slip/],
      // By the old key alone, however it is dated.
      [
        all({ keys: [1] }, 3),
        /in the checkpoint of 3 leaves, which no later key signed, no witness that you named cosigned before, and you did not keep/,
      ],
      [
        all({ keys: [1] }) + log.announcement(leaves[0]!, { keys: [1] }),
        /leaf 3, .*: its checkpoint is not signed by a key of the log that you trust/,
      ],
      [all({ keys: [1], witnessedAt: '2026-05-01T08:00:00Z' }, 3), /no witness that you named cosigned before/],
      [all(next), /signed by .*, and the leaf that announced the next key is in no file/],
      [slipsOf(late), /entry 3 is at leaf 3, behind leaf 1, which announced the next key \(slips\.txt\)/],
      [
        slipsOf(honest),
        /its objections are in no slip/,
        { ...signed, objections: JSON.parse(sample('objected.json')).objections },
      ],
      [slipsOf(honest), /nobody signed it, and slips are of signatures/, { ...signed, signatures: [] }],
      [
        slipsOf(honest),
        /it has more signatures than parties/,
        { ...signed, signatures: [...signed.signatures, ...signed.signatures] },
      ],
      ...['name', 'signedAt', 'means', 'origin', 'batch'].map(field => {
        const other = {
          ...signed,
          signatures: signed.signatures.map((each, at) => (at === 0 ? withOther(each, field) : each)),
        }
        return [slipsOf(honest), /the buyer's signature \(ann@buyer\.test\) is in no slip/, other] as const
      }),
    ]
    for (const [text, why, proof] of cases) {
      const slips = write('slips.txt', text)
      const file = proof === undefined ? path : of(resealed(proof))
      const { status, lines } = await judged(file, '--trust', trust, '--slip', slips, '--witness', witnessKey)
      expect([status, lines[0]], why.source).toEqual([1, expect.stringMatching(why)])
      expect(lines[0]).toContain(`a key that ended at ${endedAt} (assize-keys.json): `)
      if (proof !== undefined) of(signed)
    }
    const alone = await judged(path, '--trust', trust)
    expect(alone.lines[0]).toContain('is not shown by the receipt alone, but by the slips of its signatures')
  })

  test('says of a planted announcement what is wrong with it', async () => {
    const [trust, path] = [published(1), of(signed)]
    const plant = (leaf: (log: AnnouncedLog) => readonly number[]) => {
      const log = new AnnouncedLog()
      const seqs = signed.signatures.map(each => log.sign('signature', entryOf('signature', signed.hash, each)))
      const leaves = leaf(log)
      const by = { keys: [2] }
      return seqs.map(seq => log.slip(seq, by)).join('') + leaves.map(at => log.announcement(at, by)).join('')
    }
    const cases: readonly (readonly [text: string, why: string])[] = [
      [
        plant(log => [log.announce(1, 2, endedSeal, leaf => signedByOne(leaf, 0))]),
        `leaf 2, which announces another key of the log: it is not signed by ${called(2)}`,
      ],
      [
        plant(log => [log.announce(1, 2, endedSeal, leaf => signedByOne(leaf, 1))]),
        `leaf 2, which announces another key of the log: it is not signed by ${called(1)}`,
      ],
      [
        plant(log => [log.announce(8, 9, endedSeal)]),
        `leaf 2, which announces another key of the log: ${called(8)} is not a key of the log that you trust`,
      ],
      [
        plant(log => [log.announce(1, 9, endedSeal), log.announce(1, 2, endedSeal)]),
        `leaf 3, which announces another key of the log: leaf 2 has ended the key ${called(1)} already`,
      ],
      [
        plant(log => [log.announce(2, 2, endedSeal)]),
        'leaf 2, which announces another key of the log: the key is the one before',
      ],
      [
        slipsOf(logOf(signed)).replace(/^index 3$/m, 'index 2'),
        'leaf 2, which announces another key of the log: it is not in the tree of its checkpoint',
      ],
    ]
    for (const [text, why] of cases) {
      const slips = write('planted.txt', text)
      const receipt = await judged(path, '--trust', trust, '--slip', slips)
      expect([receipt.status, receipt.lines[0]]).toEqual([1, expect.stringContaining(`: ${why}. `)])
      const alone = await judged(slips, '--log-key', vkeyOf(2))
      expect([alone.status, alone.lines[0]]).toEqual([1, `refused: ${why}`])
    }
  })
})

scenario(
  'damaged-slips',
  'slips and announcements of which a sign was changed are judged alike by both verifiers, alone and beside a receipt',
  { short: 60, long: 2_000, seed: 41 },
  async ({ rounds, seed }) => {
    const chance = new Chance(seed)
    const [text, failures] = [slipsOf(logOf(signed, 'signature', { rotations: 2 })), [] as string[]]
    const [trust, receipt] = [published(2), of(signed)]
    const asked: { readonly path: string; readonly words: readonly string[]; readonly first: VerifiedLines }[] = []
    let [refused, unread] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const slips = write(`damaged-${round}.txt`, damaged(text, chance))
      for (const [path, words] of [
        [slips, ['--trust', trust]],
        [receipt, ['--trust', trust, '--slip', slips]],
      ] as const) {
        const first = await verifiedLines(path, ...words)
        // A file that cannot be read is said with its option, by each program in its own way.
        if (first.status === 2) unread++
        else asked.push({ path, words, first })
        if (first.status === 1) refused++
      }
    }
    const second = hasPython ? secondVerdicts(asked) : []
    for (const [at, verdict] of second.entries()) {
      const apart = disagreement(asked[at]!.first, verdict, false)
      if (apart !== null) failures.push(`${asked[at]!.words.at(-1)}: ${apart}`)
    }
    if (refused === 0) failures.push('nothing was refused')
    return { summary: `${refused} refused, ${unread} not read`, failures }
  },
)

describe('slips of a log whose key changed', () => {
  test('are followed from a key that is known to the next ones', async () => {
    const slips = write('slips.txt', slipsOf(logOf(signed, 'signature', { rotations: 2 })))
    for (const key of [1, 2, 3]) expect((await judged(slips, '--log-key', vkeyOf(key))).status).toBe(0)
    const { lines } = await judged(slips, '--trust', published(2))
    expect(lines.slice(-2)).toEqual([
      `the key ${called(2)} follows ${called(1)}: leaf 3 says so, and both signed it`,
      `the key ${called(3)} follows ${called(2)}: leaf 5 says so, and both signed it`,
    ])
    expect((await judged(slips, '--log-key', vkeyOf(7))).lines[0]).toContain('is not a key of the log that you trust')
    expect((await judged(slips)).lines[0]).toMatch(/^not proven: /)
  })

  test('are refused in one sentence where there are more than are read', async () => {
    const { log, seqs, leaves } = logOf(signed)
    const slip = log.slip(seqs[0]!, { keys: [2] })
    const many = write('many.txt', slip.repeat(10_001))
    expect((await judged(many, '--log-key', vkeyOf(2))).lines).toEqual(['assize: a file has at most 10000 slips'])
    const announced = write('announced.txt', slip + log.announcement(leaves[0]!, { keys: [2] }).repeat(101))
    expect((await judged(announced, '--log-key', vkeyOf(2))).lines).toEqual([
      'assize: a file announces at most 100 keys',
    ])
    const seconds = Date.parse(before)
    const differing = Array.from({ length: 1_001 }, (_, at) =>
      log.slip(seqs[0]!, { keys: [2], witnessedAt: new Date(seconds + at * 1000).toISOString() }),
    )
    const costly = write('costly.txt', differing.join(''))
    expect((await judged(costly, '--log-key', vkeyOf(2), '--witness', witnessKey)).lines).toEqual([
      'assize: at most 1000 signatures are checked',
    ])
    // The same signature is checked once.
    const file = write('same.txt', slip.repeat(2_000))
    expect((await judged(file, '--log-key', vkeyOf(2))).status).toBe(0)
  })
})

/** One sign of a slip file is another: of a proof as it stands, or of the text that it has in base64. */
function damaged(text: string, chance: Chance): string {
  const other = (given: string) => {
    const at = chance.int(0, given.length - 1)
    return `${given.slice(0, at)}${chance.pick(['0', '1', 'x', 'A', '+', '\n', ' '])}${given.slice(at + 1)}`
  }
  const extras = [...text.matchAll(/^extra (\S+)$/gm)].map(([, extra]) => extra!)
  if (chance.chance(40)) return other(text)
  const extra = chance.pick(extras)
  return text.replace(extra, Buffer.from(other(Buffer.from(extra, 'base64').toString())).toString('base64'))
}

function withOther(signature: PartySignature, field: string): PartySignature {
  const others: Readonly<Record<string, unknown>> = {
    name: 'Somebody else',
    signedAt: '2024-11-04T09:00:01.000000Z',
    means: 'SESSION',
    origin: undefined,
    batch: { salt: 'x', entries: [signature.hash] },
  }
  const { [field as 'name']: _, ...rest } = signature
  return (others[field] === undefined ? rest : { ...rest, [field]: others[field] }) as PartySignature
}
