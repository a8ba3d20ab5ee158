// Stored mail to people: notices, the mails they go out with, and the kinds that each address does not want. A notice is added in
// the transaction of its event, or found later and added once; a mail is tried by one process at a time and stays until the mail
// server has it, so that none is lost and none is sent by two.

import {
  linkMailKinds,
  type MailKind,
  type OptionalMailKind,
  promptMailKinds,
  spacedMailKinds,
} from '../../core/people/mail-kinds.ts'
import type { Instant } from '../../core/time/instant.ts'
import { readingByKeys } from '../postgres/cells.ts'
import { inWorkspace, type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'

/** Content of a notice: names, periods and a path behind the workspace. No figures: mail is read by whoever has the mailbox. */
export interface NoticeFacts {
  /** Name of an agreement, `Steel brackets`, or of a series. */
  readonly name: string
  /** Period, `2024-Q2`. */
  readonly period: string | null
  /** A sentence's end: `the supplier objected`. */
  readonly words: string
  /** Path behind `/w/<workspace>`; null for a one-time link, which is kept apart. */
  readonly path: string | null
  /** Slug of the agreement by which it is seen: somebody who no longer sees that is not told. Null where every member sees it. */
  readonly agreement: string | null
  readonly details?: readonly string[]
}

export interface NewNotice {
  readonly email: string
  readonly kind: MailKind
  readonly about: string
  readonly facts: NoticeFacts
  readonly sealedLink?: Buffer | null
}

/** Adds notices that were not there yet, in one statement. */
export async function addNotices(tx: Transaction, workspaceId: string, notices: readonly NewNotice[]): Promise<number> {
  if (notices.length === 0) return 0
  const column = <T>(read: (notice: NewNotice) => T) => notices.map(read)
  const rows = await tx`
    insert into notice (workspace_id, id, email, kind, about, facts, sealed_link)
    select ${workspaceId}, id, email, kind, about, facts::jsonb, decode(sealed, 'hex') from unnest(
      ${column(() => makeIdentifier('ntc'))}::text[], ${column(({ email }) => email.toLowerCase())}::text[],
      ${column(({ kind }) => kind)}::text[], ${column(({ about }) => about)}::text[],
      ${column(({ facts }) => JSON.stringify(facts))}::text[],
      ${column(({ sealedLink }) => sealedLink?.toString('hex') ?? null)}::text[])
      as given (id, email, kind, about, facts, sealed)
    on conflict (workspace_id, email, kind, about) do nothing returning 1`
  return rows.length
}

/** Why a mail with a one-time link is not sent; null where it is. */
export type LinkMailBound = 'TOO_SOON' | 'TOO_MANY' | null

interface LinkMailLimits {
  readonly apartSeconds: number
  readonly mostADay: number
}

/**
 * Adds a notice with a link; a waiting mail carries the newest link alone. Nothing is added where this workspace has sent the
 * address enough; other workspaces' mail is counted when it is sent, so that the answer tells nothing about the address
 * elsewhere.
 */
export async function addLinkNotice(
  tx: Transaction,
  workspaceId: string,
  notice: NewNotice & { readonly sealedLink: Buffer },
  { apartSeconds, mostADay }: LinkMailLimits,
): Promise<LinkMailBound> {
  const { kind, about, facts, sealedLink } = notice
  const email = notice.email.toLowerCase()
  const [sent] = await tx<{ soon: boolean; many: boolean }[]>`
    select coalesce(bool_or(kind = ${kind} and done_at > clock_timestamp() - make_interval(secs => ${apartSeconds})), false)
      as soon, count(*) >= ${mostADay} as many
    from mail where workspace_id = ${workspaceId} and email = ${email} and kind = any(${[...linkMailKinds]}::text[])
      and outcome = 'SENT' and done_at > clock_timestamp() - interval '1 day'`
  if (sent!.soon) return 'TOO_SOON'
  if (sent!.many) return 'TOO_MANY'
  const rewritten = await tx`
    update notice n set about = ${about}, facts = ${tx.json({ ...facts })}, sealed_link = ${sealedLink}
    where n.workspace_id = ${workspaceId} and n.id = (
      select w.id from notice w left join mail m on m.workspace_id = w.workspace_id and m.id = w.mail_id
      where w.workspace_id = ${workspaceId} and w.email = ${email} and w.kind = ${kind} and m.outcome is null
      order by w.id desc limit 1)
    returning 1`
  if (rewritten.length === 0) await addNotices(tx, workspaceId, [notice])
  return null
}

/** Takes the turn of a mail with a link among all to its address; returns the seconds it has to wait, 0 for none. */
export async function takeLinkMailTurn(
  sql: Queryable,
  { id, email, kind }: Pick<StoredMail, 'id' | 'email' | 'kind'>,
  { apartSeconds, mostADay }: LinkMailLimits,
): Promise<number> {
  const [row] = await sql<{ wait: number }[]>`
    select take_link_mail_turn(${id}, ${email}, ${kind}, ${apartSeconds}, ${mostADay}) as wait`
  return row!.wait
}

/** Subject and reader of a notice, which is told once. */
export type NoticeKey = Pick<NewNotice, 'kind' | 'email' | 'about'>

/**
 * Notices among these that were told before, as `toldKey` writes them. Looked up one by one in the index: an old notice that
 * nobody asks about costs nothing.
 */
export async function loadTold(
  tx: Transaction,
  workspaceId: string,
  asked: readonly NoticeKey[],
): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set()
  const column = (read: (key: NoticeKey) => string) => asked.map(read)
  const rows = await readingByKeys(
    tx,
    () => tx<NoticeKey[]>`
      select asked.kind, asked.email, asked.about
      from unnest(${column(({ email }) => email.toLowerCase())}::text[], ${column(({ kind }) => kind)}::text[],
        ${column(({ about }) => about)}::text[]) as asked (email, kind, about),
        -- One at a time: joined as a whole, everything that was ever told would be read.
        lateral (select 1 from notice n where n.workspace_id = ${workspaceId} and n.email = asked.email
          and n.kind = asked.kind and n.about = asked.about limit 1) told`,
  )
  return new Set(rows.map(toldKey))
}

export function toldKey({ kind, email, about }: NoticeKey): string {
  return `${kind} ${email.toLowerCase()} ${about}`
}

export interface MailChoice {
  readonly isDigest: boolean
  readonly muted: readonly OptionalMailKind[]
}

const usualChoice: MailChoice = { isDigest: false, muted: [] }

export async function loadMailChoice(tx: Transaction, workspaceId: string, email: string): Promise<MailChoice> {
  const [row] = await tx<MailChoice[]>`
    select is_digest as "isDigest", muted from mail_choice
    where workspace_id = ${workspaceId} and email = ${email.toLowerCase()}`
  return row ?? usualChoice
}

/** Changes the choice of mail; absent values stay. */
export async function changeMailChoice(
  tx: Transaction,
  workspaceId: string,
  email: string,
  change: Partial<MailChoice>,
): Promise<MailChoice> {
  const address = email.toLowerCase()
  await tx`
    insert into mail_choice (workspace_id, email) values (${workspaceId}, ${address})
    on conflict (workspace_id, email) do nothing`
  // The lock keeps both of two changes at once.
  await tx`select 1 from mail_choice where workspace_id = ${workspaceId} and email = ${address} for update`
  const { isDigest, muted } = { ...(await loadMailChoice(tx, workspaceId, address)), ...change }
  await tx`
    update mail_choice set is_digest = ${isDigest}, muted = ${[...muted]}::text[], changed_at = clock_timestamp()
    where workspace_id = ${workspaceId} and email = ${address}`
  return { isDigest, muted }
}

/** Adds one kind, or all of them, to those that an address does not want. */
export async function muteKinds(
  tx: Transaction,
  workspaceId: string,
  email: string,
  kinds: readonly OptionalMailKind[],
): Promise<void> {
  const address = email.toLowerCase()
  await tx`
    insert into mail_choice as c (workspace_id, email, muted) values (${workspaceId}, ${address}, ${[...kinds]}::text[])
    on conflict (workspace_id, email) do update set changed_at = clock_timestamp(),
      muted = array(select distinct unnest(c.muted || excluded.muted) order by 1)`
}

/** Every workspace that somebody is in. */
export async function listWorkspacesWithPeople(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`select workspaces_with_people() as id`
  return rows.map(({ id }) => id)
}

/** Workspaces with something to put into a mail or to send. */
export async function listWorkspacesWithMail(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`select workspaces_with_mail() as id`
  return rows.map(({ id }) => id)
}

interface MailTimes {
  readonly digestUpTo: Instant
  /** Pause between two mails of a kind that can be turned off, to one address. */
  readonly apartMs: number
}

/**
 * Puts waiting notices into mails: for each address one of each kind, or one digest of the day before for those who chose that.
 * Of two processes the second finds nothing left.
 */
export function makeMails(sql: Sql, workspaceId: string, { digestUpTo, apartMs }: MailTimes): Promise<number> {
  const prompt = [...promptMailKinds]
  return withWorkspace(sql, workspaceId, async tx => {
    const waiting = await tx<{ email: string; kind: string }[]>`
      select distinct n.email,
        case when c.is_digest and n.kind <> all(${prompt}::text[]) then 'digest' else n.kind end as kind
      from notice n left join mail_choice c on c.workspace_id = n.workspace_id and c.email = n.email
      where n.workspace_id = ${workspaceId} and n.mail_id is null
        and (not coalesce(c.is_digest, false) or n.kind = any(${prompt}::text[]) or n.noted_at < ${digestUpTo})
        and (coalesce(c.is_digest, false) or n.kind <> all(${[...spacedMailKinds]}::text[]) or not exists (
          select from mail m where m.workspace_id = n.workspace_id and m.email = n.email and m.kind = n.kind
            and m.outcome is distinct from 'DROPPED'
            and m.made_at > clock_timestamp() - make_interval(secs => ${apartMs}::double precision / 1000)))
      order by 1, 2`
    let made = 0
    for (const { email, kind } of waiting) {
      const id = makeIdentifier('mai')
      const isWanted =
        kind === 'digest' ? tx`kind <> all(${prompt}::text[]) and noted_at < ${digestUpTo}` : tx`kind = ${kind}`
      const taken = await tx`
        update notice set mail_id = ${id}
        where workspace_id = ${workspaceId} and email = ${email} and mail_id is null and ${isWanted} returning 1`
      if (taken.length === 0) continue
      await tx`insert into mail (workspace_id, id, email, kind) values (${workspaceId}, ${id}, ${email}, ${kind})`
      made++
    }
    return made
  })
}

export interface StoredMail {
  readonly id: string
  readonly email: string
  readonly kind: MailKind | 'digest'
  readonly madeAt: Instant
  readonly attempts: number
}

/** Claims the oldest due mail for this process alone, until the claim ends. */
export function claimMail(sql: Sql, workspaceId: string, claimMs: number): Promise<StoredMail | null> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<StoredMail[]>`
      update mail set attempts = attempts + 1,
        due_at = clock_timestamp() + make_interval(secs => ${claimMs}::double precision / 1000)
      where workspace_id = ${workspaceId} and id = (
        select m.id from mail m
        where m.workspace_id = ${workspaceId} and m.outcome is null and m.due_at <= clock_timestamp()
        order by m.due_at, m.id limit 1 for update skip locked)
      returning id, email, kind, made_at as "madeAt", attempts`
    return row ?? null
  })
}

export interface StoredNotice {
  readonly kind: MailKind
  readonly about: string
  readonly facts: NoticeFacts
  readonly sealedLink: Buffer | null
  readonly notedAt: Instant
}

export function loadMailNotices(sql: Sql, workspaceId: string, mailId: string): Promise<readonly StoredNotice[]> {
  return inWorkspace(sql, workspaceId)<StoredNotice[]>`
    select kind, about, facts, sealed_link as "sealedLink", noted_at as "notedAt" from notice
    where workspace_id = ${workspaceId} and mail_id = ${mailId} order by id`
}

/** Ends a mail for good: the one-time link it carried goes as well. */
export function finishMail(
  sql: Sql,
  workspaceId: string,
  mailId: string,
  outcome: 'SENT' | 'DROPPED' | 'FAILED',
  trouble: string | null = null,
): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      update mail set outcome = ${outcome}, done_at = clock_timestamp(), trouble = ${trouble}
      where workspace_id = ${workspaceId} and id = ${mailId} and outcome is null`
    await tx`
      update notice set sealed_link = null
      where workspace_id = ${workspaceId} and mail_id = ${mailId} and sealed_link is not null`
  })
}

/** Postpones a mail: it is tried again after the pause. */
export function postponeMail(
  sql: Sql,
  workspaceId: string,
  mailId: string,
  pauseMs: number,
  trouble: string,
): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      update mail set trouble = ${trouble},
        due_at = clock_timestamp() + make_interval(secs => ${pauseMs}::double precision / 1000)
      where workspace_id = ${workspaceId} and id = ${mailId} and outcome is null`
  })
}

/** Begins a look for news, and returns the instant from which it has to look. */
export function beginLook(
  sql: Sql,
  workspaceId: string,
  { overlapMinutes, lookBackDays }: { readonly overlapMinutes: number; readonly lookBackDays: number },
): Promise<Instant> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      insert into mail_look (workspace_id, since, looked_at) values (${workspaceId}, clock_timestamp(), clock_timestamp())
      on conflict (workspace_id) do nothing`
    const [row] = await tx<{ from: Instant }[]>`
      select greatest(since, looked_at - make_interval(mins => ${overlapMinutes}),
        clock_timestamp() - make_interval(days => ${lookBackDays})) as from
      from mail_look where workspace_id = ${workspaceId}`
    return row!.from
  })
}

/** Notes the end of a look, by the database's clock at most: a process whose clock is ahead must not hide later news. */
export function endLook(sql: Sql, workspaceId: string, lookedAt: Instant): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      update mail_look set looked_at = greatest(looked_at, least(${lookedAt}::timestamptz, clock_timestamp())) where workspace_id = ${workspaceId}`
  })
}

export interface MailHealth {
  readonly waiting: number
  readonly oldestSeconds: number
  readonly sent: number
  readonly failed: number
}

export async function loadMailHealth(sql: Queryable): Promise<MailHealth> {
  const [row] = await sql<MailHealth[]>`
    select waiting, oldest_seconds as "oldestSeconds", sent, failed from mail_health()`
  return row!
}
