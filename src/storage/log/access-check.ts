// Check of the access log: every entry's seal, that none is missing, where it ends, and that the rows say the same as the newest
// entries; and the seals of open sessions. It reads piece by piece and repairs nothing.
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import { type AccessKind, type AccessRedaction, accessKinds, accountsScope } from './access-log.ts'
import type { AccessEntry, AccessSeals, ConfirmationFacts, SessionFacts } from './access-seals.ts'

interface AccessReport {
  readonly entries: number
  /** The last seal: stored elsewhere, it shows whether all of the log was set back. */
  readonly head: string
  readonly problem: string | null
}

/** Checks inside a snapshot of the scope; the accounts for the owner's connection. */
export async function checkAccess(tx: Transaction, seals: AccessSeals, scope: string): Promise<AccessReport> {
  const { last, problem: changed } = await checkEntries(tx, seals, scope)
  const problem =
    changed ??
    (await checkEnd(tx, seals, { scope, ...last })) ??
    (await checkRows(tx, scope)) ??
    (scope === accountsScope ? await checkSessions(tx, seals) : null)
  return { entries: last.number, head: last.seal.toString('hex'), problem }
}

interface EntryRow extends AccessEntry {
  readonly seal: Buffer
}

interface Last {
  readonly number: number
  readonly seal: Buffer
}

/** Kinds about no person, which are never redacted. */
const nobodys: readonly string[] = ['factors', 'recovery', 'ended-session', 'redaction', 'erasure']

/** Redactions of a log, by the number of their entry. */
export async function loadAccessRedactions(
  tx: Transaction,
  scope: string,
): Promise<ReadonlyMap<number, readonly AccessRedaction[]>> {
  const rows = await tx<{ number: number; subject: string; content: AccessRedaction }[]>`
    select number, subject, content from access_entry where scope = ${scope} and kind = 'redaction' order by number`
  const byEntry = Map.groupBy(rows, ({ subject }) => Number(subject))
  return new Map([...byEntry].map(([entry, own]) => [entry, own.map(({ content }) => content)]))
}

async function checkEntries(
  tx: Transaction,
  seals: AccessSeals,
  scope: string,
): Promise<{ readonly last: Last; readonly problem: string | null }> {
  const entries = tx<EntryRow[]>`
    select scope, number, kind, subject, at, content, previous, seal from access_entry where scope = ${scope}
    order by number`
  const cursor = await RowCursor.open(tx, 'access_entries', entries, limits.accessEntriesTogether)
  const redactions = new Map(await loadAccessRedactions(tx, scope))
  let last: Last = { number: 0, seal: await loadZero(tx, scope) }
  if (!seals.isZero(scope, last.seal)) return { last, problem: 'the beginning of the access log was changed' }
  for (let row = await cursor.take(); row !== null; row = await cursor.take()) {
    const { number, seal } = row
    if (number !== last.number + 1 || !row.previous.equals(last.seal))
      return { last, problem: `access entry ${last.number + 1} was taken away, or one was put in its place` }
    const redacted = redactions.get(number) ?? []
    redactions.delete(number)
    if (redacted.length > 0 && nobodys.includes(row.kind))
      return { last, problem: `access entry ${number} (${wordsOf(row)}) was redacted, and names nobody` }
    if (!isSealed(seals, row, redacted))
      return { last, problem: `access entry ${number} (${wordsOf(row)}) was changed` }
    last = { number, seal }
  }
  await cursor.close()
  const [stray] = redactions.keys()
  return { last, problem: stray === undefined ? null : `a redaction is of access entry ${stray}, which does not exist` }
}

/** Seal before the first entry: it is stored with that entry, or is the end of an empty log. */
async function loadZero(tx: Transaction, scope: string): Promise<Buffer> {
  const [row] = await tx<{ zero: Buffer | null }[]>`
    select coalesce((select previous from access_entry where scope = ${scope} and number = 1),
      (select seal from access_head where scope = ${scope} and number = 0)) as zero`
  return row!.zero ?? Buffer.alloc(0)
}

function isSealed(seals: AccessSeals, row: EntryRow, redactions: readonly AccessRedaction[]): boolean {
  const expected = sealAfter(row.seal, redactions)
  try {
    return expected !== null && seals.isEntry(row, expected)
  } catch {
    return false
  }
}

/**
 * Seal that an entry has as it is now: its own, or the one in the last of its redactions, each of which continues the one before.
 * Redactions from before another secret sealed the entry are in its own seal. Null where they do not continue each other.
 */
export function sealAfter(own: Buffer, redactions: readonly AccessRedaction[]): Buffer | null {
  const text = own.toString('hex')
  const first = redactions.findIndex(({ was }) => was === text)
  let last = text
  for (const { was, is } of first < 0 ? [] : redactions.slice(first)) {
    if (was !== last) return null
    last = is
  }
  return Buffer.from(last, 'hex')
}

function wordsOf({ kind }: { readonly kind: string }): string {
  return Object.hasOwn(accessKinds, kind) ? accessKinds[kind as AccessKind] : kind
}

async function checkEnd(
  tx: Transaction,
  seals: AccessSeals,
  { scope, number, seal }: Last & { readonly scope: string },
): Promise<string | null> {
  const [end] = await tx<(Last & { head: Buffer })[]>`
    select number, seal, head from access_head where scope = ${scope}`
  if (end === undefined) return 'the end of the access log is gone'
  const isEnd = end.number === number && end.seal.equals(seal) && seals.isEnd({ scope, number, seal }, end.head)
  return isEnd ? null : 'the end of the access log was cut off, added to or changed'
}

interface Difference {
  readonly kind: string
  readonly subject: string
  readonly is_recorded: boolean
  readonly is_there: boolean
  readonly name: string | null
}

async function checkRows(tx: Transaction, scope: string): Promise<string | null> {
  const [found] = await tx<Difference[]>`select * from access_differences(${scope}, 1)`
  if (found === undefined) return null
  const { subject, name, is_recorded: isRecorded, is_there: isThere } = found
  const what = `${wordsOf(found)} (${name === null ? subject : `${name}, ${subject}`})`
  if (!isRecorded) return `${what} was put into the database itself: it was never recorded, or is recorded as removed`
  return isThere ? `${what} was changed in the database itself` : `${what} was taken out of the database itself`
}

interface SessionRow extends SessionFacts, ConfirmationFacts {
  readonly seal: Buffer | null
  readonly confirmed_seal: Buffer | null
}

/** Checks the open sessions. */
async function checkSessions(tx: Transaction, seals: AccessSeals): Promise<string | null> {
  const sessions = tx<(SessionRow & { expires_at: Instant })[]>`
    select o.* from session s cross join lateral session_of(s.id) o
    where s.ended_at is null and s.expires_at > clock_timestamp() order by s.id`
  const cursor = await RowCursor.open(tx, 'access_sessions', sessions, limits.accessEntriesTogether)
  for (let row = await cursor.take(); row !== null; row = await cursor.take()) {
    const what = `the session ${row.id} of ${row.email}`
    if (!seals.isSession(row, row.seal)) return `${what} does not carry this installation's seal`
    if (row.expires_at > row.latest_end) return `${what} was made to last longer in the database itself`
    const isConfirmed = row.password_at !== null || row.passkey_at !== null
    if (isConfirmed && !seals.isConfirmation(row, row.confirmed_seal))
      return `that the person at ${what} showed again who they are was put into the database itself`
  }
  await cursor.close()
  return null
}
