// Verifies a scope's chain: every keyed link, the publications under it, and every hash worked out again from the rows
// themselves, so that edited history is found. It reads, in one snapshot, and repairs nothing.
import { createHash } from 'node:crypto'
import { type Instant, microsOf } from '../core/instant.ts'
import { limits } from '../limits.ts'
import { type Contents, type Found, findUnpublished, readContents } from './chain-contents.ts'
import { type LinkFacts, linkZero, makeHead, makeLink } from './chain-links.ts'
import { publicScope, publisherOf, type Sql, type Transaction, withWorkspace } from './database.ts'
import { findUnsealedRow } from './pams.ts'
import type { PublicationKind } from './publish.ts'
import { RowSeals } from './row-seals.ts'

export interface ChainReport {
  /** A workspace's id, or `public`. */
  readonly scope: string
  readonly publications: number
  /** How many of them are from before links were keyed: they depend on the old chain, as it was then. */
  readonly unkeyed: number
  /** The last link: kept elsewhere, it shows whether all of it was set back to an earlier state. */
  readonly head: string
  /** The first thing that is not as it was published. */
  readonly problem: ChainProblem | null
}

export interface ChainProblem {
  readonly seq: number
  readonly message: string
}

/** The connections must have been opened with the chain's key. */
export function verifyChain(sql: Sql, scope: string): Promise<ChainReport> {
  const { chainKey } = publisherOf(sql)
  return withWorkspace(sql, scope, tx => new Verification(tx, chainKey, scope).run(), 'snapshot')
}

/** Every chain: of all workspaces, of the public series, and of every scope that has one. For the owner's connection. */
export async function verifyAllChains(owner: Sql): Promise<readonly ChainReport[]> {
  const scopes = await owner<{ scope: string }[]>`
    select id as scope from workspace union select ${publicScope} union select scope from scope_clock
    union select distinct scope from publication union select distinct scope from publication_link order by scope`
  const reports: ChainReport[] = []
  for (const { scope } of scopes) reports.push(await verifyChain(owner, scope))
  return reports
}

interface Clock {
  readonly seq: number
  readonly links: number
  readonly settled_at: Instant
  readonly now: Instant
  readonly link: Buffer
  readonly head: Buffer
}

interface LinkRow extends Omit<LinkFacts, 'scope'> {
  readonly link: Buffer
}

interface PublicationRow {
  readonly seq: number
  readonly recorded_at: Instant
  readonly kind: PublicationKind
  readonly subject: string
  readonly content_hash: Buffer
  readonly previous_hash: Buffer | null
  readonly chain_hash: Buffer | null
}

/** One chain that is being verified. */
class Verification {
  readonly #tx: Transaction
  readonly #chainKey: string
  readonly #scope: string
  #contents: Contents = new Map()
  #publications = 0
  #unkeyed = 0
  #head: Buffer
  #problem: ChainProblem | null = null
  /** The newest instant that was not repaired. */
  #newest: Instant = ''

  constructor(tx: Transaction, chainKey: string, scope: string) {
    this.#tx = tx
    this.#chainKey = chainKey
    this.#scope = scope
    this.#head = linkZero(chainKey, scope)
  }

  async run(): Promise<ChainReport> {
    await this.#tx`select set_config('statement_timeout', '0', true)`
    this.#problem = await this.#findProblem()
    return {
      scope: this.#scope,
      publications: this.#publications,
      unkeyed: this.#unkeyed,
      head: this.#head.toString('hex'),
      problem: this.#problem,
    }
  }

  async #findProblem(): Promise<ChainProblem | null> {
    const [clock] = await this.#tx<Clock[]>`
      select seq, links, settled_at, clock_timestamp() as now, link, head from scope_clock where scope = ${this.#scope}`
    if (clock === undefined) return { seq: 0, message: 'the clock and the head of this chain are gone' }
    const links = await this.#readLinks()
    this.#contents = await readContents(this.#tx, this.#scope)
    return (
      this.#checkLinks(links) ??
      (await this.#checkPublications(links)) ??
      this.#checkEnd(clock, links) ??
      (await this.#checkStrays()) ??
      (await this.#checkSeals())
    )
  }

  #readLinks(): Promise<readonly LinkRow[]> {
    return this.#tx<LinkRow[]>`
      select number, covers, first_seq as "firstSeq", last_seq as "lastSeq", publications, recorded_at as "recordedAt",
        digest, link
      from publication_link where scope = ${this.#scope} order by number`
  }

  /** Each made under the key, after the one before it, without a gap. */
  #checkLinks(links: readonly LinkRow[]): ChainProblem | null {
    let last = 0
    for (const [index, row] of links.entries()) {
      const message = 'the link over this publication was changed, or one before it was taken away'
      const isNext = row.number === index + 1 && row.firstSeq > last && row.lastSeq >= row.firstSeq
      if (!isNext || !row.link.equals(makeLink(this.#chainKey, this.#head, { ...row, scope: this.#scope })))
        return { seq: row.firstSeq, message }
      this.#head = row.link
      last = row.lastSeq
    }
    return null
  }

  async #checkPublications(links: readonly LinkRow[]): Promise<ChainProblem | null> {
    const waiting = [...links].reverse()
    let under: LinkCheck | null = null
    const pages = this.#tx<PublicationRow[]>`
      select seq, recorded_at, kind, subject, content_hash, previous_hash, chain_hash
      from publication where scope = ${this.#scope} order by seq`.cursor(1000)
    for await (const page of pages)
      for (const row of page) {
        if (under === null || row.seq > under.link.lastSeq) {
          const problem = this.#close(under)
          if (problem !== null) return problem
          const next = waiting.pop()
          if (next === undefined || row.seq < next.firstSeq)
            return { seq: row.seq, message: 'this publication is under no link' }
          under = openLink(this.#scope, next)
        }
        const message = under.add(row) ?? checkRows(row, this.#contents.get(row.seq) ?? [])
        if (message !== null) return { seq: row.seq, message }
        this.#contents.delete(row.seq)
        this.#publications++
        if (under.link.covers === 'chain') this.#unkeyed++
      }
    const problem = this.#close(under)
    if (problem !== null) return problem
    const missing = waiting.pop()
    return missing === undefined
      ? null
      : { seq: missing.firstSeq, message: 'the publications under this link are gone' }
  }

  /** All publications of a link were seen. */
  #close(under: LinkCheck | null): ChainProblem | null {
    if (under === null) return null
    const { link } = under
    if (!under.isWhole())
      return { seq: link.firstSeq, message: 'publications under this link were changed or taken away' }
    // Instants grow, except for the one with which a clock was repaired.
    if (link.recordedAt <= this.#newest && !under.isRepair)
      return { seq: link.firstSeq, message: 'it is recorded before the publication before it' }
    this.#newest = link.recordedAt
    return null
  }

  /** The head, also keyed, says which link is the last. */
  #checkEnd(clock: Clock, links: readonly LinkRow[]): ChainProblem | null {
    const end = { scope: this.#scope, seq: clock.seq, links: clock.links, link: clock.link }
    const last = links.at(-1)
    if (!clock.head.equals(makeHead(this.#chainKey, end)))
      return { seq: clock.seq, message: 'the head of this chain was changed' }
    if (!clock.link.equals(this.#head) || clock.links !== links.length || clock.seq !== (last?.lastSeq ?? 0))
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
    const [stray] = this.#contents.keys()
    if (stray !== undefined) return { seq: stray, message: 'rows that were never published' }
    const id = await findUnpublished(this.#tx, this.#scope)
    return id === null ? null : { seq: 0, message: `${id} was changed, or never published` }
  }

  /** What was signed has a seal of its own; without it, it is not served. */
  async #checkSeals(): Promise<ChainProblem | null> {
    const unsealed = await findUnsealedRow(this.#tx, this.#scope, new RowSeals(this.#chainKey))
    return unsealed === null ? null : { seq: unsealed.seq, message: unsealed.message }
  }
}

/** Reads the publications under one link, in their order. */
interface LinkCheck {
  readonly link: LinkRow
  /** Whether the link covers the repair of a clock. */
  readonly isRepair: boolean
  /** What is wrong with a publication as such. */
  add(row: PublicationRow): string | null
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

  add({ seq, recorded_at, kind, subject, content_hash }: PublicationRow): string | null {
    if (recorded_at !== this.link.recordedAt) return 'the publication was changed'
    this.isRepair ||= kind === 'clock'
    this.#digest.update(`${this.#count === 0 ? '' : '\n'}${seq}|${kind}|${subject}|${content_hash.toString('hex')}`)
    this.#count++
    return null
  }

  isWhole(): boolean {
    return this.#count === this.link.publications && this.#digest.digest().equals(this.link.digest)
  }
}

/** From before links were keyed: each publication has the hash of the one before it. */
class OldChainCheck implements LinkCheck {
  readonly link: LinkRow
  readonly isRepair = false
  #last: Buffer
  #count = 0

  constructor(scope: string, link: LinkRow) {
    this.link = link
    this.#last = createHash('sha256').update(scope).digest()
  }

  add(row: PublicationRow): string | null {
    const { seq, recorded_at, kind, subject, content_hash, previous_hash, chain_hash } = row
    if (previous_hash?.equals(this.#last) !== true) return 'the publication before it was changed or taken away'
    const place = `${seq}|${recorded_at}|${kind}|${subject}|`
    const chained = createHash('sha256').update(previous_hash).update(place).update(content_hash).digest()
    if (chain_hash?.equals(chained) !== true) return 'the publication was changed'
    this.#last = chain_hash
    this.#count++
    return null
  }

  isWhole(): boolean {
    return this.#count === this.link.publications && this.#last.equals(this.link.digest)
  }
}

/** What a publication says beside what its rows say now. */
function checkRows(
  { kind, subject, recorded_at, content_hash }: PublicationRow,
  found: readonly Found[],
): string | null {
  const [rows, ...more] = found
  if (rows === undefined) return `the rows of this publication (${kind} of ${subject}) are gone`
  if (more.length > 0) return `there are more rows than were published (${kind} of ${subject})`
  const same = rows.kind === kind && rows.subject === subject && rows.recordedAt === recorded_at
  return same && rows.hash.equals(content_hash)
    ? null
    : `the rows of this publication (${kind} of ${subject}) were changed`
}
