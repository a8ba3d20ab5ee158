// What somebody finds who kept slips and checkpoints and asks the server again, years later: with the public files, the slips that
// it gives out now, and nothing else. It knows no secret but that of its own scope, which is in its slips.
import { type Checkpoint, readCheckpoint } from '../../../src/core/proof/checkpoint.ts'
import { formatHead, headId, idOfHead } from '../../../src/core/proof/log-head.ts'
import { isSameHash } from '../../../src/core/proof/merkle-hash.ts'
import { isConsistent, proveConsistency, type ReadTiles, readRoot } from '../../../src/core/proof/merkle-proof.ts'
import type { NoteKey } from '../../../src/core/proof/note-key.ts'
import { checkNote } from '../../../src/core/proof/note-signature.ts'
import { readNote } from '../../../src/core/proof/signed-note.ts'
import { problemOfSlip, readSlip, type Slip } from '../../../src/core/proof/slip.ts'
import { readBundle, tileWidth } from '../../../src/core/proof/tile.ts'

/** What was kept. */
export interface Kept {
  readonly slips: readonly string[]
  readonly checkpoints: readonly string[]
  readonly key: NoteKey
}

/** What the server says now. */
export interface Server extends Member {
  checkpoint(): Promise<string>
  readonly readTiles: ReadTiles
  entries(index: number, width: number): Promise<Uint8Array>
}

/** What it says to the members of a scope. */
export interface Member {
  slip(seq: number): Promise<string>
  /** The tiles of the scope's own tree. */
  readonly scopeTiles: ReadTiles
}

/** The first contradiction; null where everything holds. A server that cannot answer has one to hide. */
export async function audit(kept: Kept, server: Server): Promise<string | null> {
  const [found] = await auditTogether(server, kept.key, [{ kept, member: server }])
  return found!
}

/** What each of several finds who look at the same time, each in a scope of its own. What is public is read once for all of them. */
export async function auditTogether(
  server: Omit<Server, keyof Member>,
  key: NoteKey,
  all: readonly { readonly kept: Omit<Kept, 'key'>; readonly member: Member }[],
): Promise<readonly (string | null)[]> {
  const log = await readLog(server, key).catch(noAnswer)
  if (typeof log === 'string') return all.map(() => log)
  const found: (string | null)[] = []
  for (const { kept, member } of all) found.push(await look(kept, log, member).catch(noAnswer))
  return found
}

const noAnswer = (error: Error) => `no answer: ${error.message}`

/** The log as everybody can read it now. */
interface ReadLog {
  readonly checkpoint: Checkpoint
  readonly readTiles: ReadTiles
  readonly leaves: readonly string[]
  /** Where each head stands, by the id that the members of its scope can compute. */
  readonly places: ReadonlyMap<string, number>
}

/** Or what is wrong with it by itself. */
async function readLog(server: Omit<Server, keyof Member>, key: NoteKey): Promise<ReadLog | string> {
  const now = readNote(await server.checkpoint())
  const [signature] = await checkNote(crypto.subtle, now, [key])
  if (signature?.verdict !== 'holds') return 'its checkpoint is not signed'
  const checkpoint = readCheckpoint(now.text)
  const leaves = await readLeaves(server, checkpoint.size)
  const ids = leaves.map(idOfHead)
  const places = new Map(ids.flatMap((id, at) => (id === null ? [] : [[id, at] as const])))
  if (places.size !== ids.filter(id => id !== null).length) return 'a head stands there twice'
  return { checkpoint, readTiles: server.readTiles, leaves, places }
}

async function look({ slips, checkpoints }: Omit<Kept, 'key'>, log: ReadLog, member: Member): Promise<string | null> {
  const later = log.checkpoint
  for (const each of checkpoints) {
    const earlier = readCheckpoint(readNote(each).text)
    if (earlier.origin !== later.origin) return 'the log was started again'
    if (earlier.size > later.size) return 'the log is shorter'
    const proof = await proveConsistency(earlier.size, later.size, log.readTiles)
    if (!isConsistent(earlier, later, proof)) return `the log of ${earlier.size} leaves is another one`
  }
  for (const each of slips) {
    const problem = await compareSlip(readSlip(each), log, member)
    if (problem !== null) return problem
  }
  return null
}

async function readLeaves(server: Pick<Server, 'entries'>, size: number): Promise<readonly string[]> {
  const leaves: string[] = []
  for (let index = 0; index * 256 < size; index++) {
    const bundle = await server.entries(index, tileWidth(size, 'entries', index))
    leaves.push(...readBundle(bundle).map(bytes => Buffer.from(bytes).toString()))
  }
  return leaves
}

async function compareSlip(kept: Slip, log: ReadLog, member: Member): Promise<string | null> {
  const { secret, head } = kept
  const { leaves, places } = log
  if (leaves[kept.index] !== formatHead(secret, head)) return `head ${head.k} is not where it was`
  let newest = head.k
  while (places.has(headId(secret, newest + 1))) newest++
  for (let k = 1; k <= newest; k++) if (!places.has(headId(secret, k))) return `head ${k} is missing`
  const fresh = readSlip(await member.slip(Number(kept.entry.line.split('|')[0])))
  const problem = problemOfSlip(fresh)
  if (problem !== null) return problem
  if (fresh.entry.line !== kept.entry.line || fresh.entry.index !== kept.entry.index) return 'the entry is another one'
  if (fresh.entry.content?.text !== kept.entry.content?.text) return 'the entry says something else'
  return compareTrees(kept, newest, log, member)
}

/** The tree that the server has now must be the one of the newest head, and have grown out of the one that was kept. */
async function compareTrees(
  { secret, head }: Slip,
  newest: number,
  { leaves, places }: ReadLog,
  { scopeTiles }: Member,
): Promise<string | null> {
  for (let size = head.size; ; size++) {
    // How large the newest is, its members are told; here it is found by trying.
    if (size > head.size + 300) return 'the newest head does not open to the tree there is'
    const root = await readRoot(size, scopeTiles).catch(() => null)
    if (root === null) return 'the newest head does not open to the tree there is'
    if (leaves[places.get(headId(secret, newest))!] !== formatHead(secret, { k: newest, size, root })) continue
    const proof = await proveConsistency(head.size, size, scopeTiles)
    return isConsistent(head, { size, root }, proof) && (size > head.size || isSameHash(root, head.root))
      ? null
      : `the tree did not grow out of head ${head.k}`
  }
}
