// `witness pull`: the same as `witness serve` where nothing can be reached from outside: fetches the newest checkpoint of a log,
// checks that it grew out of the one signed last, signs it and writes it to a file.
import { writeFile } from 'node:fs/promises'
import { type Checkpoint, readCheckpoint } from '../../core/proof/checkpoint.ts'
import { isSameHash } from '../../core/proof/merkle-hash.ts'
import { proveConsistency, type ReadTiles, readRoot } from '../../core/proof/merkle-proof.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import { Refusal } from '../../core/refusal.ts'
import { openAsk } from '../../proof/bounded-request.ts'
import { openLogReader } from '../../proof/log-reader.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import type { Witness } from './witness.ts'
import { logOption, nameOption, openWitness, stateOption } from './witness-serve.ts'

export const witnessPullCommand: Command = {
  name: 'witness pull',
  usage: '<url> --state D --log vkey… [--name N] [--out F]',
  summary:
    'Fetches the newest checkpoint of a log, such as https://prices.example.com/log, and signs it if the log has only grown.',
  options: {
    state: stateOption,
    log: logOption,
    name: nameOption,
    out: { type: 'string', value: 'F', help: 'the file for the signed checkpoint; without it, it is printed' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const { state, witness } = await openWitness(invocation)
    const reader = openLogReader(openAsk('assize-witness', new AbortController().signal), invocation.positionals[0]!)
    const shown = await reader.readCheckpoint()
    const note = readNote(shown)
    const checkpoint = readCheckpoint(note.text)
    const last = await state.last(checkpoint.origin)
    const old = last?.checkpoint.size ?? 0
    const isShorter = checkpoint.size < old
    const proof = isShorter ? [] : await proofOf(checkpoint, old, reader.readTiles)
    const answered = await witness.sign({ old: isShorter ? checkpoint.size : old, proof, note, checkpoint })
    const contradiction = contradictionOf(answered, checkpoint, old)
    if (contradiction !== null) {
      const path = await state.keepContradiction(last!.note, shown)
      throw new Refusal('broken', `${contradiction}; both texts are in ${path}: keep them, they are proof`)
    }
    if (answered.kind !== 'signed') throw new Refusal('invalid', answered.why)
    const out = textOption(invocation, 'out')
    if (out !== null) await writeFile(out, answered.note)
    const { origin, size } = checkpoint
    if (invocation.json) writeJson(invocation, { origin, size, previous: old, checkpoint: answered.note })
    else if (out === null) invocation.terminal.file(answered.note)
    else invocation.terminal.out(`${origin} has grown from ${old} to ${size} leaves; signed in ${out}\n`)
    return 0
  },
}

/** What the log has signed against what it signed before, in words; null where it has not. */
function contradictionOf(
  answered: Awaited<ReturnType<Witness['sign']>>,
  { origin, size }: Checkpoint,
  old: number,
): string | null {
  if (answered.kind === 'other-size') return `${origin} shows ${size} leaves, and has shown ${old}`
  return answered.kind === 'not-grown' || answered.kind === 'two-roots' ? answered.why : null
}

/** From the log's own tiles, which must be those of the checkpoint. */
async function proofOf({ origin, size, root }: Checkpoint, old: number, readTiles: ReadTiles) {
  if (!isSameHash(await readRoot(size, readTiles), root))
    throw new Refusal('broken', `the tiles of ${origin} are not those of its checkpoint`)
  return proveConsistency(old, size, readTiles)
}
