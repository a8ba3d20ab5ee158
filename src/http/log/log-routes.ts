// The public log, for anybody, without a key: `/log/checkpoint`, `/log/tile/…` and `/log/tile/entries/…` by C2SP `tlog-tiles`.
// Everything but the checkpoint never changes, so that any cache or mirror may keep it.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { readTilePath } from '../../core/proof/tile.ts'
import type { Queryable } from '../../storage/postgres/database.ts'
import { loadCheckpointFile, loadTileFile } from '../../storage/proof/log-files.ts'
import { logLimits } from '../../storage/proof/log-limits.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { type Answer, typedAnswer } from '../frame/answer.ts'
import { errorAnswer, notFound } from '../frame/errors.ts'
import { sendReply } from '../frame/reply.ts'
import { HourlyLimit } from '../traffic/hourly-limit.ts'

/** Pages of other origins may read it. */
const open = ['access-control-allow-origin', '*']
const forEver = [...open, 'cache-control', 'public, max-age=31536000, immutable']
const forNow = [...open, 'cache-control', 'public, max-age=5']

interface LogRoutesContext {
  readonly sql: Queryable
  readonly clientAddress: (req: IncomingMessage) => string
  readonly monotonicMs: () => number
}

export function addLog(app: FastifyInstance, { sql, clientAddress, monotonicMs }: LogRoutesContext): void {
  const asked = new HourlyLimit(logLimits.requestsAnHour)
  const add = (url: string, answer: (path: string) => Promise<Answer>) =>
    app.get<{ Params: { '*'?: string } }>(url, async (request, reply) => {
      const wait = asked.take(clientAddress(request.raw), monotonicMs())
      sendReply(request, reply, wait > 0 ? tooMany(wait) : await answer(request.params['*'] ?? ''))
    })
  add('/log/checkpoint', async () => {
    const note = await loadCheckpointFile(sql)
    if (note === null) return errorAnswer(404, 'this log has no checkpoint yet', forNow)
    return typedAnswer('text/plain; charset=utf-8', note, { etag: contentTag(note), headers: forNow })
  })
  add('/log/tile/*', async rest => {
    const tile = readTilePath(`tile/${rest}`)
    const bytes = tile === null ? null : await loadTileFile(sql, tile)
    if (bytes === null) return errorAnswer(404, notFound, open)
    return typedAnswer('application/octet-stream', [Buffer.from(bytes)], { headers: forEver })
  })
}

function tooMany(wait: number): Answer {
  const message = `the log is asked at most ${logLimits.requestsAnHour} times an hour from one address`
  return errorAnswer(429, message, ['retry-after', String(wait), ...open])
}
