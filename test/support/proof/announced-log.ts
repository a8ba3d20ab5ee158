// A log of tests with several keys, one after the other: entries of signatures, leaves that announce a key, and slips and checkpoints by
// any of the keys and a witness. Its trees are not those of `src/core/proof`.
import { createHash } from 'node:crypto'
import { formatCheckpoint } from '../../../src/core/proof/checkpoint.ts'
import { formatAnnouncement, formatAnnouncementProof } from '../../../src/core/proof/key-announcement.ts'
import { formatHead } from '../../../src/core/proof/log-head.ts'
import { formatNoteKey } from '../../../src/core/proof/note-key.ts'
import { signNote } from '../../../src/core/proof/note-signature.ts'
import { formatNote, readNote, type SignedNote } from '../../../src/core/proof/signed-note.ts'
import { formatSlip } from '../../../src/core/proof/slip.ts'
import type { PartySignature } from '../../../src/core/receipt/party-signature.ts'
import { canonicalJson, type Json } from '../../../src/core/text/canonical-json.ts'
import { sha256 } from '../../../src/core/text/sha256.ts'
import { makeSigner } from '../../../src/storage/proof/note-signer.ts'
import { PlainTree, plainLeaf } from './plain-tree.ts'

const origin = 'assize/announced'
const scope = 'wsp_00000000000000000000000001'
const secret = Buffer.alloc(32, 7)
const salt = '0'.repeat(32)
const seed = (name: string) => createHash('sha256').update(name).digest()

/** By its number, from 1 on. */
export const keyOf = (number: number) => makeSigner(origin, 'ed25519', seed(`key ${number}`))
export const vkeyOf = (number: number) => formatNoteKey(keyOf(number).key)
const witness = makeSigner('w1.test', 'ed25519-cosignature', seed('witness'))
export const witnessKey = formatNoteKey(witness.key)

/** The seal of a rotation's receipts; that of the first key is told by who asks. */
export const sealOf = (number: number) => seed(`seal ${number}`).toString('base64url')

export interface SignedBy {
  /** Numbers of keys of the log. */
  readonly keys: readonly number[]
  /** When the witness cosigned it; left out: it did not. */
  readonly witnessedAt?: string
}

export class AnnouncedLog {
  readonly #lines: string[] = []
  readonly #contents: string[] = []
  /** Of the head of each entry. */
  readonly #places: number[] = []
  readonly #leaves: string[] = []

  get size(): number {
    return this.#leaves.length
  }

  /** The number of its entry, from 1 on. */
  sign(kind: string, content: Json): number {
    const text = canonicalJson(content)
    const seq = this.#lines.length + 1
    const hash = createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex')
    this.#lines.push(`${seq}|${kind}|pam_x|${hash}`)
    this.#contents.push(text)
    this.#places.push(this.#leaves.length)
    this.#leaves.push(formatHead(secret, this.#headOf(seq)))
    return seq
  }

  /** The place of the leaf. `leaf`: another text than an honest one. */
  announce(from: number, to: number, previousSeal: string, change = (leaf: string) => leaf): number {
    const seals = { previousSeal, nextSeal: sealOf(to) }
    return this.#leaves.push(change(formatAnnouncement(keyOf(from), keyOf(to), seals))) - 1
  }

  checkpoint({ keys, witnessedAt }: SignedBy, size = this.size): SignedNote {
    const text = formatCheckpoint({ origin, size, root: this.#log(size).root(), extensions: [] })
    const signatures = keys.map(number => signNote(keyOf(number), text, 0))
    if (witnessedAt !== undefined) signatures.push(signNote(witness, text, Date.parse(witnessedAt) / 1000))
    return { text, signatures }
  }

  checkpointFile(by: SignedBy, size = this.size): string {
    return formatNote(this.checkpoint(by, size))
  }

  slip(seq: number, by: SignedBy, { size = this.size, hasContent = true } = {}): string {
    const tree = new PlainTree(this.#lines.slice(0, seq).map(line => plainLeaf(Buffer.from(line))))
    const index = this.#places[seq - 1]!
    return formatSlip({
      scope,
      secret,
      head: this.#headOf(seq),
      entry: {
        index: seq - 1,
        line: this.#lines[seq - 1]!,
        content: hasContent ? { text: this.#contents[seq - 1]!, salt } : null,
        proof: tree.inclusion(seq - 1, seq),
      },
      index,
      proof: this.#log(size).inclusion(index, size),
      checkpoint: this.checkpoint(by, size),
    })
  }

  announcement(index: number, by: SignedBy, size = this.size): string {
    const proof = this.#log(size).inclusion(index, size)
    return formatAnnouncementProof({ leaf: this.#leaves[index]!, index, proof, checkpoint: this.checkpoint(by, size) })
  }

  #headOf(seq: number) {
    const tree = new PlainTree(this.#lines.slice(0, seq).map(line => plainLeaf(Buffer.from(line))))
    return { k: seq, size: seq, root: tree.root() }
  }

  #log(size: number): PlainTree {
    return new PlainTree(this.#leaves.slice(0, size).map(leaf => plainLeaf(Buffer.from(leaf))))
  }
}

/** A leaf that one of its two keys signed. */
export function signedByOne(leaf: string, place: 0 | 1): string {
  const { text, signatures } = readNote(leaf)
  return formatNote({ text, signatures: [signatures[place]!] })
}

/** What the entry of a signature says. */
export function entryOf(kind: string, hash: string, signature: PartySignature): Json {
  const { party, signedBy, signedAt, name, means, together, passkey, origin: from, batch } = signature
  const hashed = (value: object) => sha256(canonicalJson(value as Json))
  return {
    ...(kind === 'signature' ? { period: '2024-Q2', adjustmentDate: '2024-04-01', receiptHash: hash } : { hash }),
    party,
    signedBy,
    signedAt,
    personId: 'per_x',
    name,
    fromAddress: null,
    means,
    together: hashed(together),
    passkey: passkey === null ? null : hashed(passkey),
    ...(from === undefined ? {} : { origin: hashed(from) }),
    ...(batch === undefined ? {} : { batch: hashed(batch) }),
  }
}
