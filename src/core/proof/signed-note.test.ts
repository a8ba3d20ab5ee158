// Notes, keys, checkpoints, cosignatures, policies and slips: published vectors, round trips, and what is refused.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { PlainTree, plainLeaf } from '../../../test/support/proof/plain-tree.ts'
import { formatCheckpoint, readCheckpoint } from './checkpoint.ts'
import { formatHead, headId, idOfHead } from './log-head.ts'
import { formatNoteKey, makeNoteKey, type NoteKeyKind, readNoteKey } from './note-key.ts'
import { checkNote, type NoteCheck, type NoteSigner, signNote } from './note-signature.ts'
import { isQuorum, readPolicy } from './policy.ts'
import { formatNote, formatSignature, readNote, readSignatures } from './signed-note.ts'
import { formatSlip, problemOfSlip, readEntryLine, readSlip, type Slip } from './slip.ts'

const { subtle } = crypto

const ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

function signerFrom(seed: Uint8Array, name: string, kind: NoteKeyKind = 'ed25519'): NoteSigner {
  const key = createPrivateKey({ key: Buffer.concat([ed25519, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { key: makeNoteKey(name, kind, publicKey), sign: message => sign(null, message, key) }
}

// A key from the tests of Go's golang.org/x/mod/sumdb/note, where notes come from.
const goKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const goSeed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
const goText = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const goNote = `${goText}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`
const goSecond =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n'
const goSecondKey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop'
// The key in the text of C2SP signed-note.
const c2spKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const c2spNote =
  'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'

test('published notes are read, checked, and written again to the byte', async () => {
  for (const [key, note] of [
    [goKey, goNote],
    [c2spKey, c2spNote],
  ] as const) {
    expect(formatNoteKey(readNoteKey(key))).toBe(key)
    expect(formatNote(readNote(note))).toBe(note)
    const [checked] = await checkNote(subtle, readNote(note), [readNoteKey(key)])
    expect(checked).toMatchObject({ verdict: 'holds', seconds: null })
  }
  const signer = signerFrom(goSeed, 'PeterNeumann')
  expect(formatNoteKey(signer.key)).toBe(goKey)
  expect(formatNote({ text: goText, signatures: [signNote(signer, goText, 0)] })).toBe(goNote)
})

test('a note says who signed it among those who are known, and unknown signers say nothing', async () => {
  const note = readNote(goNote + goSecond)
  const [one, other] = [readNoteKey(goKey), readNoteKey(goSecondKey)]
  const namesOf = async (keys: Parameters<typeof checkNote>[2], of = note) =>
    (await checkNote(subtle, of, keys)).map(({ key, verdict }) => `${key.name} ${verdict}`)
  expect(await namesOf([one])).toEqual(['PeterNeumann holds'])
  expect(await namesOf([other, one])).toEqual(['PeterNeumann holds', 'EnochRoot holds'])
  expect(await namesOf([])).toEqual([])
  expect(readSignatures(goSecond).map(formatSignature)).toEqual([goSecond])
  expect(await namesOf([one], { ...note, text: note.text.replace('answer', 'question') })).toEqual([
    'PeterNeumann fails',
  ])
})

test('what is not a note or not a key is refused with what it lacks', () => {
  const refused = {
    'no empty line': 'text\n— a AAAAAAAA\n',
    'no signature': 'text\n\n',
    'no line break at the end': goNote.slice(0, -1),
    'a control character': goNote.replace('think', 'thi\tnk'),
    'half a character': goNote.replace('think', '\ud800'),
    'a hyphen': goNote.replace('—', '-'),
    'two spaces': goNote.replace('— P', '—  P'),
    'a name with a plus': goNote.replace('— Peter', '— P+eter'),
    'a short signature': `${goText}\n— PeterNeumann x08goQ==\n`.replace('x08goQ==', 'x08gow=='),
    'base64 without padding': goNote.replace('nAM=', 'nAM'),
    'a carriage return': goNote.replaceAll('\n', '\r\n'),
  }
  for (const [what, note] of Object.entries(refused)) expect(() => readNote(note), what).toThrow()
  const keys = [
    goKey.replace('c74f20a3', 'c74f20a4'),
    goKey.replace('Peter', 'peter'),
    goKey.slice(0, -4),
    goKey.replace('+ARpc', '+BRpc'),
    `a b${goKey.slice(12)}`,
    '',
  ]
  for (const key of keys) expect(() => readNoteKey(key), key).toThrow()
})

const origin = 'prices.example.com/log'
const root = Buffer.alloc(32, 7)
const text = formatCheckpoint({ origin, size: 42, root, extensions: [] })

test('a checkpoint is three lines, and a cosignature carries its time', async () => {
  expect(text).toBe(`${origin}\n42\n${root.toString('base64')}\n`)
  expect(readCheckpoint(`${text}more\n`)).toMatchObject({ origin, size: 42, extensions: ['more'] })
  for (const bad of [
    '',
    'a\n1\n',
    text.slice(0, -1),
    text.replace('42', '042'),
    text.replace('42', '-1'),
    `\n${text}`,
    `${text}\n`,
  ])
    expect(() => readCheckpoint(bad), bad).toThrow()
  const witness = signerFrom(Buffer.alloc(32, 3), 'witness.example', 'ed25519-cosignature')
  const signature = signNote(witness, text, 1_700_000_000)
  const note = readNote(formatNote({ text, signatures: [signature] }))
  expect(await checkNote(subtle, note, [witness.key])).toEqual([
    { key: witness.key, verdict: 'holds', seconds: 1_700_000_000 },
  ])
  // The message as the specification writes it out, checked without our code.
  const message = Buffer.from(`cosignature/v1\ntime 1700000000\n${text}`)
  const key = await subtle.importKey('raw', new Uint8Array(witness.key.publicKey), 'Ed25519', false, ['verify'])
  const [time, made] = [Buffer.from(signature.bytes.subarray(0, 8)), new Uint8Array(signature.bytes.subarray(8))]
  expect(time.readBigUInt64BE()).toBe(1_700_000_000n)
  expect(await subtle.verify('Ed25519', key, made, message)).toBe(true)
  const other = { ...signature, bytes: Uint8Array.from(signature.bytes, (byte, at) => (at === 7 ? byte ^ 1 : byte)) }
  expect(await checkNote(subtle, { text, signatures: [other] }, [witness.key])).toMatchObject([{ verdict: 'fails' }])
  const short = { ...signature, bytes: signature.bytes.subarray(0, 5) }
  expect(await checkNote(subtle, { text, signatures: [short] }, [witness.key])).toMatchObject([{ verdict: 'fails' }])
})

test('a cosignature that this WebCrypto cannot check is said to be unchecked, and a key of another kind is refused', async () => {
  const witness = signerFrom(Buffer.alloc(32, 3), 'witness.example', 'ed25519-cosignature')
  const note = { text, signatures: [signNote(witness, text, 1_700_000_000)] }
  const older: NoteCheck = {
    importKey: () => Promise.reject(new DOMException('unknown', 'NotSupportedError')),
    verify: () => Promise.resolve(false),
  }
  expect(await checkNote(older, note, [witness.key])).toMatchObject([{ verdict: 'unchecked' }])
  const key = Buffer.concat([Buffer.of(6), Buffer.alloc(1312, 1)])
  const id = createHash('sha256').update('witness.example/pq\n').update(key).digest('hex').slice(0, 8)
  expect(() => readNoteKey(`witness.example/pq+${id}+${key.toString('base64')}`)).toThrow(
    /of the type 6, which is not read/,
  )
})

const witnessKey = (at: number) =>
  formatNoteKey(signerFrom(Buffer.alloc(32, 50 + at), `witness${at}.example`, 'ed25519-cosignature').key)

test('a policy counts witnesses by groups', () => {
  const policy = readPolicy(
    [
      '# ours',
      `log ${goKey} https://prices.example.com/log`,
      ...[1, 2, 3].map(at => `witness X${at} ${witnessKey(at)}`),
      'group X 2 X1 X2 X3',
      ...[4, 5].map(at => `\twitness Y${at}  ${witnessKey(at)} https://witness${at}.example `),
      'group Y any Y4 Y5',
      '',
      'group both all X Y',
      'quorum both',
      '',
    ].join('\n'),
  )
  expect(policy.logs).toEqual([{ key: readNoteKey(goKey), url: 'https://prices.example.com/log' }])
  expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
    ['X1', null],
    ['X2', null],
    ['X3', null],
    ['Y4', 'https://witness4.example'],
    ['Y5', 'https://witness5.example'],
  ])
  const isEnough = (...names: string[]) => isQuorum(policy, new Set(names))
  expect(isEnough('X1', 'X3', 'Y5')).toBe(true)
  expect(isEnough('X1', 'Y4', 'Y5')).toBe(false)
  expect(isEnough('X1', 'X2', 'X3')).toBe(false)
  expect(isQuorum(readPolicy('quorum none'), new Set())).toBe(true)
})

test('a policy that does not say what it means is refused by its line', () => {
  const [one, two] = [`witness W1 ${witnessKey(1)}`, `witness W2 ${witnessKey(2)}`]
  const refused: Readonly<Record<string, readonly string[]>> = {
    'line "quorum"': [one],
    'line 2 .*quorum already': ['quorum none', 'quorum none'],
    'line 2 .*taken': [one, `witness W1 ${witnessKey(2)}`, 'quorum W1'],
    'line 1 .*taken': [`witness none ${witnessKey(1)}`, 'quorum none'],
    'line 2 .*already': [one, `witness W2 ${witnessKey(1)}`, 'quorum W1'],
    'line 1 .*no line before': ['quorum W1', one],
    'line 2 .*no line before': [one, 'group G any W1 W2', two, 'quorum G'],
    'line 3 .*1 to 2': [one, two, 'group G 3 W1 W2', 'quorum G'],
    'line 4 .*in a group already': [one, two, 'group G any W1 W2', 'group H any W1', 'quorum G'],
    'line 3 .*in a group already': [one, two, 'group G any W1 W1', 'quorum G'],
    'line 1 .*must be log': ['signer x', 'quorum none'],
    'line 1 .*not one of a witness': [`witness W ${goKey}`, 'quorum none'],
    'line 2 .*stands here already': [`log ${goKey}`, `log ${goKey}`, 'quorum none'],
  }
  for (const [why, lines] of Object.entries(refused))
    expect(() => readPolicy(lines.join('\n'))).toThrow(new RegExp(why))
})

/** A slip of the 6th of 9 entries of a scope, whose head is the 3rd of 5 leaves of the log. */
function makeSlip(): Slip {
  const secret = Buffer.alloc(32, 9)
  const content = { text: '{"at":"2026-11-18T00:00:00Z","by":"usr_1"}', salt: '00112233445566778899aabbccddeeff' }
  const hash = createHash('sha256').update(Buffer.from(content.salt, 'hex')).update(content.text).digest('hex')
  const lines = Array.from({ length: 9 }, (_, at) => `${at + 1}|signed|pam_${at}|${hash}`)
  const tree = new PlainTree(lines.map(line => plainLeaf(Buffer.from(line))))
  const head = { k: 2, size: 9, root: tree.root() }
  const leaves = Array.from({ length: 5 }, (_, at) => (at === 2 ? formatHead(secret, head) : `leaf ${at}`))
  const log = new PlainTree(leaves.map(leaf => plainLeaf(Buffer.from(leaf))))
  const note = formatCheckpoint({ origin, size: 5, root: log.root(), extensions: [] })
  const checkpoint = { text: note, signatures: [signNote(signerFrom(goSeed, origin), note, 0)] }
  const entry = { index: 5, line: lines[5]!, content: null as Slip['entry']['content'], proof: tree.inclusion(5, 9) }
  return {
    scope: 'wsp_1',
    secret,
    head,
    entry: { ...entry, content },
    index: 2,
    proof: log.inclusion(2, 5),
    checkpoint,
  }
}

test('a slip is a proof file that goes from an entry to a checkpoint', () => {
  const slip = makeSlip()
  const written = formatSlip(slip)
  expect(written).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra [A-Za-z0-9+/=]+\nindex 2\n/)
  const read = readSlip(written)
  expect(formatSlip(read)).toBe(written)
  expect(problemOfSlip(read)).toBeNull()
  expect(problemOfSlip({ ...read, entry: { ...read.entry, content: null } })).toBeNull()
  expect(readEntryLine(read.entry.line)).toMatchObject({ seq: 6, kind: 'signed', subject: 'pam_5' })
  expect(idOfHead(formatHead(slip.secret, slip.head))).toBe(headId(slip.secret, 2))
})

test('a slip whose parts do not belong together says which', () => {
  const slip = makeSlip()
  const content = { ...slip.entry.content!, salt: '' }
  expect(problemOfSlip({ ...slip, entry: { ...slip.entry, content } })).toBe('the content is not that of the entry')
  const noEntry = 'the entry is not in the tree of its head'
  const noHead = 'the head is not in the tree of the checkpoint'
  expect(problemOfSlip({ ...slip, entry: { ...slip.entry, index: 4 } })).toBe(noEntry)
  expect(problemOfSlip({ ...slip, entry: { ...slip.entry, line: slip.entry.line.replace('6|', '7|') } })).toBe(noEntry)
  expect(problemOfSlip({ ...slip, head: { ...slip.head, size: 10 } })).toBe(noHead)
  expect(problemOfSlip({ ...slip, head: { ...slip.head, size: 5 } })).toBe(noEntry)
  expect(problemOfSlip({ ...slip, head: { ...slip.head, k: 3 } })).toBe(noHead)
  expect(problemOfSlip({ ...slip, secret: Buffer.alloc(32, 8) })).toBe(noHead)
  expect(problemOfSlip({ ...slip, index: 1 })).toBe(noHead)
  expect(problemOfSlip({ ...slip, proof: slip.proof.slice(1) })).toBe(noHead)
  const written = formatSlip(slip)
  for (const bad of [
    written.replace('@v1', '@v2'),
    written.replace('\nindex 2\n', '\nindex 02\n'),
    written.replace(/\nextra \S+/, ''),
    written.replace(/\nextra (\S+)/, `\nextra ${Buffer.from('assize-slip/2\n').toString('base64')}`),
    goNote,
    '',
  ])
    expect(() => readSlip(bad)).toThrow()
})
