// The witnesses that the operator has the server ask, as people see them: their names and keys.
import { readFile } from 'node:fs/promises'
import { writeNoteKey } from '../../core/proof/note-key.ts'
import { readPolicy } from '../../core/proof/policy.ts'
import { Refusal } from '../../core/refusal.ts'

/** By name and key id, as their cosignatures are kept; null where the file cannot be read, and nobody knows who is asked. */
export async function readWitnessIds(path: string | null): Promise<readonly string[] | null> {
  if (path === null) return []
  const policy = await readFile(path, 'utf8')
    .then(readPolicy)
    .catch(() => null)
  return policy?.witnesses.map(({ key }) => `${key.name}+${key.id}`) ?? null
}

/** By their names in the policy. A file that cannot be read is reported elsewhere. */
export async function readWitnesses(
  path: string | null,
): Promise<readonly { readonly name: string; readonly key: string }[]> {
  if (path === null) return []
  try {
    const { witnesses } = readPolicy(await readFile(path, 'utf8'))
    return witnesses.map(({ name, key }) => ({ name, key: writeNoteKey(key) }))
  } catch (error) {
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code !== undefined) return []
    throw error
  }
}
