// Automatic refresh inside a server: one queue per provider, so that none waits for another; one run at a time across
// processes; failures are retried with growing pauses, and only for the series still unanswered.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import { providers } from '../providers/catalogue/catalogue.ts'
import type { Provider } from '../providers/provider.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { type DatabaseTarget, openApplication, ringIn, type Sql } from '../storage/postgres/database.ts'
import {
  type JobsDatabase,
  jobsSchema,
  letApplicationWork,
  openJobsDatabase,
  openJobsOwner,
} from '../storage/postgres/jobs-database.ts'
import type { Installation } from '../storage/upkeep/installation.ts'
import {
  type CalendarProvider,
  calendarProviders,
  calendarTrouble,
  isCalendarDue,
  refreshCalendar,
} from './calendar/calendar.ts'
import { type IngestConfig, type OpenIngest, openIngest } from './ingest-connections.ts'
import { listDue, refreshSeries } from './refresh.ts'
import { type AskingTime, askingTimes, calendarTime } from './release-times.ts'
import type { Ingest, IngestLog, SeriesOutcome } from './run.ts'

export interface Timetable {
  /** Cancels requests under way and resolves when nothing runs any more; cancelled ones are made again later. */
  stop(): Promise<void>
}

export interface TimetableOptions {
  readonly clock?: () => Instant
  /** Seconds from the start until everything due is requested, and between checks of the queues. */
  readonly firstSeconds?: number
  readonly pollSeconds?: number
}

export async function startTimetable(
  installation: Pick<Installation, 'target'>,
  config: IngestConfig,
  log: IngestLog,
  options: TimetableOptions = {},
): Promise<Timetable> {
  const clock = options.clock ?? (() => instantOfMicros(Date.now() * 1000))
  const stopping = new AbortController()
  // Ingest has its own connections: requests to the server never wait for it, however many providers are being read.
  const sql = openApplication(installation.target, { connections: 5, name: 'assize ingest' })
  const ring = ringIn(sql)
  const ingest = openIngest({ sql, target: installation.target }, config, { log, clock, signal: stopping.signal })
  const database = openJobsDatabase(installation.target)
  const isPooled = installation.target.pooler !== undefined
  const boss = new PgBoss({ ...bossOptions, db: database, migrate: !isPooled })
  boss.on('error', error => log.warn({ reason: messageOf(error) }, 'timetable'))
  const runs = new Set<Promise<void>>()
  const stop = () => stopAll({ boss, stopping, runs, ingest, database, sql })
  /** The queue may start a job at the moment it is stopped, and does not wait for that one. */
  const tracked = async (begin: () => Promise<void>) => {
    stopping.signal.throwIfAborted()
    const run = begin()
    runs.add(run)
    await run.finally(() => runs.delete(run))
  }
  try {
    if (isPooled) await makeJobsSchema(installation.target)
    await boss.start()
    const { pollSeconds = 20 } = options
    for (const provider of Object.values(providers)) {
      const seed = seedOf(ring, provider)
      const firstSeconds = options.firstSeconds ?? 20 + (seed % 60)
      const values = { queue: queueOf(provider), times: askingTimes(provider, seed), firstSeconds, pollSeconds }
      await schedule(boss, values, () => tracked(() => refreshDue(provider, ingest)))
    }
    for (const provider of calendarProviders()) {
      const seed = seedOf(ring, provider)
      // Calendars come some minutes after everything else of the provider.
      const firstSeconds = options.firstSeconds ?? 180 + (seed % 60)
      const calendar = { queue: calendarQueueOf(provider), times: [calendarTime(seed)], firstSeconds, pollSeconds }
      await schedule(boss, calendar, () => tracked(() => refreshDueCalendar(provider, ingest)))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

const bossOptions = { schema: jobsSchema, monitorVacuum: false, reindex: false } as const

/** Creates the schema as the owner, past the pooler. */
async function makeJobsSchema(target: DatabaseTarget): Promise<void> {
  const database = openJobsOwner(target, 1)
  const boss = new PgBoss({ ...bossOptions, db: database, supervise: false, schedule: false })
  // An error that matters has failed the start already; the rest of an upgrade is done at the next start.
  boss.on('error', () => {})
  try {
    await boss.start()
    await boss.stop({ graceful: false })
    await letApplicationWork(database)
  } finally {
    await database.close()
  }
}

interface Running {
  readonly boss: PgBoss
  readonly stopping: AbortController
  readonly runs: ReadonlySet<Promise<void>>
  readonly ingest: OpenIngest
  readonly database: JobsDatabase
  readonly sql: Sql
}

async function stopAll({ boss, stopping, runs, ingest, database, sql }: Running): Promise<void> {
  stopping.abort(new Error('the timetable is being stopped'))
  await boss.stop({ graceful: true, timeout: limits.gracefulStopMs }).catch(() => {})
  await Promise.race([Promise.allSettled(runs), sleep(limits.gracefulStopMs, undefined, { ref: false })])
  await ingest.close()
  await Promise.all([database.close(), sql.end({ timeout: 5 })])
}

/** Seed that is the same in every process of an installation, different between installations. */
function seedOf(ring: KeyRing, { name }: Provider): number {
  return createHash('sha256').update(`timetable ${name} ${ring.lasting.names}`).digest().readUInt32BE(0) % 1440
}

export function queueOf({ name }: Pick<Provider, 'name'>): string {
  return `refresh-${name.toLowerCase().replaceAll('_', '-')}`
}

export function calendarQueueOf({ name }: Pick<Provider, 'name'>): string {
  return `calendar-${name.toLowerCase().replaceAll('_', '-')}`
}

/** A dead process is noticed by its missing heartbeat, and a run that hangs is cancelled after two hours. */
const queueOptions = {
  policy: 'stately',
  retryLimit: 5,
  retryDelay: 60,
  retryBackoff: true,
  retryDelayMax: 3600,
  heartbeatSeconds: 60,
  expireInSeconds: 2 * 3600,
  deleteAfterSeconds: 86_400,
} as const

interface Scheduled {
  readonly queue: string
  readonly times: readonly AskingTime[]
  readonly firstSeconds: number
  readonly pollSeconds: number
}

async function schedule(
  boss: PgBoss,
  { queue, times, firstSeconds, pollSeconds }: Scheduled,
  refresh: () => Promise<void>,
): Promise<void> {
  await boss.createQueue(queue, queueOptions)
  const { policy: _policy, ...changeable } = queueOptions
  await boss.updateQueue(queue, changeable)
  for (const { key, cron, zone } of times) await boss.schedule(queue, cron, null, { tz: zone, key })
  for (const { key } of await boss.getSchedules(queue))
    if (!times.some(time => time.key === key)) await boss.unschedule(queue, key)
  await boss.work(queue, { pollingIntervalSeconds: pollSeconds }, refresh)
  // A server that was down has to catch up.
  await boss.send(queue, null, { startAfter: firstSeconds })
}

/** Series with a complete answer since then need not be requested again. */
const freshMinutes = 20

/** Fails if a retry may help, so that the queue retries. */
async function refreshDue(provider: Provider, ingest: Ingest): Promise<void> {
  const before = instantOfMicros(microsOf(ingest.clock()) - freshMinutes * 60_000_000)
  const due = await listDue(ingest, provider.name, before)
  if (due.length === 0) return
  const [run] = await refreshSeries(ingest, due, 'timetable')
  const waiting = (run?.outcomes ?? []).filter(isPassing)
  if (waiting.length > 0)
    throw new Error(`${waiting.length} of ${due.length} series of ${provider.name} are unanswered`)
}

/** Fails if a retry may help. */
async function refreshDueCalendar(provider: CalendarProvider, ingest: Ingest): Promise<void> {
  if (!(await isCalendarDue(ingest, provider))) return
  const run = await refreshCalendar(ingest, provider)
  if (run.outcome.kind === 'busy' || run.problems.some(({ kind }) => passingKinds.includes(kind)))
    throw new Error(
      `the calendar of ${provider.name} is unanswered: ${calendarTrouble(run) ?? 'another run asks for it'}`,
    )
}

const passingKinds: readonly string[] = ['provider-error', 'rate-limited', 'unreadable']

function isPassing({ outcome }: SeriesOutcome): boolean {
  if (outcome.kind === 'busy') return true
  return outcome.kind === 'failed' && passingKinds.includes(outcome.problem.kind)
}

/** Message of an error, which the queue may give as a plain copy. */
function messageOf(error: Partial<Error>): string {
  return error.message ?? JSON.stringify(error)
}
