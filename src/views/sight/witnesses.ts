// The witnesses that the operator has the server ask, with their names and keys.
import { readFile } from 'node:fs/promises'
import { formatNoteKey } from '../../core/proof/note-key.ts'
import { type PolicyWitness, readPolicy } from '../../core/proof/policy.ts'
import { Refusal } from '../../core/refusal.ts'

/** Names and key ids, in the form of stored cosignatures; null where the file cannot be read, and the witnesses are unknown. */
export async function readWitnessIds(path: string | null): Promise<readonly string[] | null> {
  if (path === null) return []
  const policy = await readFile(path, 'utf8')
    .then(readPolicy)
    .catch(() => null)
  return policy?.witnesses.map(idOf) ?? null
}

function idOf({ key }: PolicyWitness): string {
  return `${key.name}+${key.id}`
}

/** Witnesses by their names in the policy, with ids as cosignatures have them. A bad file is reported elsewhere. */
export async function readWitnesses(
  path: string | null,
): Promise<readonly { readonly id: string; readonly name: string; readonly key: string }[]> {
  if (path === null) return []
  try {
    const { witnesses } = readPolicy(await readFile(path, 'utf8'))
    return witnesses.map(witness => ({ id: idOf(witness), name: witness.name, key: formatNoteKey(witness.key) }))
  } catch (error) {
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code !== undefined) return []
    throw error
  }
}
