// A witness: signs a checkpoint if the tree grew out of the one it signed last, and keeps it before it says so.
import {
  type AddCheckpoint,
  judgeCheckpoint,
  readAddCheckpoint,
  type WitnessRefusal,
} from '../../core/proof/add-checkpoint.ts'
import type { Checkpoint } from '../../core/proof/checkpoint.ts'
import type { NoteKey } from '../../core/proof/note-key.ts'
import { signNote } from '../../core/proof/note-signature.ts'
import { writeNote, writeSignature } from '../../core/proof/signed-note.ts'
import { Refusal } from '../../core/refusal.ts'
import type { WitnessState } from './witness-state.ts'

interface Witnessed {
  readonly kind: 'signed'
  readonly checkpoint: Checkpoint
  /** The line to add to the checkpoint. */
  readonly line: string
  /** The checkpoint with that line alone added. */
  readonly note: string
}

export class Witness {
  readonly #state: WitnessState
  readonly #logs: readonly NoteKey[]
  readonly #nowMs: () => number
  /** One at a time, so that nothing is signed between a check and what is kept. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(state: WitnessState, logs: readonly NoteKey[], nowMs: () => number) {
    this.#state = state
    this.#logs = logs
    this.#nowMs = nowMs
  }

  /** The body of an `add-checkpoint`. */
  async answer(body: string): Promise<Witnessed | WitnessRefusal> {
    try {
      return await this.sign(readAddCheckpoint(body))
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unreadable') return { kind: 'malformed', why: error.message }
      throw error
    }
  }

  sign(request: AddCheckpoint & { readonly checkpoint: Checkpoint }): Promise<Witnessed | WitnessRefusal> {
    const turn = this.#turn.then(() => this.#sign(request))
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #sign(request: AddCheckpoint & { readonly checkpoint: Checkpoint }): Promise<Witnessed | WitnessRefusal> {
    const { checkpoint, note } = request
    for (;;) {
      const last = await this.#state.last(checkpoint.origin)
      const refusal = await judgeCheckpoint(crypto.subtle, request, this.#logs, last?.checkpoint ?? null)
      if (refusal !== null) return refusal
      const signature = signNote(this.#state.signer, note.text, Math.floor(this.#nowMs() / 1000))
      const cosigned = writeNote({ text: note.text, signatures: [...note.signatures, signature] })
      const isKept = await this.#state.keep(checkpoint.origin, last, cosigned)
      if (isKept) return { kind: 'signed', checkpoint, line: writeSignature(signature), note: cosigned }
    }
  }
}
