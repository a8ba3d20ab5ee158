// Proof that a receipt existed before the key that sealed it ended. A maker can write any date into a receipt, and somebody with a leaked
// secret can seal receipts of any day: so each of its signatures needs a slip whose entry lies before the leaf that
// announced the next key, in a checkpoint that a later key signed, that a witness cosigned before the end, or that the reader kept.
import type { SignatureCheck } from '../identity/signature-check.ts'
import { parties } from '../parties.ts'
import { readCheckpoint } from '../proof/checkpoint.ts'
import { type AnnouncementProof, calledKey, isSameKey } from '../proof/key-announcement.ts'
import { KnownKeys } from '../proof/known-keys.ts'
import type { NoteKey } from '../proof/note-key.ts'
import { refuseManySignatures } from '../proof/proof-file.ts'
import type { SignedNote } from '../proof/signed-note.ts'
import { problemOfSlip, readEntryLine, type Slip } from '../proof/slip.ts'
import { Refusal } from '../refusal.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { sha256 } from '../text/sha256.ts'
import { readStrictJson } from '../text/strict-json.ts'
import { type Instant, instantOfMicros, microsOf } from '../time/instant.ts'

/** Ended key of an installation, with the time of its end and the file that says so. */
export interface EndedKey {
  readonly endedAt: Instant
  readonly file: string
}

/** A slip or an announcement, and the file that it is in. */
interface Filed<T> {
  readonly file: string
  readonly proof: T
}

/** Proofs that the reader brings beside a receipt. */
export interface BroughtProofs {
  readonly slips: readonly Filed<Slip>[]
  readonly announcements: readonly Filed<AnnouncementProof>[]
  /** Current keys of the log. */
  readonly logKeys: readonly NoteKey[]
  readonly witnesses: readonly NoteKey[]
  /** Checkpoints that the reader kept. */
  readonly kept: readonly Filed<SignedNote>[]
}

/** A receipt as it is sealed: nobody has read its signatures yet. */
export interface EndedSeal {
  readonly hash: string
  readonly signatures: readonly unknown[]
  readonly hasObjections: boolean
  readonly publicKey: string
  readonly ended: EndedKey
}

/** Lines that say where each signature was in the log; or why the receipt does not count. */
type SealedBefore = { readonly lines: readonly string[] } | { readonly why: string }

export async function judgeEndedSeal(
  subtle: SignatureCheck,
  seal: EndedSeal,
  brought: BroughtProofs,
): Promise<SealedBefore> {
  const { slips, announcements, logKeys, witnesses } = brought
  const proofs = announcements.map(({ proof }) => proof)
  const notes = [...slips.map(({ proof }) => proof), ...proofs].map(({ checkpoint }) => checkpoint)
  refuseManySignatures(notes, [...logKeys, ...witnesses])
  const known = await KnownKeys.of(subtle, logKeys, proofs)
  if (known.problems.length > 0) return { why: known.problems[0]! }
  if (seal.hasObjections) return { why: 'its objections are in no slip' }
  if (seal.signatures.length === 0) return { why: 'nobody signed it, and slips are of signatures' }
  if (seal.signatures.length > parties.length) return { why: 'it has more signatures than parties' }
  return new EndedSealCheck(seal, brought, known).check()
}

class EndedSealCheck {
  readonly #seal: EndedSeal
  readonly #brought: BroughtProofs
  readonly #known: KnownKeys

  constructor(seal: EndedSeal, brought: BroughtProofs, known: KnownKeys) {
    this.#seal = seal
    this.#brought = brought
    this.#known = known
  }

  async check(): Promise<SealedBefore> {
    const announced = await this.#announced()
    const entries = this.#brought.slips.flatMap(slip => {
      const said = entryAbout(this.#seal.hash, slip.proof)
      return said === null ? [] : [{ slip, said }]
    })
    const lines: string[] = []
    for (const signature of this.#seal.signatures) {
      const given = (signature ?? {}) as Facts
      const called = `the ${textOf(given.party)}'s signature (${textOf(given.signedBy)})`
      const expected = Object.entries(entryOf(given))
      const isOwn = (said: Facts) => expected.every(([field, value]) => isSame(said[field], value))
      const own = entries.flatMap(({ slip, said }) => (isOwn(said) ? [slip] : []))
      if (own.length === 0) return { why: `${called} is in no slip` }
      const found: SealedBefore[] = []
      for (const slip of own) found.push(await this.#judge(slip, announced))
      const good = found.find(each => 'lines' in each) ?? found[0]!
      if ('why' in good) return { why: `${called}: ${good.why}` }
      lines.push(...good.lines.map(line => `${called} ${line}`))
    }
    return { lines }
  }

  /** The leaf that announced the key after, in a checkpoint that a later key signed; null where none was brought. */
  async #announced(): Promise<Filed<AnnouncementProof> | null> {
    const proof = this.#known.announced.find(({ previousSeal }) => previousSeal === this.#seal.publicKey)
    if (proof === undefined || (await this.#laterSigner(proof.checkpoint, proof)) === null) return null
    return this.#brought.announcements.find(each => each.proof === proof)!
  }

  /** Later key that signed a checkpoint; null without one. */
  async #laterSigner(note: SignedNote, { previous }: AnnouncementProof): Promise<NoteKey | null> {
    const later = this.#known.after(previous)
    const signers = await this.#known.signersOf(note)
    return signers.find(key => later.some(each => isSameKey(each, key))) ?? null
  }

  async #judge({ file, proof: slip }: Filed<Slip>, announced: Filed<AnnouncementProof> | null): Promise<SealedBefore> {
    const problem = problemOfSlip(slip)
    if (problem !== null) return { why: `${file}: ${problem}` }
    const { seq } = readEntryLine(slip.entry.line)
    const { text } = slip.checkpoint
    const [entry, place] = [`entry ${seq}`, `the checkpoint of ${readCheckpoint(text).size} leaves`]
    const at = `is in the log before the key ended: ${entry} at leaf ${slip.index} (${file})`
    if (announced !== null) {
      const { proof, file: from } = announced
      const leaf = `leaf ${proof.index}, which announced the next key (${from})`
      if (slip.index >= proof.index) return { why: `${file}: ${entry} is at leaf ${slip.index}, behind ${leaf}` }
      const signer = await this.#laterSigner(slip.checkpoint, proof)
      if (signer !== null) return { lines: [`${at}, before ${leaf}, in ${place} signed by ${calledKey(signer)}`] }
    }
    const witness = await this.#witnessBefore(slip.checkpoint)
    if (witness !== null) return { lines: [`${at}, in ${place} cosigned by ${witness}`] }
    const [signer] = announced === null ? await this.#known.signersOf(slip.checkpoint) : []
    if (signer !== undefined)
      return {
        why: `${file}: ${entry} is in ${place} signed by ${calledKey(signer)}, and the leaf that announced the next key is in no file`,
      }
    const kept = this.#brought.kept.find(each => each.proof.text === text)
    if (kept !== undefined) return { lines: [`${at}, in ${place} that you kept (${kept.file})`] }
    return {
      why: `${file}: ${entry} is in ${place}, which no later key signed, no witness that you named cosigned before, and you did not keep`,
    }
  }

  /** A witness that cosigned before the key ended, and when. */
  async #witnessBefore(note: SignedNote): Promise<string | null> {
    const checked = await this.#known.check(note, this.#brought.witnesses)
    for (const { key, verdict, seconds } of checked) {
      const micros = verdict === 'holds' && seconds !== null ? seconds * 1_000_000 : null
      if (micros !== null && micros < microsOf(this.#seal.ended.endedAt))
        return `${calledKey(key)} on ${instantOfMicros(micros).slice(0, 19)}Z`
    }
    return null
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'unknown'
}

const signatureKinds = ['signature', 'correction-signature', 'terms-signature']
const contentBounds = { length: 4_000, depth: 8 }

type Facts = Readonly<Record<string, Json | undefined>>

/** Content of a signature's entry about this file; null for another entry. Each slip is read once, however many signatures there are. */
function entryAbout(hash: string, { entry }: Slip): Facts | null {
  const { kind } = readEntryLine(entry.line)
  if (!signatureKinds.includes(kind) || entry.content === null) return null
  const said = readContent(entry.content.text)
  return said?.[kind === 'signature' ? 'receiptHash' : 'hash'] === hash ? said : null
}

/** Facts of a receipt about a signature, in the form of the log entry. */
function entryOf(signature: Facts): Facts {
  const { party, signedBy, signedAt, name, means, together, passkey, origin, batch } = signature
  const hashed = (part: Json | undefined) => (part == null ? part : sha256(canonicalJson(part)))
  const parts = { together: hashed(together), passkey: hashed(passkey), origin: hashed(origin), batch: hashed(batch) }
  return { party, signedBy, signedAt, name, means, ...parts }
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other)
}

/** Null where it is no mapping. */
function readContent(text: string): Facts | null {
  try {
    const content = readStrictJson(text, 'the content of the entry', contentBounds)
    return typeof content === 'object' && content !== null && !Array.isArray(content) ? (content as Facts) : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
