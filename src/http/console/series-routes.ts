// The routes of the console about series: the list, one of them, how new ones come in, what waits, and the providers.
import Type from 'typebox'
import { limits } from '../../limits.ts'
import { followFromPage } from './follow.ts'
import { listProviders } from './providers-state.ts'
import { decideWaiting, decisionSchema, showQuarantine } from './quarantine.ts'
import { type ConsoleAnswer, type ConsoleParts, type ConsoleRoute, created, done, ok, type Question } from './route.ts'
import { listSeries, readSparks } from './series-list.ts'
import { readSeriesPage } from './series-page.ts'
import { searchForPage } from './series-search.ts'
import { takeUpload } from './upload.ts'
import type { FollowQuestion, QuarantineDecision } from './wire/series.ts'

const followSchema = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: limits.namesLength }),
    code: Type.String({ minLength: 1, maxLength: limits.seriesCodeLength }),
  },
  { additionalProperties: false },
)

/** Who brings series in. */
const writers = ['owner', 'editor'] as const

export function seriesRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  /** While nothing is heard from the database, memory may be behind it: reading asks first. */
  const reading = (read: (question: Question) => Promise<unknown>) => {
    return async (question: Question): Promise<ConsoleAnswer> => {
      await parts.catchUp()
      return ok(await read(question))
    }
  }
  return [
    { method: 'GET', path: '/series', answer: reading(({ seat }) => listSeries(parts, seat)) },
    {
      method: 'GET',
      path: '/series/sparks',
      answer: reading(({ seat, query }) => readSparks(parts, seat, query.get('ids'))),
    },
    {
      method: 'GET',
      path: '/series/search',
      roles: writers,
      answer: reading(({ seat, query }) => searchForPage(parts, seat, query)),
    },
    {
      method: 'GET',
      path: '/series/:id',
      answer: reading(({ seat, params }) => readSeriesPage(parts, seat, params.id!)),
    },
    {
      method: 'POST',
      path: '/series/follow',
      roles: writers,
      body: followSchema,
      answer: async ({ seat, body }) => {
        const followed = await followFromPage(parts, seat, body as FollowQuestion)
        return followed.wasFollowed ? ok(followed) : created(followed)
      },
    },
    {
      method: 'POST',
      path: '/series/upload',
      roles: writers,
      takes: 'file',
      answer: question => takeUpload(parts, question),
    },
    {
      method: 'GET',
      path: '/quarantine',
      roles: ['owner', 'editor', 'buyer', 'viewer'],
      answer: reading(({ seat }) => showQuarantine(parts, seat)),
    },
    {
      method: 'POST',
      path: '/quarantine/:id',
      isForOperators: true,
      body: decisionSchema,
      answer: async ({ seat, params, body }) => {
        await decideWaiting(parts, seat, params.id!, body as QuarantineDecision)
        return done
      },
    },
    {
      method: 'GET',
      path: '/providers',
      roles: ['owner', 'editor', 'buyer', 'viewer'],
      answer: reading(({ seat }) => listProviders(parts, seat)),
    },
  ]
}
