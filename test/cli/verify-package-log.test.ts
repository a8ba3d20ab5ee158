// `verify` of an evidence package with what it has of the public log: who says that a signature was there by when, what somebody kept
// and compares, and every way in which checkpoints, proofs and slips are made to say something else, by somebody who has the seal.

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { formatNoteKey, makeNoteKey } from '../../src/core/proof/note-key.ts'
import { signNote } from '../../src/core/proof/note-signature.ts'
import { formatNote, formatSignature, readNote } from '../../src/core/proof/signed-note.ts'
import { formatSlip, readSlip, type Slip } from '../../src/core/proof/slip.ts'
import { readStamp, readStampAnswer } from '../../src/core/proof/time-stamp.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import { formatLogFile, type LogFile, stampCommandsIn } from '../../src/formats/evidence/log-file.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { packSealed, unpackEvidence } from '../support/files/evidence-package.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { agreement } from '../support/houses/evidence-seats.ts'
import { packageHouse } from '../support/houses/package-house.ts'
import { runInShell, startTimeAuthority, type TimeAuthority } from '../support/proof/time-authority.ts'
import { onlyLong } from '../support/run/long-form.ts'

const kept = packageHouse({
  isEachJudged: onlyLong('packages', 'packages of tests, by both verifiers, instead of one in three'),
})
let file: LogFile
let slips: readonly string[]
beforeAll(() => {
  file = JSON.parse(kept.files.get('log.json')!) as LogFile
  slips = [...kept.files.keys()].filter(path => path.startsWith('slips/'))
})

const write = async (name: string, content: string) => {
  await writeFile(join(kept.folder, name), content)
  return join(kept.folder, name)
}
const withLog = (change: Partial<LogFile>) =>
  packSealed(new Map([...kept.files, ['log.json', formatLogFile({ ...file, ...change })]]), kept.seal)
const withSlip = (path: string, change: (slip: Slip) => Slip) =>
  packSealed(new Map([...kept.files, [path, formatSlip(change(readSlip(kept.files.get(path)!)))]]), kept.seal)

/** A checkpoint of the same log over another tree, as its operator could sign it. */
function rewritten(): string {
  const keys = new LogKeys(kept.api.ring)
  const [, size] = file.checkpoint.split('\n')
  const root = createHash('sha256').update('another history').digest()
  const text = formatCheckpoint({ origin: file.origin, size: Number(size), root, extensions: [] })
  return formatNote({ text, signatures: [signNote(keys.signerOf(file.origin), text, 0)] })
}

describe('verify of an evidence package with a log', () => {
  test('says by when a witness saw each signature', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = makeNoteKey(
      'w1.example',
      'ed25519-cosignature',
      publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    )
    const { text } = readNote(file.checkpoint)
    const seconds = Date.UTC(2026, 10, 18, 5, 7, 30) / 1000
    const line = signNote({ key, sign: message => sign(null, message, privateKey) }, text, seconds)
    const witnesses = [{ name: 'w1', key: formatNoteKey(key) }]
    const { status, out, err } = await kept.verify(
      withLog({ witnesses, checkpoint: `${file.checkpoint}${formatSignature(line)}` }),
    )
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(/^2024-Q2: signed by both on \S+; in the log by 2026-11-18T05:07Z \(witness w1\)$/m)
    const forged = formatSignature({ ...line, bytes: line.bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)) })
    await kept.expectRefused(
      withLog({ witnesses, checkpoint: `${file.checkpoint}${forged}` }),
      /The log: the cosignature of w1 on the checkpoint of \d+ leaves does not hold/,
      'a cosignature that is not the witness’s',
    )
  })

  test('compares what somebody kept, and shows both texts where the log contradicts it', async () => {
    const slip = await write('slip.txt', kept.files.get(slips[0]!)!)
    const { status, out } = await kept.verify(
      kept.archive,
      '--kept',
      slip,
      '--kept',
      await write('c.txt', file.checkpoint),
    )
    expect(status).toBe(0)
    expect(out).toContain('not rewritten since the oldest checkpoint you kept (1 checkpoint you kept)\n')
    const other = await write('other.txt', rewritten())
    const found = await kept.verify(kept.archive, '--kept', other)
    expect([found.status, found.out]).toEqual([1, ''])
    const texts = [rewritten(), file.checkpoint].map(note => JSON.stringify(readNote(note).text))
    expect(found.err).toBe(`refused: What you kept: other.txt: the log contradicts itself: ${texts.join(' and ')}\n`)
  })

  test('shows how the log grew from one package to the next', async () => {
    await kept.seats.tenant.signBoth(agreement, '2024-Q3')
    const later = await kept.take(kept.seats.as.owner)
    const { files } = unpackEvidence(later)
    const { earlier } = JSON.parse(files.get('log.json')!) as LogFile
    expect(earlier.map(({ checkpoint }) => readNote(checkpoint).text)).toContain(readNote(file.checkpoint).text)
    const { status, out } = await kept.verify(later, '--kept', await write('before.txt', file.checkpoint))
    expect([status, out]).toEqual([0, expect.stringContaining('(1 checkpoint you kept)')])
    const wrong = earlier.map(each => ({ ...each, proof: each.proof.map(() => Buffer.alloc(32).toString('base64')) }))
    const damaged = packSealed(
      new Map([
        ...files,
        ['log.json', formatLogFile({ ...(JSON.parse(files.get('log.json')!) as LogFile), earlier: wrong })],
      ]),
      kept.seal,
    )
    await kept.expectRefused(damaged, /The log: the log contradicts itself: "assize\//, 'a proof of another growth')
  })

  test('refuses a checkpoint of another tree, a slip of another entry, and a signature without a slip', async () => {
    await kept.expectRefused(withLog({ checkpoint: rewritten() }), 'its checkpoint is not one of log.json', 'rewritten')
    await kept.expectRefused(
      withLog({
        checkpoint: file.checkpoint.replace(/^(.*\n)(\d+)/, (_, origin, size) => `${origin}${Number(size) + 1}`),
      }),
      /The log: the checkpoint of \d+ leaves is not signed by the log/,
      'a size that nobody signed',
    )
    const [path] = slips
    await kept.expectRefused(
      withSlip(path!, slip => ({
        ...slip,
        entry: { ...slip.entry, line: slip.entry.line.replace(/.$/, last => (last === 'e' ? 'd' : 'e')) },
      })),
      /the entry is not in the tree of its head|of another entry/,
      'another entry',
    )
    await kept.expectRefused(
      withSlip(path!, slip => ({ ...slip, head: { ...slip.head, k: slip.head.k + 1 } })),
      'the head is not in the tree of the checkpoint',
      'another head',
    )
    await kept.expectRefused(
      packSealed(new Map([...kept.files].filter(([each]) => each !== path)), kept.seal),
      /The log: publication \d+ \(signature\) has no slip/,
      'one left out',
    )
  })

  test('verifies a slip alone, under keys that the reader names', async () => {
    const path = await write('one.txt', slips.map(each => kept.files.get(each)!).join(''))
    const good = await runCommand(['verify', path, '--log-key', file.keys[0]!], {})
    expect([good.status, good.err]).toEqual([0, ''])
    expect(good.out).toMatch(
      /^same: entry \d+ \(signature\) of wsp_\w+ is in the log assize\/\w+ of \d+ leaves\nsigned by the log's key \S+\nno witness/m,
    )
    const other = new LogKeys(KeyRing.of(['another secret'])).vkeyOf(file.origin)
    const { status, err } = await runCommand(['verify', path, '--log-key', other], {})
    expect([status, err]).toEqual([1, expect.stringContaining('not signed by a key of the log that you trust')])
  })

  describe('with time stamps', () => {
    let authority: TimeAuthority
    beforeAll(async () => {
      authority = await startTimeAuthority()
    })
    afterAll(() => authority.stop())

    test('counts none as proof, and says the commands by which OpenSSL checks who made it', async () => {
      const { text } = readNote(file.checkpoint)
      const size = Number(text.split('\n')[1])
      const stamps = [1, 2].map(() => {
        const { token } = readStampAnswer(Uint8Array.from(authority.answerTo(text)))
        const stampedAt = readStamp(token!)!.at.replace('Z', '.000000Z') as Instant
        return { size, authority: 'as the operator says', stampedAt, token: Buffer.from(token!).toString('base64') }
      })
      const stamped = withLog({ stamps })
      const log = formatLogFile({ ...file, stamps })
      const { status, out, err } = await kept.verify(stamped)
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).toContain("; in the log on the operator's word alone: no witness\n")
      const left = [
        ...out.matchAll(/^left to OpenSSL: who stamped the checkpoint of (\d+) leaves on \S+ \(([^)]+)\): (.*)$/gm),
      ]
      expect(left.map(([, leaves, who]) => [leaves, who])).toEqual(
        Array(2).fill([`${size}`, 'as the operator says, the operator says']),
      )
      // As somebody runs them who has unpacked the package.
      const folder = await mkdtemp(join(kept.folder, 'unpacked-'))
      await writeFile(join(folder, 'log.json'), log)
      await copyFile(authority.rootFile, join(folder, 'root.pem'))
      for (const [, , , command] of left) expect(runInShell(command!, folder), command).toMatchObject({ isGood: true })
      expect(stampCommandsIn(log)).toEqual(left.map(each => each[3]))

      const elsewhere = [{ ...stamps[0]!, stampedAt: '2020-01-01T00:00:00.000000Z' as Instant }]
      await kept.expectRefused(withLog({ stamps: elsewhere }), 'is not over the checkpoint of', 'another time')
      const other = Buffer.from(authority.answerTo('another text'))
      const token = Buffer.from(readStampAnswer(Uint8Array.from(other)).token!).toString('base64')
      await kept.expectRefused(
        withLog({ stamps: [{ ...stamps[0]!, token }] }),
        'is not over the checkpoint of',
        'another',
      )
    })

    test('takes a stamp over a slip and leaves who made it to OpenSSL', async () => {
      const slip = await write('stamped.txt', kept.files.get(slips[0]!)!)
      const { text } = readSlip(kept.files.get(slips[0]!)!).checkpoint
      const answer = authority.answerTo(text)
      const token = readStampAnswer(Uint8Array.from(answer)).token!
      const wrong = `is not a time stamp over the checkpoint of ${text.split('\n')[1]} leaves`
      const cases: readonly [string, Uint8Array, RegExp | string][] = [
        ['answer.tsr', answer, /^left to OpenSSL: who stamped .* -in answer\.tsr -CAfile root\.pem$/m],
        ["the token's.der", token, /^left to OpenSSL: who stamped .* -token_in -in '.*' -CAfile root\.pem$/m],
        ['other.tsr', authority.answerTo(`${text}x`), `other.tsr ${wrong}`],
        ['nonsense.tsr', Buffer.from('<html>'), `nonsense.tsr ${wrong}`],
      ]
      for (const [name, bytes, said] of cases) {
        const stamp = join(kept.folder, name)
        await writeFile(stamp, bytes)
        const verdict = await verifiedLines(slip, '--log-key', file.keys[0]!, '--stamp', stamp)
        expect(verdict.status, name).toBe(typeof said === 'string' ? 1 : 0)
        expect(verdict.lines.join('\n'), name).toMatch(said)
      }
    })
  })
})
