// Numbers for Prometheus, on a port of their own so that they are never public by accident. Numbers from the database
// are queried when the metrics are read, and left out while it cannot be reached.
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { IdentityCounts } from '../identity/counts.ts'
import { deafReasons, type Freshness } from '../read/freshness.ts'
import type { Library } from '../read/library.ts'
import type { AuditHealth } from '../storage/audit/audit-places.ts'
import type { MailHealth } from '../storage/people/mail.ts'
import type { PoolWaits } from '../storage/postgres/pool-waits.ts'
import type { AnchorHealth } from '../storage/proof/anchors.ts'
import type { LogHealth } from '../storage/proof/log-files.ts'
import type { LateSeries } from '../storage/series/alarms.ts'
import type { ProviderHealth } from '../storage/series/ingest-health.ts'
import type { WebhookHealth } from '../storage/webhooks/deliveries.ts'
import type { WorkPool } from '../workers/pool.ts'
import type { OnAnswered } from './frame/request-log.ts'
import { AnswerCounts } from './traffic/answer-counts.ts'

// Not imported by name, which would load everything behind `fetch` and `WebSocket` as well.
const { createServer } = process.getBuiltinModule('node:http')

export interface Metrics {
  readonly answered: OnAnswered
  listen(port: number, host: string): Promise<string>
  close(): Promise<void>
}

interface Measured {
  readonly library: Library
  readonly freshness: Freshness
  readonly pools: Readonly<Record<string, PoolWaits>>
  readonly workers: Readonly<Record<string, Pick<WorkPool, 'waiting' | 'refused' | 'begunAgain'>>>
  readonly isReady: () => Promise<boolean>
  /** Whether the shared request limit cannot be asked. */
  readonly isCutOff: () => boolean
  readonly providers: () => Promise<readonly ProviderHealth[]>
  readonly mail: () => Promise<MailHealth>
  readonly webhooks: () => Promise<WebhookHealth>
  /** Null without a destination of the audit. */
  readonly audit: () => Promise<AuditHealth | null>
  readonly late: () => Promise<readonly LateSeries[]>
  readonly log: () => Promise<LogHealth | null>
  readonly identity: IdentityCounts
  readonly anchors: () => Promise<AnchorHealth>
  /** Age of the last backup; `null` where none was made from here. */
  readonly backupSeconds: () => Promise<number | null>
}

export function openMetrics(measured: Measured): Metrics {
  const {
    library,
    freshness,
    pools,
    workers,
    isReady,
    isCutOff,
    providers,
    mail,
    webhooks,
    audit,
    late,
    log,
    identity,
    anchors,
  } = measured
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'assize_' })
  const counts = new AnswerCounts()
  gauge(register, 'assize_library_bytes', 'Bytes of series and agreements in memory', () => library.bytes)
  gauge(register, 'assize_library_held', 'Series, agreements and lists in memory', () => library.cached)
  gauge(register, 'assize_library_loading', 'Loads from the database under way', () => library.loading)
  counter(
    register,
    'assize_agreements_computed_total',
    'Agreements computed over all their periods',
    () => library.computed,
  )
  gauge(register, 'assize_hearing', '1 while notifications of publications arrive from the database', () =>
    freshness.isHearing ? 1 : 0,
  )
  measureDeafness(register, freshness)
  gauge(register, 'assize_ready', '1 while the database answers', async () => ((await isReady()) ? 1 : 0))
  gauge(
    register,
    'assize_limits_cut_off',
    '1 while Redis does not answer and this process counts requests by itself',
    () => (isCutOff() ? 1 : 0),
  )
  measurePools(register, pools)
  measureWorkers(register, workers)
  measureIdentity(register, identity)
  const askProviders = measureProviders(register, providers)
  const askMail = measureMail(register, mail)
  const askWebhooks = measureWebhooks(register, webhooks)
  const askAudit = measureAudit(register, audit)
  const askLate = measureLate(register, late)
  const askLog = measureLog(register, log)
  const askAnchors = measureAnchors(register, anchors)
  const askBackup = measureBackup(register, measured.backupSeconds)
  const server = createServer(async (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"metrics are at /metrics"}')
      return
    }
    await askProviders()
    await askMail()
    await askWebhooks()
    await askAudit()
    await askLate()
    await askLog()
    await askAnchors()
    await askBackup()
    res.writeHead(200, { 'content-type': register.contentType }).end(`${await register.metrics()}\n${counts.text()}`)
  })
  return {
    answered: (route, status, ms) => counts.count(route, status, ms),
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}/metrics`))
      }),
    close: async () => {
      if (server.listening) await new Promise(resolve => server.close(resolve))
    },
  }
}

function gauge(register: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const made: Gauge = new Gauge({
    name,
    help,
    registers: [register],
    async collect() {
      made.set(await read())
    },
  })
}

/** A metric counted elsewhere. */
function counter(register: Registry, name: string, help: string, read: () => number): void {
  const made: Counter = new Counter({
    name,
    help,
    registers: [register],
    collect() {
      made.reset()
      made.inc(read())
    },
  })
}

function measureDeafness(register: Registry, freshness: Pick<Freshness, 'deafReason'>): void {
  const why: Gauge<'reason'> = new Gauge({
    name: 'assize_not_hearing',
    help: '1 for the reason why no notifications arrive from the database',
    labelNames: ['reason'],
    registers: [register],
    collect() {
      for (const reason of deafReasons) why.set({ reason }, freshness.deafReason === reason ? 1 : 0)
    },
  })
}

function measurePools(register: Registry, pools: Measured['pools']): void {
  const { waiting, count } = measureByPool(register, pools)
  waiting('assize_pool_waiting', 'Transactions that wait for a connection')
  count('assize_pool_transactions_total', 'Transactions begun', ({ begun }) => begun)
  count('assize_pool_wait_seconds_total', 'Waiting for a connection', ({ waitedMs }) => waitedMs / 1000)
}

function measureWorkers(register: Registry, workers: Measured['workers']): void {
  const { waiting, count } = measureByPool(register, workers)
  waiting('assize_jobs_waiting', 'Jobs that wait for a worker')
  count('assize_jobs_refused_total', 'Jobs that found no worker in time', ({ refused }) => refused)
  count('assize_jobs_begun_again_total', 'Jobs that were not short and waited again', ({ begunAgain }) => begunAgain)
}

/** Metrics of each pool, of connections or of workers, by its name. */
function measureByPool<T extends { readonly waiting: number }>(register: Registry, pools: Readonly<Record<string, T>>) {
  const made = { labelNames: ['pool'], registers: [register] }
  const waiting = (name: string, help: string) => {
    const gauge: Gauge<'pool'> = new Gauge({
      ...made,
      name,
      help,
      collect() {
        for (const [pool, each] of Object.entries(pools)) gauge.set({ pool }, each.waiting)
      },
    })
  }
  const count = (name: string, help: string, read: (pool: T) => number) => {
    const counter: Counter<'pool'> = new Counter({
      ...made,
      name,
      help,
      collect() {
        counter.reset()
        for (const [pool, each] of Object.entries(pools)) counter.inc({ pool }, read(each))
      },
    })
  }
  return { waiting, count }
}

function measureIdentity(register: Registry, identity: IdentityCounts): void {
  counter(register, 'assize_identity_sign_ins_total', 'Sign-ins by an identity provider', () => identity.signedIn)
  counter(register, 'assize_identity_logouts_total', 'Logouts that an identity provider told', () => identity.loggedOut)
  const refused: Counter<'reason'> = new Counter({
    name: 'assize_identity_refused_total',
    help: 'What identity providers, or others in their name, sent and was refused',
    labelNames: ['reason'],
    registers: [register],
    collect() {
      refused.reset()
      for (const [reason, count] of identity.refused) refused.inc({ reason }, count)
    },
  })
}

/** Metrics of providers: the returned function makes one query for all of them before they are written. */
function measureProviders(register: Registry, read: Measured['providers']): () => Promise<void> {
  const labelled = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['provider'], registers: [register] })
  const followed = labelled('assize_followed_series', 'Series that are read from a provider')
  const age = labelled('assize_newest_publication_age_seconds', 'Since something new of a provider was published')
  const late = labelled('assize_refreshes_late', 'Followed series that their provider has not answered in time')
  const held = labelled('assize_quarantined_series', 'Series of which something waits for a person')
  const drifts = labelled('assize_provider_drifts', 'Changes of answers that wait for a person')
  return async () => {
    const rows = await read().catch(() => [])
    for (const each of [followed, age, late, held, drifts]) each.reset()
    for (const row of rows) {
      const { provider } = row
      followed.set({ provider }, row.series)
      late.set({ provider }, row.late)
      held.set({ provider }, row.quarantined)
      drifts.set({ provider }, row.drifts)
      if (row.newestPublicationSeconds !== null) age.set({ provider }, row.newestPublicationSeconds)
    }
  }
}

function measureLate(register: Registry, read: Measured['late']): () => Promise<void> {
  const late = new Gauge({
    name: 'assize_late_series',
    help: 'Series of which a figure that agreements wait for is late or cancelled',
    labelNames: ['provider'],
    registers: [register],
  })
  return async () => {
    const rows = await read().catch(() => [])
    late.reset()
    for (const row of rows) late.set({ provider: row.provider }, row.late)
  }
}

function measureLog(register: Registry, read: Measured['log']): () => Promise<void> {
  const one = (name: string, help: string) => new Gauge({ name, help, registers: [register] })
  const size = one('assize_log_leaves', 'Leaves of the public log')
  const age = one('assize_log_checkpoint_seconds', 'Age of its newest checkpoint')
  const stopped = one('assize_log_stopped', '1 while nothing is signed in the public log')
  return async () => {
    const health = await read().catch(() => null)
    for (const each of [size, age, stopped]) each.reset()
    if (health === null) return
    size.set(health.size)
    if (health.checkpointSeconds !== null) age.set(health.checkpointSeconds)
    stopped.set(health.isStopped ? 1 : 0)
  }
}

function measureBackup(register: Registry, read: Measured['backupSeconds']): () => Promise<void> {
  const help = 'Age of the last backup that was made with this data folder'
  const age = new Gauge({ name: 'assize_backup_seconds', help, registers: [register] })
  return async () => {
    const seconds = await read().catch(() => null)
    age.reset()
    if (seconds === null) age.remove()
    else age.set(seconds)
  }
}

function measureAnchors(register: Registry, read: Measured['anchors']): () => Promise<void> {
  const witnessed = new Gauge({
    name: 'assize_log_witness_seconds',
    help: 'For how long a witness has not signed what the public log has grown by',
    labelNames: ['witness'],
    registers: [register],
  })
  const stamped = new Gauge({
    name: 'assize_log_stamp_seconds',
    help: 'Age of the newest time stamp of the public log',
    registers: [register],
  })
  return async () => {
    const health = await read().catch(() => null)
    for (const each of [witnessed, stamped]) each.reset()
    for (const { witness, seconds } of health?.witnesses ?? []) witnessed.set({ witness }, seconds)
    if (health !== null && health.stampSeconds !== null) stamped.set(health.stampSeconds)
  }
}

function measureMail(register: Registry, read: () => Promise<MailHealth>): () => Promise<void> {
  const one = (name: string, help: string) => new Gauge({ name, help, registers: [register] })
  const waiting = one('assize_mail_waiting', 'Mails that the mail server has not taken yet')
  const oldest = one('assize_mail_oldest_seconds', 'Age of the oldest of them')
  const sent = one('assize_mail_sent', 'Mails that the mail server has taken')
  const failed = one('assize_mail_failed', 'Mails that were given up')
  return async () => {
    const health = await read().catch(() => null)
    for (const each of [waiting, oldest, sent, failed]) each.reset()
    if (health === null) return
    waiting.set(health.waiting)
    oldest.set(health.oldestSeconds)
    sent.set(health.sent)
    failed.set(health.failed)
  }
}

function measureAudit(register: Registry, read: Measured['audit']): () => Promise<void> {
  const one = (name: string, help: string) => new Gauge({ name, help, registers: [register] })
  const gauges = {
    waiting: one('assize_audit_waiting', 'Acts that are not written to standard output yet'),
    oldestSeconds: one('assize_audit_oldest_seconds', 'Age of the oldest of them'),
    failingSeconds: one('assize_audit_failing_seconds', 'For how long none could be written; 0 where all is well'),
  }
  return async () => {
    const health = await read().catch(() => null)
    for (const [name, each] of Object.entries(gauges)) {
      each.reset()
      if (health !== null) each.set(health[name as keyof AuditHealth])
    }
  }
}

function measureWebhooks(register: Registry, read: Measured['webhooks']): () => Promise<void> {
  const one = (name: string, help: string) => new Gauge({ name, help, registers: [register] })
  const gauges = {
    waiting: one('assize_webhook_waiting', 'Deliveries that their receivers have not taken yet'),
    oldestSeconds: one('assize_webhook_oldest_seconds', 'Age of the oldest of them'),
    delivered: one('assize_webhook_delivered', 'Deliveries that were taken'),
    failed: one('assize_webhook_failed', 'Deliveries that were given up'),
    enabled: one('assize_webhook_enabled', 'Webhooks that are enabled'),
    failing: one('assize_webhook_failing', 'Those of them whose last attempt failed'),
    disabled: one('assize_webhook_disabled', 'Webhooks that were disabled by themselves'),
  }
  return async () => {
    const health = await read().catch(() => null)
    for (const [name, each] of Object.entries(gauges)) {
      each.reset()
      if (health !== null) each.set(health[name as keyof WebhookHealth])
    }
  }
}
