// The composition root of the server: configuration → database → library → app → listen, and stopping in reverse order.
// It is the only place where everything is connected.
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { openPublicLog } from './agreements/installation-log.ts'
import { startLogTicker } from './agreements/log-ticker.ts'
import { Seal } from './agreements/seal.ts'
import { type Config, databaseKind } from './config.ts'
import { usualBudget } from './core/numbers/work-budget.ts'
import { Refusal } from './core/refusal.ts'
import { type Instant, instantOfMicros } from './core/time/instant.ts'
import { Pipeline } from './http/api/pipeline.ts'
import type { PipelineContext } from './http/api/pipeline-parts.ts'
import { type App, type AppContext, buildApp } from './http/app.ts'
import { addBackChannel } from './http/console/account/back-channel.ts'
import { addConsole, type ConsoleContext } from './http/console/console.ts'
import { addPages } from './http/console/frame/pages.ts'
import { addFeeds } from './http/console/settings/calendar-feeds.ts'
import { addDescription } from './http/docs/description.ts'
import { addWorkbook } from './http/docs/workbook.ts'
import { ext } from './http/ext/api.ts'
import { Cors } from './http/frame/cors.ts'
import { Cursors } from './http/frame/cursor.ts'
import { KeyCheck } from './http/frame/key-check.ts'
import { type Log, type OnAnswered, RequestLog } from './http/frame/request-log.ts'
import { SealedCursors } from './http/frame/sealed-cursor.ts'
import { addLog } from './http/log/log-routes.ts'
import type { Metrics } from './http/metrics.ts'
import { addPublishedKeys } from './http/published-keys.ts'
import { addReadiness, Readiness } from './http/readiness.ts'
import { sdmx } from './http/sdmx/api.ts'
import { Proxies } from './http/traffic/client-address.ts'
import { HeldPolls } from './http/traffic/held-polls.ts'
import { placeLimits } from './http/traffic/place-limits.ts'
import { MemoryRateLimiter, type RateLimiter } from './http/traffic/rate-limit.ts'
import { v1 } from './http/v1/api.ts'
import { IdentityCounts } from './identity/counts.ts'
import { openIdentity } from './identity/identity-connections.ts'
import { limits } from './limits.ts'
import { Freshness } from './read/freshness.ts'
import { Library } from './read/library.ts'
import { loadAuditHealth, standardOutput } from './storage/audit/audit-places.ts'
import { readBackupAge } from './storage/backups/last-backup.ts'
import { KeyedDigests } from './storage/keys/key-ring.ts'
import { loadNewest, scopesOf, settle } from './storage/log/append.ts'
import { loadMailHealth } from './storage/people/mail.ts'
import { openApplication, type Sql, withWorkspace } from './storage/postgres/database.ts'
import { PoolWaits } from './storage/postgres/pool-waits.ts'
import { loadAnchorHealth } from './storage/proof/anchors.ts'
import { loadLogHealth } from './storage/proof/log-files.ts'
import { loadLateSeries } from './storage/series/alarms.ts'
import { loadProviderHealth } from './storage/series/ingest-health.ts'
import { isPublicSettled } from './storage/upkeep/change-feed-entries.ts'
import type { Installation } from './storage/upkeep/installation.ts'
import { loadWebhookHealth } from './storage/webhooks/deliveries.ts'
import { ApiKeyUses, findApiKeys } from './storage/workspaces/api-keys.ts'
import { isTraced, nameTracedRequest } from './tracing/spans.ts'
import { lateAfterMinutes } from './views/series/lateness.ts'
import { readWitnessIds } from './views/sight/witnesses.ts'
import type { WorkerTask } from './worker-jobs.ts'
import { WorkPool } from './workers/pool.ts'

export interface RunningServer {
  /** Address that the server listens on: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly metricsAddress: string | null
  /** Finishes requests under way, then closes; takes at most the graceful time. */
  stop(): Promise<void>
}

/** Options that differ from the default. */
export type ServerOptions = Partial<Pick<AppContext, 'slowReaderMs'>>

export async function startServer(
  config: Config,
  installation: Installation,
  log: Log,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const ground = await openGround(config, installation, log)
  const { freshness, readiness, workers } = ground
  const identityCounts = new IdentityCounts()
  const metrics = config.metricsPort === null ? null : await openHealth(ground, identityCounts)
  const logsEach = ['info', 'debug', 'trace'].includes(config.logLevel)
  const requestLog = new RequestLog(log, logsEach, onAnswered(metrics))
  const apiParts = apiPartsOf(ground, requestLog)
  const pipelines = [v1, ext, sdmx].map(api => new Pipeline(api, apiParts))
  // The console for people, next to the API: neither waits for the other's connections.
  const { consoleConnections: connections, consoleShare: share } = limits
  const consoleSql = ground.pools.console.measured(
    openApplication(installation.target, { connections, share, name: 'assize console' }),
  )
  const console = consoleGroundOf(ground, consoleSql, requestLog, identityCounts)
  const extend = addEverythingElse(console, readiness)
  const app = await buildApp({
    pipelines,
    extend,
    requestIds: requestLog,
    isSecure: ground.isSecure,
    ...options,
  })
  const closeWorkers = () => Promise.all([workers.computing.close(), workers.files.close()])
  const logTicker = startLogTicker(console.parts.log)
  const stop = async () => {
    readiness.stop()
    ground.polls.stop()
    await logTicker.stop()
    const patience = setTimeout(closeWorkers, limits.workersStopMs)
    await stopAll(app, freshness, ground.keys, ground.limiter, metrics).finally(() => clearTimeout(patience))
    await closeWorkers()
    await Promise.all([ground.keySql, consoleSql].map(pool => pool.end({ timeout: 2 })))
  }
  try {
    // Metrics open first: if their port is taken, nobody is served and then cut off.
    const metricsAddress = metrics === null ? null : await listenForMetrics(metrics, config)
    const address = await listen(app, config)
    log.info({ address, metricsAddress, database: readiness.database }, 'listening')
    return { address, metricsAddress, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type OpenedServices = Awaited<ReturnType<typeof openGround>>

/** Opens the base of everything that is served: memory and how it stays true, workers, limits, keys. */
async function openGround(config: Config, installation: Installation, log: Log) {
  const { ring, target } = installation
  const pools = { api: new PoolWaits(), console: new PoolWaits() }
  const sql = pools.api.measured(installation.sql)
  const seal = new Seal(ring)
  // Each agreement of a list is little work on the main thread.
  const bounds = { work: usualBudget, ...limits.usual, listMs: Number.POSITIVE_INFINITY, readsListsAhead: true }
  const trust = { seals: seal.rows, report: (problem: string) => log.error({}, problem) }
  const library = new Library(sql, config.cacheMb * 1024 * 1024, trust, bounds)
  const workers = openWorkers({ target, config }, withinMs => !freshness.hasHeardFor(withinMs))
  const limiter = await openLimiter(config, log)
  const digests = new KeyedDigests(ring, 'api-key digests')
  // Separate connections: keys are checked in time however many series are being loaded.
  const keySql = openApplication(target, { connections: 2, name: 'assize keys' })
  const keys = new KeyCheck({
    digests: key => digests.all(key),
    isCurrent: digest => digests.isCurrent(digest),
    find: asked => findApiKeys(keySql, asked),
    uses: new ApiKeyUses(keySql),
    wallMs: Date.now,
    report: (state, reason) => log.warn({ state }, `API keys: ${reason}`),
  })
  const revive = async () => void (await installation.embedded?.ensureRunning(limits.reviveMs))
  const polls = new HeldPolls({
    perKey: limits.ext.pollsPerKey,
    most: limits.ext.polls,
    isSeen: (workspaceId, notice) => library.isSeen(workspaceId, notice),
    isHearing: () => freshness.isHearing,
    deafMs: limits.ext.pollDeafMs,
  })
  // Callers are woken after the library's own caches, so that they read the present state.
  const { changes } = library
  changes.add({ entered: entry => polls.notify(entry), enteredMany: () => polls.wakeAll() })
  const freshness: Freshness = new Freshness({ sql, target, changes, log, revive, onKeyChange: id => keys.forget(id) })
  await freshness.start().catch(async error => {
    // Connections that stay open would keep the process, which then neither serves nor ends.
    await Promise.all([keys.close(), limiter.close(), freshness.stop()])
    throw error
  })
  const notes = () => (limiter.isCutOff ? ['Redis does not answer: this process counts requests by itself'] : [])
  const dependencies = [{ name: 'the database', ask: () => loadNewest(keySql, []) }]
  const readiness = new Readiness(dependencies, databaseKind(config), notes)
  const proxies = new Proxies(config.trustProxy)
  return {
    config,
    ring,
    target,
    log,
    pools,
    sql,
    keySql,
    seal,
    bounds,
    library,
    workers,
    limiter,
    keys,
    polls,
    freshness,
    readiness,
    proxies,
    now: makeClock(),
    monotonicMs: () => performance.now(),
    clientAddress: proxies.clientAddress.bind(proxies),
    isSecure: proxies.isSecure.bind(proxies),
  }
}

function openWorkers(data: WorkerTask, isHindered: (withinMs: number) => boolean) {
  const task = { entry: new URL('./worker.ts', import.meta.url), data, isHindered }
  return {
    computing: new WorkPool({ ...task, doing: 'agreements are being computed', bounds: placeLimits.computing }),
    files: new WorkPool({ ...task, doing: 'files are being read', bounds: placeLimits.fileReading }),
  }
}

/** Opens the metrics for observers from outside. Loaded only where somebody may observe: it measures from then on. */
async function openHealth(
  { config, keySql, library, freshness, pools, workers, limiter, readiness }: OpenedServices,
  identity: IdentityCounts,
): Promise<Metrics> {
  const { openMetrics } = await import('./http/metrics.ts')
  return openMetrics({
    library,
    identity,
    freshness,
    pools,
    workers,
    isReady: async () => (await readiness.troubles()).length === 0,
    isCutOff: () => limiter.isCutOff,
    providers: () => loadProviderHealth(keySql, lateAfterMinutes),
    mail: () => loadMailHealth(keySql),
    webhooks: () => loadWebhookHealth(keySql),
    audit: async () => (config.streamsAudit ? loadAuditHealth(keySql, standardOutput) : null),
    late: () => loadLateSeries(keySql),
    log: () => loadLogHealth(keySql),
    anchors: async () => loadAnchorHealth(keySql, await readWitnessIds(config.witnessesFile)),
    backupSeconds: () => readBackupAge(config.dataFolder, Date.now()),
  })
}

function apiPartsOf(ground: OpenedServices, log: RequestLog): PipelineContext {
  const { config, ring, sql, seal, library, limiter, keys, freshness, polls, workers } = ground
  // An instant is served when nothing more can be recorded at or before it and every earlier entry is known here.
  const settled = new SettledInstants(async (scope, at) => {
    const reached = await settle(sql, scope, at)
    await freshness.catchUp([scope])
    return reached
  })
  return {
    library,
    limiter,
    keys,
    freshness,
    cors: new Cors(config.corsOrigins),
    cursors: new Cursors(ring),
    sealed: new SealedCursors(ring, 'feed cursors'),
    polls,
    seal,
    snapshot: (workspaceId, read) => withWorkspace(sql, workspaceId, read, 'snapshot'),
    isPublicSettled: at => isPublicSettled(sql, at),
    settle: (workspaceId, at) => settled.reach(scopesOf(workspaceId), at),
    now: ground.now,
    monotonicMs: ground.monotonicMs,
    clientAddress: ground.clientAddress,
    isSecure: ground.isSecure,
    computing: workers.computing,
    isOverloaded: workspaceId => library.isOverloaded(workspaceId, limits.loadsAtOnce),
    log,
  }
}

function consoleGroundOf(
  ground: OpenedServices,
  sql: Sql,
  log: RequestLog,
  identityCounts: IdentityCounts,
): ConsoleContext {
  const { config, ring, target, seal, library, freshness, bounds, workers, proxies, now, monotonicMs } = ground
  const report = (problem: string) => ground.log.error({}, problem)
  const parts = {
    installation: { sql, target, ring },
    config,
    library,
    seal,
    log: openPublicLog({ sql, ring }, config, report),
    now,
    catchUp: () => freshness.catchUp(),
    bounds,
    fileReading: workers.files,
  }
  return {
    parts,
    proxies,
    log,
    monotonicMs,
    computing: workers.computing,
    identity: openIdentity(parts, monotonicMs),
    identityCounts,
    isHearing: () => freshness.isHearing,
  }
}

/** An answer is counted for the metrics, and names its span, where there are any. */
function onAnswered(metrics: Metrics | null): OnAnswered {
  const { answered = () => {} } = metrics ?? {}
  if (!isTraced) return answered
  return (route, status, ms, req) => {
    answered(route, status, ms, req)
    nameTracedRequest(req, route, status)
  }
}

/** Adds everything that is served in addition to the APIs: readiness, the descriptions, the console and the pages. */
function addEverythingElse(ground: ConsoleContext, readiness: Readiness): AppContext['extend'] {
  return async (app, patience) => {
    addReadiness(app, readiness)
    addDescription(app)
    addWorkbook(app, {
      publicUrl: ground.parts.config.publicUrl,
      isSecure: ground.proxies.isSecure.bind(ground.proxies),
    })
    addPublishedKeys(app, ground.parts.installation.sql, ground.parts.seal, ground.parts.log)
    addFeeds(app, ground)
    addPublicLog(app, ground)
    await addBackChannel(app, ground)
    await addConsole(app, ground, patience)
    await addPages(app)
  }
}

function addPublicLog(app: FastifyInstance, { parts, proxies, monotonicMs }: ConsoleContext): void {
  const clientAddress = proxies.clientAddress.bind(proxies)
  addLog(app, { sql: parts.installation.sql, clientAddress, monotonicMs })
}

/** Clock whose text is written once a millisecond, however many requests ask for it. */
function makeClock(): () => Instant {
  let writtenMs = 0
  let written: Instant = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== writtenMs) {
      writtenMs = nowMs
      written = instantOfMicros(nowMs * 1000)
    }
    return written
  }
}

async function openLimiter({ redisUrl }: Config, log: Log): Promise<RateLimiter> {
  if (redisUrl === null) return new MemoryRateLimiter()
  // Loaded here, because most installations have no Redis and its client is 500 files.
  const { RedisRateLimiter } = await import('./http/traffic/rate-limit-redis.ts')
  const follows = {
    away: 'this process counts requests by itself until it is back',
    back: 'requests are counted there again',
  }
  return RedisRateLimiter.open(redisUrl, (state, reason) => log.warn({ state }, `Redis: ${reason}; ${follows[state]}`))
}

async function listen({ server }: App, { port, host }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, 'PORT', port, host)))
    server.listen({ port, host, backlog: limits.connectionsWaiting }, resolve)
  })
  const { address, port: taken, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

function listenForMetrics(metrics: Metrics, { metricsPort, host }: Config): Promise<string> {
  const port = metricsPort!
  return metrics.listen(port, host).catch(error => {
    throw explainListening(error, 'METRICS_PORT', port, host)
  })
}

function explainListening(error: NodeJS.ErrnoException, variable: string, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new Refusal('unavailable', `port ${port} is in use; set ${variable} to another`)
  if (error.code === 'EACCES')
    return new Refusal('unavailable', `port ${port} may not be opened by this user; set ${variable} to another`)
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
    return new Refusal('unavailable', `HOST ${host} is not an address of this machine`)
  return error
}

async function stopAll(
  app: App,
  freshness: Freshness,
  keys: KeyCheck,
  limiter: RateLimiter,
  metrics: Metrics | null,
): Promise<void> {
  await app.drain(limits.gracefulStopMs - 2_000)
  await Promise.all([app.fastify.close(), keys.close(), limiter.close(), freshness.stop(), metrics?.close()])
}

/**
 * Remembers up to when nothing more can be recorded in each scope, so that the database is asked only about later
 * instants.
 */
class SettledInstants {
  readonly #settle: (scope: string, at: Instant) => Promise<Instant>
  readonly #reached = new Map<string, Instant>()

  constructor(settle: (scope: string, at: Instant) => Promise<Instant>) {
    this.#settle = settle
  }

  reach(scopes: readonly string[], at: Instant): void | Promise<void> {
    const open = scopes.filter(scope => at > (this.#reached.get(scope) ?? ''))
    if (open.length === 0) return
    return Promise.all(open.map(scope => this.#reachOne(scope, at))).then(() => {})
  }

  async #reachOne(scope: string, at: Instant): Promise<void> {
    const settled = await this.#settle(scope, at)
    if (settled > (this.#reached.get(scope) ?? '')) this.#reached.set(scope, settled)
  }
}
