// `log cosign`: adds what a witness signed elsewhere, such as by `witness pull`, to the checkpoint that it signed.
import { readFile } from 'node:fs/promises'
import { readCheckpoint } from '../../core/proof/checkpoint.ts'
import { isSameHash } from '../../core/proof/merkle-hash.ts'
import { type NoteKey, readNoteKey } from '../../core/proof/note-key.ts'
import { checkNote } from '../../core/proof/note-signature.ts'
import { readPolicy } from '../../core/proof/policy.ts'
import { readNote, writeSignature } from '../../core/proof/signed-note.ts'
import { Refusal } from '../../core/refusal.ts'
import { addCosignature, readCheckpointOf } from '../../storage/proof/checkpoints.ts'
import { type Command, type Invocation, Misuse, textOptions } from '../frame/command.ts'
import { readTextFile } from '../frame/files.ts'
import { withInstallation } from '../frame/installation.ts'

export const logCosignCommand: Command = {
  name: 'log cosign',
  usage: '<file> [--witness VKEY …]',
  summary:
    'Adds the cosignatures in a file of witness pull to the checkpoint that they are on, if they verify under a key of ASSIZE_WITNESSES or --witness.',
  options: {
    witness: { type: 'string', multiple: true, value: 'VKEY', help: 'the key of a witness; may be repeated' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const note = readNote(await readTextFile(invocation.positionals[0]!))
    const { origin, size, root } = readCheckpoint(note.text)
    const named = namedKeys(invocation)
    return withInstallation(invocation, async ({ sql }, { witnessesFile }) => {
      const policy = witnessesFile === null ? [] : readPolicy(await readFile(witnessesFile, 'utf8')).witnesses
      const keys = [...named, ...policy.map(({ key }) => key)]
      if (keys.length === 0)
        throw new Misuse('no witness is known: name its key with --witness, or set ASSIZE_WITNESSES')
      const checkpoint = await readCheckpointOf(sql, origin, size)
      if (checkpoint === null)
        throw new Refusal('not-found', `this log has signed no checkpoint of ${origin} with ${size} leaves`)
      if (!isSameHash(checkpoint.root, root))
        throw new Refusal('broken', `${origin} with ${size} leaves is another history here: keep the file, it is proof`)
      const checked = await checkNote(globalThis.crypto.subtle, note, keys)
      const bad = checked.find(({ verdict }) => verdict !== 'holds')
      if (bad !== undefined)
        throw new Refusal('invalid', `the signature of ${bad.key.name} does not hold; nothing was added`)
      if (checked.length === 0)
        throw new Refusal('invalid', 'the file has no signature of a witness that is known here')
      for (const { key } of checked) {
        const line = note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.id)!
        await addCosignature(sql, checkpoint, { witness: `${key.name}+${key.id}`, line: writeSignature(line) })
      }
      const witnesses = checked.map(({ key }) => key.name)
      return {
        json: { origin, leaves: size, witnesses },
        words: `${origin} with ${size} leaves is cosigned by ${witnesses.join(', ')}\n`,
      }
    })
  },
}

function namedKeys(invocation: Invocation): readonly NoteKey[] {
  return textOptions(invocation, 'witness').map(written => {
    try {
      return readNoteKey(written)
    } catch (error) {
      if (error instanceof Refusal) throw new Misuse(`--witness: ${error.message}`)
      throw error
    }
  })
}
