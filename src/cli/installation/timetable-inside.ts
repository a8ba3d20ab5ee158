// Inside the thread of timetable-thread.ts: starts the timetable, alarms and mail, reports it, and stops on request.
import { parentPort, workerData } from 'node:worker_threads'
import { openServerLog } from '../../http/frame/server-log.ts'
import { startTimetable } from '../../ingest/timetable.ts'
import { startMailing } from '../../mailing.ts'
import type { TimetableTask } from './timetable-thread.ts'

const { config, times, ...installation } = workerData as TimetableTask
const log = await openServerLog(config)
const timetable = await startTimetable(installation, config, log, times)
const mailing = startMailing({ ...installation, config }, log)
parentPort!.once('message', async () => {
  await Promise.all([timetable.stop(), mailing.stop()])
  // Only for the thread.
  process.exit(0)
})
parentPort!.postMessage('begun')
