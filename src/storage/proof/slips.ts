// Slips: for entries of a scope, the way to a head in the public log and on to a checkpoint, read in one snapshot. Several of
// one act share their tiles, their head and their checkpoint.

import type { LogHead } from '../../core/proof/log-head.ts'
import { proveInclusion, type ReadTiles } from '../../core/proof/merkle-proof.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import { formatSlip, hashOfContent, type Slip } from '../../core/proof/slip.ts'
import { type Tile, tilePath } from '../../core/proof/tile.ts'
import { Refusal } from '../../core/refusal.ts'
import { canonicalJson } from '../../core/text/canonical-json.ts'
import { contentOf, type EntryKind, entryKinds } from '../log/entry-kinds.ts'
import { type EntryRow, selectEntries } from '../log/entry-rows.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import type { TreeEnd } from '../trees/tree-growth.ts'
import { loadCosigned, type StoredCheckpoint } from './checkpoints.ts'
import type { LogKeys } from './log-keys.ts'
import { loadLastLeaves, logScope } from './log-state.ts'
import { scopeTiles } from './scope-tree.ts'

/** Request for the slip of an entry, by its number in the scope. `hasContent`: the reader may see the content. */
export interface WantedSlip {
  readonly seq: number
  readonly hasContent: boolean
}

/** Slips in the order of the request. An entry that no checkpoint covers yet is refused. */
export function makeSlips(
  sql: Sql,
  keys: LogKeys,
  scope: string,
  wanted: readonly WantedSlip[],
): Promise<readonly string[]> {
  return withWorkspace(sql, scope, tx => makeSlipsIn(tx, keys, scope, wanted), 'snapshot')
}

/** Inside a snapshot that sees the scope. */
export function makeSlipsIn(
  tx: Transaction,
  keys: LogKeys,
  scope: string,
  wanted: readonly WantedSlip[],
): Promise<readonly string[]> {
  return new SlipMaker(tx, keys, scope).make(wanted)
}

interface ScopePlace {
  readonly scope: string
  readonly seq: number
  readonly tree: TreeEnd
}

interface EntryLine extends EntryRow {
  readonly kind: EntryKind
  readonly hash: string
  readonly salt: string | null
}

interface HeadRow extends LogHead {
  readonly root: Buffer
  readonly leaf: number
}

class SlipMaker {
  readonly #tx: Transaction
  readonly #keys: LogKeys
  readonly #scope: string

  constructor(tx: Transaction, keys: LogKeys, scope: string) {
    this.#tx = tx
    this.#keys = keys
    this.#scope = scope
  }

  async make(wanted: readonly WantedSlip[]): Promise<readonly string[]> {
    if (wanted.length === 0) return []
    const end = await this.#readEnd()
    const lines = await this.#readLines(wanted.map(({ seq }) => seq))
    const contents = await this.#readContents([...lines.values()])
    const [ofScope, ofLog] = [rememberTiles(scopeTiles(this.#tx, end)), rememberTiles(await this.#logTiles())]
    const slips: string[] = []
    for (const { seq, hasContent } of wanted) {
      const line = lines.get(seq)
      if (line === undefined) throw new Refusal('not-found', `there is no entry ${seq}`)
      // Numbers begin at 1 and have no gaps.
      const index = seq - 1
      const head = await this.#headOf(index)
      const checkpoint = await this.#checkpointOf(head.leaf)
      const text = hasContent ? contents.get(seq) : undefined
      const content = text === undefined ? null : { text, salt: line.salt ?? '' }
      const slip: Slip = {
        scope: this.#scope,
        secret: this.#keys.scopeSecret(this.#scope),
        head: { k: head.k, size: head.size, root: head.root },
        entry: {
          index,
          line: `${seq}|${line.kind}|${line.subject}|${line.hash}`,
          // Erased content leaves only its hash, and a redaction entry explains it.
          content: content === null || hashOfContent(content) !== line.hash ? null : content,
          proof: await proveInclusion(index, head.size, ofScope),
        },
        index: head.leaf,
        proof: await proveInclusion(head.leaf, checkpoint.size, ofLog),
        checkpoint: readNote(await loadCosigned(this.#tx, checkpoint)),
      }
      slips.push(formatSlip(slip))
    }
    return slips
  }

  async #readEnd(): Promise<ScopePlace> {
    const [row] = await this.#tx<{ seq: number; size: number; edge: Buffer }[]>`
      select seq, tree_size as size, tree_edge as edge from scope_clock where scope = ${this.#scope}`
    const { seq, size, edge } = row!
    return { scope: this.#scope, seq, tree: { size, edge } }
  }

  async #readLines(seqs: readonly number[]): Promise<ReadonlyMap<number, EntryLine>> {
    const rows = await this.#tx<EntryLine[]>`
      select seq, kind, subject, recorded_at as "recordedAt", encode(content_hash, 'hex') as hash, encode(salt, 'hex') as salt
      from publication where scope = ${this.#scope} and seq = any(${seqs as number[]}::bigint[])`
    return new Map(rows.map(row => [row.seq, row]))
  }

  /** Contents of entries as their hashes cover them; none for kinds that the database hashes. */
  async #readContents(lines: readonly EntryLine[]): Promise<ReadonlyMap<number, string>> {
    const contents = new Map<number, string>()
    for (const [kind, own] of Map.groupBy(lines, line => line.kind)) {
      if (entryKinds[kind].content === null) continue
      const rows = await this.#tx<EntryRow[]>`
        select * from (${selectEntries(this.#tx, kind, this.#scope)}) facts
        where facts.seq = any(${own.map(({ seq }) => seq)}::bigint[])`
      for (const row of rows) contents.set(row.seq, canonicalJson(contentOf(kind, row as never, row.recordedAt)))
    }
    return contents
  }

  /** The first that has the entry: the oldest promise about it. */
  async #headOf(index: number): Promise<HeadRow> {
    const [head] = await this.#tx<HeadRow[]>`
      select k, size, root, leaf from log_head where scope = ${this.#scope} and size > ${index} order by k limit 1`
    if (head === undefined) throw notYet()
    return head
  }

  /** The newest that a witness has signed, else the newest; none by a key that has ended, where the entry is under a later one. */
  async #checkpointOf(leaf: number): Promise<StoredCheckpoint> {
    const [row] = await this.#tx<StoredCheckpoint[]>`
      select c.origin, c.size, c.root, c.note, c.made_at as "madeAt" from log_checkpoint c, log_state s
      where c.origin = case when s.fork = 1 then s.name else s.name || '/' || s.fork end and c.size > ${leaf}
      order by c.size > coalesce((select max(l.number) from log_leaf l where starts_with(l.entry, 'assize-key/1')), 0) desc,
        exists (select 1 from log_cosignature w where w.origin = c.origin and w.size = c.size) desc, c.size desc
      limit 1`
    if (row === undefined) throw notYet()
    return row
  }

  async #logTiles(): Promise<ReadTiles> {
    const [state] = await this.#tx<{ size: number }[]>`select size from log_state`
    const size = state?.size ?? 0
    return tilesOf(this.#tx, logScope, size, count => loadLastLeaves(this.#tx, size, count))
  }
}

function notYet(): Refusal {
  return new Refusal('conflict', 'this entry is not under a checkpoint of the log yet; try again in a minute')
}

/** Each tile is read once. */
export function rememberTiles(read: ReadTiles): ReadTiles {
  const known = new Map<string, Uint8Array>()
  const nameOf = ({ level, index }: Tile) => tilePath({ level, index, width: 256 })
  return async tiles => {
    const missing = tiles.filter(tile => !known.has(nameOf(tile)))
    const found = missing.length === 0 ? [] : await read(missing)
    for (const [at, tile] of missing.entries()) known.set(nameOf(tile), found[at]!)
    return tiles.map(tile => known.get(nameOf(tile))!)
  }
}
