// Seals again, under the current secret, what the one before it sealed: rows of entries, heads of scopes, the access log, open
// sessions, and webhook deliveries that wait. Each piece is a transaction that holds the old seal to what it
// covers first, so nothing gets a new seal that had no valid one; a piece that was done is not found again, so it can be stopped anywhere.
import { limits } from '../../limits.ts'
import { loadAccessRedactions, sealAfter } from '../log/access-check.ts'
import { accountsScope } from '../log/access-log.ts'
import { type AccessEntry, accessSealsOf, type ConfirmationFacts, type SessionFacts } from '../log/access-seals.ts'
import { type EntryKind, entryKinds, hashEntry, kindsWhere } from '../log/entry-kinds.ts'
import { type EntryRow, selectEntries } from '../log/entry-rows.ts'
import { beginSealing } from '../log/ring-state.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { isHead, makeHead } from '../log/scope-head.ts'
import { ringIn, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'

/** Refusal to seal a row again: its old seal does not hold. The message names the row. */
export class NotBorneOut extends Error {}

interface Piece {
  readonly owner: Sql
  /** The id of the secret before. */
  readonly old: string
  /** Called after each piece. */
  readonly done: (count: number) => Promise<void> | void
}

/** Everything that one scope has. */
export async function resealScope(piece: Piece, scope: string): Promise<void> {
  if (scope !== accountsScope) {
    for (const kind of kindsWhere(({ seal }) => seal !== null)) await resealRows(piece, scope, kind)
    await resealHead(piece, scope)
  }
  await resealAccess(piece, scope)
}

/** The facts of an entry, and beside them what it was stored with, under names that no fact has. */
interface SealedRow extends EntryRow {
  readonly ownSeal: Buffer
  readonly ownHash: Buffer
  readonly ownSalt: Buffer | null
  readonly isRedacted: boolean
}

async function resealRows(piece: Piece, scope: string, kind: EntryKind): Promise<void> {
  const { table, scope: held = 'workspace_id' } = entryKinds[kind]
  if (typeof held !== 'string') return
  for (let count = -1; count !== 0; ) {
    count = await withWorkspace(piece.owner, scope, async tx => {
      await beginSealing(tx)
      await tx`select set_config('statement_timeout', '0', true)`
      const rows = await tx<SealedRow[]>`
        select e.*, x.seal as "ownSeal", p.content_hash as "ownHash", p.salt as "ownSalt",
          exists (select 1 from redaction d where d.scope = ${scope} and d.entry = e.seq) as "isRedacted"
        from (${selectEntries(tx, kind, scope)}) e
        join ${tx(table)} x on x.${tx(held)} = ${scope} and x.seq = e.seq
        join publication p on p.scope = ${scope} and p.seq = e.seq
        where substring(x.seal from 1 for 4) = decode(${piece.old}, 'hex') order by e.seq limit ${limits.resealedTogether}`
      const seals = rowSealsOf(tx)
      const made = rows.map(({ seq, subject, recordedAt: at, ownSeal, ownHash, ownSalt, isRedacted, ...facts }) => {
        const [place, number] = [
          { scope, subject },
          { seq, at },
        ]
        const isBorneOut = isRedacted || hashEntry(kind, facts as never, at, ownSalt).equals(ownHash)
        if (!isBorneOut || !seals.holds(kind, place, facts as never, { ...number, seal: ownSeal }))
          throw new NotBorneOut(`publication ${seq} of ${scope} (${kind}) does not carry its seal`)
        return { seq, seal: seals.seal(kind, place, facts as never, number) }
      })
      await changeSeals(tx)
      await tx`
        update ${tx(table)} x set seal = decode(v.seal, 'hex')
        from unnest(${made.map(({ seq }) => seq)}::bigint[], ${made.map(({ seal }) => seal.toString('hex'))}::text[])
          as v (seq, seal)
        where x.${tx(held)} = ${scope} and x.seq = v.seq and substring(x.seal from 1 for 4) = decode(${piece.old}, 'hex')`
      return rows.length
    })
    await piece.done(count)
  }
}

/** Rows that are append-only may get another seal until the transaction ends. */
async function changeSeals(tx: Transaction): Promise<void> {
  await tx`select set_config('assize.redacting', pg_current_xact_id()::text, true)`
}

interface ClockRow {
  readonly seq: number
  readonly head: Buffer
  readonly instants: Buffer
  readonly size: number
  readonly edge: Buffer
}

async function resealHead({ owner, old, done }: Piece, scope: string): Promise<void> {
  const count = await withWorkspace(owner, scope, async tx => {
    await beginSealing(tx)
    const ring = ringIn(tx)
    const [row] = await tx<ClockRow[]>`
      select seq, head, instants, tree_size as size, tree_edge as edge from scope_clock where scope = ${scope}
        and substring(head from 1 for 4) = decode(${old}, 'hex') for update`
    if (row === undefined) return 0
    const { seq, instants, size, edge } = row
    const end = { scope, seq, instants, tree: { size, edge } }
    if (!isHead(ring, end, row.head)) throw new NotBorneOut(`the head of ${scope} was changed`)
    await tx`update scope_clock set head = ${makeHead(ring, end)} where scope = ${scope}`
    return 1
  })
  await done(count)
}

interface AccessRow extends AccessEntry {
  readonly seal: Buffer
}

/** All of a log at once: each seal covers the one before it. */
async function resealAccess({ owner, old, done }: Piece, scope: string): Promise<void> {
  const count = await withWorkspace(owner, scope, async tx => {
    await tx`select set_config('statement_timeout', '0', true)`
    await beginSealing(tx)
    const seals = accessSealsOf(tx)
    const [end] = await tx<{ number: number; seal: Buffer; head: Buffer; isOld: boolean }[]>`
      select number, seal, head, substring(head from 1 for 4) = decode(${old}, 'hex') or exists (
        select 1 from access_entry e where e.scope = ${scope} and substring(e.seal from 1 for 4) = decode(${old}, 'hex'))
        as "isOld"
      from access_head where scope = ${scope} for update`
    if (end?.isOld !== true) return 0
    if (!seals.isEnd({ scope, number: end.number, seal: end.seal }, end.head))
      throw new NotBorneOut(`the end of the access log of ${scope} was changed`)
    const entries = await tx<AccessRow[]>`
      select scope, number, kind, subject, at, content, previous, seal from access_entry where scope = ${scope} order by number`
    const redactions = await loadAccessRedactions(tx, scope)
    let before = { number: 0, seal: entries[0]?.previous ?? end.seal }
    if (!seals.isZero(scope, before.seal))
      throw new NotBorneOut(`the beginning of the access log of ${scope} was changed`)
    let previous = seals.zero(scope)
    const made: { readonly number: number; readonly previous: Buffer; readonly seal: Buffer }[] = []
    for (const entry of entries) {
      const { number, seal } = entry
      const expected = sealAfter(seal, redactions.get(number) ?? [])
      const follows = number === before.number + 1 && entry.previous.equals(before.seal)
      if (!follows || expected === null || !seals.isEntry(entry, expected))
        throw new NotBorneOut(`access entry ${number} of ${scope} was changed`)
      const again = seals.entry({ ...entry, previous })
      made.push({ number, previous, seal: again })
      before = { number, seal }
      previous = again
    }
    if (before.number !== end.number || !before.seal.equals(end.seal))
      throw new NotBorneOut(`the end of the access log of ${scope} was cut off`)
    await changeSeals(tx)
    await tx`
      update access_entry e set previous = decode(v.previous, 'hex'), seal = decode(v.seal, 'hex')
      from unnest(${made.map(({ number }) => number)}::bigint[], ${made.map(each => each.previous.toString('hex'))}::text[],
        ${made.map(({ seal }) => seal.toString('hex'))}::text[]) as v (number, previous, seal)
      where e.scope = ${scope} and e.number = v.number`
    const head = seals.end({ scope, number: end.number, seal: previous })
    await tx`update access_head set seal = ${previous}, head = ${head} where scope = ${scope}`
    return made.length + 1
  })
  await done(count)
}

interface SessionRow extends SessionFacts, ConfirmationFacts {
  readonly seal: Buffer | null
  readonly confirmed_seal: Buffer | null
}

/** Open ones; what does not carry its seal opens nothing, and stays as it is. */
export async function resealSessions({ owner, old, done }: Piece): Promise<void> {
  const ids = await owner<{ id: string }[]>`
    select id from session where ended_at is null and expires_at > clock_timestamp()
      and (substring(seal from 1 for 4) = decode(${old}, 'hex') or substring(confirmed_seal from 1 for 4) = decode(${old}, 'hex'))`
  for (const { id } of ids) {
    await owner.begin(async tx => {
      await beginSealing(tx)
      const seals = accessSealsOf(tx)
      await tx`select 1 from session where id = ${id} for update`
      const [row] = await tx<SessionRow[]>`select * from session_of(${id})`
      if (row === undefined || !seals.isSession(row, row.seal)) return
      await tx`select seal_session(${id}, ${seals.session(row)})`
      if (seals.isConfirmation(row, row.confirmed_seal))
        await tx`select seal_confirmation(${id}, ${seals.confirmation(row)})`
    })
    await done(1)
  }
}

/** Seals unsent deliveries again. A sent delivery is never read again. */
export async function resealDeliveries({ owner, old, done }: Piece): Promise<void> {
  const count = await withWorkspace(owner, '*', async tx => {
    await beginSealing(tx)
    const ring = ringIn(tx)
    const rows = await tx<{ workspaceId: string; webhookId: string; id: string; body: string; seal: Buffer }[]>`
      select workspace_id as "workspaceId", webhook_id as "webhookId", id, body, seal from webhook_delivery
      where substring(seal from 1 for 4) = decode(${old}, 'hex') for update`
    for (const { workspaceId, webhookId, id, body, seal } of rows) {
      const text = JSON.stringify([workspaceId, webhookId, id, body])
      if (!ring.holds('webhook bodies', text, seal)) continue
      await tx`
        update webhook_delivery set seal = ${ring.mac('webhook bodies', text)}
        where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = ${id}`
    }
    return rows.length
  })
  await done(count)
}
