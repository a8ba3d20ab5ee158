// Composition root of the work that looks over workspaces: configuration → database → library → raising alarms, finding notices
// and sending them, and telling other systems by webhooks. It runs next to the timetable, in its thread; without a mail server
// nobody gets mail.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, publicUrlOf } from './config.ts'
import { type Instant, instantOfMicros } from './core/time/instant.ts'
import type { Log } from './http/frame/request-log.ts'
import { tellOfDrifts } from './mail/drift-notices.ts'
import { LinkNotices } from './mail/link-notices.ts'
import { mailLimits } from './mail/mail-limits.ts'
import { MailServer } from './mail/mail-server.ts'
import { type PostContext, sendDue } from './mail/post.ts'
import { Unsubscribing } from './mail/unsubscribe-token.ts'
import { scopesOf } from './storage/log/append.ts'
import { listWorkspacesWithPeople } from './storage/people/mail.ts'
import { openApplication } from './storage/postgres/database.ts'
import { listWorkspacesWithAgreements } from './storage/series/alarms.ts'
import { listWorkspacesWithWebhooks } from './storage/webhooks/webhook-places.ts'
import { lookForAlarms } from './views/alarm-lookout.ts'
import { lookAround, seesAgreement, waitsForMember } from './views/mail-lookout.ts'
import { openViewParts, type ThreadTask } from './views/sight/open-view-parts.ts'
import { Delivering } from './webhook-delivery.ts'

export interface MailingTimes {
  readonly postMs?: number
  readonly lookMs?: number
  readonly leastPauseMs?: number
  readonly apartMs?: number
  /** Pause between two looks for webhooks. */
  readonly tickMs?: number
  readonly now?: () => Instant
}

export interface Mailing {
  /** Finishes the mail that is being sent. */
  stop(): Promise<void>
}

function senderOf(config: Config): string {
  return config.mailFrom ?? `Assize <assize@${new URL(publicUrlOf(config)).hostname}>`
}

export function startMailing(task: ThreadTask, log: Log, times: MailingTimes = {}): Mailing {
  const { target, config } = task
  const { smtp } = config
  if (smtp !== null && config.publicUrl === null)
    log.warn({ address: publicUrlOf(config) }, 'ASSIZE_PUBLIC_URL is not set: links in mails lead to this machine')
  const now = times.now ?? (() => instantOfMicros(Date.now() * 1000))
  const size = { name: 'assize mail', connections: mailLimits.connections, cacheBytes: mailLimits.cacheBytes, now }
  const { parts, freshness } = openViewParts(task, log, size)
  const { library } = parts
  const { sql, ring } = parts.installation
  const postTo = (server: MailServer): PostContext => ({
    sql,
    now,
    log,
    server,
    links: new LinkNotices(ring),
    unsubscribing: new Unsubscribing(ring),
    publicUrl: publicUrlOf(config),
    from: senderOf(config),
    async sees(workspaceId, member, formula) {
      await freshness.catchUp(scopesOf(workspaceId))
      return seesAgreement(parts, workspaceId, member, formula)
    },
    async waits(workspaceId, member) {
      await freshness.catchUp(scopesOf(workspaceId))
      return waitsForMember(parts, workspaceId, member)
    },
    apartMs: times.apartMs ?? mailLimits.apartMs,
    ...(times.leastPauseMs === undefined ? {} : { leastPauseMs: times.leastPauseMs }),
  })
  const stopping = new AbortController()
  const send = (post: PostContext) =>
    repeat(() => sendDue(post, stopping.signal), times.postMs ?? mailLimits.postMs, stopping.signal, log)
  const webhookSql = openApplication(target, { connections: mailLimits.connections, name: 'assize webhooks' })
  const delivering = new Delivering({ sql: webhookSql, ring, config, library, log }, { now })
  const look = async () => {
    const withPeople = new Set(smtp === null ? [] : await listWorkspacesWithPeople(sql))
    const withWebhooks = new Set(await listWorkspacesWithWebhooks(sql))
    const all = new Set([...(await listWorkspacesWithAgreements(sql)), ...withPeople, ...withWebhooks])
    for (const workspaceId of all) {
      if (stopping.signal.aborted) return
      await freshness.catchUp(scopesOf(workspaceId))
      const failed = (message: string) => (error: unknown) =>
        log.warn({ workspaceId, reason: messageOf(error) }, message)
      await lookForAlarms(parts, workspaceId).catch(failed('could not look for figures that are late'))
      if (withWebhooks.has(workspaceId))
        await delivering.look(workspaceId).catch(failed('could not look for what to tell by webhooks'))
      if (withPeople.has(workspaceId))
        await lookAround(parts, workspaceId).catch(failed('could not look for notices to send by mail'))
    }
    if (smtp !== null) await tellOfDrifts(sql)
  }
  const going = Promise.all([
    repeat(look, times.lookMs ?? mailLimits.lookMs, stopping.signal, log),
    delivering.run(stopping.signal, times.tickMs),
    ...(smtp === null ? [] : [send(postTo(new MailServer(smtp)))]),
  ])
  return {
    async stop() {
      stopping.abort()
      await going
      await Promise.all([sql, webhookSql].map(pool => pool.end({ timeout: 5 })))
    },
  }
}

/** Runs until it is stopped; a failure, for example because the database cannot be reached, is tried again. */
async function repeat(work: () => Promise<void>, pauseMs: number, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    await work().catch(error => log.warn({ reason: messageOf(error) }, 'mail'))
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
