// State of each provider's calendar, and calendars that wait for a person: the answer, the reason, and the decision. One at most
// waits for a provider.
import { randomUUIDv7 } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, publicScope, type Sql } from '../postgres/database.ts'
import { packText, unpackText } from '../postgres/packed-text.ts'
import { type Decided, type Decision, decideWaiting } from './quarantine.ts'

interface CalendarState {
  readonly provider: string
  readonly lastAskedAt: Instant
  /** The last time it was answered in full. */
  readonly lastAnsweredAt: Instant | null
  readonly entries: number
  /** Entries of the last full answer that had not come yet. */
  readonly ahead: number
  /** Entries whose period or date could not be read. */
  readonly unread: number
  readonly trouble: string | null
  readonly troubleSince: Instant | null
}

export function listCalendarStates(sql: Sql): Promise<readonly CalendarState[]> {
  return inWorkspace(sql, publicScope)<CalendarState[]>`
    select provider, last_asked_at as "lastAskedAt", last_answered_at as "lastAnsweredAt", entries, ahead, unread,
      trouble, trouble_since as "troubleSince"
    from calendar_state where owner = ${publicScope} order by provider`
}

interface CalendarAsked {
  readonly provider: string
  readonly at: Instant
  /** Counts of the answer; null where it was not full. */
  readonly counts: Pick<CalendarState, 'entries' | 'ahead' | 'unread'> | null
  readonly trouble: string | null
}

export async function saveCalendarState(sql: Sql, { provider, at, counts, trouble }: CalendarAsked): Promise<void> {
  const { entries, ahead, unread } = counts ?? { entries: 0, ahead: 0, unread: 0 }
  const isFull = counts !== null
  await inWorkspace(sql, publicScope)`
    insert into calendar_state as c (owner, provider, last_asked_at, last_answered_at, entries, ahead, unread, trouble,
      trouble_since)
    values (${publicScope}, ${provider}, ${at}, ${isFull ? at : null}, ${entries}, ${ahead}, ${unread}, ${trouble},
      ${trouble === null ? null : at})
    on conflict (owner, provider) do update set
      last_asked_at = excluded.last_asked_at,
      last_answered_at = coalesce(excluded.last_answered_at, c.last_answered_at),
      entries = case when ${isFull}::boolean then excluded.entries else c.entries end,
      ahead = case when ${isFull}::boolean then excluded.ahead else c.ahead end,
      unread = case when ${isFull}::boolean then excluded.unread else c.unread end,
      trouble = excluded.trouble,
      trouble_since = case when excluded.trouble is null then null else coalesce(c.trouble_since, excluded.trouble_since) end`
}

export interface QuarantinedCalendar {
  readonly id: string
  readonly provider: string
  readonly foundAt: Instant
  readonly reason: string
}

/** Waiting calendars, oldest first. */
export function listQuarantinedCalendars(sql: Sql): Promise<readonly QuarantinedCalendar[]> {
  return inWorkspace(sql, publicScope)<QuarantinedCalendar[]>`
    select id, provider, found_at as "foundAt", reason from calendar_quarantine
    where owner = ${publicScope} and decision is null order by found_at, id`
}

interface NewQuarantine {
  readonly provider: string
  readonly foundAt: Instant
  readonly reason: string
  readonly fingerprint: string
  /** Entries as JSON. */
  readonly entries: string
}

/** Stores a calendar in place of one that waits for the same provider. */
export async function quarantineCalendar(sql: Sql, given: NewQuarantine): Promise<void> {
  const { provider, foundAt, reason, fingerprint } = given
  const { packed } = await packText(given.entries)
  await inWorkspace(sql, publicScope)`
    insert into calendar_quarantine (owner, id, provider, found_at, reason, fingerprint, entries)
    values (${publicScope}, ${randomUUIDv7()}, ${provider}, ${foundAt}, ${reason}, ${fingerprint}, ${packed})
    on conflict (owner, provider) where decision is null do update set
      reason = excluded.reason, fingerprint = excluded.fingerprint, entries = excluded.entries`
}

/** Whether the last decision of a person rejected the same entries. */
export async function isRejectedCalendar(sql: Sql, provider: string, fingerprint: string): Promise<boolean> {
  const [row] = await inWorkspace(sql, publicScope)<{ decision: Decision; fingerprint: string }[]>`
    select decision, fingerprint from calendar_quarantine
    where owner = ${publicScope} and provider = ${provider} and decision in ('released', 'rejected')
    order by decided_at desc, id desc limit 1`
  return row?.fingerprint === fingerprint && row.decision === 'rejected'
}

/** Entries of a waiting calendar, as JSON; `null` where none waits. */
export async function loadQuarantinedCalendar(sql: Sql, id: string): Promise<string | null> {
  const [row] = await inWorkspace(sql, publicScope)<{ entries: Buffer }[]>`
    select entries from calendar_quarantine where owner = ${publicScope} and id = ${id} and decision is null`
  return row === undefined ? null : (await unpackText(row.entries)).text
}

/** Whether one was waiting. */
export function decideCalendar(sql: Sql, provider: string, decided: Decided): Promise<boolean> {
  return decideWaiting(sql, { table: 'calendar_quarantine', column: 'provider', value: provider }, decided)
}
