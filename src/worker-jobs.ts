// The composition root of a worker: configuration → database → library → routes → jobs.
import { openPublicLog } from './agreements/installation-log.ts'
import { Seal } from './agreements/seal.ts'
import type { Config } from './config.ts'
import { instantOfMicros } from './core/time/instant.ts'
import type { ApiParts } from './http/api/context.ts'
import { type ApiJob, answerInside } from './http/api/elsewhere.ts'
import { type ImportJob, readImport } from './http/console/agreements/imports/import-file.ts'
import { consoleRoutes } from './http/console/console.ts'
import { type ConsoleJob, RoutesInside } from './http/console/frame/elsewhere.ts'
import type { ConsoleParts } from './http/console/frame/route.ts'
import { readUpload, type UploadJob } from './http/console/series/upload.ts'
import { ext } from './http/ext/api.ts'
import { Cursors } from './http/frame/cursor.ts'
import { troubleOf } from './http/frame/errors.ts'
import { SealedCursors } from './http/frame/sealed-cursor.ts'
import { openServerLog } from './http/frame/server-log.ts'
import { sdmx } from './http/sdmx/api.ts'
import { HeldPolls } from './http/traffic/held-polls.ts'
import { v1 } from './http/v1/api.ts'
import { limits } from './limits.ts'
import { Freshness } from './read/freshness.ts'
import { Library } from './read/library.ts'
import { unbounded } from './read/memory/library-bounds.ts'
import { scopesOf, settle } from './storage/log/append.ts'
import { deriveKey } from './storage/log/secret.ts'
import { type DatabaseTarget, openApplication, withWorkspace } from './storage/postgres/database.ts'
import { isPublicSettled } from './storage/upkeep/changes.ts'
import { type JobWatch, serveJobs } from './workers/thread.ts'

/** What a worker is given when it begins. */
export interface WorkerTask {
  readonly target: DatabaseTarget
  readonly secret: string
  readonly config: Config
}

type Job = ConsoleJob | ApiJob | UploadJob | ImportJob

export async function takeJobs({ target, secret, config }: WorkerTask): Promise<void> {
  const log = await openServerLog(config)
  if (config.traces !== null) (await import('./tracing/start-tracing.ts')).startThreadTracing(config.traces)
  const sql = openApplication(target, { connections: limits.workerConnections, name: 'assize worker' })
  const seal = new Seal(secret)
  const report = (problem: string) => log.error({}, problem)
  const bounds = { ...unbounded, readsListsAhead: true }
  const library = new Library(sql, limits.workerCacheBytes, { seals: seal.rows, report }, bounds)
  const freshness = new Freshness({
    sql,
    target,
    changes: library.changes,
    log,
    onKeyChange: () => {},
    revive: async () => {},
  })
  const catchUp = () => freshness.catchUp()
  const now = () => instantOfMicros(Date.now() * 1000)
  const forPages: ConsoleParts = {
    installation: { sql, target, secret },
    config,
    library,
    seal,
    log: openPublicLog({ sql, secret }, seal, config, report),
    now,
    catchUp,
    bounds,
    fileReading: null,
  }
  const forApi: ApiParts = {
    library,
    seal,
    now,
    cursors: new Cursors(deriveKey(secret, 'cursors')),
    sealed: new SealedCursors(deriveKey(secret, 'feed cursors')),
    snapshot: (workspaceId, read) => withWorkspace(sql, workspaceId, read, 'snapshot'),
    isPublicSettled: at => isPublicSettled(sql, at),
    // Nobody waits in a worker.
    polls: new HeldPolls({ perKey: 0, most: 0, isSeen: () => true, isHearing: () => false, deafMs: 0 }),
    settle: async (workspaceId, at) => {
      for (const scope of scopesOf(workspaceId)) await settle(sql, scope, at)
      await catchUp()
    },
  }
  const routes = new RoutesInside(consoleRoutes(forPages))
  const tables = { v1: v1.table, 'ext/v1': ext.table, 'sdmx/v2': sdmx.table }
  serveJobs(async (task: unknown, watch: JobWatch) => {
    const job = task as Job
    if (job.kind === 'upload') return readUpload(forPages, job, watch)
    await freshness.catchUp(scopesOf(job.kind === 'api' ? job.asked.workspaceId : job.seat.workspace.id))
    if (job.kind === 'import') return readImport(forPages, job, watch)
    return job.kind === 'console' ? routes.answer(job) : answerInside(forApi, tables, job)
  }, troubleOf)
}
