// The composition root of a worker: configuration → database → library → routes → jobs.
import { instantOfMicros } from './core/time/instant.ts'
import type { ApiContext } from './http/api/context.ts'
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
import { scopesOf, settle } from './storage/log/append.ts'
import { withWorkspace } from './storage/postgres/database.ts'
import { isPublicSettled } from './storage/upkeep/change-feed-entries.ts'
import { openViewParts, type ThreadTask } from './views/sight/open-view-parts.ts'
import { type JobWatch, serveJobs } from './workers/thread.ts'

export type WorkerTask = ThreadTask

type Job = ConsoleJob | ApiJob | UploadJob | ImportJob

export async function takeJobs(task: ThreadTask): Promise<void> {
  const { config } = task
  const log = await openServerLog(config)
  const size = { name: 'assize worker', connections: limits.workerConnections, cacheBytes: limits.workerCacheBytes }
  const now = () => instantOfMicros(Date.now() * 1000)
  const { parts, freshness } = openViewParts(task, log, { ...size, now })
  const { library, seal, catchUp } = parts
  const { sql, ring } = parts.installation
  const forPages: ConsoleParts = { ...parts, fileReading: null }
  const forApi: ApiContext = {
    library,
    seal,
    now,
    cursors: new Cursors(ring),
    sealed: new SealedCursors(ring, 'feed cursors'),
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
