// What the hooks of the console find out about a request and keep for those after them, and what a route tells the hooks.
// Only requests of the console have it.

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
    /** Within a workspace. */
    seat: Seat | null
    /** Among the requests that are worked on. */
    leavePlace: LeavePlace | null
    /** What arrives after the answer is read, too. */
    isReadOn: boolean
  }

  interface FastifyContextConfig {
    rules?: RouteRules & PublicRules
  }
}

export const initialState = { ours: null, visit: null, seat: null, leavePlace: null, isReadOn: false } as const
