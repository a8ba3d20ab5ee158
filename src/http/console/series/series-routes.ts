// Console routes about series: the list, single series, new ones, the quarantine, and the providers.

import { insiders, writers } from '../../../core/roles.ts'
import type { AnswerOf } from '../../../views/calls/call.ts'
import type { WorkspaceCalls } from '../../../views/calls/calls.ts'
import { alarmsBySeries } from '../../../views/due.ts'
import { listSeries, readSparks } from '../../../views/series/series-list.ts'
import {
  type ConsoleParts,
  type ConsoleRequestOf,
  type ConsoleRoute,
  created,
  type Returned,
  route,
} from '../frame/route.ts'
import { followFromPage } from './follow.ts'
import { listProviders } from './providers-state.ts'
import { decideWaiting, showQuarantine } from './quarantine.ts'
import { readSeriesPage } from './series-page.ts'
import { searchForPage } from './series-search.ts'
import { takeUpload } from './upload.ts'

export function seriesRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  /** Catches up first while no notifications arrive from the database: memory may be behind it. */
  const reading = <N extends keyof WorkspaceCalls>(
    read: (request: ConsoleRequestOf<N>) => Promise<Returned<AnswerOf<WorkspaceCalls[N]>>>,
  ) => {
    return async (request: ConsoleRequestOf<N>): Promise<Returned<AnswerOf<WorkspaceCalls[N]>>> => {
      await parts.catchUp()
      return read(request)
    }
  }
  return [
    route('GET /series', {
      answer: reading(async ({ seat }) => listSeries(parts, seat, await alarmsBySeries(parts, seat))),
    }),
    route('GET /series/sparks', { answer: reading(({ seat, query }) => readSparks(parts, seat, query.ids)) }),
    route('GET /series/search', {
      roles: writers,
      answer: reading(({ seat, query }) => searchForPage(parts, seat, query)),
    }),
    route('GET /series/:id', { answer: reading(({ seat, params }) => readSeriesPage(parts, seat, params.id)) }),
    route('POST /series/follow', {
      roles: writers,
      async answer({ seat, body }) {
        const followed = await followFromPage(parts, seat, body)
        return followed.wasFollowed ? followed : created(followed)
      },
    }),
    route('POST /series/upload', { roles: writers, takes: 'file', answer: request => takeUpload(parts, request) }),
    route('GET /quarantine', {
      roles: insiders,
      answer: reading(({ seat }) => showQuarantine(parts, seat)),
    }),
    route('POST /quarantine/:id', {
      isForOperators: true,
      answer: ({ seat, params, body }) => decideWaiting(parts, seat, params.id, body),
    }),
    route('GET /providers', {
      roles: insiders,
      answer: reading(({ seat }) => listProviders(parts, seat)),
    }),
  ]
}
