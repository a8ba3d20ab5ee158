// Inside the thread of timetable-thread.ts: starts the timetable, alarms, mail, the audit stream and the anchoring of the public
// log, reports the start, and stops on request.
import { parentPort, workerData } from 'node:worker_threads'
import { openPublicLog } from '../../agreements/installation-log.ts'
import { startAuditStream } from '../../audit/open-stream.ts'
import { instantOfMicros } from '../../core/time/instant.ts'
import { openServerLog } from '../../http/frame/server-log.ts'
import { userAgent } from '../../ingest/ingest-connections.ts'
import { startTimetable } from '../../ingest/timetable.ts'
import { startMailing } from '../../notifications.ts'
import { startAnchors } from '../../proof/anchors.ts'
import { openAsk } from '../../proof/bounded-request.ts'
import { openApplication, ringIn } from '../../storage/postgres/database.ts'
import type { TimetableTask } from './timetable-thread.ts'

const { config, times, ...installation } = workerData as TimetableTask
const log = await openServerLog(config)
// Mail and webhooks wait for none of the timetable's queues.
const mailing = startMailing({ ...installation, config }, log)
const audit = startAuditStream(installation.target, config, log)
const timetable = await startTimetable(installation, config, log, times)
const stopping = new AbortController()
const sql = openApplication(installation.target, { connections: 2, name: 'assize anchors' })
const anchors = startAnchors(
  {
    sql,
    publicLog: openPublicLog({ sql, ring: ringIn(sql) }, config, problem => log.error({}, problem)),
    witnessesFile: config.witnessesFile,
    timeAuthority: config.timeAuthority,
    ask: openAsk(userAgent(config.contact), stopping.signal),
    log,
    now: () => instantOfMicros(Date.now() * 1000),
  },
  stopping,
)
parentPort!.once('message', async () => {
  await Promise.all([timetable.stop(), mailing.stop(), anchors.stop(), audit.stop()])
  await sql.end({ timeout: 5 })
  // In a thread, this ends the thread alone.
  process.exit(0)
})
parentPort!.postMessage('begun')
