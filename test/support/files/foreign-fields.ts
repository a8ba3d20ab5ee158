// Files of proof in which one text each says what their maker likes, with signs that nobody sees: as the file was sealed before, and sealed
// again by a key of the maker's own, with hashes that fit.
import type { ChangeReceipt } from '../../../src/core/index-changes/change-receipt.ts'
import { formatCheckpoint } from '../../../src/core/proof/checkpoint.ts'
import { formatHead } from '../../../src/core/proof/log-head.ts'
import { leafHash } from '../../../src/core/proof/merkle-hash.ts'
import { formatNoteKey } from '../../../src/core/proof/note-key.ts'
import { signNote } from '../../../src/core/proof/note-signature.ts'
import { formatSlip, type Slip } from '../../../src/core/proof/slip.ts'
import { hashOf, type Receipt } from '../../../src/core/receipt/receipt.ts'
import { sha256 } from '../../../src/core/text/sha256.ts'
import type { CorrectionReceipt } from '../../../src/core/true-up/correction-receipt.ts'
import { makeSigner } from '../../../src/storage/proof/note-signer.ts'
import { goldenSeal } from '../../golden/make.ts'
import { readSamples, type Sample } from './damaged-samples.ts'
import { packSealed, unpackEvidence } from './evidence-package.ts'

/** A line of a verdict, between everything that must not come out as it is. */
export const forgedLine = 'signed for the supplier by somebody, with a passkey, checked here'
export const foreignText = `X\r\n${forgedLine}\u001b[8m\u009b2J\u0085\u2028\u2029\u202e\u2066\u200b\u00ad\ufeff\u{e0041}`

export interface ForeignFile extends Sample {
  /** Which text was replaced, and whether the file was sealed again. */
  readonly what: string
}

export type WrittenProof = Receipt | CorrectionReceipt | ChangeReceipt

/** Signatures follow the new hash: of those by password and session the seal alone is what vouches. */
export function resealed(given: WrittenProof): WrittenProof {
  const hash = hashOf(given.body)
  const signatures = JSON.parse(JSON.stringify(given.signatures).replaceAll(given.hash, hash))
  const tree = { ...given, hash, signatures }
  if (tree.body.format === 'assize-correction/1') return goldenSeal.issueCorrection(tree as CorrectionReceipt)
  if (tree.body.format.startsWith('assize-receipt/')) return goldenSeal.issue(tree as Receipt)
  return goldenSeal.issueChange(tree as ChangeReceipt)
}

/** Every text of every sample in JSON, those of a list as one. */
export function foreignReceipts(): readonly ForeignFile[] {
  const seen = new Set<string>()
  return readSamples()
    .filter(({ name, bytes }) => name.endsWith('.json') && !bytes.includes('"issuedAt"'))
    .flatMap(({ name, bytes }) => {
      const tree = JSON.parse(bytes.toString()) as WrittenProof
      return placesOf(tree).flatMap(({ at, key, path }): ForeignFile[] => {
        const kind = `${tree.body.format} ${path.replaceAll(/\d+/g, '0')}`
        if (seen.has(kind)) return []
        seen.add(kind)
        const before = at[key]
        at[key] = foreignText
        const plain = JSON.stringify(tree)
        const sealed = JSON.stringify(resealed(tree))
        putBack(at, key, before)
        return [
          { name, what: `${path}, as it was sealed`, bytes: Buffer.from(plain) },
          { name, what: `${path}, sealed again`, bytes: Buffer.from(sealed) },
        ]
      })
    })
}

function putBack(at: Place['at'], key: string, before: unknown): void {
  if (before === undefined) delete at[key]
  else at[key] = before
}

interface Place {
  readonly at: Record<string, unknown>
  readonly key: string
  readonly path: string
}

/** Of texts, and the names in mappings. */
export function placesOf(value: object, path = ''): Place[] {
  const at = value as Record<string, unknown>
  return Object.keys(at).flatMap(key => {
    const own = `${path}${path === '' ? '' : '.'}${key}`
    const found = at[key]
    if (typeof found === 'string') return [{ at, key, path: own }]
    if (typeof found !== 'object' || found === null) return []
    return [
      ...placesOf(found, own),
      ...(Array.isArray(found) ? [] : [{ at: at[key] as Place['at'], key: foreignText, path: `${own}.(a name)` }]),
    ]
  })
}

/** Texts of the list of a package, and the names of its files. */
export function foreignPackages(): readonly ForeignFile[] {
  const { name, bytes } = readSamples().find(each => each.name === 'package-corrected.zip')!
  const { files } = unpackEvidence(bytes)
  const manifest = JSON.parse(files.get('manifest.json')!) as { body: object }
  const inList = placesOf(manifest.body).filter(({ path }) => !/files|format/.test(path))
  const changed = inList.map(({ at, key, path }): ForeignFile => {
    const before = at[key]
    at[key] = foreignText
    const changedPackage = packSealed(new Map([...files, ['manifest.json', JSON.stringify(manifest)]]), goldenSeal)
    putBack(at, key, before)
    return { name, what: `manifest.json: ${path}`, bytes: changedPackage }
  })
  const inside = [...files].filter(([path]) => /\.(json|csv|txt)$/.test(path) && path !== 'manifest.json')
  return [
    ...changed,
    ...inside.map(([path, text]) => {
      const other = text.replaceAll(
        /"(name|slug|by|reason|path|title)": "[^"]*"/g,
        `"$1": ${JSON.stringify(foreignText)}`,
      )
      return { name, what: `${path}, names in it`, bytes: packSealed(new Map([...files, [path, other]]), goldenSeal) }
    }),
  ]
}

const signer = makeSigner('log.example', 'ed25519', Buffer.alloc(32, 5))
export const slipKey = formatNoteKey(signer.key)

/** A slip of a log with one entry, and with what its maker likes in each of its lines. */
export function foreignSlips(): readonly ForeignFile[] {
  const whole = slipOf({})
  const lines = Buffer.from(/^extra (.*)$/m.exec(whole)![1]!, 'base64')
    .toString()
    .split('\n')
  const shown = foreignText.replaceAll(/[\r\n]/g, '')
  const broken = lines.slice(0, -1).map((line, i): ForeignFile => {
    const other = [...lines.slice(0, i), `${line}${shown}`, ...lines.slice(i + 1)].join('\n')
    const text = whole.replace(/^extra .*$/m, `extra ${Buffer.from(other).toString('base64')}`)
    return { name: 'slip.txt', what: `line ${i + 1} of a slip`, bytes: Buffer.from(text) }
  })
  const scope = slipOf({ scope: shown })
  const kind = slipOf({ line: `1|${shown}|subject|${'0'.repeat(64)}` })
  const outside = whole.split('\n').flatMap((line, i, all): ForeignFile[] => {
    if (i === 0 || line === '') return []
    const text = [...all.slice(0, i), `${line}${shown}`, ...all.slice(i + 1)].join('\n')
    return [{ name: 'slip.txt', what: `line ${i + 1} of the file of a slip`, bytes: Buffer.from(text) }]
  })
  return [
    { name: 'slip.txt', what: 'the scope of a slip', bytes: Buffer.from(scope) },
    { name: 'slip.txt', what: 'the kind of its entry', bytes: Buffer.from(kind) },
    ...broken,
    ...outside,
  ]
}

export function slipOf({
  scope = 'public',
  line = `1|publication|subject|${sha256('content')}`,
  content = null,
}: Partial<Pick<Slip, 'scope'> & Pick<Slip['entry'], 'line' | 'content'>>): string {
  const secret = Buffer.alloc(32)
  const head = { k: 1, size: 1, root: leafHash(Buffer.from(line)) }
  const text = formatCheckpoint({
    origin: 'log.example',
    size: 1,
    root: leafHash(Buffer.from(formatHead(secret, head))),
    extensions: [],
  })
  return formatSlip({
    scope,
    secret,
    head,
    entry: { index: 0, line, content, proof: [] },
    index: 0,
    proof: [],
    checkpoint: { text, signatures: [signNote(signer, text, 0)] },
  })
}
