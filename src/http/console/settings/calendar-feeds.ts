// `GET /feeds/{token}.ics`: a calendar feed, for calendar programs that cannot sign in. The token in the address is the secret: it
// is in no log, in no message and in no shared cache, and a wrong one is answered like an address that never was.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { publicUrlOf } from '../../../config.ts'
import { feedAddress, feedEnding, feedPath } from '../../../core/people/feed-address.ts'
import { formatICalendar } from '../../../formats/icalendar.ts'
import { KeyedDigests } from '../../../storage/keys/key-ring.ts'
import { feedBounds } from '../../../storage/people/feed-bounds.ts'
import { findFeed } from '../../../storage/people/feeds.ts'
import { readFeed } from '../../../views/calendar-feed.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import { contentTag } from '../../api/encoded-answers.ts'
import { type Answer, typedAnswer } from '../../frame/answer.ts'
import { errorAnswer, notFound } from '../../frame/errors.ts'
import { sendReply } from '../../frame/reply.ts'
import { HourlyLimit } from '../../traffic/hourly-limit.ts'

/** No shared cache keeps the feed, and no page that it leads to learns its address. */
const secretHeaders = ['cache-control', 'private, no-cache', 'referrer-policy', 'no-referrer']

interface FeedContext {
  readonly parts: ViewContext
  readonly proxies: { clientAddress(req: IncomingMessage): string }
  readonly monotonicMs: () => number
}

export function addFeeds(app: FastifyInstance, { parts, proxies, monotonicMs }: FeedContext): void {
  const { sql, ring } = parts.installation
  const digests = new KeyedDigests(ring, 'feed digests')
  const used = new HourlyLimit(feedBounds.anHour)
  /** Limit by address, for guesses at tokens. */
  const missed = new HourlyLimit(feedBounds.anHour)
  const answer = async (token: string, address: string): Promise<Answer> => {
    const feed = await findFeed(sql, digests, token)
    const wait = feed === null ? missed.take(address, monotonicMs()) : used.take(feed.id, monotonicMs())
    if (wait > 0) return tooMany(wait)
    if (feed === null) return errorAnswer(404, notFound, secretHeaders)
    await parts.catchUp()
    const file = await readFeed(parts, feed, feedAddress(publicUrlOf(parts.config), token))
    const body = formatICalendar(file)
    return typedAnswer('text/calendar; charset=utf-8', body, { etag: contentTag(body), headers: secretHeaders })
  }
  app.get<{ Params: { name: string } }>(`${feedPath}/:name`, async (request, reply) => {
    const { name } = request.params
    const token = name.endsWith(feedEnding) ? name.slice(0, -feedEnding.length) : ''
    sendReply(request, reply, await answer(token, proxies.clientAddress(request.raw)))
  })
}

function tooMany(wait: number): Answer {
  const message = `a feed is fetched at most ${feedBounds.anHour} times an hour`
  return errorAnswer(429, message, ['retry-after', String(wait), ...secretHeaders])
}
