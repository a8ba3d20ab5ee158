// The audit stream to a syslog server (RFC 5424): over UDP, one datagram each, which nobody acknowledges; over TCP (RFC 6587) and
// TLS (RFC 5425), counted by octets. Syslog has no receipts. So each batch has a connection of its own: we end our side, and that the
// server closes its side after reading to the end is the receipt (decision 0802).
import { createSocket } from 'node:dgram'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AuditDestination } from '../core/people/audit-destination.ts'
import { auditLimits } from './audit-limits.ts'
import type { AuditLine, Destination } from './audit-line.ts'

type SyslogServer = Extract<AuditDestination, { kind: 'syslog' }>

/** Log audit, of the facilities of RFC 5424. */
const facility = 13
/** How severe, as syslog counts: informational, notice, warning, error. */
const severities: Readonly<Record<number, number>> = { 1: 6, 2: 5, 3: 4, 4: 3 }

/** `authorities`: certificates to trust besides the usual ones. */
export function auditSyslog(server: SyslogServer, authorities?: string): Destination {
  return {
    send: (lines, signal) =>
      server.transport === 'udp'
        ? sendDatagrams(server, lines, signal)
        : sendStream(server, lines, signal, authorities),
    async close() {},
  }
}

/** Without host and process, which would differ when the same act is told again. */
function syslogMessage({ text, atMs, severity, classUid }: AuditLine): Buffer {
  const priority = facility * 8 + (severities[severity] ?? 6)
  return Buffer.from(`<${priority}>1 ${new Date(atMs).toISOString()} - assize - ${classUid} - ${text}`)
}

async function sendDatagrams({ host, port }: SyslogServer, lines: readonly AuditLine[], signal: AbortSignal) {
  const socket = createSocket({ type: isIP(host) === 6 ? 'udp6' : 'udp4', signal })
  const failed = new Promise<never>((_resolve, reject) => socket.once('error', reject))
  failed.catch(() => {})
  try {
    await Promise.race([failed, new Promise<void>(resolve => socket.connect(port, host, resolve))])
    for (const line of lines) {
      const message = syslogMessage(line).subarray(0, auditLimits.datagramBytes)
      const sent = new Promise<void>((resolve, reject) =>
        socket.send(message, error => (error === null ? resolve() : reject(error))),
      )
      await Promise.race([failed, sent])
    }
  } finally {
    socket.close()
  }
}

function sendStream(
  server: SyslogServer,
  lines: readonly AuditLine[],
  signal: AbortSignal,
  ca?: string,
): Promise<void> {
  const { host, port, transport } = server
  const framed = lines.map(syslogMessage).flatMap(message => [Buffer.from(`${message.length} `), message])
  const socket: Socket =
    transport === 'tcp'
      ? connectTcp({ host, port })
      : connectTls({
          host,
          port,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined ? {} : { ca }),
        })
  return new Promise<void>((resolve, reject) => {
    const stop = () => socket.destroy(new Error('the syslog server did not take it in time'))
    let hasEnded = false
    socket.once('error', reject)
    // Only its own end is a receipt: a connection that was cut off is none.
    socket.once('end', () => {
      hasEnded = true
    })
    socket.once('close', () => {
      signal.removeEventListener('abort', stop)
      if (hasEnded && socket.writableFinished) resolve()
      else reject(new Error('the syslog server ended the connection before it had everything'))
    })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    socket.once(transport === 'tcp' ? 'connect' : 'secureConnect', () => socket.end(Buffer.concat(framed)))
    socket.resume()
  })
}
