// Sends due mail: puts notices into mails, passes each to the mail server, and retries failed ones with growing pauses. Every
// step is stored before the next one begins, so a restart loses nothing; a mail is tried by one process at a time. Notices that a
// person no longer wants, or may no longer see, are dropped here, at the last moment.

import {
  isLinkKind,
  isOptionalKind,
  isWaitingKind,
  type MailKind,
  type WaitingMailKind,
} from '../core/people/mail-kinds.ts'
import { stopped } from '../core/text/sentence-end.ts'
import { formatDate } from '../core/text/words.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf, startOfDay } from '../core/time/instant.ts'
import {
  claimMail,
  finishMail,
  listWorkspacesWithMail,
  loadMailChoice,
  loadMailNotices,
  makeMails,
  postponeMail,
  type StoredMail,
  type StoredNotice,
  takeLinkMailTurn,
} from '../storage/people/mail.ts'
import type { MemberState } from '../storage/people/member.ts'
import { findSetUpLink, listMemberStates } from '../storage/people/people.ts'
import { type Sql, withWorkspace } from '../storage/postgres/database.ts'
import { loadWorkspace, type Workspace } from '../storage/workspaces/workspaces.ts'
import { isDriftNews } from './drift-notices.ts'
import { type LetterGroup, type LetterLine, manyWords, writeLetter } from './letter.ts'
import type { LinkNotices } from './link-notices.ts'
import { mailLimits } from './mail-limits.ts'
import type { MailServer } from './mail-server.ts'
import type { Unsubscribing } from './unsubscribe-token.ts'
import { type WaitsForMember, waitingGroup } from './waiting-lines.ts'

interface PostLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface PostContext {
  readonly sql: Sql
  readonly server: MailServer
  readonly links: LinkNotices
  readonly unsubscribing: Unsubscribing
  /** `https://prices.example`. */
  readonly publicUrl: string
  readonly from: string
  readonly now: () => Instant
  readonly log: PostLog
  /** Whether a member sees an agreement now. */
  readonly sees: (workspaceId: string, member: MemberState, agreement: string) => Promise<boolean>
  /** Signatures that wait for a member now; null while they are being computed. */
  readonly waits: (workspaceId: string, member: MemberState) => Promise<readonly WaitsForMember[] | null>
  /** Pause between two mails of one kind to one address. */
  readonly apartMs: number
  /** Pause after the first failed try; doubled with each. */
  readonly leastPauseMs?: number
}

export async function sendDue(parts: PostContext, signal: AbortSignal): Promise<void> {
  for (const workspaceId of await listWorkspacesWithMail(parts.sql)) {
    if (signal.aborted) return
    await makeMails(parts.sql, workspaceId, { digestUpTo: digestUpTo(parts.now()), apartMs: parts.apartMs })
    for (let sent = 0; sent < mailLimits.together && !signal.aborted; sent++) {
      const mail = await claimMail(parts.sql, workspaceId, mailLimits.claimMs)
      if (mail === null) break
      await sendOne(parts, workspaceId, mail)
    }
  }
}

/** The last time the digest's hour came. */
function digestUpTo(now: Instant): Instant {
  const today = dayOfInstant(now)
  const hour = microsOf(startOfDay(today)) + mailLimits.digestHour * 3_600_000_000
  return instantOfMicros(microsOf(now) >= hour ? hour : hour - 24 * 3_600_000_000)
}

async function sendOne(parts: PostContext, workspaceId: string, mail: StoredMail): Promise<void> {
  const { sql, server, log, from } = parts
  const workspace = await loadWorkspace(sql, workspaceId)
  const content = await stillTrue(parts, workspaceId, mail)
  if (content.waits === null)
    return postponeMail(sql, workspaceId, mail.id, mailLimits.countingMs, 'what waits is still being counted')
  const paper = writePaper(parts, workspace, mail, content)
  if (paper === null) return finishMail(sql, workspaceId, mail.id, 'DROPPED')
  const waitSeconds = isLinkKind(mail.kind) ? await takeLinkMailTurn(sql, mail, mailLimits.links) : 0
  if (waitSeconds > 0) return postponeMail(sql, workspaceId, mail.id, waitSeconds * 1000, 'its turn comes later')
  const messageId = `<${mail.id}@${new URL(parts.publicUrl).hostname}>`
  const envelope = { from, to: mail.email, messageId, unsubscribe: paper.oneClick }
  const failure = await server.send(writeLetter(paper), envelope)
  if (failure === null) {
    await finishMail(sql, workspaceId, mail.id, 'SENT')
    log.info({ mail: mail.id, kind: mail.kind, attempts: mail.attempts }, 'mail sent')
    return
  }
  const { trouble, isRefusal } = failure
  const ageMs = (microsOf(parts.now()) - microsOf(mail.madeAt)) / 1000
  const isOver = ageMs > mailLimits.giveUpDays * 86_400_000 || (isRefusal && mail.attempts >= mailLimits.refusals)
  const facts = { mail: mail.id, kind: mail.kind, attempts: mail.attempts, trouble }
  if (isOver) {
    await finishMail(sql, workspaceId, mail.id, 'FAILED', trouble)
    log.error(facts, 'a mail could not be sent and is given up')
    return
  }
  const { least, most } = mailLimits.pauseMs
  const pauseMs = Math.min((parts.leastPauseMs ?? least) * 2 ** (mail.attempts - 1), most)
  await postponeMail(sql, workspaceId, mail.id, pauseMs, trouble)
  log.warn({ ...facts, againInMs: pauseMs }, 'a mail was not accepted by the mail server; it will be tried again')
}

interface MailContent {
  readonly notices: readonly StoredNotice[]
  /** Waiting signatures; null while they are being computed, empty where no notice is about them. */
  readonly waits: readonly WaitsForMember[] | null
}

/**
 * The notices that are still for this person: a member who wants them and sees what they are about. Changes of the people of a
 * company are also told to the person they removed.
 */
async function stillTrue(parts: PostContext, workspaceId: string, mail: StoredMail): Promise<MailContent> {
  const { sql, sees } = parts
  const member = (await listMemberStates(sql, workspaceId)).find(({ email }) => email.toLowerCase() === mail.email)
  const { muted } = await withWorkspace(sql, workspaceId, tx => loadMailChoice(tx, workspaceId, mail.email))
  const oldest = microsOf(parts.now()) - mailLimits.giveUpDays * 86_400_000_000
  const kept: StoredNotice[] = []
  for (const notice of await loadMailNotices(sql, workspaceId, mail.id)) {
    const { kind, facts, notedAt } = notice
    if (isOptionalKind(kind)) {
      if (member?.hasJoined !== true || muted.includes(kind)) continue
      // Waiting signatures are looked up for all notices at once.
      const isLookedUp = facts.agreement === null || isWaitingKind(kind)
      if (!isLookedUp && !(await sees(workspaceId, member, facts.agreement!))) continue
    } else if (isLinkKind(kind)) {
      if (member === undefined || !(await isOpen(parts, workspaceId, mail, notice))) continue
    } else if (kind === 'drift' && !(await isDriftNews(sql, mail.email, notice.about))) continue
    // A digest reaches back a day; older notices come from a backup or from a long silence.
    if (microsOf(notedAt) < oldest) continue
    kept.push(notice)
  }
  const isCounted = kept.some(({ kind }) => isWaitingKind(kind))
  return { notices: kept, waits: isCounted ? await parts.waits(workspaceId, member!) : [] }
}

/** Whether a one-time link still works: it was not used, and no newer one was given. */
async function isOpen(
  { sql, links, now }: PostContext,
  workspaceId: string,
  { email }: StoredMail,
  { about, sealedLink }: StoredNotice,
): Promise<boolean> {
  const token = links.open(workspaceId, email, about, sealedLink)
  return token !== null && (await findSetUpLink(sql, token, now())) !== null
}

/** The content of the mail; null if there is nothing left to tell. */
function writePaper(parts: PostContext, workspace: Workspace, mail: StoredMail, { notices, waits }: MailContent) {
  const { publicUrl, unsubscribing } = parts
  const base = `${publicUrl}/w/${workspace.slug}`
  const byKind = [...Map.groupBy(notices, ({ kind }) => kind)]
  const groups = byKind.flatMap(([kind, own]): LetterGroup[] => {
    const group = isWaitingKind(kind)
      ? waitingGroup(kind, waits!, new Set(own.map(each => newsOf(each))), base)
      : plainGroup(
          kind,
          own.flatMap(notice => lineOf(parts, workspace, mail, base, notice)),
        )
    return group === null ? [] : [group]
  })
  if (groups.length === 0) return null
  const common = { workspace: workspace.name, kind: mail.kind, groups, things: notices.length }
  if (mail.kind !== 'digest' && !isOptionalKind(mail.kind))
    return { ...common, unsubscribe: null, settings: null, oneClick: null }
  const kind = mail.kind === 'digest' ? ('all' as const) : mail.kind
  const token = unsubscribing.token({ workspaceId: workspace.id, email: mail.email, kind })
  return {
    ...common,
    unsubscribe: `${publicUrl}/unsubscribe?t=${token}`,
    settings: `${base}/settings/mail`,
    oneClick: `${publicUrl}/console/unsubscribe?t=${token}`,
  }
}

/** Agreement with something new, or the new correction. */
function newsOf({ kind, about, facts }: StoredNotice): string {
  return kind === 'signature' ? (facts.agreement ?? '') : about
}

function plainGroup(kind: Exclude<MailKind, WaitingMailKind>, lines: readonly LetterLine[]): LetterGroup | null {
  if (lines.length === 0) return null
  const rest = lines.length - mailLimits.lines
  const many = isLinkKind(kind) ? '' : manyWords[kind](lines.length)
  const more = rest > 0 ? `${rest} more` : null
  return { kind, lines: lines.slice(0, mailLimits.lines), many, more, everything: null }
}

function lineOf(
  { links, publicUrl }: PostContext,
  workspace: Workspace,
  { email }: StoredMail,
  base: string,
  { kind, about, facts, sealedLink }: StoredNotice,
): LetterLine[] {
  const { name, period, words, path, details } = facts
  if (!isLinkKind(kind))
    return [
      {
        title: period === null ? name : `${name} ${period}`,
        words,
        details: details ?? [],
        address: `${base}${path ?? ''}`,
      },
    ]
  const token = links.open(workspace.id, email, about, sealedLink)
  if (token === null) return []
  const page = kind === 'reset' ? '/new-password' : '/set-up'
  const until = `${formatDate(words)}, ${words.slice(11, 16)} UTC`
  return [
    {
      title: stopped(`The link is from ${name}`),
      words: `It works once, until ${until}.`,
      address: `${publicUrl}${page}#${token}`,
    },
  ]
}
