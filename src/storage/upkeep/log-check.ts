// Check of the stored public log: every leaf with the head it opens to, every tile, every checkpoint with its signature by the key that
// was announced last before it, and the seal over its end. It reads in one snapshot, piece by piece.

import { readCheckpoint } from '../../core/proof/checkpoint.ts'
import {
  type AnnouncedKey,
  isAnnouncement,
  isSameKey,
  keyInForce,
  problemOfAnnouncement,
  problemOfSuccession,
  readAnnouncement,
} from '../../core/proof/key-announcement.ts'
import { formatHead } from '../../core/proof/log-head.ts'
import { isSameHash, leafHash } from '../../core/proof/merkle-hash.ts'
import { makeNoteKey, type NoteKey } from '../../core/proof/note-key.ts'
import { checkNote } from '../../core/proof/note-signature.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import type { StoredCheckpoint } from '../proof/checkpoints.ts'
import type { LogKeys } from '../proof/log-keys.ts'
import { type LogState, loadLogState, logScope, originOf } from '../proof/log-state.ts'
import { TreeCheck } from '../trees/tree-check.ts'
import { rootOfTree, type TreeEnd } from '../trees/tree-growth.ts'

export interface LogReport {
  readonly origin: string
  readonly leaves: number
  readonly checkpoints: number
  readonly root: string
  readonly problem: string | null
}

/** Verifies the log; null where there is none yet. */
export function verifyLog(owner: Sql, keys: LogKeys): Promise<LogReport | null> {
  return withWorkspace(owner, '*', tx => verifyIn(tx, keys), 'snapshot')
}

async function verifyIn(tx: Transaction, keys: LogKeys): Promise<LogReport | null> {
  await tx`select set_config('statement_timeout', '0', true)`
  const state = await loadLogState(tx, keys.ring)
  if (state === null) return null
  const [count] = await tx<{ checkpoints: number }[]>`select count(*) as checkpoints from log_checkpoint`
  const { size } = state.tree
  const problem = state.isSealed ? await problemOfLog(tx, keys, state) : 'how it stands was changed without the secret'
  return { origin: originOf(state), leaves: size, ...count!, root: rootOfTree(state.tree).toString('hex'), problem }
}

async function problemOfLog(tx: Transaction, keys: LogKeys, state: LogState): Promise<string | null> {
  if (!keys.ring.lists(state.secretId)) return `its key is made from the secret ${state.secretId}, which is not listed`
  const { key } = keys.signerOf(originOf(state), state.secretId)
  const announced: AnnouncedKey[] = []
  return (
    (await checkLeaves(tx, keys, { end: state.tree, key, announced })) ??
    problemOfRing(keys, announced) ??
    (await checkCheckpoints(tx, size => keyInForce(key, announced, size))) ??
    (await checkHeads(tx))
  )
}

/** Who knows an ended secret can seal a row of `key_ring` that makes it the current one again; the leaves still say that it ended. */
function problemOfRing(keys: LogKeys, announced: readonly AnnouncedKey[]): string | null {
  const { currentId } = keys.ring
  const ended = announced.find(({ previous }) => isSameKey(previous, keys.signerOf(previous.name, currentId).key))
  return ended === undefined
    ? null
    : `${currentId} is the current secret by key_ring, and leaf ${ended.index} announced that it ended: key_ring was changed in the database itself`
}

interface LeafRow {
  readonly number: number
  readonly entry: string
  readonly hash: Buffer
  readonly scope: string | null
  readonly k: number
  readonly size: number
  readonly root: Buffer
}

interface LogEnd {
  readonly end: TreeEnd
  /** That signs now. */
  readonly key: NoteKey
  /** Filled with the announcements of the leaves. */
  readonly announced: AnnouncedKey[]
}

async function checkLeaves(tx: Transaction, keys: LogKeys, { end, key, announced }: LogEnd): Promise<string | null> {
  const known = tx<{ size: number; root: Buffer }[]>`
    select size, root from log_checkpoint where size > 0 order by size, origin`
  const tree = await TreeCheck.open(tx, logScope, known)
  const leaves = tx<LeafRow[]>`
    select l.number, l.entry, l.hash, h.scope, h.k, h.size, h.root
    from log_leaf l left join log_head h on h.leaf = l.number order by l.number`
  let next = 0
  for await (const piece of RowCursor.piecesOf(tx, 'log_leaves', leaves, limits.publicationsVerified))
    for (const leaf of piece) {
      if (leaf.number !== next++) return `leaf ${next - 1} is gone`
      const problem = (await problemOfLeaf(keys, leaf, announced)) ?? (await tree.add(leaf.hash))
      if (problem !== null) return `leaf ${leaf.number}: ${problem}`
    }
  return problemOfSuccession(key, announced) ?? tree.finish(end)
}

async function problemOfLeaf(
  keys: LogKeys,
  { number, entry, hash, scope, k, size, root }: LeafRow,
  announced: AnnouncedKey[],
): Promise<string | null> {
  if (!isSameHash(leafHash(Buffer.from(entry)), hash)) return 'it was changed'
  if (scope === null && isAnnouncement(entry)) {
    try {
      const announcement = { ...readAnnouncement(entry), index: number }
      announced.push(announcement)
      return await problemOfAnnouncement(crypto.subtle, announcement)
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  }
  if (scope === null) return entry.startsWith('assize-fork/1\n') ? null : 'it is the head of no scope'
  const isHead = entry === formatHead(keys.scopeSecret(scope), { k, size, root })
  return isHead ? null : `it is not head ${k} of ${scope}`
}

async function checkCheckpoints(tx: Transaction, keyAt: (size: number) => NoteKey): Promise<string | null> {
  const rows = tx<StoredCheckpoint[]>`
    select origin, size, root, note, made_at as "madeAt" from log_checkpoint order by origin, size`
  for await (const piece of RowCursor.piecesOf(tx, 'log_checkpoints', rows, limits.factsVerified))
    for (const { origin, size, root, note: text } of piece) {
      const note = readNote(text)
      const said = readCheckpoint(note.text)
      if (said.origin !== origin || said.size !== size || !isSameHash(said.root, root))
        return `the checkpoint of ${size} leaves of ${origin} says something else`
      const [own] = await checkNote(crypto.subtle, note, [makeNoteKey(origin, 'ed25519', keyAt(size).publicKey)])
      if (own?.verdict !== 'holds') return `the checkpoint of ${size} leaves of ${origin} is not signed by this log`
    }
  return checkTimes(tx)
}

/** Checks the times of checkpoints, which no signature covers: not later than now, nor earlier than that of a smaller one. */
async function checkTimes(tx: Transaction): Promise<string | null> {
  const [bad] = await tx<{ origin: string; size: number }[]>`
    select origin, size from (
      select origin, size, made_at, lag(made_at) over (partition by origin order by size) as before from log_checkpoint) made
    where made_at > clock_timestamp() + make_interval(secs => ${limits.clockToleranceMs / 1000}) or made_at < before
      or not isfinite(made_at) limit 1`
  return bad === undefined ? null : `the checkpoint of ${bad.size} leaves of ${bad.origin} was made at another time`
}

/** Checks that the heads of each scope grow from 1 on. */
async function checkHeads(tx: Transaction): Promise<string | null> {
  const [bad] = await tx<{ scope: string; k: number }[]>`
    select scope, k from (
      select scope, k, row_number() over own as place, size, lag(size) over own as before
      from log_head window own as (partition by scope order by k)) heads
    where k <> place or size <= before limit 1`
  return bad === undefined ? null : `head ${bad.k} of ${bad.scope} does not follow the one before it`
}
