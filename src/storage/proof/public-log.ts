// The public log of an installation: a tree with a leaf for every head of a scope's tree, and the checkpoints signed over it.
// Before it signs, it proves to itself that the tree grew out of every checkpoint it knows of. If not, it signs nothing,
// until the operator starts another origin.
import { type Checkpoint, formatCheckpoint } from '../../core/proof/checkpoint.ts'
import { formatAnnouncement } from '../../core/proof/key-announcement.ts'
import { formatHead } from '../../core/proof/log-head.ts'
import { type Hash, leafHash } from '../../core/proof/merkle-hash.ts'
import { isConsistent, proveConsistency } from '../../core/proof/merkle-proof.ts'
import { signNote } from '../../core/proof/note-signature.ts'
import { formatNote } from '../../core/proof/signed-note.ts'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { receiptKeyOf } from '../keys/receipt-key.ts'
import type { Sql, Transaction } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { growTree, rootOfTree, type TreeEnd } from '../trees/tree-growth.ts'
import { addCheckpoint, loadNewestCheckpoint, type StoredCheckpoint } from './checkpoints.ts'
import type { LogKeys } from './log-keys.ts'
import {
  appendLog,
  beginLog,
  type LogState,
  loadLastLeaves,
  loadLogState,
  logScope,
  type NewLeaf,
  newState,
  originOf,
} from './log-state.ts'
import type { NewestCheckpoint } from './newest-checkpoint.ts'
import { loadGrownScopes, whyNotGrown } from './scope-tree.ts'

interface PublicLogContext {
  readonly sql: Sql
  readonly keys: LogKeys
  /** Configured name of the log. */
  readonly name: string
  readonly kept: NewestCheckpoint
  /** Called once for each problem that needs an operator. */
  readonly report: (problem: string) => void
}

/** The newest checkpoint, or why there is none. */
type Advanced =
  | { readonly checkpoint: StoredCheckpoint; readonly stopped: null }
  | { readonly checkpoint: null; readonly stopped: string }

/** Contradiction between an earlier signature and the log as it is stored now. */
class Contradiction extends Refusal {
  constructor(message: string) {
    super('conflict', message)
  }
}

export class PublicLog {
  readonly #parts: PublicLogContext
  /** Reported problems that persist. */
  readonly #reported = new Set<string>()
  #stopped: string | null = null

  constructor(parts: PublicLogContext) {
    this.#parts = parts
  }

  /** Why nothing is signed, as far as this process knows; null while it is. */
  get stopped(): string | null {
    return this.#stopped
  }

  /** Reports a problem to the operator, once while it persists. */
  report(problem: string): void {
    if (this.#reported.has(problem)) return
    this.#reported.add(problem)
    this.#parts.report(problem)
  }

  /** Configured name of the log; the origin of a fork follows from it. */
  get name(): string {
    return this.#parts.name
  }

  get keys(): LogKeys {
    return this.#parts.keys
  }

  /**
   * Adds the heads of what has grown, of one scope or of all, and signs a checkpoint over them. `leastMs`: not if the
   * newest is younger.
   */
  async advance(scope: string | null, leastMs: number = 0): Promise<Advanced> {
    const advanced = await this.#advance(scope, leastMs)
    this.#stopped = advanced.stopped
    if (advanced.stopped === null) this.#reported.clear()
    else this.report(`nothing is signed in the public log: ${advanced.stopped}`)
    return advanced
  }

  async #advance(scope: string | null, leastMs: number): Promise<Advanced> {
    const { sql, keys, kept } = this.#parts
    try {
      const advanced = await sql.begin(tx => this.#grow(tx, scope, leastMs))
      if (advanced.checkpoint !== null) await kept.write(advanced.checkpoint.note)
      return advanced
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error
      await sql.begin(tx => stop(tx, keys, this.#parts.name, error.message))
      return { checkpoint: null, stopped: error.message }
    }
  }

  /** Stops the log where somebody has seen a checkpoint of this origin over a larger tree than ours. */
  async compareSize(origin: string, size: number, who: string): Promise<void> {
    const { sql, keys, name } = this.#parts
    await sql.begin(async tx => {
      const state = await beginLog(tx, keys.ring)
      if (state === null || originOf(state) !== origin || state.tree.size >= size || state.stopped !== null) return
      await stop(tx, keys, name, `${who} has seen a checkpoint of ${size} leaves, and the tree has ${state.tree.size}`)
    })
  }

  /** Starts the next origin, with a leaf that says why, and signs its first checkpoint. */
  async fork(reason: string): Promise<StoredCheckpoint> {
    const { sql, keys, name, kept } = this.#parts
    const known = await kept.read().catch(() => null)
    const checkpoint = await sql.begin(async tx => {
      const found = await beginLog(tx, keys.ring)
      if (found === null) throw new Refusal('conflict', 'there is no log yet: nothing was signed that could be left')
      if (!found.isSealed)
        throw new Refusal(
          'conflict',
          'the state of the log was changed in the database itself: restore it from a backup',
        )
      const last = await loadNewestCheckpoint(tx, originOf(found))
      const given = Math.max(last?.size ?? 0, known?.origin === originOf(found) ? known.size : 0)
      const entry = `assize-fork/1\n${originOf(found)}\n${given}\n${reason}\n`
      const fork = found.name === name ? found.fork + 1 : 1
      return this.#append(tx, { ...found, name, fork, stopped: null }, [leafOf(entry, null)], [])
    })
    await kept.write(checkpoint.note)
    this.#stopped = null
    this.#reported.clear()
    return checkpoint
  }

  /**
   * Makes the key of the current secret the one that signs: a leaf that both keys signed announces it, and the first checkpoint under it
   * is signed at once, but where the log is stopped. Does nothing where it is that key already.
   */
  async announceKey(): Promise<void> {
    const { sql, keys, kept } = this.#parts
    const checkpoint = await sql.begin(async tx => {
      const found = await beginLog(tx, keys.ring)
      const { currentId: secretId, state: ring } = keys.ring
      // Without a log, the log begins with this leaf.
      const state = found ?? { ...newState(this.#parts.name, ring?.turning ?? secretId), isSealed: true }
      if (state.secretId === secretId) return null
      if (!state.isSealed) throw new Refusal('conflict', 'how the public log stands was changed in the database itself')
      const origin = originOf(state)
      const entry = formatAnnouncement(keys.signerOf(origin, state.secretId), keys.signerOf(origin, secretId), {
        previousSeal: receiptKeyOf(keys.ring, state.secretId),
        nextSeal: receiptKeyOf(keys.ring, secretId),
      })
      const leaves = [leafOf(entry, null)]
      if (state.stopped !== null) {
        await this.#growTree(tx, { ...state, secretId }, leaves)
        return null
      }
      const last = await loadNewestCheckpoint(tx, origin)
      return this.#append(tx, { ...state, secretId }, leaves, last === null ? [] : [last])
    })
    if (checkpoint !== null) await kept.write(checkpoint.note)
  }

  /** Why the tree did not grow out of the checkpoint kept outside the database; null where it did, or none is kept. */
  async problemOfKept(): Promise<string | null> {
    const { sql, keys, kept } = this.#parts
    try {
      return await sql.begin(async tx => {
        const state = await loadLogState(tx, keys.ring)
        const outside = state === null ? null : await checkKept(kept, state)
        if (state === null || outside === null) return null
        const isOurs = await isGrown(tx, outside, { ...state.tree, root: rootOfTree(state.tree) })
        return isOurs
          ? null
          : `the tree did not grow out of the checkpoint of ${outside.size} leaves that is kept outside`
      })
    } catch (error) {
      if (error instanceof Contradiction) return error.message
      throw error
    }
  }

  /** For the operator who knows that nothing was given out beyond what is here, after a restore. */
  async resume(): Promise<void> {
    const { sql, keys } = this.#parts
    await sql.begin(async tx => {
      const state = await beginLog(tx, keys.ring)
      if (state === null || state.stopped === null) throw new Refusal('conflict', 'the log is not stopped')
      if (!state.isSealed) throw new Refusal('conflict', 'the state of the log was changed in the database itself')
      await appendLog(tx, keys.ring, [], { ...state, stopped: null })
    })
  }

  async #grow(tx: Transaction, scope: string | null, leastMs: number): Promise<Advanced> {
    const { keys, name, kept } = this.#parts
    const state = (await beginLog(tx, keys.ring)) ?? { ...newState(name, keys.ring.currentId), isSealed: true }
    if (!state.isSealed)
      return stoppedBy('the state of the log was changed in the database itself; see assize verify --chain')
    if (state.stopped !== null) return stoppedBy(state.stopped)
    if (state.name !== name)
      return stoppedBy(`the log is called ${state.name}; assize log fork starts another, called ${name}`)
    if (!keys.ring.lists(state.secretId))
      return stoppedBy(
        `its key is made from the secret ${state.secretId}, which is not listed: add it to ASSIZE_SECRET`,
      )
    const last = await loadNewestCheckpoint(tx, originOf(state))
    // A head with a future time delays nothing: no signature covers the time of a head.
    const ageMs = Date.now() - Date.parse(last?.madeAt ?? '')
    if (last !== null && ageMs < leastMs && ageMs >= -limits.clockToleranceMs)
      return { checkpoint: last, stopped: null }
    const leaves = await this.#gatherHeads(tx, scope)
    if (leaves.length === 0 && last !== null && last.size === state.tree.size) {
      await checkKept(kept, state)
      return { checkpoint: last, stopped: null }
    }
    const outside = await checkKept(kept, state)
    const known = [last, outside].flatMap(each => (each === null ? [] : { size: each.size, root: each.root }))
    return { checkpoint: await this.#append(tx, state, leaves, known), stopped: null }
  }

  /** New heads, ordered by unpredictable ids, so that their order reveals no scope. */
  async #gatherHeads(tx: Transaction, scope: string | null): Promise<readonly NewLeaf[]> {
    const { keys } = this.#parts
    const leaves: NewLeaf[] = []
    for (const grown of await loadGrownScopes(tx, scope)) {
      const { scope: id, tree } = grown.end
      await tx`select set_config('assize.workspace', ${id}, true)`
      const why = await whyNotGrown(tx, keys.ring, grown)
      if (why !== null) this.report(`no head of ${id} is put into the log: ${why}; see assize verify --chain`)
      else {
        const head = { scope: id, k: grown.k + 1, size: tree.size, root: rootOfTree(tree) }
        leaves.push(leafOf(formatHead(keys.scopeSecret(id), head), head))
      }
    }
    await tx`select set_config('assize.workspace', '', true)`
    return leaves.sort((a, b) => (a.entry < b.entry ? -1 : 1))
  }

  /** Grows the tree, proves that it grew out of what is known, and signs it. */
  async #append(
    tx: Transaction,
    state: LogState,
    leaves: readonly NewLeaf[],
    known: readonly { readonly size: number; readonly root: Hash }[],
  ): Promise<StoredCheckpoint> {
    const { keys } = this.#parts
    const tree = await this.#growTree(tx, state, leaves)
    const root = rootOfTree(tree)
    for (const earlier of known)
      if (!(await isGrown(tx, earlier, { ...tree, root })))
        throw new Contradiction(
          `the tree did not grow out of the checkpoint of ${earlier.size} leaves that was signed before`,
        )
    const origin = originOf(state)
    const note = signCheckpoint(keys, state.secretId, { origin, size: tree.size, root, extensions: [] })
    return addCheckpoint(tx, { origin, size: tree.size, root, note })
  }

  async #growTree(tx: Transaction, state: LogState, leaves: readonly NewLeaf[]): Promise<TreeEnd> {
    const { size } = state.tree
    const hashes = Buffer.concat(leaves.map(({ hash }) => hash))
    const tree = await growTree(tx, logScope, state.tree, hashes, count => loadLastLeaves(tx, size, count))
    await appendLog(tx, this.#parts.keys.ring, leaves, { ...state, tree })
    return tree
  }
}

function stoppedBy(stopped: string): Advanced {
  return { checkpoint: null, stopped }
}

function leafOf(entry: string, head: NewLeaf['head']): NewLeaf {
  return { entry, hash: leafHash(Buffer.from(entry)), head }
}

function signCheckpoint(keys: LogKeys, secretId: string, checkpoint: Checkpoint): string {
  const text = formatCheckpoint(checkpoint)
  const seconds = Math.floor(Date.now() / 1000)
  return formatNote({ text, signatures: [signNote(keys.signerOf(checkpoint.origin, secretId), text, seconds)] })
}

/** The checkpoint kept outside, where it is of this origin. It must not be of a larger tree, nor of a later fork. */
async function checkKept(kept: NewestCheckpoint, state: LogState): Promise<Checkpoint | null> {
  const outside = await kept.read()
  if (outside === null) return null
  const fork = forkOf(outside.origin, state.name)
  if (fork !== null && fork > state.fork)
    throw new Contradiction(`a checkpoint of ${outside.origin} was given out, and the log is at ${originOf(state)}`)
  if (outside.origin !== originOf(state)) return null
  if (outside.size > state.tree.size)
    throw new Contradiction(
      `a checkpoint of ${outside.size} leaves was given out, and the tree has ${state.tree.size}: the database is older`,
    )
  return outside
}

/** Number of an origin among those of a log's name; null for another log's origin. */
function forkOf(origin: string, name: string): number | null {
  if (origin === name) return 1
  const digits = origin.startsWith(`${name}/`) ? origin.slice(name.length + 1) : ''
  return /^[1-9]\d{0,6}$/.test(digits) ? Number(digits) : null
}

async function isGrown(
  tx: Transaction,
  earlier: { readonly size: number; readonly root: Hash },
  later: TreeEnd & { readonly root: Hash },
): Promise<boolean> {
  const tiles = tilesOf(tx, logScope, later.size, count => loadLastLeaves(tx, later.size, count))
  const proof = await proveConsistency(earlier.size, later.size, tiles).catch(() => null)
  return proof !== null && isConsistent(earlier, later, proof)
}

async function stop(tx: Transaction, keys: LogKeys, name: string, why: string): Promise<void> {
  const state = (await beginLog(tx, keys.ring)) ?? newState(name, keys.ring.currentId)
  await appendLog(tx, keys.ring, [], { ...state, stopped: why })
}
