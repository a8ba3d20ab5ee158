// Starts the audit stream of a configuration, and the pruning of old acts, next to the timetable.
import type { Config } from '../config.ts'
import { standardOutput } from '../storage/audit/audit-places.ts'
import { type DatabaseTarget, openApplication } from '../storage/postgres/database.ts'
import { keepPruning } from './retention.ts'
import { writeOut } from './standard-output.ts'
import { AuditStreaming } from './stream.ts'

interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

interface StartedStream {
  /** Stops; another process goes on from there. */
  stop(): Promise<void>
}

/** Nothing is opened where no stream is asked for and acts are kept for good. */
export function startAuditStream(
  target: DatabaseTarget,
  { streamsAudit, auditKeptDays: keptDays }: Config,
  log: StreamLog,
): StartedStream {
  if (!streamsAudit && keptDays === null) return { async stop() {} }
  const sql = openApplication(target, { connections: 1, name: 'assize audit' })
  const stopping = new AbortController()
  const { signal } = stopping
  const parts = { sql, log, nowMs: Date.now }
  const destination = streamsAudit ? standardOutput : null
  const going: Promise<void>[] = []
  if (streamsAudit) going.push(new AuditStreaming({ ...parts, name: standardOutput, write: writeOut }).run(signal))
  if (keptDays !== null) going.push(keepPruning({ ...parts, destination, keptDays }, signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(going)
      await sql.end({ timeout: 5 })
    },
  }
}
