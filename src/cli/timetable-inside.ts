// Inside the thread of timetable-thread.ts: starts, reports it, and stops on request.
import { parentPort, workerData } from 'node:worker_threads'
import { repairDriver } from './driver-repair.ts'
import { openServerLog } from './server-log.ts'
import type { TimetableTask } from './timetable-thread.ts'

repairDriver()
const { config, times, ...installation } = workerData as TimetableTask
const { startTimetable } = await import('../ingest/timetable.ts')
const timetable = await startTimetable(installation, config, await openServerLog(config), times)
parentPort!.once('message', async () => {
  await timetable.stop()
  // Only for the thread.
  process.exit(0)
})
parentPort!.postMessage('begun')
