// `GET /changes`: changes in order, each once. With `wait` the answer is held until something comes.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { type ChangesRead, readChanges } from '../../read/change-feed.ts'
import type { ApiRequest } from '../api/context.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { schemas } from './description/schemas.ts'
import { type FeedRequest, feedFrom, formatCursor, startOf } from './feed.ts'
import { kinds, wait } from './query.ts'

export const changesParameters = {
  cursor,
  from: feedFrom,
  kinds,
  wait,
  limit: pageLimit(limits.ext.changes),
  format,
}
type ChangesRequest = ApiRequest<typeof changesParameters>

export async function listChanges(request: ChangesRequest): Promise<Answer> {
  const { query, parts, workspaceId, keyId } = request
  const filters = `ext changes ${query.kinds === null ? 'all' : query.kinds.toSorted().join(',')}`
  const feed: FeedRequest = { workspaceId, filters, cursor: query.cursor, from: query.from }
  const ground = {
    library: parts.library,
    snapshot: parts.snapshot,
    isPublicSettled: parts.isPublicSettled,
    nameOf: (place: string) => parts.sealed.nameOf(workspaceId, place),
  }
  const asked = { workspaceId, scope: request.scope, kinds: query.kinds, limit: query.limit ?? limits.ext.changes }
  let place = startOf(parts, feed)
  const waitMs = (query.wait ?? 0) * 1000
  const deadlineMs = performance.now() + waitMs
  // Opened before any reading, so that nothing published in between is missed.
  const poll = waitMs === 0 ? null : parts.polls.open(workspaceId, keyId)
  if (poll !== null)
    request.onGone(() => {
      poll.isEnded = true
      poll.wake()
    })
  // A request for a cursor is followed by one that waits with it.
  else readAhead(request).catch(() => {})
  try {
    for (let isFirst = true; ; isFirst = false) {
      const read = await readChanges(ground, asked, place)
      const leftMs = deadlineMs - performance.now()
      // A page without a wanted change is no reason to wait while there is more to read.
      if (read.changes.length > 0 || read.hasMore || poll === null || poll.isEnded || leftMs <= 0)
        return write(request, read, formatCursor(parts, feed, read.place))
      place = read.place
      if (isFirst) await readAhead(request)
      // Entries that do not concern the request may come in hundreds: a rest handles them together.
      else await sleep(limits.ext.pollRestMs)
      await poll.next(deadlineMs - performance.now())
    }
  } finally {
    if (poll !== null) parts.polls.close(poll)
  }
}

/** Prepares while nothing happens: the index from series to agreements takes a while with thousands of agreements. */
async function readAhead({ parts, workspaceId }: ChangesRequest): Promise<void> {
  const { library } = parts
  await library.readers(workspaceId, await library.index(workspaceId))
}

function write(request: ChangesRequest, { changes, hasMore }: ChangesRead, nextCursor: string): Answer {
  const limit = request.query.limit ?? limits.ext.changes
  return listAnswer(request, schemas.Change, { rows: changes, limit, hasMore, nextCursor })
}
