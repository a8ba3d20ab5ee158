// Events of indices: those that come with the program and those that operators add. Rows are added, never changed: a correction
// is a newer row of the same id.
import { createHash } from 'node:crypto'
import type { Direction, EventKind, IndexEvent } from '../../core/index-changes/index-event.ts'
import type { ProviderName } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntries } from '../log/entry-rows.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'

/** Author of the events that come with the program. */
const program = 'assize'

export interface StoredIndexEvent extends IndexEvent {
  /** Id in the log. */
  readonly eventId: string
  readonly seq: number
  /** `assize`, or the operator who added it. */
  readonly saidBy: string
  /** Instant that counts. */
  readonly recordedAt: Instant
}

/** Id of an event in the log; the same in every installation. */
function indexEventIdOf(id: string): string {
  return makeIdentifier('iev', createHash('sha256').update(id).digest('hex').slice(0, 32))
}

interface EventRow extends Omit<StoredIndexEvent, 'coefficient' | 'provider' | 'kind'> {
  readonly provider: ProviderName | null
  readonly kind: EventKind
  readonly direction: Direction | null
  readonly digits: string | null
}

/** Every version of every event, oldest first. Inside a transaction of any workspace. */
export async function loadIndexEvents(tx: Transaction, workspaceId: string): Promise<readonly StoredIndexEvent[]> {
  const rows = await tx<EventRow[]>`
    select event_id as "eventId", seq, id, provider, codes, kind, to_char(day, 'YYYY-MM-DD') as day, sentence, successor, direction,
      digits, source, said_by as "saidBy", recorded_at as "recordedAt"
    from index_event where owner = ${publicScope} order by seq`
  const repairs = await loadClockRepairs(tx, workspaceId)
  return rows.map(({ direction, digits, recordedAt, ...row }) => ({
    ...row,
    coefficient: direction === null || digits === null ? null : { direction, digits },
    recordedAt: repairs.instantOf(publicScope, row.seq, recordedAt),
  }))
}

export function listIndexEvents(sql: Sql): Promise<readonly StoredIndexEvent[]> {
  return withWorkspace(sql, publicScope, tx => loadIndexEvents(tx, publicScope))
}

/**
 * Records the events that come with the program, unless they are stored already, and returns how many were new. An operator's
 * correction stays.
 */
export async function recordOwnEvents(sql: Sql, events: readonly IndexEvent[]): Promise<number> {
  if (unsaid(await listIndexEvents(sql), events).length === 0) return 0
  return appending(sql, publicScope, async (tx, log) => {
    const open = unsaid(await loadIndexEvents(tx, publicScope), events)
    await appendEntries(
      tx,
      log,
      'index-event',
      open.map(event => entryOf(event, program)),
    )
    return open.length
  })
}

export async function addIndexEvent(
  sql: Sql,
  event: IndexEvent,
  saidBy: string,
): Promise<'added' | 'corrected' | 'unchanged'> {
  return appending(sql, publicScope, async (tx, log) => {
    const newest = (await loadIndexEvents(tx, publicScope)).findLast(({ id }) => id === event.id)
    if (newest !== undefined && saysTheSame(newest, event)) return 'unchanged'
    await appendEntries(tx, log, 'index-event', [entryOf(event, saidBy)])
    return newest === undefined ? 'added' : 'corrected'
  })
}

function unsaid(stored: readonly StoredIndexEvent[], events: readonly IndexEvent[]): readonly IndexEvent[] {
  const said = new Map(stored.filter(({ saidBy }) => saidBy === program).map(event => [event.id, event]))
  return events.filter(event => {
    const last = said.get(event.id)
    return last === undefined || !saysTheSame(last, event)
  })
}

function saysTheSame(a: IndexEvent, b: IndexEvent): boolean {
  return JSON.stringify(factsOf(a)) === JSON.stringify(factsOf(b))
}

function factsOf({ id, provider, codes, kind, day, sentence, successor, coefficient, source }: IndexEvent) {
  const { direction = null, digits = null } = coefficient ?? {}
  return { id, provider, codes, kind, day, sentence, successor, direction, digits, source }
}

function entryOf(event: IndexEvent, saidBy: string) {
  return {
    subject: indexEventIdOf(event.id),
    facts: { ...factsOf(event), saidBy },
    beside: { day: event.day },
  }
}
