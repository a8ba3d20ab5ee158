// State of the public log: its name and origin, the end of its tree, the secret of its key, and the reason if nothing is signed. It is
// one row, sealed as the heads of scopes are.
import { limits } from '../../limits.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { beginSealing } from '../log/ring-state.ts'
import type { Queryable, Sql, Transaction } from '../postgres/database.ts'
import { emptyTree, type TreeEnd } from '../trees/tree-growth.ts'

/** Scope of the public log's own tree in the tables of tiles. */
export const logScope = 'log'

export interface LogState {
  readonly name: string
  /** 1 at first; each fork starts the next origin. */
  readonly fork: number
  readonly tree: TreeEnd
  /** Why nothing is signed until the operator decides. */
  readonly stopped: string | null
  /** The secret that the key of its checkpoints is made from; another one is announced by a leaf. */
  readonly secretId: string
}

export function originOf({ name, fork }: Pick<LogState, 'name' | 'fork'>): string {
  return fork === 1 ? name : `${name}/${fork}`
}

export function newState(name: string, secretId: string): LogState {
  return { name, fork: 1, tree: emptyTree, stopped: null, secretId }
}

interface StateRow {
  readonly name: string
  readonly fork: number
  readonly size: number
  readonly edge: Buffer
  readonly stopped: string | null
  readonly secretId: string
  readonly seal: Buffer
}

/** Null where there is no log yet; `isSealed` is false where the row was changed without the secret. */
type LoadedLogState = (LogState & { readonly isSealed: boolean }) | null

/** Waits for its turn: until the transaction ends, nobody else changes the log. */
export async function beginLog(tx: Transaction, ring: KeyRing): Promise<LoadedLogState> {
  await tx`
    select set_config('lock_timeout', ${String(limits.publishLockTimeoutMs)}, true), set_config('statement_timeout', '0', true)`
  await beginSealing(tx)
  const rows = await tx<
    StateRow[]
  >`select name, fork, size, edge, stopped, secret_id as "secretId", seal from begin_log()`
  return readRow(rows[0], ring)
}

export async function loadLogState(sql: Queryable, ring: KeyRing): Promise<LoadedLogState> {
  const rows = await sql<StateRow[]>`
    select name, fork, size, edge, stopped, secret_id as "secretId", seal from log_state`
  return readRow(rows[0], ring)
}

function readRow(row: StateRow | undefined, ring: KeyRing): LoadedLogState {
  if (row === undefined) return null
  const { name, fork, size, edge, stopped, secretId, seal } = row
  const state = { name, fork, tree: { size, edge }, stopped, secretId }
  return { ...state, isSealed: ring.holds('public log', wordsOf(state), seal) }
}

function wordsOf({ name, fork, tree, stopped, secretId }: LogState): string {
  return JSON.stringify(['assize log 1', name, fork, tree.size, tree.edge.toString('hex'), stopped, secretId])
}

/** Leaf of the public tree with the scope whose head it is; a leaf of a fork or of another key has no scope. */
export interface NewLeaf {
  readonly entry: string
  readonly hash: Uint8Array
  readonly head: { readonly scope: string; readonly k: number; readonly size: number; readonly root: Buffer } | null
}

/** Adds the leaves and says how the log stands after them. While it is this transaction's turn. */
export async function appendLog(
  tx: Transaction,
  ring: KeyRing,
  leaves: readonly NewLeaf[],
  state: LogState,
): Promise<void> {
  const heads = leaves.map(({ head }) => head)
  const bytes = (list: readonly (Uint8Array | null)[]) =>
    tx`array(select decode(h, 'hex') from unnest(${list.map(each => (each === null ? null : Buffer.from(each).toString('hex')))}::text[])
      with ordinality as t (h, n) order by n)`
  const { name, fork, tree, stopped, secretId } = state
  await tx`
    select append_log(${leaves.map(({ entry }) => entry)}::text[], ${bytes(leaves.map(({ hash }) => hash))},
      ${heads.map(head => head?.scope ?? null)}::text[], ${heads.map(head => head?.k ?? null)}::bigint[],
      ${heads.map(head => head?.size ?? null)}::bigint[], ${bytes(heads.map(head => head?.root ?? null))},
      row(true, ${name}::text, ${fork}::integer, ${tree.size}::bigint, ${tree.edge}::bytea, ${stopped}::text,
        ${secretId}::text, ${ring.mac('public log', wordsOf(state))}::bytea)::log_state)`
}

/**
 * After a restore nobody here knows what was signed since the backup was made: the log signs nothing until the operator says that
 * it was nothing, or starts another origin. A log that has signed nothing goes on.
 */
export async function stopRestoredLog(owner: Sql, ring: KeyRing, madeAt: string): Promise<void> {
  await owner.begin(async tx => {
    const state = await beginLog(tx, ring)
    if (state === null || !state.isSealed || state.stopped !== null) return
    const stopped = `the database was restored from a backup made ${madeAt}, and checkpoints may have been given out since; run assize log resume if none were, else assize log fork`
    await appendLog(tx, ring, [], { ...state, stopped })
  })
}

/** The hashes of the last so many leaves of a public tree of that size, one after the other. */
export async function loadLastLeaves(tx: Queryable, size: number, count: number): Promise<Buffer> {
  const rows = await tx<{ hash: Buffer }[]>`
    select hash from log_leaf where number >= ${size - count} and number < ${size} order by number`
  return Buffer.concat(rows.map(({ hash }) => hash))
}
