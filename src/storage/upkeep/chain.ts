// Verifies the publications of a scope in one pass: its keyed head, the tree under it with every tile, and every hash worked out
// again from the rows themselves, so that edited history is found; and the access log. It reads in one snapshot, piece by piece,
// and repairs nothing. A row that cannot be read is a finding, like a changed one.
import { leafHash } from '../../core/proof/merkle-hash.ts'
import { type Instant, microsOf } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { findUnsealedRow } from '../agreements/agreements.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { checkAccess } from '../log/access-check.ts'
import { accountsScope } from '../log/access-log.ts'
import { AccessSeals } from '../log/access-seals.ts'
import { findRowsWithoutEntry, type LogEntry, lineOf, Redactions, whyChanged } from '../log/chain-contents.ts'
import { ContentStream } from '../log/chain-stream.ts'
import { RowSeals } from '../log/row-seals.ts'
import { addInstant, isHead, noInstants } from '../log/scope-head.ts'
import { logWriterOf, publicScope, ringIn, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import { TreeCheck } from '../trees/tree-check.ts'
import { rootOfTree, type TreeEnd } from '../trees/tree-growth.ts'

export interface ChainReport {
  /** Workspace's id, `public`, or `accounts` for entries about people rather than a workspace. */
  readonly scope: string
  readonly publications: number
  /**
   * The root of the tree over them: kept elsewhere, it shows whether all of it was set back to an earlier state. Null where the
   * pass did not come to its end.
   */
  readonly root: string | null
  /** Access log: number of entries, and its last seal. */
  readonly entries: number
  readonly accessHead: string | null
  /** First part that is not as it was published or recorded. */
  readonly problem: ChainProblem | null
  /** Number of redactions of entries about people. */
  readonly redacted: number
  /** Most rows of entries that were held at once. */
  readonly held: number
}

interface ChainProblem {
  /** Number of the entry; null for a problem of the access log. */
  readonly seq: number | null
  readonly message: string
}

export function wordsOfProblem({ seq, message }: ChainProblem): string {
  return seq === null ? message : `publication ${seq}: ${message}`
}

/** The connections must have been opened with the secrets. */
export async function verifyChain(sql: Sql, scope: string): Promise<ChainReport> {
  const { ring } = logWriterOf(sql)
  let report: ChainReport | null = null
  const verifying = async (tx: Transaction) => {
    report = await new Verification(tx, ring, scope).run()
  }
  await withWorkspace(sql, scope, verifying, 'snapshot').catch(error => {
    // A value that could not be read has ended the transaction as well, after it was found.
    if (report === null) throw error
  })
  return report!
}

/** Verifies in a transaction that has the scope's lock. No other cursor may be open. */
export async function verifyWithin(tx: Transaction, scope: string): Promise<ChainReport> {
  const report = await new Verification(tx, ringIn(tx), scope).run()
  await tx`close all`
  return report
}

/** Whether an error is about the rows, and not about the way to the database. */
function isOfData(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return error instanceof Error && (code === undefined || (typeof code === 'string' && code.startsWith('22')))
}

/** Verifies every chain: of all workspaces, of the public series, and of every scope that has one. */
export function verifyAllChains(owner: Sql): Promise<readonly ChainReport[]> {
  return Array.fromAsync(verifyEachChain(owner))
}

/** Verifies one chain after the other, for callers that stop at the first problem. */
export async function* verifyEachChain(owner: Sql): AsyncGenerator<ChainReport> {
  const scopes = await owner<{ scope: string }[]>`
    select id as scope from workspace union select ${publicScope} union select ${accountsScope}
    union select scope from scope_clock union select distinct scope from publication
    union select scope from access_head union select distinct scope from access_entry order by scope`
  for (const { scope } of scopes) yield await verifyChain(owner, scope)
}

interface Clock {
  readonly seq: number
  readonly settled_at: Instant
  readonly now: Instant
  readonly head: Buffer
  readonly instants: Buffer
  readonly tree: TreeEnd
}

class Verification {
  readonly #tx: Transaction
  readonly #ring: KeyRing
  readonly #scope: string
  #entries = 0
  #accessEntries = 0
  #accessHead: string | null = null
  #redacted = 0
  #held = 0
  #root: string | null = null
  /** Problem of rows without an entry. */
  #stray: ChainProblem | null = null

  constructor(tx: Transaction, ring: KeyRing, scope: string) {
    this.#tx = tx
    this.#ring = ring
    this.#scope = scope
  }

  async run(): Promise<ChainReport> {
    await this.#tx`select set_config('statement_timeout', '0', true)`
    const problem = await this.#findProblem().catch(error => {
      if (!isOfData(error)) throw error
      return { seq: null, message: `something in the rows cannot be read: ${(error as Error).message}` }
    })
    return {
      scope: this.#scope,
      publications: this.#entries,
      root: this.#root,
      entries: this.#accessEntries,
      accessHead: this.#accessHead,
      problem,
      redacted: this.#redacted,
      held: this.#held,
    }
  }

  async #findProblem(): Promise<ChainProblem | null> {
    const history = this.#scope === accountsScope ? null : await this.#checkHistory()
    return history ?? (await this.#checkAccess())
  }

  async #checkHistory(): Promise<ChainProblem | null> {
    const [row] = await this.#tx<(Omit<Clock, 'tree'> & TreeEnd)[]>`
      select seq, settled_at, clock_timestamp() as now, head, instants, tree_size as size, tree_edge as edge
      from scope_clock where scope = ${this.#scope}`
    if (row === undefined) return { seq: 0, message: 'the clock and the head of this chain are gone' }
    const clock: Clock = { ...row, tree: { size: row.size, edge: row.edge } }
    return (
      (await this.#checkEntries(clock)) ??
      this.#checkHead(clock) ??
      (await this.#checkStrays()) ??
      (await this.#checkSeals())
    )
  }

  /** Checks the entries, their rows, their instants and the tree, in one pass. */
  async #checkEntries(clock: Clock): Promise<ChainProblem | null> {
    const contents = await ContentStream.open(this.#tx, this.#scope)
    const redactions = await Redactions.of(this.#tx, this.#scope)
    this.#redacted = redactions.count
    const entries = await RowCursor.open(
      this.#tx,
      'chain_publications',
      this.#tx<LogEntry[]>`
        select seq, recorded_at as "recordedAt", kind, subject, content_hash as hash, salt
        from publication where scope = ${this.#scope} order by seq`,
      limits.publicationsVerified,
    )
    const heads = this.#tx<{ size: number; root: Buffer }[]>`
      select size, root from log_head where scope = ${this.#scope} order by k`
    const tree = await TreeCheck.open(this.#tx, this.#scope, heads)
    const instants = new InstantCheck()
    let unlike: ChainProblem | null = null
    let last = 0
    for (let row = await entries.take(); row !== null; row = await entries.take()) {
      const found = await contents.takeUpTo(row)
      this.#noteStray(found.find(({ seq }) => seq < row.seq)?.seq ?? null)
      const own = found.filter(({ seq }) => seq === row.seq)
      const unsound = redactions.problemOf(row)
      if (unsound !== null) return unsound
      if (row.seq !== last + 1) return { seq: row.seq, message: 'the publication before it was taken away' }
      const message = instants.add(row) ?? whyChanged(redactions.applied(row), own)
      if (message !== null) return { seq: row.seq, message }
      // A difference between an entry and its rows comes first: it names the entry.
      const why: string | null = unlike === null ? await tree.add(leafHash(Buffer.from(lineOf(row)))) : null
      if (why !== null) unlike = { seq: row.seq, message: why }
      this.#entries++
      last = row.seq
    }
    this.#noteStray(redactions.stray)
    this.#noteStray(await contents.first())
    this.#held = contents.held
    if (unlike !== null) return unlike
    if (last < clock.seq) return { seq: clock.seq, message: 'the last publications of this chain are gone' }
    if (last > clock.seq) return { seq: last, message: 'it was added behind the end of this chain' }
    const why = await tree.finish(clock.tree)
    if (why !== null) return { seq: clock.seq, message: why }
    if (!instants.digest.equals(clock.instants))
      return { seq: clock.seq, message: 'something in this chain is said to be recorded at another time than it was' }
    this.#root = rootOfTree(clock.tree).toString('hex')
    return this.#checkClock(clock, instants.newest)
  }

  #noteStray(seq: number | null): void {
    if (seq !== null) this.#stray ??= { seq, message: 'rows that were never published' }
  }

  /** Checks the head, which is keyed: the database alone is not enough to make one over another tree, or other instants. */
  #checkHead({ seq, head, instants, tree }: Clock): ChainProblem | null {
    const isOurs = isHead(this.#ring, { scope: this.#scope, seq, instants, tree }, head)
    return isOurs ? null : { seq, message: 'the head of this chain was changed' }
  }

  #checkClock({ seq, settled_at: settled, now }: Clock, newest: Instant): ChainProblem | null {
    if (settled < newest) return { seq, message: 'the clock of this chain was set back behind what it has recorded' }
    if (microsOf(settled) - microsOf(now) > limits.clockDifferenceMs * 1000)
      return { seq, message: `the clock of this chain is ahead, at ${settled}; see assize clock check` }
    return null
  }

  async #checkStrays(): Promise<ChainProblem | null> {
    if (this.#stray !== null) return this.#stray
    const id = await findRowsWithoutEntry(this.#tx, this.#scope)
    return id === null ? null : { seq: 0, message: `${id} was changed, or never published` }
  }

  /** Checks the seals of signatures; a row without its seal is not served. */
  async #checkSeals(): Promise<ChainProblem | null> {
    const unsealed = await findUnsealedRow(this.#tx, this.#scope, new RowSeals(this.#ring))
    return unsealed === null ? null : { seq: unsealed.seq, message: unsealed.message }
  }

  async #checkAccess(): Promise<ChainProblem | null> {
    if (this.#scope === publicScope) return null
    const { entries, head, problem } = await checkAccess(this.#tx, new AccessSeals(this.#ring), this.#scope)
    this.#accessEntries = entries
    this.#accessHead = head
    return problem === null ? null : { seq: null, message: problem }
  }
}

/** Check of the entries' instants, one after the other. All entries of a transaction share an instant, and no other has it. */
class InstantCheck {
  #digest: Buffer = noInstants
  #last: LogEntry | null = null
  #newest: Instant = ''

  /** Problem of an entry's instant. */
  add(row: LogEntry): string | null {
    const last = this.#last
    this.#last = row
    if (row.recordedAt === last?.recordedAt) return null
    if (last !== null) this.#digest = addInstant(this.#digest, last.seq, last.recordedAt)
    // Instants grow, except for the one with which a clock was repaired: it begins with the entry of that.
    if (row.recordedAt < this.#newest && row.kind !== 'clock') return 'it is recorded before the publication before it'
    this.#newest = row.recordedAt
    return null
  }

  /** Digest after the last entry. */
  get digest(): Buffer {
    return this.#last === null ? this.#digest : addInstant(this.#digest, this.#last.seq, this.#last.recordedAt)
  }

  get newest(): Instant {
    return this.#newest
  }
}
