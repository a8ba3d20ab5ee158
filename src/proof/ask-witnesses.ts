// Asks witnesses to sign a checkpoint (C2SP `tlog-witness`). One that is away, refuses or answers with something else is told
// as trouble beside what the others answered; nobody waits for it.
import { formatAddCheckpoint } from '../core/proof/add-checkpoint.ts'
import { readCheckpoint, readWholeNumber } from '../core/proof/checkpoint.ts'
import { proveConsistency, type ReadTiles } from '../core/proof/merkle-proof.ts'
import { checkNote } from '../core/proof/note-signature.ts'
import type { PolicyWitness } from '../core/proof/policy.ts'
import { formatSignature, readNote, readSignatures, type SignedNote } from '../core/proof/signed-note.ts'
import { Refusal } from '../core/refusal.ts'
import type { Ask } from './bounded-request.ts'

interface Cosignature {
  readonly witness: PolicyWitness
  /** To add to the checkpoint; ends with a line break. */
  readonly line: string
}

interface WitnessTrouble {
  readonly witness: PolicyWitness
  readonly why: string
  /** The witness holds a tree that ours did not grow out of: nothing that passes by itself. */
  readonly isContradiction: boolean
  /** Size of the witness's tree if it is larger than ours. */
  readonly largerSize: number | null
}

interface AskedWitnesses {
  readonly cosignatures: readonly Cosignature[]
  readonly troubles: readonly WitnessTrouble[]
}

interface CheckpointToWitness {
  /** Signed by the log. */
  readonly note: string
  /** Tiles of its tree. */
  readonly readTiles: ReadTiles
  /** Size of the tree that this witness signed last, as far as this server knows. */
  readonly lastSize: (witness: PolicyWitness) => number
}

class WitnessRefused extends Error {
  readonly isContradiction: boolean
  readonly largerSize: number | null

  constructor(message: string, isContradiction: boolean, largerSize: number | null = null) {
    super(message)
    this.isContradiction = isContradiction
    this.largerSize = largerSize
  }
}

/** Asks the witnesses of a policy that have an address. */
export async function askWitnesses(
  ask: Ask,
  witnesses: readonly PolicyWitness[],
  given: CheckpointToWitness,
): Promise<AskedWitnesses> {
  const cosignatures: Cosignature[] = []
  const troubles: WitnessTrouble[] = []
  await Promise.all(
    witnesses.map(async witness => {
      try {
        if (witness.url !== null) cosignatures.push({ witness, line: await askOne(ask, witness, given) })
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof WitnessRefused)) throw error
        const { isContradiction, largerSize } =
          error instanceof WitnessRefused ? error : { isContradiction: false, largerSize: null }
        troubles.push({ witness, why: error.message, isContradiction, largerSize })
      }
    }),
  )
  return { cosignatures, troubles }
}

async function askOne(ask: Ask, witness: PolicyWitness, given: CheckpointToWitness): Promise<string> {
  const note = readNote(given.note)
  const { size } = readCheckpoint(note.text)
  let old = Math.min(given.lastSize(witness), size)
  for (let isFirst = true; ; isFirst = false) {
    const proof = await proveConsistency(old, size, given.readTiles)
    const url = `${witness.url!.replace(/\/$/, '')}/add-checkpoint`
    const answer = await ask(url, { method: 'POST', body: formatAddCheckpoint({ old, proof, note }) })
    const text = answer.bytes.toString('utf8')
    if (answer.status === 200) return findCosignature(witness, note, text)
    const told = answer.status === 409 ? readWholeNumber(text.trim(), 'the size that a witness tells') : null
    if (told !== null && told > size)
      throw new WitnessRefused(`it has signed a tree of ${told} leaves, ours has ${size}`, true, told)
    if (told !== null && told !== old && isFirst) old = told
    else throw refusalOf(answer.status, text, told)
  }
}

function refusalOf(status: number, text: string, told: number | null): WitnessRefused {
  if (told !== null) return new WitnessRefused(`it has signed another tree of ${told} leaves`, true)
  if (status === 422) return new WitnessRefused('it says that our tree did not grow out of the one it signed', true)
  const said = text.trim().slice(0, 200)
  return new WitnessRefused(`it answers ${status}${said === '' ? '' : `: ${said}`}`, false)
}

/** The witness's own line, and no other that it sends along. */
async function findCosignature({ key, name }: PolicyWitness, note: SignedNote, text: string): Promise<string> {
  const signatures = readSignatures(text)
  for (const signature of signatures) {
    const [checked] = await checkNote(crypto.subtle, { text: note.text, signatures: [signature] }, [key])
    if (checked?.verdict === 'holds') return formatSignature(signature)
  }
  throw new WitnessRefused(`it answers without a signature of the key of ${name}`, false)
}
