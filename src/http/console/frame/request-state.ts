// State of a console request: facts that its hooks store for later hooks, and notes from its route to the hooks. Other requests
// have none.

import type { Seat } from '../../../views/sight/seat.ts'
import type { LeavePlace } from '../../traffic/fair-places.ts'
import type { Ours } from './origin-check.ts'
import type { PublicRules } from './public-route.ts'
import type { RouteRules } from './route.ts'
import type { Visit } from './visitors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ours: Ours
    /** Null until the session is looked up. */
    visit: Visit | null
    /** Seat within a workspace. */
    seat: Seat | null
    /** Leaves its place among the requests that are worked on. */
    leavePlace: LeavePlace | null
    /** Whether bytes that arrive after the answer are read, too. */
    isReadOn: boolean
  }

  interface FastifyContextConfig {
    rules?: RouteRules & PublicRules
  }
}

export const initialState = { ours: null, visit: null, seat: null, leavePlace: null, isReadOn: false } as const
