// The audit stream to an address that takes lines of JSON: a collector of a SIEM. A status of success is the receipt; one that asks to
// wait is obeyed. The token is read from its file each time, so that it can be replaced while we run.

import { readFile } from 'node:fs/promises'
import { type AskGuarded, checkedAddress, discard } from '../outbound/guarded-request.ts'
import type { PrivateHosts } from '../outbound/private-hosts.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import { auditLimits } from './audit-limits.ts'
import { AskedToWait, type Destination } from './audit-line.ts'
import { textOf } from './file.ts'

interface ReceiverParts {
  readonly ask: AskGuarded
  readonly privateHosts: PrivateHosts
  readonly tokenFile: string | null
  readonly nowMs: () => number
}

export function auditReceiver(address: string, parts: ReceiverParts): Destination {
  return {
    async send(lines, signal) {
      const url = checkedAddress(address, parts.privateHosts)
      const authorization = parts.tokenFile === null ? {} : { authorization: await readToken(parts.tokenFile) }
      const response = await parts.ask(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...authorization },
        body: Buffer.from(textOf(lines)),
        signal,
      })
      const { statusCode: status = 0, headers } = response
      await discard(response, auditLimits.answerBytes)
      if (status >= 200 && status < 300) return
      const waitMs = status === 429 || status === 503 ? readRetryAfter(headers['retry-after'], parts.nowMs()) : null
      const trouble = `${url.host} answered ${status}`
      throw waitMs === null ? new Error(trouble) : new AskedToWait(trouble, waitMs)
    },
    async close() {},
  }
}

/** A token alone is a bearer's; with a word before it (`Splunk …`) it is sent as it is. */
async function readToken(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim()
  if (token === '' || token.length > auditLimits.tokenBytes || !/^[\x20-\x7e]+$/.test(token))
    throw new Error('ASSIZE_AUDIT_TOKEN_FILE holds no token: one line of plain characters')
  return token.includes(' ') ? token : `Bearer ${token}`
}
