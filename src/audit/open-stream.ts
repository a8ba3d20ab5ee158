// Starts the audit stream of a configuration, next to the timetable: configuration → destination → streaming.
import type { Config } from '../config.ts'
import type { AuditDestination } from '../core/people/audit-destination.ts'
import { resolveBySystem } from '../outbound/address.ts'
import { guardedRequests } from '../outbound/guarded-request.ts'
import { PrivateHosts } from '../outbound/private-hosts.ts'
import { type DatabaseTarget, openApplication } from '../storage/postgres/database.ts'
import type { Destination } from './audit-line.ts'
import { auditFile } from './file.ts'
import { keepPruning } from './keeping.ts'
import { auditReceiver } from './receiver.ts'
import { auditOutput, writeOut } from './standard-output.ts'
import { AuditStreaming } from './streaming.ts'
import { auditSyslog } from './syslog.ts'

interface StreamTask {
  readonly target: DatabaseTarget
  readonly config: Config
  readonly userAgent: string
}

interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

interface StartedStream {
  /** Another process goes on from where this one stopped. */
  stop(): Promise<void>
}

/** Nothing is opened where no destination is set and acts are kept for good. */
export function startAuditStream({ target, config, userAgent }: StreamTask, log: StreamLog): StartedStream {
  const { audit, auditKeptDays: keptDays } = config
  if (audit === null && keptDays === null) return { async stop() {} }
  const sql = openApplication(target, { connections: 1, name: 'assize audit' })
  const stopping = new AbortController()
  const { signal } = stopping
  const tell = ({ name }: AuditDestination, destination: Destination) =>
    new AuditStreaming({ sql, name, destination, log, nowMs: Date.now }).run(signal)
  const going = Promise.all([
    ...(audit === null ? [] : [tell(audit, openDestination(audit, config, userAgent))]),
    ...(keptDays === null
      ? []
      : [keepPruning({ sql, destination: audit?.name ?? null, keptDays, log, nowMs: Date.now }, signal)]),
  ])
  return {
    async stop() {
      stopping.abort()
      await going
      await sql.end({ timeout: 5 })
    },
  }
}

function openDestination(audit: AuditDestination, config: Config, userAgent: string): Destination {
  if (audit.kind === 'stdout') return auditOutput(writeOut)
  if (audit.kind === 'file') return auditFile(audit.path)
  if (audit.kind === 'syslog') return auditSyslog(audit)
  const privateHosts = new PrivateHosts(config.privateHosts)
  const ask = guardedRequests({ resolve: resolveBySystem, privateHosts, userAgent })
  return auditReceiver(audit.url, { ask, privateHosts, tokenFile: config.auditTokenFile, nowMs: Date.now })
}
