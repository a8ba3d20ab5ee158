// Erases a person: name and address are replaced everywhere they are stored by `erased-<n>`, in one transaction. Entries that
// named them get a redaction each, under which tree, seals and the access log verify as before (decision 0701). A person who can
// still get in is refused, and so is a database that does not verify: rows that were changed by hand are not sealed anew.

import { type Erased, Eraser } from '../../core/people/erased-text.ts'
import { Refusal } from '../../core/refusal.ts'
import { isOneLine } from '../../core/text/one-line.ts'
import { limits } from '../../limits.ts'
import { noteAct } from '../audit/audit-acts.ts'
import { accountsScope, recordNow, recordsAccess } from '../log/access-log.ts'
import { beginAppending, type OpenLog } from '../log/append.ts'
import { loadRedactions } from '../log/chain-contents.ts'
import { makeSalt } from '../log/content.ts'
import { type EntryKind, entryKinds, hashEntry, kindsWhere } from '../log/entry-kinds.ts'
import { appendEntries, type EntryRow, selectEntries } from '../log/entry-rows.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { readEmail } from '../people/people.ts'
import { logWriterOf, publicScope, type Sql, type Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import { noteActivity } from '../workspaces/activity.ts'
import { verifyWithin, wordsOfProblem } from './chain.ts'
import { findAccessScopes, redactAccess } from './erasure-access.ts'
import { type ErasureFacts, findErasedRows, loadNamesOf, redactRow } from './erasure-rows.ts'

interface ErasureRequest {
  readonly email: string
  readonly reason: string
  readonly by: string
  /** Whether everything is done and then undone, to see the report. */
  readonly isTrial: boolean
}

interface ErasureReport {
  /** `erased-3`. */
  readonly instead: string
  readonly names: readonly string[]
  /** Number of changed rows, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Number of redacted entries: of the log, and of the access log. */
  readonly entries: number
  readonly accessEntries: number
  /** Texts that both parties signed and that name the person: they stay. By table and column. */
  readonly kept: Readonly<Record<string, number>>
}

/** Undoes the transaction of a trial. */
class Trial extends Error {
  readonly report: ErasureReport

  constructor(report: ErasureReport) {
    super('a trial')
    this.report = report
  }
}

export async function erasePerson(owner: Sql, request: ErasureRequest): Promise<ErasureReport> {
  const email = readEmail(request.email)
  const writer = logWriterOf(owner)
  try {
    return await owner.begin(async tx => {
      await tx`select set_config('statement_timeout', '0', true)`
      await refuseAnybodyWithAccess(tx, email)
      const erasure = new Erasure(tx, await factsOf(tx, { ...request, email }))
      const report = await erasure.run(scope => beginAppending(tx, scope, writer))
      if (request.isTrial) throw new Trial(report)
      return report
    })
  } catch (error) {
    if (error instanceof Trial) return error.report
    throw error
  }
}

/** Refuses a person who can still act: their name stays with their acts. */
async function refuseAnybodyWithAccess(tx: Transaction, email: string): Promise<void> {
  const [operator] = await tx`
    select 1 from operator o join person p on p.id = o.person_id where lower(p.email) = ${email} limit 1`
  if (operator !== undefined)
    throw new Refusal('conflict', `${email} is an operator of this installation; run assize operator remove first`)
  const places = await tx<{ slug: string; hasJoined: boolean; isLastOwner: boolean }[]>`
    select w.slug, m.joined_at is not null as "hasJoined", m.role = 'owner' and m.joined_at is not null and not exists (
        select 1 from member o where o.workspace_id = m.workspace_id and o.role = 'owner' and o.joined_at is not null
          and o.person_id <> m.person_id) as "isLastOwner"
    from member m join person p on p.id = m.person_id join workspace w on w.id = m.workspace_id
    where lower(p.email) = ${email} order by w.slug`
  const last = places.find(({ isLastOwner }) => isLastOwner)
  if (last !== undefined)
    throw new Refusal(
      'conflict',
      `${email} is the last owner of ${last.slug}; make somebody else an owner, and run assize user remove first`,
    )
  if (places.length > 0) {
    const words = places.map(({ slug, hasJoined }) => `${hasJoined ? 'in' : 'invited to'} ${slug}`).join(', ')
    throw new Refusal('conflict', `${email} is ${words} and can sign in; run assize user remove for each first`)
  }
}

async function factsOf(tx: Transaction, request: ErasureRequest): Promise<ErasureFacts> {
  const { email, by } = request
  const reason = request.reason.trim()
  if (reason === '' || reason.length > 500 || !isOneLine(reason))
    throw new Refusal('invalid', 'a reason of one line and 1 to 500 characters is needed: it stays in the log')
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from access_entry where scope = ${accountsScope} and kind = 'erasure'`
  const erased: Erased = { email, names: await loadNamesOf(tx, email), instead: `erased-${row!.count + 1}` }
  if (new Eraser(erased).text(`${reason}\n${by}`) !== `${reason}\n${by}`)
    throw new Refusal('invalid', 'the reason and who gives it stay in the log: they must not name the person')
  return { ...erased, reason, by }
}

/** Kinds whose entries can name somebody. */
const namingKinds = kindsWhere(({ names, content }) => names && content !== null)

interface ChangedEntry {
  readonly kind: EntryKind
  readonly row: EntryRow
}

class Erasure {
  readonly #tx: Transaction
  readonly #facts: ErasureFacts
  readonly #eraser: Eraser
  readonly #rows: Record<string, number> = {}
  readonly #kept: Record<string, number> = {}
  readonly #activities: string[] = []
  #entries = 0
  #accessEntries = 0

  constructor(tx: Transaction, facts: ErasureFacts) {
    this.#tx = tx
    this.#facts = facts
    this.#eraser = new Eraser(facts)
  }

  async run(begin: (scope: string) => Promise<OpenLog & { seal(): Promise<void> }>): Promise<ErasureReport> {
    const tx = this.#tx
    const found = await findErasedRows(tx, this.#facts, this.#eraser, 'all')
    const named = found.flatMap(({ scope }) => (scope === null ? [] : [scope]))
    const inLogs = await findAccessScopes(tx, this.#facts)
    if (found.length === 0 && inLogs.length === 0)
      throw new Refusal('not-found', `${this.#facts.email} is named nowhere here`)
    const histories = [...new Set([...named, ...inLogs])].filter(scope => scope !== accountsScope).sort()
    recordsAccess(tx)
    for (const scope of histories) {
      await this.#enter(scope)
      const log = await begin(scope)
      await this.#refuseChanged(scope)
      await this.#eraseIn(log)
      if (scope !== publicScope)
        await noteActivity(tx, scope, {
          act: null,
          who: this.#facts.by,
          what: 'a person was erased',
          subject: this.#facts.instead,
          fromAddress: null,
        })
      await log.seal()
    }
    await this.#enter('*')
    await this.#refuseChanged(accountsScope)
    await this.#changeRows(await findErasedRows(tx, this.#facts, this.#eraser, null))
    const { by: who, instead: subject } = this.#facts
    await noteAct(tx, { who, fromAddress: null, act: 'person.erase', said: 'a person was erased', subject })
    await recordNow(tx)
    for (const scope of [...histories.filter(each => each !== publicScope), accountsScope]) {
      const changes = { facts: this.#facts, eraser: this.#eraser, activities: this.#activities }
      this.#accessEntries += await redactAccess(tx, scope, changes)
    }
    await this.#checkAfter([...histories, accountsScope])
    const { instead, names } = this.#facts
    return {
      instead,
      names,
      rows: this.#rows,
      kept: this.#kept,
      entries: this.#entries,
      accessEntries: this.#accessEntries,
    }
  }

  async #enter(scope: string): Promise<void> {
    await this.#tx`select set_config('assize.workspace', ${scope}, true)`
  }

  /** Refuses a scope that was changed by hand, which would get a seal here. */
  async #refuseChanged(scope: string): Promise<void> {
    const { problem } = await verifyWithin(this.#tx, scope)
    if (problem !== null)
      throw new Refusal(
        'conflict',
        `nobody is erased while the history does not verify; run assize verify --chain: ${wordsOfProblem(problem)}`,
      )
  }

  /** Verifies before the commit: an erasure that does not verify does not happen. */
  async #checkAfter(scopes: readonly string[]): Promise<void> {
    for (const scope of scopes) {
      await this.#enter(scope === accountsScope ? '*' : scope)
      const { problem } = await verifyWithin(this.#tx, scope)
      if (problem !== null) throw new Error(`the erasure would not verify: ${scope}: ${wordsOfProblem(problem)}`)
    }
    await this.#enter('*')
  }

  async #eraseIn(log: OpenLog): Promise<void> {
    const tx = this.#tx
    const { scope } = log
    await this.#dropMail(scope)
    const before = await loadHashes(tx, scope)
    await this.#changeRows(await findErasedRows(tx, this.#facts, this.#eraser, scope))
    const changed: ChangedEntry[] = []
    for (const [kind, hashes] of await loadHashes(tx, scope)) {
      const seqs = [...hashes].filter(([seq, hash]) => before.get(kind)!.get(seq) !== hash).map(([seq]) => seq)
      changed.push(...(await loadEntries(tx, kind, scope, seqs)))
    }
    await this.#redact(
      log,
      changed.sort((a, b) => a.row.seq - b.row.seq),
    )
    this.#entries += changed.length
    await tx`delete from kept_digest where workspace_id = ${scope}`
  }

  /** Nothing is sent to somebody who is erased. */
  async #dropMail(scope: string): Promise<void> {
    const { email } = this.#facts
    await this.#tx`
      update mail set outcome = 'DROPPED', done_at = clock_timestamp()
      where workspace_id = ${scope} and email = ${email} and outcome is null`
    await this.#tx`delete from notice where workspace_id = ${scope} and email = ${email} and mail_id is null`
  }

  async #changeRows(rows: Awaited<ReturnType<typeof findErasedRows>>): Promise<void> {
    for (const { table, key, changes, kept } of rows) {
      for (const column of kept) count(this.#kept, `${table}.${column}`)
      if (Object.keys(changes).length === 0) continue
      await redactRow(this.#tx, table, key, changes)
      count(this.#rows, table)
      if (table === 'activity') this.#activities.push(JSON.parse(key.id!) as string)
    }
  }

  /** Redacts entries: each gets a redaction, a new salt and, where its row has one, a new seal. */
  async #redact(log: OpenLog, entries: readonly ChangedEntry[]): Promise<void> {
    if (entries.length === 0) return
    const tx = this.#tx
    const { scope } = log
    const { instead, reason, by } = this.#facts
    const seqs = entries.map(({ row }) => row.seq)
    const published = await tx<{ seq: number; hash: string }[]>`
      select seq, encode(content_hash, 'hex') as hash from publication where scope = ${scope} and seq = any(${seqs}::bigint[])`
    const hashes = new Map(published.map(({ seq, hash }) => [seq, hash]))
    for (const { entry, is } of await loadRedactions(tx, scope, seqs)) hashes.set(entry, is)
    const salted = entries.map(entry => ({ ...entry, salt: makeSalt() }))
    const redactions = salted.map(({ kind, row, salt }) => {
      const { seq, subject, recordedAt } = row
      const is = hashEntry(kind, row as never, recordedAt, salt).toString('hex')
      return { subject, facts: { entry: seq, kind, was: hashes.get(seq)!, is, instead, reason, by } }
    })
    await appendEntries(tx, log, 'redaction', redactions)
    const seals = rowSealsOf(tx)
    for (const { kind, row, salt } of salted) {
      const { seq, subject, recordedAt: at } = row
      await redactRow(tx, 'publication', keyOf('scope', scope, seq), { salt: bytes(salt) })
      const { seal, table, scope: held = 'workspace_id' } = entryKinds[kind]
      if (seal === null || typeof held !== 'string') continue
      const made = seals.seal(kind, { scope, subject }, row as never, { seq, at })
      await redactRow(tx, table, keyOf(held, scope, seq), { seal: bytes(made) })
    }
  }
}

function keyOf(held: string, scope: string, seq: number) {
  return { [held]: JSON.stringify(scope), seq: seq.toString() }
}

function bytes(value: Buffer): string {
  return JSON.stringify(`\\x${value.toString('hex')}`)
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

/** Hashes of every entry that can name somebody, by kind and number: to see which of them change. */
async function loadHashes(
  tx: Transaction,
  scope: string,
): Promise<ReadonlyMap<EntryKind, ReadonlyMap<number, string>>> {
  const found = new Map<EntryKind, Map<number, string>>()
  for (const kind of namingKinds) {
    const hashes = new Map<number, string>()
    const rows = await RowCursor.open(tx, `erased_${kind}`, selectEntries(tx, kind, scope), limits.factsVerified)
    for (let row = await rows.take(); row !== null; row = await rows.take())
      hashes.set(row.seq, hashEntry(kind, row as never, row.recordedAt, null).toString('base64'))
    await rows.close()
    found.set(kind, hashes)
  }
  return found
}

async function loadEntries(
  tx: Transaction,
  kind: EntryKind,
  scope: string,
  seqs: readonly number[],
): Promise<readonly ChangedEntry[]> {
  if (seqs.length === 0) return []
  const rows = await tx<EntryRow[]>`
    select * from (${selectEntries(tx, kind, scope)}) facts where facts.seq = any(${seqs as number[]}::bigint[])`
  return rows.map(row => ({ kind, row }))
}
