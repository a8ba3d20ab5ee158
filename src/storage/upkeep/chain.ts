// Verifies a scope's chain and tree in one pass: every keyed link, the entries under it, every tile, and every hash worked out again from the rows
// themselves, so that edited history is found; and the log of who has access. It reads, in one snapshot and piece by piece,
// and repairs nothing. What cannot be read is a finding like what was changed.
import { createHash } from 'node:crypto'
import { leafHash } from '../../core/proof/merkle-hash.ts'
import { type Instant, microsOf } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { findUnsealedRow } from '../agreements/agreements.ts'
import { checkAccess } from '../log/access-check.ts'
import { accountsScope } from '../log/access-log.ts'
import { AccessSeals } from '../log/access-seals.ts'
import { findRowsWithoutEntry, type LogEntry, Redactions, whyChanged } from '../log/chain-contents.ts'
import { type LinkFacts, linkZero, makeHead, makeLink } from '../log/chain-links.ts'
import { ContentStream } from '../log/chain-stream.ts'
import { RowSeals } from '../log/row-seals.ts'
import {
  chainKeyIn,
  logWriterOf,
  publicScope,
  type Sql,
  type Transaction,
  withWorkspace,
} from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import { TreeCheck } from '../trees/tree-check.ts'
import { rootOfTree, type TreeEnd } from '../trees/tree-growth.ts'

export interface ChainReport {
  /** A workspace's id, `public`, or `accounts` for what belongs to people and not to a workspace. */
  readonly scope: string
  readonly publications: number
  /** How many of them are from before links were keyed: they depend on the old chain, as it was then. */
  readonly unkeyed: number
  /** The last link: kept elsewhere, it shows whether all of it was set back to an earlier state. */
  readonly head: string
  /** The root of the tree over the same publications; null where the pass did not come to its end. */
  readonly root: string | null
  /** The log of who has access: how many entries, and its last seal. */
  readonly entries: number
  readonly accessHead: string | null
  /** The first thing that is not as it was published or recorded. */
  readonly problem: ChainProblem | null
  /** How many redactions replaced what entries said about people. */
  readonly redacted: number
  /** How many rows of entries were held at once at most. */
  readonly held: number
}

interface ChainProblem {
  /** Null for what is about who has access. */
  readonly seq: number | null
  readonly message: string
}

export function wordsOfProblem({ seq, message }: ChainProblem): string {
  return seq === null ? message : `publication ${seq}: ${message}`
}

/** The connections must have been opened with the chain's key. */
export async function verifyChain(sql: Sql, scope: string): Promise<ChainReport> {
  const { chainKey } = logWriterOf(sql)
  let report: ChainReport | null = null
  const verifying = async (tx: Transaction) => {
    report = await new Verification(tx, chainKey, scope).run()
  }
  await withWorkspace(sql, scope, verifying, 'snapshot').catch(error => {
    // A value that could not be read has ended the transaction as well, after it was found.
    if (report === null) throw error
  })
  return report!
}

/** The same in a transaction that has the scope's lock. No other cursor may be open. */
export async function verifyWithin(tx: Transaction, scope: string): Promise<ChainReport> {
  const report = await new Verification(tx, chainKeyIn(tx), scope).run()
  await tx`close all`
  return report
}

/** Whether it is about something in the rows, and not about the way to the database. */
function isOfData(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return error instanceof Error && (code === undefined || (typeof code === 'string' && code.startsWith('22')))
}

/** Every chain: of all workspaces, of the public series, and of every scope that has one. For the owner's connection. */
export function verifyAllChains(owner: Sql): Promise<readonly ChainReport[]> {
  return Array.fromAsync(verifyEachChain(owner))
}

/** The same one after the other, for who stops at what is found first. */
export async function* verifyEachChain(owner: Sql): AsyncGenerator<ChainReport> {
  const scopes = await owner<{ scope: string }[]>`
    select id as scope from workspace union select ${publicScope} union select ${accountsScope}
    union select scope from scope_clock union select distinct scope from publication
    union select distinct scope from publication_link union select scope from access_head
    union select distinct scope from access_entry order by scope`
  for (const { scope } of scopes) yield await verifyChain(owner, scope)
}

interface Clock {
  readonly seq: number
  readonly links: number
  readonly settled_at: Instant
  readonly now: Instant
  readonly link: Buffer
  readonly head: Buffer
  readonly tree: TreeEnd
}

interface LinkRow extends Omit<LinkFacts, 'scope'> {
  readonly link: Buffer
}

interface EntryLine extends LogEntry {
  /** Of the old chain. */
  readonly previousHash: Buffer | null
  readonly chainHash: Buffer | null
}

/** One chain that is being verified. */
class Verification {
  readonly #tx: Transaction
  readonly #chainKey: string
  readonly #scope: string
  #entries = 0
  #unkeyed = 0
  #links = 0
  #lastLinked = 0
  #accessEntries = 0
  #accessHead: string | null = null
  #redacted = 0
  #held = 0
  #head: Buffer
  #root: string | null = null
  /** The newest instant that was not repaired. */
  #newest: Instant = ''
  /** Rows of no entry. */
  #stray: ChainProblem | null = null

  constructor(tx: Transaction, chainKey: string, scope: string) {
    this.#tx = tx
    this.#chainKey = chainKey
    this.#scope = scope
    this.#head = linkZero(chainKey, scope)
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
      unkeyed: this.#unkeyed,
      head: this.#head.toString('hex'),
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
      select seq, links, settled_at, clock_timestamp() as now, link, head, tree_size as size, tree_edge as edge
      from scope_clock where scope = ${this.#scope}`
    if (row === undefined) return { seq: 0, message: 'the clock and the head of this chain are gone' }
    const clock: Clock = { ...row, tree: { size: row.size, edge: row.edge } }
    return (
      (await this.#checkLinks()) ??
      (await this.#checkEntries(clock)) ??
      this.#checkEnd(clock) ??
      (await this.#checkStrays()) ??
      (await this.#checkSeals())
    )
  }

  #openLinks(name: string): Promise<RowCursor<LinkRow>> {
    const links = this.#tx<LinkRow[]>`
      select number, covers, first_seq as "firstSeq", last_seq as "lastSeq", publications, recorded_at as "recordedAt",
        digest, link
      from publication_link where scope = ${this.#scope} order by number`
    return RowCursor.open(this.#tx, name, links, limits.publicationsVerified)
  }

  /** Each made under the key, after the one before it, without a gap. */
  async #checkLinks(): Promise<ChainProblem | null> {
    const links = await this.#openLinks('chain_links')
    for (let row = await links.take(); row !== null; row = await links.take()) {
      const message = 'the link over this publication was changed, or one before it was taken away'
      const isNext = row.number === this.#links + 1 && row.firstSeq > this.#lastLinked && row.lastSeq >= row.firstSeq
      if (!isNext || !row.link.equals(makeLink(this.#chainKey, this.#head, { ...row, scope: this.#scope })))
        return { seq: row.firstSeq, message }
      this.#head = row.link
      this.#links++
      this.#lastLinked = row.lastSeq
    }
    return null
  }

  /** The links over the entries, their rows and the tree, in one pass. */
  async #checkEntries({ tree: end, seq: last }: Clock): Promise<ChainProblem | null> {
    const links = await this.#openLinks('chain_links_again')
    const contents = await ContentStream.open(this.#tx, this.#scope)
    const redactions = await Redactions.of(this.#tx, this.#scope)
    this.#redacted = redactions.count
    const entries = await RowCursor.open(
      this.#tx,
      'chain_publications',
      this.#tx<EntryLine[]>`
        select seq, recorded_at as "recordedAt", kind, subject, content_hash as hash, salt, previous_hash as "previousHash",
          chain_hash as "chainHash"
        from publication where scope = ${this.#scope} order by seq`,
      limits.publicationsVerified,
    )
    const heads = this.#tx<{ size: number; root: Buffer }[]>`
      select size, root from log_head where scope = ${this.#scope} order by k`
    const tree = await TreeCheck.open(this.#tx, this.#scope, heads)
    let under: LinkCheck | null = null
    let unlike: ChainProblem | null = null
    for (let row = await entries.take(); row !== null; row = await entries.take()) {
      if (under === null || row.seq > under.link.lastSeq) {
        const problem = this.#close(under)
        if (problem !== null) return problem
        const next = await links.take()
        if (next === null || row.seq < next.firstSeq)
          return { seq: row.seq, message: 'this publication is under no link' }
        under = openLink(this.#scope, next)
      }
      const found = await contents.takeUpTo(row)
      this.#noteStray(found.find(({ seq }) => seq < row.seq)?.seq ?? null)
      const own = found.filter(({ seq }) => seq === row.seq)
      const unsound = redactions.problemOf(row)
      if (unsound !== null) return unsound
      const message = under.add(row) ?? whyChanged(redactions.applied(row), own)
      if (message !== null) return { seq: row.seq, message }
      // What the chain says about an entry comes first: it names the entry.
      const why: string | null = unlike === null ? await tree.add(leafHash(Buffer.from(lineOf(row)))) : null
      if (why !== null) unlike = { seq: row.seq, message: why }
      this.#entries++
      if (under.link.covers === 'chain') this.#unkeyed++
    }
    const problem = this.#close(under)
    if (problem !== null) return problem
    const missing = await links.take()
    if (missing !== null) return { seq: missing.firstSeq, message: 'the publications under this link are gone' }
    this.#noteStray(redactions.stray)
    this.#noteStray(await contents.first())
    this.#held = contents.held
    const why = unlike === null ? await tree.finish(end) : null
    if (why === null && unlike === null) this.#root = rootOfTree(end).toString('hex')
    return unlike ?? (why === null ? null : { seq: last, message: why })
  }

  #noteStray(seq: number | null): void {
    if (seq !== null) this.#stray ??= { seq, message: 'rows that were never published' }
  }

  /** All entries of a link were seen. */
  #close(under: LinkCheck | null): ChainProblem | null {
    if (under === null) return null
    const { link } = under
    if (!under.isWhole())
      return { seq: link.firstSeq, message: 'publications under this link were changed or taken away' }
    // Instants grow, except for the one with which a clock was repaired; links of one entry share theirs.
    if (link.recordedAt < this.#newest && !under.isRepair)
      return { seq: link.firstSeq, message: 'it is recorded before the publication before it' }
    this.#newest = link.recordedAt
    return null
  }

  /** The head, also keyed, says which link is the last. */
  #checkEnd(clock: Clock): ChainProblem | null {
    const end = { scope: this.#scope, seq: clock.seq, links: clock.links, link: clock.link, tree: clock.tree }
    if (!clock.head.equals(makeHead(this.#chainKey, end)))
      return { seq: clock.seq, message: 'the head of this chain was changed' }
    if (!clock.link.equals(this.#head) || clock.links !== this.#links || clock.seq !== this.#lastLinked)
      return { seq: clock.seq, message: 'the end of this chain was cut off or added to' }
    if (clock.settled_at < this.#newest)
      return { seq: clock.seq, message: 'the clock of this chain was set back behind what it has recorded' }
    if (microsOf(clock.settled_at) - microsOf(clock.now) > limits.clockDifferenceMs * 1000)
      return {
        seq: clock.seq,
        message: `the clock of this chain is ahead, at ${clock.settled_at}; see assize clock check`,
      }
    return null
  }

  async #checkStrays(): Promise<ChainProblem | null> {
    if (this.#stray !== null) return this.#stray
    const id = await findRowsWithoutEntry(this.#tx, this.#scope)
    return id === null ? null : { seq: 0, message: `${id} was changed, or never published` }
  }

  /** What was signed has a seal of its own; without it, it is not served. */
  async #checkSeals(): Promise<ChainProblem | null> {
    const unsealed = await findUnsealedRow(this.#tx, this.#scope, new RowSeals(this.#chainKey))
    return unsealed === null ? null : { seq: unsealed.seq, message: unsealed.message }
  }

  async #checkAccess(): Promise<ChainProblem | null> {
    if (this.#scope === publicScope) return null
    const { entries, head, problem } = await checkAccess(this.#tx, new AccessSeals(this.#chainKey), this.#scope)
    this.#accessEntries = entries
    this.#accessHead = head
    return problem === null ? null : { seq: null, message: problem }
  }
}

/** What links and leaves say of an entry. */
function lineOf({ seq, kind, subject, hash }: EntryLine): string {
  return `${seq}|${kind}|${subject}|${hash.toString('hex')}`
}

/** Reads the entries under one link, in their order. */
interface LinkCheck {
  readonly link: LinkRow
  /** Whether the link covers the repair of a clock. */
  readonly isRepair: boolean
  /** What is wrong with an entry as such. */
  add(row: EntryLine): string | null
  isWhole(): boolean
}

function openLink(scope: string, link: LinkRow): LinkCheck {
  return link.covers === 'chain' ? new OldChainCheck(scope, link) : new BatchCheck(link)
}

class BatchCheck implements LinkCheck {
  readonly link: LinkRow
  readonly #digest = createHash('sha256')
  #count = 0
  isRepair = false

  constructor(link: LinkRow) {
    this.link = link
  }

  add(row: EntryLine): string | null {
    if (row.recordedAt !== this.link.recordedAt) return 'the publication was changed'
    this.isRepair ||= row.kind === 'clock'
    this.#digest.update(`${this.#count === 0 ? '' : '\n'}${lineOf(row)}`)
    this.#count++
    return null
  }

  isWhole(): boolean {
    return this.#count === this.link.publications && this.#digest.digest().equals(this.link.digest)
  }
}

/** From before links were keyed: each entry has the hash of the one before it. */
class OldChainCheck implements LinkCheck {
  readonly link: LinkRow
  readonly isRepair = false
  #last: Buffer
  #count = 0

  constructor(scope: string, link: LinkRow) {
    this.link = link
    this.#last = createHash('sha256').update(scope).digest()
  }

  add(row: EntryLine): string | null {
    const { seq, recordedAt, kind, subject, hash, previousHash, chainHash } = row
    if (previousHash?.equals(this.#last) !== true) return 'the publication before it was changed or taken away'
    const place = `${seq}|${recordedAt}|${kind}|${subject}|`
    const chained = createHash('sha256').update(previousHash).update(place).update(hash).digest()
    if (chainHash?.equals(chained) !== true) return 'the publication was changed'
    this.#last = chainHash
    this.#count++
    return null
  }

  isWhole(): boolean {
    return this.#count === this.link.publications && this.#last.equals(this.link.digest)
  }
}
