// The composition root of a worker: configuration → database → library → routes → jobs.
import { Seal } from './agreements/seal.ts'
import type { Config } from './config.ts'
import { instantOfMicros } from './core/instant.ts'
import { consoleRoutes } from './http/console/console.ts'
import { type ConsoleJob, RoutesInside } from './http/console/elsewhere.ts'
import { checkInvoicesInside, type InvoiceCheckJob } from './http/console/invoice-check.ts'
import type { ConsoleParts } from './http/console/route.ts'
import { readUpload, type UploadJob } from './http/console/upload.ts'
import { Cursors } from './http/cursor.ts'
import type { Log } from './http/request-log.ts'
import type { V1Parts } from './http/v1/context.ts'
import { type ApiJob, answerInside } from './http/v1/elsewhere.ts'
import { limits } from './limits.ts'
import { Freshness } from './read/freshness.ts'
import { Library } from './read/library.ts'
import { unbounded } from './read/library-bounds.ts'
import { type DatabaseTarget, openApplication } from './storage/database.ts'
import { scopesOf, settle } from './storage/publish.ts'
import { deriveKey } from './storage/secret.ts'
import { type JobWatch, serveJobs } from './workers/thread.ts'

/** What a worker is given when it begins. */
export interface WorkerTask {
  readonly target: DatabaseTarget
  readonly secret: string
  readonly config: Config
}

export type Job = ConsoleJob | ApiJob | UploadJob | InvoiceCheckJob

export function takeJobs({ target, secret, config }: WorkerTask, log: Log): void {
  const sql = openApplication(target, { connections: limits.workerConnections, name: 'assize worker' })
  const seal = new Seal(secret)
  const report = (problem: string) => log.error({}, problem)
  const bounds = { ...unbounded, readsListsAhead: true }
  const library = new Library(sql, limits.workerCacheBytes, { seals: seal.rows, report }, bounds)
  const freshness = new Freshness({ sql, target, library, log, onKeyChange: () => {}, revive: async () => {} })
  const catchUp = () => freshness.catchUp()
  const now = () => instantOfMicros(Date.now() * 1000)
  const forPages: ConsoleParts = {
    installation: { sql, target, secret },
    ...{ config, library, seal, now, catchUp },
    clientAddress: () => '',
    bounds,
    fileReading: null,
  }
  const forApi: V1Parts = {
    ...{ library, seal, now },
    cursors: new Cursors(deriveKey(secret, 'cursors')),
    settle: async (workspaceId, at) => {
      for (const scope of scopesOf(workspaceId)) await settle(sql, scope, at)
      await catchUp()
    },
  }
  const routes = new RoutesInside(consoleRoutes(forPages))
  serveJobs(async (task: unknown, watch: JobWatch) => {
    const job = task as Job
    if (job.kind === 'upload') return readUpload(forPages, job, watch)
    await freshness.catchUp(scopesOf(job.kind === 'v1' ? job.workspaceId : job.seat.workspace.id))
    if (job.kind === 'invoice-check') return checkInvoicesInside(forPages, job)
    return job.kind === 'console' ? routes.answer(job) : answerInside(forApi, job)
  })
}
